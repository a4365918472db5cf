"""Estimators of the excess risk of the erf attention predictor, from the whole definition to three numbers.

| class | draws for each sample | integrates out |
|---|---|---|
| Definition | location, label noise, the projections of all tokens | nothing |
| Scores | the scores of all L tokens | the values and the label noise |
| ThreeScores | the scores of three tokens | also the other noise tokens |

All are unbiased for the same number; the ledger shows it exactly, with these very functions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from numerics import checks
from numerics.montecarlo import scores
from numerics.montecarlo.conditional import (
    excess_given_scores,
    excess_given_three_scores,
    gradient_given_scores,
    zero_mean,
)
from numerics.montecarlo.laws import TokenLaw
from numerics.montecarlo.quantity import Observations, Quantity
from numerics.montecarlo.source import Source
from numerics.overlaps import NAMES, Overlaps
from numerics.task import Task


@dataclass(frozen=True)
class RiskQuantity(Quantity):
    """What the estimators share: overlaps (any shape), lam > 0 and the task.

    The runs of an array of overlaps use the same random numbers, so their differences are estimated better
    than each of them.
    """

    o: Overlaps
    lam: float
    task: Task

    def __post_init__(self) -> None:
        if not isinstance(self.o, Overlaps):
            raise TypeError(f"o must be Overlaps, got {self.o!r}")
        if not isinstance(self.task, Task):
            raise TypeError(f"task must be a Task, got {self.task!r}")
        object.__setattr__(self, "lam", checks.real("lam", self.lam, above=0))

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.o.shape

    @property
    def _row(self) -> Overlaps:
        """The overlaps as arrays of shape (width,), against which columns broadcast."""
        return Overlaps.unchecked(self.o.stack().reshape(5, -1))

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        return values.reshape(len(values), *self.shape)


@dataclass(frozen=True)
class Definition(RiskQuantity):
    """(Y - T)^2 - epsilon^2 with everything drawn: location, noise, all projections. For one run."""

    def __post_init__(self) -> None:
        super().__post_init__()
        TokenLaw(self.task, self.o)  # whether R^d has room for such vectors

    @property
    def dimension(self) -> int:
        return self._law.columns * self.task.L + 2

    @property
    def footprint(self) -> int:
        return min(2 * self.dimension, scores.PIECE)

    @property
    def _law(self) -> TokenLaw:
        return TokenLaw(self.task, self.o)

    def observe(self, source: Source) -> Observations:
        law, L = self._law, self.task.L
        location = source.location(L)
        error = self.task.epsilon * source.normal(1)[:, 0]
        columns = max(1, scores.PIECE // (2 * law.columns * source.rows))
        for start in range(0, L, columns):
            tokens = law.draw(source, location - start, min(columns, L - start))
            assert tokens.k is not None
            assert tokens.v is not None
            error += tokens.at_location(tokens.v_star)
            error -= (special.erf(self.lam * tokens.k) * tokens.v).sum(axis=1)
        return Observations(error**2 - self.task.epsilon**2)


@dataclass(frozen=True)
class Scores(RiskQuantity):
    """E[(Y - T)^2 | scores] - epsilon^2 with the scores of all L tokens drawn, the informative one first."""

    controls = 8

    @property
    def dimension(self) -> int:
        return self.task.L

    @property
    def footprint(self) -> int:
        return min(max(self.dimension, 4 * self.width), scores.PIECE)

    def observe(self, source: Source) -> Observations:
        task, o = self.task, self._row
        z = source.normal(1)
        sums = scores.noise_sums(source, task.L - 1, self.lam)
        f = scores.informative_weight(z, o, self.lam, task)
        values = excess_given_scores(z, f, sums[0][:, None], sums[1][:, None], o, task.signal, task.gamma)
        return Observations(self._shaped(values), _controls(z, sums, task))


@dataclass(frozen=True)
class ThreeScores(RiskQuantity):
    """The same from the scores of one informative and two noise tokens: at its best with Sobol points."""

    @property
    def dimension(self) -> int:
        return 3

    @property
    def footprint(self) -> int:
        return 4 * max(3, self.width)

    def observe(self, source: Source) -> Observations:
        task, o = self.task, self._row
        z, u, w = (source.normal(1) for _ in range(3))
        f = scores.informative_weight(z, o, self.lam, task)
        noise, other = (u, special.erf(self.lam * u)), (w, special.erf(self.lam * w))
        values = excess_given_three_scores(z, f, noise, other, o, task.signal, task.gamma, task.L)
        return Observations(self._shaped(values))


@dataclass(frozen=True)
class RiskGradient(Scores):
    """Derivatives of the excess risk with respect to the five overlaps, shape (5, *o.shape), order of NAMES.

    The derivative of the Rao-Blackwellised sample: erf is smooth with bounded derivative, so expectation and
    derivative may be exchanged.
    """

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (len(NAMES), *self.o.shape)

    def observe(self, source: Source) -> Observations:
        task, o = self.task, self._row
        m, gamma = task.signal, task.gamma
        z = source.normal(1)
        sums = scores.noise_sums(source, task.L - 1, self.lam)
        u = m * o.kappa + gamma * z
        slope = self.lam * m * (2 / np.sqrt(np.pi)) * np.exp(-((self.lam * u) ** 2))
        f = special.erf(self.lam * u)
        parts = gradient_given_scores(z, f, slope, sums[0][:, None], sums[1][:, None], o, m, gamma)
        values = np.stack(np.broadcast_arrays(*parts), axis=1)
        return Observations(self._shaped(values), _controls(z, sums, task))


def _controls(z: np.ndarray, sums: np.ndarray, task: Task) -> np.ndarray:
    return np.stack(zero_mean(z[:, 0], sums[2], sums[3], task.L - 1), axis=1)


ESTIMATORS: dict[str, type[RiskQuantity]] = {
    "scores": Scores,
    "three-scores": ThreeScores,
    "definition": Definition,
}
