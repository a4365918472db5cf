"""The excess risk at k = k*, v = v*, the oracle, between explicit bounds (Corollary 2).

The oracle loses gamma^2 miss(lam m, lam gamma) at the informative token and (L - 1) zeta(0, lam) at the
others, where miss(t, g) = E[(1 - erf(t + g G))^2]. As erfc(u) = (2 / sqrt pi) int_0^oo exp(-(u + a)^2) da,

    miss(t, g) = exp(-c t^2) int int_0^oo weight(a, b) exp(-c t (a + b)) da db,  c = 2 / (1 + 4 g^2),

so that exp(c t^2) miss is the Laplace transform of a positive measure in c t: decreasing and log-convex.
"""

from __future__ import annotations

from functools import cache

from sympy import Add, Expr, Integer, asin, erfc, exp, pi, sqrt, symbols

from theory.decomposition import along_score
from theory.exponential import exponential_moment
from theory.gaussian import F
from theory.special import zeta
from theory.symbols import L, g, gamma, lam, m, t

a, b = symbols("a b", positive=True)
"""By how much two independent copies of the smoothing variable exceed the threshold."""

standard = symbols("G", real=True)
"""A standard Gaussian."""


def miss(t: Expr = t, g: Expr = g) -> Expr:
    """E[(1 - erf(t + g G))^2]: the share of the informative token's variance that is not attended to."""
    return along_score((1 - F) ** 2, t, g)


def excess_risk() -> Expr:
    """The oracle's excess risk, a function of lam, m, L and gamma."""
    return gamma**2 * miss(lam * m, lam * gamma) + (L - 1) * zeta(Integer(0), lam)


def decay(g: Expr = g) -> Expr:
    """The constant c in exp(-c t^2)."""
    return 2 / (1 + 4 * g**2)


def miss_integrand(t: Expr = t, g: Expr = g) -> Expr:
    """miss(t, g) is the integral of this over a, b in (0, oo): E of the two integrands of erfc."""
    u = t + g * standard
    return 4 / pi * exponential_moment(-((u + a) ** 2) - (u + b) ** 2, standard)


def weight(g: Expr = g) -> Expr:
    """The density over (a, b) whose Laplace transform is exp(c t^2) miss(t, g)."""
    return miss_integrand(Integer(0), g)


def noise() -> Expr:
    """zeta(0, lam) = E erf(lam G)^2, what one noise token adds."""
    return 2 / pi * asin(2 * lam**2 / (1 + 2 * lam**2))


def noise_bounds() -> tuple[Expr, Expr]:
    """Lower and upper bound of zeta(0, lam)."""
    return 4 / pi * lam**2 / (1 + 2 * lam**2), 4 / pi * lam**2


@cache
def miss_at_zero(g: Expr = g) -> Expr:
    """miss(0, g) = 1 + zeta(0, g), between 1 and 2."""
    return 1 + noise().subs(lam, g)


def miss_bounds(t: Expr = t, g: Expr = g) -> tuple[Expr, Expr]:
    """Lower and upper bound of miss(t, g) for t >= 0, both equal to it at t = 0.

    exp(c t^2) miss is decreasing in t, and its logarithm lies above the tangent at t = 0.
    """
    upper = miss_at_zero(g) * exp(-decay(g) * t**2)
    slope = 4 / (miss_at_zero(g) * sqrt(pi * (1 + 2 * g**2)))
    return upper * exp(-slope * t), upper


def miss_tail_bounds(t: Expr = t, g: Expr = g) -> tuple[Expr, Expr]:
    """Lower and upper bound of miss(t, g) for t > 0 whose ratio tends to 1 for t -> oo.

    weight(a, b) = weight(0, 0) exp(-Q) with a quadratic form Q >= 0, and 1 - Q <= exp(-Q) <= 1.
    """
    upper = (1 + 4 * g**2) ** 3 / (sqrt(1 + 4 * g**2) ** 3 * pi * t**2) * exp(-decay(g) * t**2)
    return upper * (1 - (1 + g**2) * (1 + 4 * g**2) / t**2), upper


def bound_terms() -> tuple[Expr, Expr]:
    """Upper bounds of what the oracle loses at the informative token and at all others."""
    return 2 * gamma**2 * exp(-decay(lam * gamma) * (lam * m) ** 2), (L - 1) * noise_bounds()[1]


def bound() -> Expr:
    """An upper bound of the oracle's excess risk for all m, L, gamma and lam."""
    return Add(*bound_terms())


def lower_bound() -> Expr:
    """A lower bound of the oracle's excess risk for all m, L, gamma and lam.

    E[(1 - erf)^2] >= (1 - E erf)^2.
    """
    x = lam * m / sqrt(1 + 2 * (lam * gamma) ** 2)
    return gamma**2 * erfc(x) ** 2 + (L - 1) * noise_bounds()[0]
