"""Critical points of the risk on the two spheres as zeros of a square system, from its partial derivatives.

In a frame (k*, v*, e1, ..) of n dimensions that holds k and v: the gradient in k is mu_k k, that in v is
mu_v v, and both vectors have length one, 2 n + 2 equations for as many unknowns (k, v, mu_k, mu_v). Their
Jacobian is the Hessian of the risk bordered by the constraints. Directions e orthogonal to the frame come
with the block [[-mu_k, R_rho], [R_rho, -mu_v]] for moves of (k, v) along e.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import Any

from flint import arb, arb_mat

from numerics.arb import ARB
from numerics.generated import closed_forms, landscape
from numerics.landscape.parameters import Parameters

Vector = list[arb]


class Lagrange:
    """The system at the working precision that is set when it is made."""

    def __init__(self, parameters: Parameters, dimension: int) -> None:
        self.dimension = dimension
        self._arguments = parameters.balls()

    def split(self, z: Sequence[arb]) -> tuple[Vector, Vector, arb, arb]:
        """k, v, mu_k and mu_v."""
        n = self.dimension
        return list(z[:n]), list(z[n : 2 * n]), z[2 * n], z[2 * n + 1]

    def overlaps(self, z: Sequence[arb]) -> tuple[arb, ...]:
        """kappa, nu, theta, eta, rho."""
        k, v, _, _ = self.split(z)
        return k[0], v[1], v[0], k[1], _inner(k, v)

    def excess_risk(self, z: Sequence[arb]) -> arb:
        """The excess risk."""
        return self._evaluate(closed_forms.excess_risk, z)

    def gradients(self, z: Sequence[arb]) -> tuple[Vector, Vector, arb]:
        """Euclidean gradients of the risk in k and v, and its partial derivative in rho."""
        k, v, _, _ = self.split(z)
        along = self._evaluate(closed_forms.partial_derivatives, z)
        R_kappa, R_nu, R_theta, R_eta, R_rho = (arb(x) for x in along)
        in_k, in_v = [R_rho * x for x in v], [R_rho * x for x in k]
        in_k[0], in_k[1] = in_k[0] + R_kappa, in_k[1] + R_eta
        in_v[0], in_v[1] = in_v[0] + R_theta, in_v[1] + R_nu
        return in_k, in_v, R_rho

    def completed(self, k: Sequence[arb], v: Sequence[arb]) -> Vector:
        """(k, v, mu_k, mu_v) with the multipliers that fit best."""
        start = [*k, *v, arb(0), arb(0)]
        in_k, in_v, _ = self.gradients(start)
        return [*k, *v, _inner(k, in_k), _inner(v, in_v)]

    def function(self, z: Sequence[arb]) -> Vector:
        """What vanishes at a critical point."""
        k, v, mu_k, mu_v = self.split(z)
        in_k, in_v, _ = self.gradients(z)
        parallel = [g - mu_k * x for g, x in zip(in_k, k, strict=True)]
        parallel += [g - mu_v * x for g, x in zip(in_v, v, strict=True)]
        return [*parallel, (1 - _inner(k, k)) / 2, (1 - _inner(v, v)) / 2]

    def jacobian(self, z: Sequence[arb]) -> arb_mat:
        """The bordered Hessian, a symmetric matrix."""
        n, (k, v, mu_k, mu_v) = self.dimension, self.split(z)
        along = self._evaluate(closed_forms.partial_derivatives, z)
        second = self._second(z)
        slopes = self._slopes(k, v)
        matrix = [[arb(0)] * (2 * n + 2) for _ in range(2 * n + 2)]
        hessian = slopes.transpose() * second * slopes
        for i in range(2 * n):
            for j in range(2 * n):
                matrix[i][j] = hessian[i, j] + (along[4] if abs(i - j) == n else 0)
            matrix[i][i] -= mu_k if i < n else mu_v
            border, value = (2 * n, -k[i]) if i < n else (2 * n + 1, -v[i - n])
            matrix[i][border] = matrix[border][i] = value
        return arb_mat(matrix)

    def outside(self, z: Sequence[arb]) -> tuple[arb, arb, arb]:
        """(-mu_k, R_rho, -mu_v): the block of the directions orthogonal to the frame."""
        _, _, mu_k, mu_v = self.split(z)
        return -mu_k, self.gradients(z)[2], -mu_v

    def _evaluate(self, function: Callable[..., Any], z: Sequence[arb]) -> Any:
        arguments = [*self.overlaps(z), *self._arguments]
        return function(ARB, *arguments)

    def _second(self, z: Sequence[arb]) -> arb_mat:
        values = self._evaluate(landscape.second_partials, z)
        matrix = [[arb(0)] * 5 for _ in range(5)]
        for (i, j), value in zip(combinations_with_replacement(range(5), 2), values, strict=True):
            matrix[i][j] = matrix[j][i] = arb(value)
        return arb_mat(matrix)

    def _slopes(self, k: Vector, v: Vector) -> arb_mat:
        """Derivatives of kappa, nu, theta, eta, rho in the coordinates of k and v."""
        n = self.dimension
        rows = [[arb(0)] * (2 * n) for _ in range(4)]
        rows[0][0] = rows[1][n + 1] = rows[2][n] = rows[3][1] = arb(1)
        return arb_mat([*rows, [*v, *k]])


def _inner(p: Sequence[arb], q: Sequence[arb]) -> arb:
    return sum((x * y for x, y in zip(p, q, strict=True)), arb(0))
