"""Projected gradient descent, closed on the overlaps: the exact map of a step."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Matrix, Symbol, sqrt

from theory.flow import PAIRS, Partials, inner, riemannian_gradient, vector

step_size = Symbol("s", positive=True)


def moved(of: str, partials: Partials) -> Matrix:
    """k or v moved by -step_size times its Riemannian gradient, not yet normalised."""
    return vector(of) - step_size * riemannian_gradient(of, partials)


def products_after(new: Mapping[str, Matrix]) -> dict[Expr, Expr]:
    """The overlaps when k and v are replaced by the given vectors, normalised, and k*, v* stay."""
    unit = {of: vector / sqrt(inner(vector, vector)) for of, vector in new.items()}
    return {
        overlap: inner(unit.get(p, vector(p)), unit.get(q, vector(q))) for overlap, (p, q) in PAIRS.items()
    }


def descent_map(partials: Partials) -> dict[Expr, Expr]:
    """The overlaps after a step of projected gradient descent, from the risk's partial derivatives.

    The step is k -> (k - s grad_k) / |k - s grad_k| with the Riemannian gradient, and likewise for v, both
    from the same point. Every inner product is one of the Gram matrix: the map is exact at any dimension.
    """
    return products_after({of: moved(of, partials) for of in ("k", "v")})
