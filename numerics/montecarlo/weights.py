"""How attention weights are distributed: the erf layer's, and the Bayes posterior's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from numerics import checks
from numerics.montecarlo.bayes import BayesQuantity
from numerics.montecarlo.quantity import Observations, Quantity
from numerics.montecarlo.source import Source
from numerics.overlaps import Overlaps
from numerics.task import Task


@dataclass(frozen=True)
class AttentionWeights(Quantity):
    """Distribution function of erf(lam <X, k>) for the informative token and for a noise token.

    o: one run's overlaps. at: the levels a. The value, shape (2, len(at)), holds P(weight <= a),
        informative first.
    """

    o: Overlaps
    lam: float
    task: Task
    at: tuple[float, ...] = (-0.5, 0.0, 0.5)

    def __post_init__(self) -> None:
        if self.o.shape != ():
            raise ValueError(f"o must be one run's scalars here, got shape {self.o.shape}")
        object.__setattr__(self, "lam", checks.real("lam", self.lam, above=0))
        object.__setattr__(self, "at", tuple(checks.reals("at", self.at).ravel().tolist()))

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (2, len(self.at))

    @property
    def dimension(self) -> int:
        return 2

    def observe(self, source: Source) -> Observations:
        scores = source.normal(2)
        scores[:, 0] = self.task.signal * float(self.o.kappa) + self.task.gamma * scores[:, 0]
        weights = special.erf(self.lam * scores)
        return Observations((weights[:, :, None] <= np.array(self.at)).astype(float))


@dataclass(frozen=True)
class PosteriorWeights(BayesQuantity):
    """Distribution function of the posterior probability of the true location, P(p_{J0} <= a).

    at: the levels a. The value has shape (len(at),).
    """

    at: tuple[float, ...] = (0.1, 0.5, 0.9)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "at", tuple(checks.reals("at", self.at).ravel().tolist()))

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (len(self.at),)

    def observe(self, source: Source) -> Observations:
        log, _ = self._scores(source, 1, self.task.signal, self.task.gamma)
        total = log[:, 0]
        for count in self._pieces(source, self.task.L - 1):
            noise, _ = self._scores(source, count, 0.0, 1.0)
            total = np.logaddexp(total, special.logsumexp(noise, axis=1))
        return Observations((np.exp(log[:, 0] - total)[:, None] <= np.array(self.at)).astype(float))
