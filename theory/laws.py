"""Joint Gaussian laws of a token's projections, from the definition of the task.

A token is X = mu + sigma Z with Z standard Gaussian in R^d. Its projections on vectors p_1, ..., p_n are
jointly Gaussian with means <mu, p_i> and covariances sigma^2 <p_i, p_j>, so they need only the inner
products of the vectors k, v, k*, v*: the overlaps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sympy import Expr, Integer, Matrix

from theory.symbols import eta, gamma, kappa, m, nu, rho, theta

VECTORS = ("k", "v", "k*", "v*")

GRAM = Matrix(
    [
        [1, rho, kappa, eta],
        [rho, 1, theta, nu],
        [kappa, theta, 1, 0],
        [eta, nu, 0, 1],
    ]
)
"""Gram matrix of (k, v, k*, v*): k and v are unit vectors, k* and v* orthonormal."""


def inner(p: str, q: str) -> Expr:
    """Inner product of two of the vectors k, v, k*, v*."""
    return GRAM[VECTORS.index(p), VECTORS.index(q)]


@dataclass(frozen=True)
class Token:
    """The law N(`length` * `direction`, `scale`^2 I_d) of a token, `direction` one of the four vectors."""

    length: Expr
    direction: str
    scale: Expr

    def mean(self, p: str) -> Expr:
        """E <X, p>."""
        return self.length * inner(self.direction, p)

    def covariance(self, p: str, q: str) -> Expr:
        """Cov(<X, p>, <X, q>)."""
        return self.scale**2 * inner(p, q)

    @cached_property
    def scores(self) -> tuple[Matrix, Matrix]:
        """Mean and covariance of (U, V, W) = (<X, k>, <X, v>, <X, v*>)."""
        on = ("k", "v", "v*")
        return Matrix([self.mean(p) for p in on]), Matrix([[self.covariance(p, q) for q in on] for p in on])


INFORMATIVE = Token(length=m, direction="k*", scale=gamma)
"""X_{J0} ~ N(sqrt(d/2) k*, gamma^2 I_d)."""

NOISE = Token(length=Integer(0), direction="k*", scale=Integer(1))
"""X_l ~ N(0, I_d) for l != J0."""
