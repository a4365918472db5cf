"""Symmetries of the risk that act on the overlaps by signs, and the manifolds that they fix.

The law of (X, Y) is unchanged when the component of every token along v* and the label change sign; with H
that reflection, the risk at (k, v) is the risk at (H k, -H v). The predictor is unchanged when k and v both
change sign, as erf is odd. A symmetry is the set of overlaps that change sign under it; where these vanish
the symmetry fixes the overlaps, so a function of them that has the symmetry has no slope along them there.
"""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Expr, Integer

from theory.symbols import eta, kappa, nu, rho, theta

Symmetry = frozenset[Expr]

LABEL_REFLECTION: Symmetry = frozenset({theta, eta, rho})
"""(k, v) -> (H k, -H v)."""

SIGN_CHANGE: Symmetry = frozenset({kappa, nu, theta, eta})
"""(k, v) -> (-k, -v)."""

BOTH: Symmetry = LABEL_REFLECTION ^ SIGN_CHANGE
"""(k, v) -> (-H k, H v): kappa, nu and rho change sign."""


def transform(function: Expr, symmetry: Symmetry) -> Expr:
    """The function of the overlaps after the change of signs."""
    return function.subs({overlap: -overlap for overlap in symmetry}, simultaneous=True)


def fixed(symmetry: Iterable[Expr]) -> dict[Expr, Expr]:
    """The substitution that restricts a function of the overlaps to the manifold that a symmetry fixes."""
    return {overlap: Integer(0) for overlap in symmetry}


MANIFOLD = fixed(LABEL_REFLECTION)
"""The paper's M: theta = eta = rho = 0."""

SWAPPED_MANIFOLD = fixed(BOTH)
"""kappa = nu = rho = 0: k and v have each other's directions."""
