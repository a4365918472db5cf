"""Gaussian expectations of exponentials of quadratics."""

from __future__ import annotations

from sympy import Expr, Poly, Symbol, exp, sqrt, together


def exponential_moment(exponent: Expr, variable: Symbol) -> Expr:
    """E exp(p G^2 + q G + r) = (1 - 2 p)^(-1/2) exp(r + q^2 / (2 (1 - 2 p))) for G ~ N(0, 1) and p < 1/2.

    exponent: the quadratic polynomial in `variable`, which stands for G.
    """
    p, q, r = (Poly(exponent, variable).coeff_monomial(variable**n) for n in (2, 1, 0))
    return exp(together(r + q**2 / (2 * (1 - 2 * p)))) / sqrt(1 - 2 * p)
