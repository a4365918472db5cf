"""Predictors that are linear in the tokens, and linear attention: the normal equations.

Both are sums over the tokens of (a U + b) W with the projections U = <X, k*> and W = <X, v*>: the best linear
predictor has a = 0, linear attention at k*, v* has b = 0, and a bias added to its scores makes b free.
"""

from __future__ import annotations

from functools import cache

from sympy import Expr, expand, factor, solve, symbols

from theory.gaussian import W
from theory.laws import INFORMATIVE, NOISE
from theory.risk import second_moment
from theory.symbols import L
from theory.task import U, moment

slope, offset = symbols("a b", real=True)


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
