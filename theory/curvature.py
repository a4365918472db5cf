"""A bound on the curvature of the risk anywhere on the product of the two spheres, along its geodesics.

Let k turn at the rate alpha and v at beta, alpha^2 + beta^2 = 1: then U'' = -alpha^2 U and V'' = -beta^2 V.
With W = <X_{J0}, v*> the excess risk E[(W - T)^2] has the second derivative 2 E T'^2 - 2 E[(W - T) T''], and
each of these L^2 norms is bounded by the triangle and Hoelder's inequality, token by token.
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Integer, Rational, factorial2, pi, sqrt

from theory.convergence import HUMP
from theory.laws import INFORMATIVE, NOISE, Token
from theory.symbols import L, gamma, lam

SLOPE = 2 / sqrt(pi)
"""The largest value of erf'."""

BEND = 2 * HUMP
"""The largest value of |erf''(x)| = 2 |x erf'(x)|."""


def norm(token: Token, n: int) -> Expr:
    """An upper bound of the L^(2n) norm of a token's projection on a unit vector."""
    return token.length + token.scale * factorial2(2 * n - 1) ** Rational(1, 2 * n)


def over_tokens(size: Callable[[Token], Expr]) -> Expr:
    """Sum over the informative token and the others."""
    return size(INFORMATIVE) + (L - 1) * size(NOISE)


def turning_score() -> Expr:
    """Bound of the norm of sum lam erf'(lam U) U_1 V, with U_1 the score's derivative at unit rate."""
    return SLOPE * lam * over_tokens(lambda token: norm(token, 2) ** 2)


def turning_value() -> Expr:
    """Bound of the norm of sum erf(lam U) V, or with V_1 for V."""
    return over_tokens(lambda token: norm(token, 1))


def bending_score() -> Expr:
    """Bound of the norm of sum lam^2 erf''(lam U) U_1^2 V."""
    return BEND * lam**2 * over_tokens(lambda token: norm(token, 3) ** 3)


def curvature_bound() -> Expr:
    """An upper bound of |second derivative of the risk| along every geodesic of unit speed."""
    p, q, a = turning_score(), turning_value(), bending_score()
    return Integer(2) * (p**2 + q**2 + (gamma + q) * (a + p + q))
