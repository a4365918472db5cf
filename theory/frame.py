"""Coordinates in an orthonormal frame (k*, v*, e1, e2) whose span holds k and v.

Gradients are combinations of k, v, k*, v*, so neither the flow nor a step of gradient descent leaves this
span: the dynamics in R^d are those of two unit vectors of R^4, with d as a parameter of the risk alone.
"""

from __future__ import annotations

from sympy import Matrix, symbols

from theory.symbols import eta, kappa, nu, theta

k2, k3, v2, v3 = symbols("k2 k3 v2 v3", real=True)
"""Coordinates of k and v along e1 and e2."""

COORDINATES = Matrix([[kappa, eta, k2, k3], [theta, nu, v2, v3], [1, 0, 0, 0], [0, 1, 0, 0]])
"""Rows k, v, k*, v*, in the order of theory.laws.VECTORS; the Gram matrix of the rows is theory.laws.GRAM."""

FREE = tuple(COORDINATES[:2, :])
"""The eight coordinates of k and v."""


def in_frame(coefficients: Matrix) -> Matrix:
    """Coordinates of a vector given by its coefficients on k, v, k*, v*."""
    return coefficients * COORDINATES
