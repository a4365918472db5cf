"""Stability of the optimum k = k*, v = v* against all perturbations, also those that leave M.

The Hessian of the risk in the tangent space of the two spheres has d - 2 equal directions for k, d - 2 for v,
and one 2x2 block: eta = <k, v*> and theta = <v, k*>, coupled since rho = eta + theta to first order.
"""

from __future__ import annotations

from functools import cache

from sympy import Expr, Integer, Matrix, erf, expand, eye, sqrt

from theory.composite import a, b, noise_share, noise_slope, u
from theory.planar import gate_slope
from theory.special import zeta
from theory.symbols import L, eta, gamma, kappa, lam, m, nu, rho, theta
from theory.tangent import PARTIALS, SECOND, Point

OPTIMUM = {kappa: Integer(1), nu: Integer(1), theta: Integer(0), eta: Integer(0), rho: Integer(0)}

others = L - 1
"""The number of noise tokens."""


@cache
def tangent_point() -> Point:
    """The optimum, with a direction orthogonal to k* and v* as the third of the frame."""
    first, second, third = (eye(3)[i, :] for i in range(3))
    return Point(k=first, v=second, k_tangents=(second, third), v_tangents=(first, third))


def first_partials() -> dict[Expr, Expr]:
    """The risk's partial derivatives in the overlaps at the optimum; three vanish everywhere on M."""
    return {
        kappa: -2 * gamma**2 * a * gate_slope(a) * (1 - erf(b)),
        nu: -2 * gamma**2 * erf(a),
        theta: Integer(0),
        eta: Integer(0),
        rho: Integer(0),
    }


def second_partials() -> dict[tuple[Expr, Expr], Expr]:
    """Second partial derivatives in theta, eta and rho at the optimum."""
    gate = 2 * gamma**2 * a * gate_slope(a)
    return {
        (theta, theta): 2 * m**2 * zeta(lam * m, lam * gamma),
        (theta, eta): -gate,
        (eta, eta): Integer(0),
        (theta, rho): 2 * gate * erf(b) + 2 * others * noise_slope * m * erf(a),
        (eta, rho): gate * u,
        (rho, rho): gate * u * (b * gate_slope(b) / a**2 - 2 * erf(b))
        + 2 * others * noise_slope * gate / m
        + 2 * others * noise_slope**2 * (others - 1 + 2 * noise_share),
    }


@cache
def block() -> Matrix:
    """Hessian in (eta, theta) at the optimum."""
    hessian = tangent_point().hessian()
    values = {PARTIALS[o]: value for o, value in first_partials().items()}
    values |= {SECOND[pair]: value for pair, value in second_partials().items()}
    return hessian.extract([0, 2], [0, 2]).subs(values)


def orthogonal_eigenvalues() -> tuple[Expr, Expr]:
    """Eigenvalues of the Hessian for k and for v, of multiplicity d - 2 each."""
    return -first_partials()[kappa], -first_partials()[nu]


@cache
def swap_form() -> tuple[Expr, Expr, Expr]:
    """(D, N, h): the block's quadratic form is D theta^2 + 2 N theta rho + h rho^2 with rho = eta + theta.

    D and h are positive for all parameters, so the optimum is a strict local minimum if D h > N^2, none if
    D h < N^2.
    """
    to_swap = Matrix([[-1, 1], [1, 0]])
    form = (to_swap.T * block() * to_swap).applyfunc(expand)
    return form[0, 0], form[0, 1], form[1, 1]


def margin() -> Expr:
    """D h - N^2, a quadratic polynomial in the number of noise tokens."""
    d, n, h = swap_form()
    return d * h - n**2


SAFE_LAM = sqrt(3) / 2
"""Up to this lambda the optimum is a strict local minimum for all d, L and gamma."""
