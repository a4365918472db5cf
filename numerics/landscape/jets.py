"""Values with first derivatives, over numbers, arrays or intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from numerics.landscape import intervals
from numerics.landscape.intervals import Interval


class Jet:
    """A value and its derivatives in some coordinates, by number; a derivative that is not there is zero."""

    __slots__ = ("slopes", "value")
    __array_ufunc__ = None

    def __init__(self, value: Any, slopes: Mapping[int, Any]) -> None:
        self.value, self.slopes = value, slopes

    def then(self, value: Any, derivative: Any) -> Jet:
        """A function of this jet, by its value and its derivative here."""
        return Jet(value, {i: derivative * slope for i, slope in self.slopes.items()})

    def __add__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return Jet(self.value + other, self.slopes)
        slopes = dict(self.slopes)
        for i, slope in other.slopes.items():
            slopes[i] = slopes[i] + slope if i in slopes else slope
        return Jet(self.value + other.value, slopes)

    __radd__ = __add__

    def __neg__(self) -> Jet:
        return Jet(-self.value, {i: -slope for i, slope in self.slopes.items()})

    def __sub__(self, other: Any) -> Jet:
        return self + -other

    def __rsub__(self, other: Any) -> Jet:
        return -self + other

    def __mul__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return Jet(self.value * other, {i: slope * other for i, slope in self._enclosed().items()})
        slopes = {i: slope * other.value for i, slope in self.slopes.items()}
        for i, slope in other.slopes.items():
            part = self.value * slope
            slopes[i] = slopes[i] + part if i in slopes else part
        return Jet(self.value * other.value, slopes)

    __rmul__ = __mul__

    def __pow__(self, n: int) -> Jet:
        """The square."""
        if n != 2:
            return NotImplemented
        return self.then(square(self.value), 2 * self.value)

    def __truediv__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return Jet(self.value / other, {i: slope / other for i, slope in self._enclosed().items()})
        return self * (1 / other)

    def __rtruediv__(self, other: Any) -> Jet:
        inverse = 1 / self.value
        return self.then(inverse * other, -square(inverse) * other)

    def _enclosed(self) -> Mapping[int, Any]:
        """The derivatives; those of intervals as intervals, as a product of numbers would not enclose."""
        if not isinstance(self.value, Interval):
            return self.slopes
        return {i: s if isinstance(s, Interval) else Interval(s) for i, s in self.slopes.items()}

    def sqrt(self) -> Jet:
        """Square root."""
        root = sqrt(self.value)
        return self.then(root, 0.5 / root)


def coordinates(values: Sequence[Any]) -> list[Jet]:
    """Jets of the coordinates themselves."""
    return [Jet(value, {i: 1.0}) for i, value in enumerate(values)]


def square(x: Any) -> Any:
    """x^2; a product for balls, whose powers are not defined around zero."""
    return x**2 if isinstance(x, Interval) else x * x


def sqrt(x: Any) -> Any:
    """Square root of a number, an array, intervals or a jet."""
    return x.sqrt() if hasattr(x, "sqrt") else np.sqrt(x)


def half_angle(x: Jet) -> tuple[Jet, Jet]:
    """Sine and cosine of twice the arc tangent of x."""
    if isinstance(x.value, Interval):
        sine, cosine = intervals.half_angle(x.value)
    else:
        scale = 1 + square(x.value)
        sine, cosine = 2 * x.value / scale, (2 - scale) / scale
    speed = 2 / (1 + square(x.value))
    return x.then(sine, cosine * speed), x.then(cosine, -(sine * speed))
