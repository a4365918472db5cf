"""Second derivatives of the risk in the tangent space of the two spheres at a critical point.

The overlaps are no coordinates where their Gram matrix is singular, as it is at the optimum. The unit vectors
are: k and v move in the directions of orthonormal tangent vectors and are normalised. At a critical point the
Hessian does not depend on how they move back to the spheres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

from sympy import Expr, Matrix, Symbol, hessian, sqrt, symbols, zeros

from theory.symbols import OVERLAPS

PARTIALS = {overlap: Symbol(f"R_{overlap}", real=True) for overlap in OVERLAPS}
"""First partial derivatives of the risk in the overlaps, by name."""

SECOND = {
    pair: Symbol(f"R_{pair[0]}_{pair[1]}", real=True) for pair in combinations_with_replacement(OVERLAPS, 2)
}
"""Second partial derivatives, one for each unordered pair."""


def second(p: Expr, q: Expr) -> Expr:
    """The second partial derivative in two overlaps, by name."""
    return SECOND[p, q] if (p, q) in SECOND else SECOND[q, p]


@dataclass(frozen=True)
class Point:
    """Unit vectors k and v with orthonormal bases of their tangent spaces.

    All are rows of coordinates in an orthonormal frame that starts with k*, v*. The bases need to hold one
    direction orthogonal to k, v, k*, v* for all such, as rotations exchange these.
    """

    k: Matrix
    v: Matrix
    k_tangents: tuple[Matrix, ...]
    v_tangents: tuple[Matrix, ...]

    def overlaps(self, x: Sequence[Expr], y: Sequence[Expr]) -> dict[Expr, Expr]:
        """Overlaps of k and v after moves x and y along their tangent vectors."""
        k, v = _moved(self.k, self.k_tangents, x), _moved(self.v, self.v_tangents, y)
        return dict(zip(OVERLAPS, (k[0], v[1], v[0], k[1], k.dot(v)), strict=True))

    def hessian(self) -> Matrix:
        """Hessian in the moves along k_tangents and v_tangents, in PARTIALS and SECOND."""
        x = symbols(f"x:{len(self.k_tangents)}", real=True)
        y = symbols(f"y:{len(self.v_tangents)}", real=True)
        moves = [*x, *y]
        still = dict.fromkeys(moves, 0)
        overlaps = self.overlaps(x, y)
        slopes = Matrix(list(overlaps.values())).jacobian(moves).subs(still)
        curved = sum(
            (PARTIALS[o] * hessian(value, moves).subs(still) for o, value in overlaps.items()),
            zeros(len(moves)),
        )
        matrix = Matrix(len(OVERLAPS), len(OVERLAPS), lambda i, j: second(OVERLAPS[i], OVERLAPS[j]))
        return slopes.T * matrix * slopes + curved


def _moved(start: Matrix, tangents: Sequence[Matrix], by: Sequence[Expr]) -> Matrix:
    moved = sum((step * tangent for step, tangent in zip(by, tangents, strict=True)), start)
    return moved / sqrt(1 + sum(step**2 for step in by))
