"""Where a sample's random numbers come from: independent draws, mirrored draws, or Sobol points.

A quantity asks its source for normals, chi-squares and locations, a few columns at a time, one row a
sample. It need not know which source it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from scipy import special


class Source(ABC):
    """Random numbers for `rows` samples, handed out column by column."""

    rows: int

    @abstractmethod
    def normal(self, columns: int) -> np.ndarray:
        """Standard normals of shape (rows, columns)."""

    @abstractmethod
    def chisquare(self, degrees: int, columns: int) -> np.ndarray:
        """Chi-squares with `degrees` degrees of freedom, shape (rows, columns)."""

    @abstractmethod
    def location(self, count: int) -> np.ndarray:
        """Uniform integers 0, ..., count - 1, shape (rows,)."""


class RandomSource(Source):
    """Independent draws of one generator."""

    def __init__(self, rng: np.random.Generator, rows: int) -> None:
        self.rng, self.rows = rng, rows

    def normal(self, columns: int) -> np.ndarray:
        return self.rng.standard_normal((self.rows, columns))

    def chisquare(self, degrees: int, columns: int) -> np.ndarray:
        return self.rng.chisquare(degrees, (self.rows, columns))

    def location(self, count: int) -> np.ndarray:
        return self.rng.integers(count, size=self.rows)


class MirroredSource(Source):
    """Pairs: row i + rows/2 has the normals of row i with the opposite sign and its other numbers unchanged.

    Either half has the law of independent draws, since the normal law is symmetric.
    """

    def __init__(self, rng: np.random.Generator, pairs: int) -> None:
        self.half, self.rows = RandomSource(rng, pairs), 2 * pairs

    def normal(self, columns: int) -> np.ndarray:
        draws = self.half.normal(columns)
        return np.concatenate([draws, -draws])

    def chisquare(self, degrees: int, columns: int) -> np.ndarray:
        return np.tile(self.half.chisquare(degrees, columns), (2, 1))

    def location(self, count: int) -> np.ndarray:
        return np.tile(self.half.location(count), 2)


class SobolSource(Source):
    """One scrambled Sobol point set, each coordinate mapped by the inverse distribution function.

    Scrambling makes each point uniform on a grid of cells of side 2^-BITS; their midpoints avoid 0 and 1. The
    largest, 1 - 2^-53, times an integer is rounded to less than the integer.
    """

    BITS = 52

    def __init__(self, rng: np.random.Generator, rows: int, dimension: int) -> None:
        # Here, as importing scipy.stats takes longer than importing the rest of numerics.
        from scipy.stats import qmc

        sobol = qmc.Sobol(dimension, scramble=True, bits=self.BITS, rng=rng)
        self.points = sobol.random(rows) + 2.0 ** -(self.BITS + 1)
        self.rows, self.used = rows, 0

    def normal(self, columns: int) -> np.ndarray:
        return special.ndtri(self._take(columns))

    def chisquare(self, degrees: int, columns: int) -> np.ndarray:
        return 2 * special.gammaincinv(degrees / 2, self._take(columns))

    def location(self, count: int) -> np.ndarray:
        return (self._take(1)[:, 0] * count).astype(np.int64)

    def _take(self, columns: int) -> np.ndarray:
        taken = self.points[:, self.used : self.used + columns]
        self.used += columns
        return taken
