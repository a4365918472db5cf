"""Arrays of intervals in double precision, rounded outwards: each result encloses every possible value.

IEEE arithmetic and square roots are correct to half a unit in the last place, so that one step outwards
suffices. What is not known, such as a quotient by an interval that holds zero, is infinite or nan.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import arb


class Interval:
    """Closed intervals [lo, hi], arrays of one shape; numbers in expressions with them are exact doubles."""

    __slots__ = ("hi", "lo")
    __array_ufunc__ = None

    def __init__(self, lo: Any, hi: Any = None) -> None:
        self.lo = np.asarray(lo, dtype=np.float64)
        self.hi = self.lo if hi is None else np.asarray(hi, dtype=np.float64)

    @classmethod
    def of(cls, balls: Any) -> Interval:
        """Enclosures of Arb balls, one or a row of them."""
        rows = balls if isinstance(balls, list | tuple) else [balls]
        ends = np.array([(float(arb(b).lower()), float(arb(b).upper())) for b in rows])
        low, high = _down(ends[:, 0]), _up(ends[:, 1])
        return cls(low, high) if isinstance(balls, list | tuple) else cls(low[0], high[0])

    @property
    def middle(self) -> np.ndarray:
        """A double in each interval, near its middle."""
        return self.lo / 2 + self.hi / 2

    @property
    def magnitude(self) -> np.ndarray:
        """Largest absolute value."""
        return np.maximum(np.abs(self.lo), np.abs(self.hi))

    def excludes_zero(self) -> np.ndarray:
        """Whether zero is certainly outside."""
        return (self.lo > 0) | (self.hi < 0)

    def intersect(self, other: Interval) -> Interval:
        """The intersection of intervals known to meet."""
        return Interval(np.fmax(self.lo, other.lo), np.fmin(self.hi, other.hi))

    def __getitem__(self, index: Any) -> Interval:
        return Interval(self.lo[index], self.hi[index])

    def __add__(self, other: Any) -> Interval:
        if not isinstance(other, Interval):
            if not isinstance(other, int | float | np.ndarray):
                return NotImplemented
            other = Interval(other)
        return Interval(_down(self.lo + other.lo), _up(self.hi + other.hi))

    __radd__ = __add__

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __sub__(self, other: Any) -> Interval:
        return self + -other

    def __rsub__(self, other: Any) -> Interval:
        return -self + other

    def __mul__(self, other: Any) -> Interval:
        if not isinstance(other, Interval):
            if not isinstance(other, int | float | np.ndarray):
                return NotImplemented
            low, high = self.lo * other, self.hi * other
            return Interval(_down(np.minimum(low, high)), _up(np.maximum(low, high)))
        a, b = self.lo * other.lo, self.lo * other.hi
        c, d = self.hi * other.lo, self.hi * other.hi
        low = np.minimum(np.minimum(a, b), np.minimum(c, d))
        high = np.maximum(np.maximum(a, b), np.maximum(c, d))
        return Interval(_down(low), _up(high))

    __rmul__ = __mul__

    def __pow__(self, n: int) -> Interval:
        """The square."""
        if n != 2:
            return NotImplemented
        a, b = self.lo * self.lo, self.hi * self.hi
        low = np.where((self.lo <= 0) & (self.hi >= 0), 0.0, _down(np.minimum(a, b)))
        return Interval(np.where(np.isnan(a + b), np.nan, low), _up(np.maximum(a, b)))

    def inverse(self) -> Interval:
        """1 / x, everything where x may be zero."""
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = _down(1.0 / self.hi), _up(1.0 / self.lo)
        unknown = ~self.excludes_zero()
        return Interval(np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high))

    def __truediv__(self, other: Any) -> Interval:
        return self * (other if isinstance(other, Interval) else Interval(other)).inverse()

    def __rtruediv__(self, other: Any) -> Interval:
        return self.inverse() * other

    def sqrt(self) -> Interval:
        """Square root of what is not negative."""
        low, high = np.sqrt(np.maximum(self.lo, 0.0)), np.sqrt(np.maximum(self.hi, 0.0))
        return Interval(np.maximum(_down(low), 0.0), _up(high))


def half_angle(x: Interval) -> tuple[Interval, Interval]:
    """Sine 2 x / (1 + x^2) and cosine (1 - x^2) / (1 + x^2) of twice the arc tangent of x, tight."""
    ends = Interval(np.stack([x.lo, x.hi]))
    square = ends**2
    sines, cosines = 2 * ends / (1 + square), (1 - square) / (1 + square)
    sine = Interval(sines.lo.min(axis=0), sines.hi.max(axis=0))
    cosine = Interval(cosines.lo.min(axis=0), cosines.hi.max(axis=0))
    low = np.where((x.lo <= -1) & (x.hi >= -1), -1.0, sine.lo)
    high = np.where((x.lo <= 1) & (x.hi >= 1), 1.0, sine.hi)
    top = np.where((x.lo <= 0) & (x.hi >= 0), 1.0, cosine.hi)
    return Interval(low, high), Interval(cosine.lo, top)


def _down(x: np.ndarray) -> np.ndarray:
    return np.nextafter(x, -np.inf)


def _up(x: np.ndarray) -> np.ndarray:
    return np.nextafter(x, np.inf)
