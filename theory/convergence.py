"""How fast, and by which steps, the dynamics on M find the optimum (Theorem 5 made explicit)."""

from __future__ import annotations

from functools import cache

from sympy import Expr, Integer, Matrix, Min, diff, exp, pi, sqrt

from theory.composite import a, b
from theory.planar import gate_slope, linearisation, velocity
from theory.symbols import gamma, kappa, lam, m, nu

SADDLE = (Integer(0), Integer(0))
SINK = (Integer(1), Integer(1))


def sink_rates() -> dict[Expr, Expr]:
    """Exponential rates at which 1 - kappa and 1 - nu vanish at the sink (1, 1)."""
    optimum = dict(zip((kappa, nu), SINK, strict=True))
    return {overlap: -diff(rate, overlap).subs(optimum) for overlap, rate in velocity().items()}


def slow_exponent() -> Expr:
    """The rate along kappa is exp(-slow_exponent) up to powers of a: 2 lam^2 m^2 / (1 + 4 lam^2 gamma^2)."""
    return 2 * lam**2 * m**2 / (1 + 4 * lam**2 * gamma**2)


def erfc_bounds(x: Expr) -> tuple[Expr, Expr]:
    """Lower and upper bound of erfc(x) for x >= 0."""
    return 2 / sqrt(pi) * exp(-(x**2)) / (x + sqrt(x**2 + 2)), exp(-(x**2))


def slow_rate_bounds() -> tuple[Expr, Expr]:
    """Lower and upper bound of the rate along kappa, in a and a'."""
    low, high = (4 * gamma**2 * a * gate_slope(a) * bound for bound in erfc_bounds(b))
    return low, high


@cache
def separatrix_slope() -> Expr:
    """d nu / d kappa of the saddle's stable direction."""
    (_, _, [vector]) = min(linearisation(SADDLE).eigenvects(), key=lambda triple: triple[0].subs(_SAMPLE).n())
    return vector[1] / vector[0]


@cache
def unstable_direction() -> tuple[Expr, Matrix]:
    """The saddle's positive eigenvalue and its eigenvector; the Jacobian is symmetric."""
    triple = max(linearisation(SADDLE).eigenvects(), key=lambda triple: triple[0].subs(_SAMPLE).n())
    return triple[0], triple[2][0]


_SAMPLE = {a: 1, b: 1, gamma: 1}
"""Tells the two eigenvalues apart; their signs are a claim."""


HUMP = sqrt(2 / (pi * exp(1)))
"""The largest value of |x erf'(x)|, at x = 1 / sqrt 2. It is less than 1/2."""


def curvature_bounds() -> tuple[Expr, Expr]:
    """Two upper bounds of the operator norm of the risk's Hessian in the angles, valid everywhere on M.

    The first is the smaller one for large a, the second for small a.
    """
    common = (2 + 4 / pi) * a**2
    return 2 * gamma**2 * (1 + 2 * a / sqrt(pi) + common), 2 * gamma**2 * (6 * a / sqrt(pi) + common)


def largest_step_size() -> Expr:
    """Below it a step of projected gradient descent on M decreases the risk and preserves order."""
    return 1 / Min(*curvature_bounds())
