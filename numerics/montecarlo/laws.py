"""The law of the tokens, seen through the directions that matter.

A token is needed only through its projections on k*, v*, k and v and, for Bayes, through its squared norm. In
an orthonormal frame (k*, v*, e1, e2) that contains k and v these take at most four normals; the rest of
the squared norm is a chi-square.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from numerics.montecarlo.source import Source
from numerics.overlaps import Overlaps, residual_gram
from numerics.task import Task

RANK_TOLERANCE = 1e-9
"""A squared length below this counts as rounding where R^d has no direction left for it."""


@dataclass(frozen=True)
class Tokens:
    """Projections of `rows` samples' tokens, each of shape (rows, L).

    k_star, v_star: <X_l, k*> and <X_l, v*>.
    k, v: <X_l, k> and <X_l, v>; None when the law was made without overlaps.
    squared_norm: |X_l|^2; None unless asked for.
    location: the informative token's index, shape (rows,).
    """

    k_star: np.ndarray
    v_star: np.ndarray
    location: np.ndarray
    k: np.ndarray | None = None
    v: np.ndarray | None = None
    squared_norm: np.ndarray | None = None

    def at_location(self, projections: np.ndarray) -> np.ndarray:
        """The informative token's entry in each row, 0 where it is not among these tokens; shape (rows,)."""
        here = (self.location >= 0) & (self.location < projections.shape[1])
        rows = np.arange(len(projections))
        return np.where(here, projections[rows, np.where(here, self.location, 0)], 0.0)


@dataclass(frozen=True)
class TokenLaw:
    """The joint law of the projections, exact for every d >= 2.

    overlaps: one run's (k, v), or None when only k* and v* matter.
    norm: draw the squared norms too.

    Raises ValueError if d < 2, or if R^d has no room for unit vectors with these overlaps.
    """

    task: Task
    overlaps: Overlaps | None = None
    norm: bool = False

    def __post_init__(self) -> None:
        if self.task.d < 2:
            raise ValueError(f"d must be >= 2 for two orthonormal vectors, got {self.task.d}")
        if self.overlaps is None:
            return
        if self.overlaps.shape != ():
            raise ValueError(f"overlaps must be one run's scalars here, got shape {self.overlaps.shape}")
        lengths = np.linalg.eigvalsh(_outside(self.overlaps))[::-1]
        if (lengths[self.extra :] > RANK_TOLERANCE).any():
            raise ValueError(f"d must be larger for unit vectors with {self.overlaps}, got {self.task.d}")

    @property
    def extra(self) -> int:
        """Frame vectors beside k* and v*."""
        return 0 if self.overlaps is None else min(2, self.task.d - 2)

    @property
    def columns(self) -> int:
        """Random numbers that one token takes."""
        return 2 + self.extra + (self.norm and self.task.d > 2 + self.extra)

    def loadings(self) -> np.ndarray:
        """Coordinates of k and v in the frame (k*, v*, e1, e2), shape (2, 2 + extra)."""
        o = self.overlaps
        assert o is not None
        squares, axes = np.linalg.eigh(_outside(o))
        outside = (axes * np.sqrt(np.maximum(squares, 0)))[:, ::-1]
        inside = np.array([[o.kappa, o.eta], [o.theta, o.nu]])
        return np.hstack([inside, outside[:, : self.extra]])

    def draw(self, source: Source, location: np.ndarray, count: int) -> Tokens:
        """`count` tokens of each row; the informative one at `location`, which may lie outside them."""
        frame = source.normal(count * (2 + self.extra)).reshape(source.rows, 2 + self.extra, count)
        residual = self._residual_norm(source, count)
        rows = np.flatnonzero((location >= 0) & (location < count))
        frame[rows, :, location[rows]] *= self.task.gamma
        frame[rows, 0, location[rows]] += self.task.signal
        k = v = squared_norm = None
        if self.overlaps is not None:
            k, v = np.moveaxis(self.loadings() @ frame, 1, 0)
        if residual is not None:
            residual[rows, location[rows]] *= self.task.gamma**2
            squared_norm = (frame**2).sum(axis=1) + residual
        return Tokens(frame[:, 0], frame[:, 1], location, k, v, squared_norm)

    def _residual_norm(self, source: Source, count: int) -> np.ndarray | None:
        if not self.norm:
            return None
        degrees = self.task.d - 2 - self.extra
        return source.chisquare(degrees, count) if degrees else np.zeros((source.rows, count))


def _outside(o: Overlaps) -> np.ndarray:
    """Gram matrix of the parts of k and v outside span(k*, v*)."""
    kk, vv, kv = residual_gram(o)
    return np.array([[kk, kv], [kv, vv]])
