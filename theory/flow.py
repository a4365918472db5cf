"""Gradients on the product of spheres and the gradient flow, closed on the overlaps.

Vectors in span(k, v, k*, v*) are written by their coefficients on these four, so every inner product is one
of the Gram matrix: nothing depends on the dimension.
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Matrix, eye

from theory.laws import GRAM, VECTORS
from theory.symbols import OVERLAPS, eta, kappa, nu, rho, theta

PAIRS: dict[Expr, tuple[str, str]] = {
    kappa: ("k", "k*"),
    nu: ("v", "v*"),
    theta: ("v", "k*"),
    eta: ("k", "v*"),
    rho: ("k", "v"),
}
"""Each overlap as the inner product that it is."""

Partials = Mapping[Expr, Expr]


def vector(name: str) -> Matrix:
    """Coefficients of k, v, k* or v* on the four: a unit row."""
    return eye(4)[VECTORS.index(name), :]


def inner(p: Matrix, q: Matrix) -> Expr:
    """Inner product of two vectors given by their coefficients."""
    return (p * GRAM * q.T)[0]


def euclidean_gradient(of: str, partials: Partials) -> Matrix:
    """Gradient in k or v of a function of the overlaps, from its partial derivatives in them.

    The overlap <p, q> has gradient q in p and p in q.
    """
    result = Matrix.zeros(1, 4)
    for overlap, (p, q) in PAIRS.items():
        if of in (p, q):
            result += partials[overlap] * vector(q if of == p else p)
    return result


def riemannian_gradient(of: str, partials: Partials) -> Matrix:
    """The Euclidean gradient's part tangent to the unit sphere at k or v."""
    gradient = euclidean_gradient(of, partials)
    return gradient - inner(gradient, vector(of)) * vector(of)


def rates(velocity: Mapping[str, Matrix]) -> dict[Expr, Expr]:
    """Time derivatives of the overlaps when k and v move with the given velocities and k*, v* are fixed."""
    still = Matrix.zeros(1, 4)
    return {
        overlap: inner(velocity.get(p, still), vector(q)) + inner(vector(p), velocity.get(q, still))
        for overlap, (p, q) in PAIRS.items()
    }


def gradient_flow(partials: Partials) -> dict[Expr, Expr]:
    """Time derivatives of the overlaps under k' = -grad_k, v' = -grad_v on the spheres."""
    return rates({of: -riemannian_gradient(of, partials) for of in ("k", "v")})


def partial_derivatives(function: Expr) -> dict[Expr, Expr]:
    """Partial derivatives of a function of the overlaps."""
    return {overlap: function.diff(overlap) for overlap in OVERLAPS}
