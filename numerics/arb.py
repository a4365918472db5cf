"""The functions of the generated closed forms on Arb balls: every result encloses the true value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import mul
from typing import Any

from flint import acb, arb, ctx, fmpq

MOST_BITS = 1 << 14

NARROW_BITS = 40
"""A ball this accurate is as good as a number."""


class ArbFunctions:
    """The table F for Arb; arguments and results are arb balls."""

    @property
    def pi(self) -> arb:
        """The circle constant."""
        return arb.pi()

    @staticmethod
    def rational(p: int, q: int) -> arb:
        """p / q."""
        return arb(fmpq(p, q))

    @staticmethod
    def sqrt(x: Any) -> arb:
        """Square root."""
        return arb(x).sqrt()

    @staticmethod
    def power(x: Any, n: int) -> arb:
        """x to the power n >= 2, by multiplication."""
        x = arb(x)
        return reduce(mul, [x] * n)

    @staticmethod
    def exp(x: Any) -> arb:
        """Exponential function."""
        return arb(x).exp()

    @staticmethod
    def erf(x: Any) -> arb:
        """Error function."""
        return arb(x).erf()

    @staticmethod
    def erfc(x: Any) -> arb:
        """1 - erf."""
        return arb(x).erfc()

    @staticmethod
    def asin(x: Any) -> arb:
        """Inverse sine."""
        return arb(x).asin()

    @classmethod
    def erf_variance(cls, t: Any, g: Any) -> arb:
        """Var erf(t + g G) as an integral of a positive function."""
        t, g = arb(t), arb(g)
        scale, square = 1 + 2 * g * g, 2 * g * g
        return _variance((t * t) / scale, square / (1 + 2 * square))

    @classmethod
    def zeta(cls, t: Any, g: Any) -> arb:
        """E erf(t + g G)^2 as the square of the mean plus the variance."""
        t, g = arb(t), arb(g)
        return cls.power(cls.erf(t / (1 + 2 * g * g).sqrt()), 2) + cls.erf_variance(t, g)

    @staticmethod
    def erf_moment(n: int, x: Any) -> arb:
        """int_0^1 s^(2n) exp(-x^2 s^2) ds by Kummer's function."""
        x = arb(x)
        return (-(x * x)).hypgeom_1f1(arb(2 * n + 1) / 2, arb(2 * n + 3) / 2) / (2 * n + 1)


class BoxFunctions(ArbFunctions):
    """The table F for wide balls: what is monotone in the ball is evaluated at its ends, and so is tight."""

    @staticmethod
    def power(x: Any, n: int) -> arb:
        """x to the power n >= 2, monotone on each side of zero."""
        x, power = arb(x), ArbFunctions.power
        if n % 2:
            return power(x.lower(), n).union(power(x.upper(), n))
        hull = power(x.abs_lower(), n).union(power(x.abs_upper(), n))
        return hull.nonnegative_part() if x.contains(0) else hull

    @staticmethod
    def erf(x: Any) -> arb:
        """Error function, increasing."""
        x = arb(x)
        return x.lower().erf().union(x.upper().erf())

    @classmethod
    def erf_variance(cls, t: Any, g: Any) -> arb:
        """From the ends: it decreases in t^2 / (1 + 2 g^2) and increases in 2 g^2 / (1 + 4 g^2)."""
        t, g = arb(t), arb(g)
        square = 2 * cls.power(g, 2)
        h, share = cls.power(t, 2) / (1 + square), 1 / (1 / square + 2)
        return _variance(h.upper(), share.lower()).union(_variance(h.abs_lower(), share.upper()))

    @classmethod
    def zeta(cls, t: Any, g: Any) -> arb:
        """E erf(t + g G)^2, increasing in |t| at a fixed g."""
        t, g = arb(t), arb(g)
        if g.rel_accuracy_bits() > NARROW_BITS:
            zeta = ArbFunctions.zeta
            return zeta(t.abs_lower(), g).union(zeta(t.abs_upper(), g))
        return cls.power(cls.erf(t / (1 + 2 * cls.power(g, 2)).sqrt()), 2) + cls.erf_variance(t, g)

    @staticmethod
    def erf_moment(n: int, x: Any) -> arb:
        """Decreasing in |x|."""
        moment = ArbFunctions.erf_moment
        return moment(n, arb(x).abs_lower()).union(moment(n, arb(x).abs_upper()))


def _variance(square: arb, share: arb) -> arb:
    """(4 / pi) int_a^1 exp(-h^2 (1 + x^2)) / (1 + x^2) dx by rigorous quadrature.

    square: h^2. share: (1 - a^2) / 2.
    """
    a = (1 - 2 * share).sqrt()
    width = 2 * share / (1 + a)

    def integrand(u: acb, analytic: bool) -> acb:
        x = a + width * u
        return (-square * (2 * a + width * u) * width * u).exp() / (1 + x * x)

    integral = acb.integral(integrand, 0, 1).real
    return 4 / arb.pi() * width * integral * (-square * (1 + a * a)).exp()


ARB = ArbFunctions()
BOXES = BoxFunctions()


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Sets Arb's working precision within the context."""
    before, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = before


def signal(d: int) -> arb:
    """The signal strength sqrt(d / 2)."""
    return (arb(d) / 2).sqrt()


def evaluate(
    function: Callable[..., Any], overlaps: Sequence[float], lam: float, d: int, gamma: float, L: int
) -> list[float]:
    """A generated closed form at exact double arguments, each result rounded from a tight enclosure.

    Bits are doubled until every result is known to a relative error of 1e-17, or is below 1e-320.
    Raises ArithmeticError if an argument is not finite, or MOST_BITS do not suffice.
    """
    if not all(map(math.isfinite, (*overlaps, lam, gamma))):
        raise ArithmeticError(
            f"arguments must be finite, got overlaps {overlaps}, lam {lam!r}, gamma {gamma!r}"
        )
    bits = 128
    while bits <= MOST_BITS:
        with precision(bits):
            arguments = (arb(lam), signal(d), arb(gamma), arb(L))
            results = function(ARB, *(arb(o) for o in overlaps), *arguments)
            balls = results if isinstance(results, tuple) else (results,)
            if all(_tight(arb(ball)) for ball in balls):
                return [float(arb(ball).mid()) for ball in balls]
        bits *= 2
    raise ArithmeticError(f"{MOST_BITS} bits do not decide {function.__name__} at overlaps {tuple(overlaps)}")


def _tight(ball: arb) -> bool:
    return bool(
        ball.is_finite()
        and (ball.rad() < abs(ball.mid()) * arb("1e-17") or abs(ball).upper() < arb("1e-320"))
    )
