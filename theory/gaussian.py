"""Gaussian calculus: E[polynomial(V, W) f(U)] as derivatives of smoothed functions.

Stein's lemma, E[(V - E V) F] = Cov(V, U) E[dF/dU] + Cov(V, V) E[dF/dV] + Cov(V, W) E[dF/dW], takes one factor
V or W away at a time. What is left are expectations of derivatives of f, and these are derivatives of the
smoothed function t -> E f(t + g G).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sympy import Expr, Integer, Matrix, Symbol, diff, erf, sqrt, symbols

from theory.special import zeta
from theory.symbols import g, lam, t

V, W = symbols("V W", real=True)
"""The value <X, v> and the label's projection <X, v*> of a token."""

F = Symbol("F", real=True)
"""The activation erf(lam U) at the token's score U = <X, k>."""

SMOOTHED: dict[int, Expr] = {
    0: Integer(1),
    1: erf(t / sqrt(1 + 2 * g**2)),
    2: zeta(t, g),
}
"""E erf(t + g G)^p by power p. Each entry is a claim of the ledger: it is bounded, solves the heat equation
in (t, g^2) and has the right value at g = 0."""


@cache
def smoothed_derivative(power: int, order: int, mean: Expr, deviation: Expr) -> Expr:
    """E of the `order`-th derivative in u of erf(lam u)^power, at u ~ N(mean, deviation^2)."""
    derivative = diff(SMOOTHED[power], t, order)
    return lam**order * derivative.subs({t: lam * mean, g: lam * deviation}, simultaneous=True)


def expectation(
    expression: Expr,
    scores: tuple[Matrix, Matrix],
    smoothed: Callable[[int, int], Expr] | None = None,
) -> Expr:
    """E[expression] for a polynomial in V, W and F (to the power 2 at most).

    scores: mean and covariance of (U, V, W).
    smoothed: E of the derivative in u, of a given order, of F to a given power, as a function of power and
    order; by default that of F = erf(lam U).

    Raises ValueError for other expressions.
    """
    powers = expression.as_poly(V, W, F)
    if powers is None or powers.degree(F) > max(SMOOTHED):
        raise ValueError(
            f"expression must be a polynomial in V, W and F^p, p <= {max(SMOOTHED)}, got {expression}"
        )
    mean, covariance = scores

    def leaf(power: int) -> Callable[[int], Expr]:
        if smoothed is not None:
            return lambda order: smoothed(power, order)
        return lambda order: smoothed_derivative(power, order, mean[0], sqrt(covariance[0, 0]))

    terms = (c * stein(i, j, leaf(p), mean, covariance) for (i, j, p), c in powers.terms())
    return sum(terms, Integer(0))


def stein(
    i: int, j: int, smoothed: Callable[[int], Expr], mean: Matrix, covariance: Matrix, order: int = 0
) -> Expr:
    """E[V^i W^j f^(order)(U)] by Stein's lemma, with smoothed(n) = E f^(n)(U)."""
    if i == j == 0:
        return smoothed(order)
    row = 1 if i else 2
    rest = (i - 1, j) if i else (i, j - 1)

    def recurse(di: int, dj: int, dorder: int) -> Expr:
        return stein(rest[0] - di, rest[1] - dj, smoothed, mean, covariance, order + dorder)

    result = mean[row] * recurse(0, 0, 0) + covariance[row, 0] * recurse(0, 0, 1)
    if rest[0]:
        result += covariance[row, 1] * rest[0] * recurse(1, 0, 0)
    if rest[1]:
        result += covariance[row, 2] * rest[1] * recurse(0, 1, 0)
    return result
