"""Attention scores of the tokens, and the sums over noise tokens that the excess risk needs."""

from __future__ import annotations

import numba
import numpy as np
from scipy import special

from numerics.montecarlo.erf import erf
from numerics.montecarlo.source import Source
from numerics.overlaps import Overlaps
from numerics.task import Task

PIECE = 2**17
"""Numbers held at a time: 1 MiB, which stays in a core's cache."""


@numba.njit(nogil=True, cache=True, fastmath={"contract", "nsz"})
def _add_noise_tokens(scores: np.ndarray, lam: float, sums: np.ndarray) -> None:
    """Add each row's sums of erf(lam u) u, erf(lam u)^2, u^2 and u^4 to `sums`, shape (4, rows)."""
    for row in range(scores.shape[0]):
        linear = square = second = fourth = 0.0
        for u in scores[row]:
            f = erf(lam * u)
            linear += f * u
            square += f * f
            second += u * u
            fourth += (u * u) * (u * u)
        sums[0, row] += linear
        sums[1, row] += square
        sums[2, row] += second
        sums[3, row] += fourth


def noise_sums(source: Source, count: int, lam: float) -> np.ndarray:
    """Sums over `count` noise tokens of f u, f^2, u^2 and u^4, where f = erf(lam u); shape (4, rows)."""
    sums = np.zeros((4, source.rows))
    columns = max(1, PIECE // source.rows)
    for start in range(0, count, columns):
        _add_noise_tokens(source.normal(min(columns, count - start)), lam, sums)
    return sums


def informative_weight(z: np.ndarray, o: Overlaps, lam: float, task: Task) -> np.ndarray:
    """erf(lam U) at the informative token, U = m kappa + gamma z; shape (rows, o.size)."""
    return special.erf(lam * (task.signal * o.kappa + task.gamma * z))
