"""The parameters of the risk as exact numbers or as intervals, for ball arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from numerics import checks
from numerics.arb import precision
from numerics.task import Task

Side = Fraction | tuple[Fraction, Fraction]
"""A number, or the ends of an interval of numbers."""

LARGEST = 10**6
"""Denominator of a gamma^2 that is taken for what a float means."""

BITS = 128


@dataclass(frozen=True)
class Parameters:
    """lam, d, gamma^2 and L, each a number or an interval: a box of parameters.

    lam > 0, d >= 4 (k, v, k*, v* may span four dimensions), gamma^2 > 0, L >= 1. A number is taken as the
    exact value of the float that it is; text ("0.1", "1/3") and Fraction are exact; a pair is an interval.
    Raises TypeError or ValueError, naming the argument, its value and what is allowed.

    >>> Parameters.of(lam="0.1", d=400, L=10, gamma_squared="1/2").described()
    'lam = 1/10, d = 400, gamma^2 = 1/2, L = 10'
    """

    lam: Side
    d: Side
    gamma_squared: Side
    L: Side

    @classmethod
    def of(cls, lam: Any, d: Any, L: Any, gamma_squared: Any) -> Parameters:
        """Checked parameters."""
        sides = {"lam": lam, "d": d, "gamma_squared": gamma_squared, "L": L}
        exact = {name: _exact(name, value) for name, value in sides.items()}
        for name, minimum in (("d", 4), ("L", 1)):
            if _low(exact[name]) < minimum:
                raise ValueError(f"{name} must be >= {minimum}, got {sides[name]!r}")
        for name in ("lam", "gamma_squared"):
            if _low(exact[name]) <= 0:
                raise ValueError(f"{name} must be > 0, got {sides[name]!r}")
        return cls(**exact)

    @classmethod
    def of_task(cls, lam: float, task: Task) -> Parameters:
        """Those of a task; gamma^2 is a fraction of denominator <= LARGEST if gamma is its root, rounded."""
        lam = checks.real("lam", lam, above=0)
        checks.integer("d (for critical points)", task.d, 4)
        squared = Fraction(task.gamma) ** 2
        short = squared.limit_denominator(LARGEST)
        with precision(BITS):
            meant = float(ball(short).sqrt().mid()) == task.gamma
        return cls.of(lam=repr(lam), d=task.d, L=task.L, gamma_squared=short if meant else squared)

    def balls(self) -> tuple[arb, arb, arb, arb]:
        """lam, m, gamma and L at the working precision."""
        lam, d, gamma_squared, L = (ball(side) for side in (self.lam, self.d, self.gamma_squared, self.L))
        return lam, (d / 2).sqrt(), gamma_squared.sqrt(), L

    def floats(self) -> tuple[float, float, float, float]:
        """lam, m, gamma and L in double precision; middles of intervals."""
        lam, m, gamma, L = (float(ball.mid()) for ball in self.balls())
        return lam, m, gamma, L

    @property
    def dimension(self) -> int:
        """d as a whole number. Raises ValueError if it is none, or an interval."""
        if isinstance(self.d, tuple) or self.d.denominator != 1:
            raise ValueError(f"d must be a whole number, got {self.d}")
        return int(self.d)

    def halves(self) -> list[Parameters]:
        """The box cut across its relatively widest side; [] if it is no box."""
        wide = {name: side[1] / side[0] for name, side in vars(self).items() if isinstance(side, tuple)}
        if not wide:
            return []
        name = max(wide, key=lambda name: wide[name])
        low, high = getattr(self, name)
        middle = (low + high) / 2
        return [replace(self, **{name: side}) for side in ((low, middle), (middle, high))]

    def described(self) -> str:
        """The parameters, or the box, as text."""
        names = {"lam": self.lam, "d": self.d, "gamma^2": self.gamma_squared, "L": self.L}
        return ", ".join(
            f"{name} in [{side[0]}, {side[1]}]" if isinstance(side, tuple) else f"{name} = {side}"
            for name, side in names.items()
        )


def _exact(name: str, value: Any) -> Side:
    if isinstance(value, tuple | list):
        if len(value) != 2:
            raise ValueError(f"{name} must be a number or a pair of numbers, got {value!r}")
        low, high = (_fraction(name, end) for end in value)
        if low > high:
            raise ValueError(f"{name} must be an interval from low to high, got {value!r}")
        return (low, high) if low < high else low
    return _fraction(name, value)


def _fraction(name: str, value: Any) -> Fraction:
    try:
        return Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise TypeError(f"{name} must be a finite number, got {value!r}") from None


def _low(side: Side) -> Fraction:
    return side[0] if isinstance(side, tuple) else side


def ball(side: Side) -> arb:
    """The number, or the hull of the interval's ends, at the working precision."""
    ends: Sequence[Fraction] = side if isinstance(side, tuple) else (side,)
    first, *rest = (arb(fmpq(end.numerator, end.denominator)) for end in ends)
    return first.union(rest[0]) if rest else first
