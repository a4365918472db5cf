"""Population risk of the predictor sum_l erf(lam <X_l, k>) <X_l, v> in the five overlaps (Theorem 1).

With Y = W_{J0} + xi the prediction error is xi + A + B_1 + ... + B_{L-1}: an informative part
A = W - F V at token J0 and the noise tokens' B = -F V, all independent.
"""

from __future__ import annotations

from functools import cache

from sympy import Expr, factor_terms

from theory.gaussian import F, V, W, expectation
from theory.laws import INFORMATIVE, NOISE
from theory.symbols import L, epsilon, eta, rho, theta

INFORMATIVE_ERROR = W - F * V
NOISE_ERROR = -F * V


def second_moment(first: Expr, second: Expr, mean: Expr, square: Expr, n: Expr) -> Expr:
    """E[(A + B_1 + ... + B_n)^2] for independent A and i.i.d. B_l.

    first, second: E A and E A^2; mean, square: E B and E B^2. Of the n^2 pairs of B's, n are squares.
    """
    return second + 2 * n * first * mean + n * square + (n**2 - n) * mean**2


@cache
def excess_risk() -> Expr:
    """E[(Y - T)^2] - epsilon^2 in kappa, nu, theta, eta, rho, lam, m, L, gamma."""
    a1, a2 = (expectation(INFORMATIVE_ERROR**p, INFORMATIVE.scores) for p in (1, 2))
    b1, b2 = (expectation(NOISE_ERROR**p, NOISE.scores) for p in (1, 2))
    return second_moment(a1, a2, b1, b2, L - 1)


def risk() -> Expr:
    """E[(Y - T)^2]: the label noise xi is independent of the rest and adds its variance."""
    return epsilon**2 + excess_risk()


@cache
def excess_risk_on_manifold() -> Expr:
    """Excess risk at theta = eta = rho = 0, a function of kappa and nu."""
    return factor_terms(excess_risk().subs({theta: 0, eta: 0, rho: 0}).doit())
