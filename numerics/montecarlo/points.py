"""How the points of a sample are laid: independent, in antithetic pairs, or on scrambled Sobol points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from numerics import checks
from numerics.montecarlo.quantity import Observations, Quantity, observe
from numerics.montecarlo.source import MirroredSource, RandomSource, SobolSource

SOBOL_NUMBERS = 2**22
"""Numbers in one Sobol point set: 32 MiB."""

SOBOL_DIMENSIONS = 21201
"""The largest dimension of SciPy's direction numbers."""

SOBOL_LARGEST = 2**14
SOBOL_REPLICATES = 32


class Points(ABC):
    """A way to lay points. One observation averages `size` of them; observations are independent.

    So every error bar comes from the spread of independent observations, whatever goes on inside one.
    """

    size: int = 1
    controlled: bool = True
    """Whether control variates help; Sobol points integrate such smooth functions well by themselves."""

    fewest: int = 1024
    """Observations below which the normal approximation of their mean should not be trusted."""

    @abstractmethod
    def observe(self, quantity: Quantity, rng: np.random.Generator, count: int) -> Observations:
        """`count` observations."""


@dataclass(frozen=True)
class RandomPoints(Points):
    """Independent points."""

    def observe(self, quantity: Quantity, rng: np.random.Generator, count: int) -> Observations:
        return observe(quantity, RandomSource(rng, count))


@dataclass(frozen=True)
class AntitheticPoints(Points):
    """Pairs of points with normals of opposite signs: removes the variance that is odd in the normals."""

    size: int = 2

    def observe(self, quantity: Quantity, rng: np.random.Generator, count: int) -> Observations:
        return _averaged(observe(quantity, MirroredSource(rng, count)), 2)


@dataclass(frozen=True)
class SobolPoints(Points):
    """Independently scrambled Sobol point sets of `size` points (Owen, 1995; Matousek's linear scrambling).

    Each point is uniform, so an average over a set is unbiased; the sets are independent replicates, and
    Student's interval over their averages is the one that L'Ecuyer, Nakayama, Owen and Tuffin (2023),
    "Confidence intervals for randomized quasi-Monte Carlo estimators", recommend.
    """

    size: int = SOBOL_LARGEST
    controlled = False
    fewest: int = SOBOL_REPLICATES

    def __post_init__(self) -> None:
        size = checks.integer("size", self.size, 2)
        if size & (size - 1):
            raise ValueError(f"size must be a power of 2, got {size}")

    def observe(self, quantity: Quantity, rng: np.random.Generator, count: int) -> Observations:
        sets = [
            _averaged(observe(quantity, SobolSource(rng, self.size, quantity.dimension)), self.size)
            for _ in range(count)
        ]
        controls = [s.controls for s in sets if s.controls is not None]
        return Observations(
            np.concatenate([s.values for s in sets]), np.concatenate(controls) if controls else None
        )


def points_by_name(name: str, quantity: Quantity, samples: int | None) -> Points:
    """The points of that name; Sobol sets sized so that at least SOBOL_REPLICATES fit into `samples`.

    Raises ValueError for an unknown name, and where Sobol points have too many coordinates or too few
    samples.
    """
    if name == "random":
        return RandomPoints()
    if name == "antithetic":
        return AntitheticPoints()
    if name != "sobol":
        raise ValueError(f"points must be 'random', 'antithetic' or 'sobol', got {name!r}")
    return SobolPoints(_sobol_size(quantity, samples))


def _sobol_size(quantity: Quantity, samples: int | None) -> int:
    if quantity.dimension > SOBOL_DIMENSIONS:
        raise ValueError(
            f"points='sobol' needs at most {SOBOL_DIMENSIONS} numbers a sample, got {quantity.dimension}"
        )
    largest = max(2, min(SOBOL_LARGEST, SOBOL_NUMBERS // max(quantity.dimension, quantity.footprint)))
    if samples is not None:
        if samples < 2 * SOBOL_REPLICATES:
            raise ValueError(f"samples must be >= {2 * SOBOL_REPLICATES} with points='sobol', got {samples}")
        largest = min(largest, samples // SOBOL_REPLICATES)
    return 1 << (largest.bit_length() - 1)


def _averaged(observations: Observations, size: int) -> Observations:
    """Averages over the points of each set; a set's points stand `size` apart when stacked point-major."""
    values, controls = observations
    return Observations(_average(values, size), None if controls is None else _average(controls, size))


def _average(values: np.ndarray, size: int) -> np.ndarray:
    return values.reshape(size, -1, *values.shape[1:]).mean(axis=0)
