"""The best lam for given d, L and gamma: the one zero of the oracle's slope.

With w = lam^2, p = gamma^2 w, b = m sqrt(w / ((1 + 2 p)(1 + 4 p))) and erfcx(b) = exp(b^2) erfc(b),

    d excess / d lam = (8 lam / pi) exp(-q) / ((1 + 2 p) sqrt(1 + 4 p)) [(L - 1) leak + gamma^4 - gain],

where the gain decreases and leak / gain increases, so that the bracket changes its sign once.
"""

from __future__ import annotations

from sympy import Expr, Symbol, erfc, exp, log, pi, sqrt

from theory import oracle
from theory.symbols import L, d, gamma, lam, m

w = Symbol("w", positive=True)
"""lam^2."""

n = Symbol("n", positive=True)
"""gamma^2 d / (L - 1), the signal for each noise token."""

u = Symbol("u", real=True)
"""Where lam^2 d is looked at, from its best value."""


def erfcx(x: Expr) -> Expr:
    """exp(x^2) erfc(x)."""
    return exp(x**2) * erfc(x)


def mills_bounds(x: Expr) -> tuple[Expr, Expr]:
    """Lower and upper bound of erfcx(x) for x > 0 (Mills' ratio)."""
    return 2 * x / (sqrt(pi) * (1 + 2 * x**2)), 1 / (sqrt(pi) * x)


def argument() -> Expr:
    """b, where the gain has its erfcx."""
    p = gamma**2 * w
    return m * sqrt(w) / sqrt((1 + 2 * p) * (1 + 4 * p))


def gain() -> Expr:
    """How much a larger lam helps at the informative token."""
    p = gamma**2 * w
    return gamma**2 * sqrt(pi) * m / 2 * sqrt((1 + 4 * p) / (w * (1 + 2 * p))) * erfcx(argument())


def leak() -> Expr:
    """How much a larger lam harms at a noise token."""
    p = gamma**2 * w
    return exp(2 * m**2 * w / (1 + 4 * p)) * (1 + 2 * p) * sqrt(1 + 4 * p) / ((1 + 2 * w) * sqrt(1 + 4 * w))


def bracket() -> Expr:
    """What has the sign of the slope."""
    return (L - 1) * leak() + gamma**4 - gain()


def slope() -> Expr:
    """d excess / d lam."""
    p = gamma**2 * w
    factor = 8 * sqrt(w) / pi * exp(-2 * m**2 * w / (1 + 4 * p)) / ((1 + 2 * p) * sqrt(1 + 4 * p))
    return (factor * bracket()).subs(w, lam**2)


def focus(at: Expr = u) -> Expr:
    """lam^2 d = log(n / 2) - log log n + u; its best value has u -> 0 for n -> oo."""
    return log(n / 2) - log(log(n)) + at


def tail_bounds() -> tuple[Expr, Expr]:
    """Lower and upper bound of the oracle's excess risk that agree to leading orders for n -> oo."""
    misses, noises = oracle.miss_tail_bounds(lam * m, lam * gamma), oracle.noise_bounds()
    lower, upper = (gamma**2 * miss + (L - 1) * noise for miss, noise in zip(misses, noises, strict=True))
    return lower, upper


def rescaled(excess: Expr, z: Expr, s: Expr) -> Expr:
    """(pi / 4) d excess / (L - 1) at lam^2 d = z and lam^2 = s, so that d = z / s."""
    return pi / 4 * z / s / (L - 1) * excess.subs({lam: sqrt(s), m: sqrt(z / (2 * s))}, simultaneous=True)


def ceiling() -> Expr:
    """An upper bound of the least excess risk for L >= 2: the bound at lam^2 d = log(1 + n)."""
    z = log(1 + gamma**2 * d / (L - 1))
    return (L - 1) / d * (4 / pi * z + 2 * exp(4 * gamma**2 * z**2 / d))


def floor(z: Expr) -> tuple[Expr, Expr]:
    """The excess risk is at least the first where lam^2 d <= z and at least the second where lam^2 d >= z."""
    return gamma**2 * erfc(sqrt(z / 2)) ** 2, 4 / pi * (L - 1) * z / (d + 2 * z)


def lone_focus(beta: Expr) -> Expr:
    """lam at which b is about beta where m is large; with one token the best lam is such a one."""
    return m / (2 * sqrt(2) * gamma**2 * beta)


def lone_balance(beta: Expr) -> Expr:
    """What has the sign of the slope at `lone_focus`, with one token and m -> oo."""
    return 1 - 2 * sqrt(pi) * beta * erfcx(beta)
