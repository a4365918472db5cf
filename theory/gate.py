"""The gate erf(lam U) of an informative token with k = k*, in the composite parameters a and u."""

from __future__ import annotations

from sympy import Expr, asin, exp, pi, sqrt

from theory.composite import a, u
from theory.special import erf_variance


def variance() -> Expr:
    """Var erf(lam U), whose mean is erf(a)."""
    return erf_variance(a / sqrt(1 - u), sqrt(u / (2 * (1 - u))))


def variance_bounds() -> tuple[Expr, Expr]:
    """Lower and upper bound of the variance; their ratio tends to 1 for u -> 0.

    The variance is (4 / pi) int_q^1 exp(-a^2 (1 + x^2)) / (1 + x^2) dx with q = sqrt((1 - u) / (1 + u));
    without the exponential the integral is asin(u) / 2.
    """
    share = 2 / pi * asin(u)
    return share * exp(-2 * a**2), share * exp(-2 * a**2 / (1 + u))
