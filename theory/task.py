"""The task's moments: of one token, of two tokens, and with the label, the informative place being unknown.

A token is seen through its projections U = <X, k*> and W = <X, v*>; directions orthogonal to both are like U
without its mean.
"""

from __future__ import annotations

from sympy import Expr, expand

from theory.gaussian import V, W, expectation
from theory.laws import INFORMATIVE, NOISE, Token
from theory.symbols import L, d, kappa, nu, theta

U = V
"""<X, k*>: the value of a predictor with v = k*."""


def squared_norm(token: Token) -> Expr:
    """E |X|^2 = |E X|^2 + trace of the covariance, which is the same in each of d directions."""
    return token.mean(token.direction) ** 2 + d * token.covariance("v*", "v*")


def moment(expression: Expr, token: Token) -> Expr:
    """E[expression] for a polynomial in U and W of a token."""
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
    """E[Y expression] for a function of token l: Y is centred, and W of the informative token plus noise."""
    return moment(expression * W, INFORMATIVE) / L
