"""What a run computes, block by block. A plan is small and picklable: executors are sent it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from numerics.montecarlo.moments import Moments
from numerics.montecarlo.points import Points, RandomPoints
from numerics.montecarlo.quantity import InvalidObservations, Observations, Quantity
from numerics.montecarlo.streams import Stage, generator

SLAB = 2**17
"""Floats that a slab of samples holds at a time."""

BLOCK_NUMBERS = 2**20
BLOCK_LARGEST = 2**14


@dataclass(frozen=True)
class Plan:
    """A quantity, its points, a seed and the coefficients of the control variates.

    Observation i of a stage belongs to block i // block_size, whatever else happens. Blocks are drawn in
    slabs of bounded memory, whose size depends on the quantity alone.
    """

    quantity: Quantity
    points: Points
    seed: int
    coefficients: np.ndarray | None = None

    @property
    def block_size(self) -> int:
        """Observations in a block."""
        numbers = self.points.size * max(self.quantity.dimension, self.quantity.width)
        return min(max(BLOCK_NUMBERS // numbers, 1), BLOCK_LARGEST)

    @property
    def fingerprint(self) -> str:
        """Identifies quantity, points, seed, control variates and blocks."""
        fitted = None if self.coefficients is None else self.coefficients.tolist()
        data = [self.quantity.parameters(), repr(self.points), self.seed, fitted, self.block_size]
        return hashlib.sha256(json.dumps(data).encode()).hexdigest()

    def draw(self, stage: Stage, block: int, count: int) -> Iterator[Observations]:
        """Slabs of the first `count` observations of a block, values reshaped to (rows, width)."""
        rng = generator(self.seed, stage, block)
        rows = max(1, SLAB // (self.points.size * self.quantity.footprint))
        for start in range(0, count, rows):
            wanted = min(rows, count - start)
            try:
                values, controls = self.points.observe(self.quantity, rng, wanted)
            except InvalidObservations as error:
                raise InvalidObservations(f"{error} {self._whereabouts(stage, block)}") from error
            except Exception as error:
                error.add_note(self._whereabouts(stage, block))
                raise
            yield Observations(values.reshape(wanted, -1), controls)

    def moments(self, stage: Stage, block: int, count: int) -> Moments:
        """Moments of the first `count` observations of a block, control variates subtracted."""
        total = Moments.none(self.quantity.width)
        for values, controls in self.draw(stage, block, count):
            if self.coefficients is not None and controls is not None:
                values = values - controls @ self.coefficients
            total = total.merge(Moments.of(values))
        return total

    def _whereabouts(self, stage: Stage, block: int) -> str:
        return (
            f"[block {block}, stage {stage.name}, seed {self.seed}, points {self.points}; "
            f"numerics.montecarlo.replay repeats this block]"
        )


def replay(
    quantity: Quantity, *, seed: int, block: int, stage: str = "MAIN", points: Points | None = None
) -> np.ndarray:
    """The values of one whole block again, shape (observations, *shape): to study what an error points at.

    >>> from numerics import Overlaps, Task
    >>> from numerics.montecarlo import Scores
    >>> replay(Scores(Overlaps(kappa=1, nu=1), 0.1, Task(d=400, L=10)), seed=0, block=7).shape
    (16384,)
    """
    plan = Plan(quantity, points or RandomPoints(), seed)
    slabs = [values for values, _ in plan.draw(Stage[stage], block, plan.block_size)]
    return np.concatenate(slabs).reshape(-1, *quantity.shape)
