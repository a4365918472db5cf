"""Predictors that are linear in the tokens, and linear attention: the normal equations.

Both are sums over the tokens of (a U + b) W with the projections U = <X, k*> and W = <X, v*>: the best linear
predictor has a = 0, linear attention at k*, v* has b = 0, and a bias added to its scores makes b free.
"""

from __future__ import annotations

from functools import cache

from sympy import Expr, expand, factor, solve, symbols

from theory.gaussian import V, W, expectation
from theory.laws import INFORMATIVE, NOISE, Token
from theory.risk import second_moment
from theory.symbols import L, kappa, nu, theta

slope, offset = symbols("a b", real=True)

U = V
"""<X, k*>: the value of a predictor with v = k*."""


def moment(expression: Expr, token: Token) -> Expr:
    """E[expression] for a polynomial in U = <X, k*> and W = <X, v*> of a token."""
    mean, covariance = token.scores
    along_k_star = {theta: 1, nu: 0, kappa: 0}
    return expectation(expand(expression), (mean.subs(along_k_star), covariance.subs(along_k_star)))


def mixture(expression: Expr) -> Expr:
    """E[expression] for token l, which is the informative one with probability 1 / L."""
    return (moment(expression, INFORMATIVE) + (L - 1) * moment(expression, NOISE)) / L


def cross(first: Expr, second: Expr) -> Expr:
    """E of a product of functions of tokens l and j, l != j, of which at most one is informative."""
    kinds = [(INFORMATIVE, NOISE), (NOISE, INFORMATIVE)]
    one = sum(moment(first, p) * moment(second, q) for p, q in kinds)
    return (one + (L - 2) * moment(first, NOISE) * moment(second, NOISE)) / L


def with_label(expression: Expr) -> Expr:
    """E[Y expression] for a function of token l: Y is centred and depends on the informative token."""
    return moment(expression * W, INFORMATIVE) / L


@cache
def excess_risk() -> Expr:
    """Excess risk of sum_l (a U_l + b) W_l for L tokens, as a function of a and b."""
    error, leaked = W - (slope * U + offset) * W, -(slope * U + offset) * W
    error_mean, error_square = (moment(error**p, INFORMATIVE) for p in (1, 2))
    leaked_mean, leaked_square = (moment(leaked**p, NOISE) for p in (1, 2))
    return expand(second_moment(error_mean, error_square, leaked_mean, leaked_square, L - 1))


@cache
def linear() -> tuple[Expr, Expr]:
    """Coefficient of the best linear predictor b sum_l W_l, and its excess risk."""
    risk = excess_risk().subs(slope, 0)
    (best,) = solve(risk.diff(offset), offset)
    return best, factor(risk.subs(offset, best))


@cache
def attention() -> tuple[Expr, Expr]:
    """Scale of the best linear attention a sum_l U_l W_l, and its excess risk."""
    risk = excess_risk().subs(offset, 0)
    (best,) = solve(risk.diff(slope), slope)
    return best, factor(risk.subs(slope, best))


@cache
def biased_attention() -> tuple[dict[Expr, Expr], Expr]:
    """Scale and bias of the best sum_l (a U_l + b) W_l, and its excess risk."""
    risk = excess_risk()
    best = solve([risk.diff(slope), risk.diff(offset)], [slope, offset])
    return best, factor(risk.subs(best))
