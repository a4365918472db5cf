"""The plain sampler: every token drawn whole in R^d. The oracle for small d, and the yardstick for speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from numerics.montecarlo.laws import TokenLaw
from numerics.montecarlo.quantity import Observations
from numerics.montecarlo.risk import RiskQuantity
from numerics.montecarlo.source import Source

LARGEST = 2**22
"""Coordinates of one sample: 32 MiB."""


@dataclass(frozen=True)
class Vectors(RiskQuantity):
    """(Y - T)^2 - epsilon^2 with X drawn in R^(L x d), exactly as the task and the predictor are defined.

    k* and v* are the first two unit vectors; k and v have the given overlaps (one run) with them.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        TokenLaw(self.task, self.o)  # whether R^d has room for such vectors
        if self.dimension > LARGEST:
            raise ValueError(f"L d must be at most {LARGEST} to draw tokens whole, got {self.dimension}")

    @property
    def dimension(self) -> int:
        return self.task.L * self.task.d + 2

    def observe(self, source: Source) -> Observations:
        task, rows = self.task, np.arange(source.rows)
        k, v, k_star, v_star = self._directions()
        location = source.location(task.L)
        x = source.normal(task.L * task.d).reshape(source.rows, task.L, task.d)
        x[rows, location] *= task.gamma
        x[rows, location] += task.signal * k_star
        y = x[rows, location] @ v_star + task.epsilon * source.normal(1)[:, 0]
        prediction = (special.erf(self.lam * (x @ k)) * (x @ v)).sum(axis=1)
        return Observations((y - prediction) ** 2 - task.epsilon**2)

    def _directions(self) -> tuple[np.ndarray, ...]:
        loadings = TokenLaw(self.task, self.o).loadings()
        k, v = np.zeros((2, self.task.d))
        k[: loadings.shape[1]], v[: loadings.shape[1]] = loadings
        return k, v, *np.eye(2, self.task.d)
