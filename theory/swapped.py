"""The role-swapped predictor: k has the direction of v* and v leans towards k*.

Where kappa = nu = rho = 0 the score <X, k> reads <X, v*>, and the value <X, v> has mean m theta at the
informative token: a small gate erf(lam U) V is about (2 lam / sqrt pi) U V, as good an estimate of <X, v*>
with the roles exchanged. The manifold is invariant like M, and the risk on it is a polynomial in theta and
eta. Noise tokens apart, lambda enters through u = 2 lam^2 gamma^2 / (1 + 2 lam^2 gamma^2) alone.
"""

from __future__ import annotations

from functools import cache

from sympy import Expr, asin, pi, sqrt

from theory import oracle
from theory.composite import a, u
from theory.risk import excess_risk
from theory.symbols import L, eta, gamma, lam, m, theta
from theory.symmetry import SWAPPED_MANIFOLD

others = L - 1
"""The number of noise tokens."""

response = sqrt(2 * u / pi) / gamma
"""E of the slope of erf(lam U) at an unbiased informative token: 2 lam / sqrt(pi (1 + 2 lam^2 gamma^2))."""

power = 2 / pi * asin(u)
"""E erf(lam U)^2 at an unbiased informative token: zeta(0, lam gamma)."""

share = sqrt((1 - u) / (1 + u))
"""1 / sqrt(1 + 4 lam^2 gamma^2), which is a' / a."""


def noise() -> Expr:
    """Excess risk from the noise tokens at rho = 0, that of the oracle too."""
    return others * oracle.noise()


@cache
def excess_risk_on_manifold() -> Expr:
    """Excess risk at kappa = nu = rho = 0, a function of theta and eta."""
    return excess_risk().subs(SWAPPED_MANIFOLD).doit()


def informative_risk() -> Expr:
    """The part of it that depends on theta and eta, or comes from the informative token."""
    value = m * theta
    return gamma**2 - 2 * gamma**2 * response * value * eta + power * (gamma**2 + value**2)


def velocity() -> dict[Expr, Expr]:
    """Time derivatives of theta and eta under the gradient flow on the manifold."""
    return {of: -(1 - of**2) * informative_risk().diff(of) for of in (theta, eta)}


def best_theta() -> Expr:
    """The theta at which the risk has no slope when eta = 1: a predictor if it is at most 1."""
    return gamma**2 * response / (power * m)


def ratio() -> Expr:
    """u / asin u, between 2 / pi and 1: share of gamma^2 that the gate explains at the best theta."""
    return u / asin(u)


def bounds() -> tuple[Expr, Expr]:
    """Lower and upper bound of the role-swapped predictor's excess risk if the best theta is at most 1."""
    low, high = oracle.noise_bounds()
    return 2 / pi * gamma**2 * u + others * low, pi * gamma**4 * lam**2 + others * high


def oracle_gap(with_value: Expr) -> Expr:
    """Excess risk of the oracle minus that of a swapped predictor, in units of gamma^2: 0 where they tie.

    with_value: the swapped predictor's excess at the informative token in these units, a function of a and u.
    It depends on the four parameters through a and u alone: on lam gamma and lam sqrt(d).
    """
    return oracle.miss(a / sqrt(1 - u), sqrt(u / (2 * (1 - u)))) - with_value


def complete_swap_risk() -> Expr:
    """Excess at the informative token for k = v*, v = k*, in units of gamma^2, in a and u."""
    return 1 + power - 4 / sqrt(pi) * a + 4 / pi * a**2 / ratio()


def partial_swap_risk() -> Expr:
    """The same at the best theta, if that is at most 1."""
    return 1 + power - ratio()
