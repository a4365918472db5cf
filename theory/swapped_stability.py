"""Second derivatives of the risk at the role-swapped predictor, and when it is a strict local minimum."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from sympy import Expr, Integer, Matrix, expand, eye, factor, simplify, sqrt

from theory.composite import noise_share, noise_slope, u
from theory.swapped import best_theta, informative_risk, others, power, response, share
from theory.symbols import eta, gamma, kappa, m, nu, rho, theta
from theory.tangent import PARTIALS, SECOND, Point


@cache
def tangent_point() -> Point:
    """k = v*, v = theta k* + sqrt(1 - theta^2) f in the frame (k*, v*, f, e), for theta < 1."""
    first, second, third, fourth = (eye(4)[i, :] for i in range(4))
    root = sqrt(1 - theta**2)
    return Point(
        k=second,
        v=theta * first + root * third,
        k_tangents=(first, third, fourth),
        v_tangents=(second, theta * third - root * first, fourth),
    )


@cache
def complete_point() -> Point:
    """k = v*, v = k* in the frame (k*, v*, e)."""
    first, second, third = (eye(3)[i, :] for i in range(3))
    return Point(k=second, v=first, k_tangents=(first, third), v_tangents=(second, third))


def first_partials() -> dict[Expr, Expr]:
    """Partial derivatives at kappa = nu = rho = 0, eta = 1 for any theta."""
    slopes = {of: informative_risk().diff(of).subs(eta, 1) for of in (theta, eta)}
    return {kappa: Integer(0), nu: Integer(0), rho: Integer(0), **slopes}


def second_partials() -> dict[tuple[Expr, Expr], Expr]:
    """Second partial derivatives there; those of an odd number of kappa, nu, rho vanish by symmetry."""
    value = m * theta
    cross = gamma**2 * response
    mixed = {(p, q): Integer(0) for p in (kappa, nu) for q in (theta, eta)}
    mixed |= {(theta, rho): Integer(0), (eta, rho): Integer(0)}
    return mixed | {
        (kappa, kappa): 2 * (response * m) ** 2 * share * (gamma**2 + value**2)
        + 2 * u * response * m**2 * value,
        (kappa, nu): -2 * cross * m,
        (nu, nu): Integer(0),
        (kappa, rho): 2 * m * others * noise_slope * response * value
        + 2 * m * cross * (u + 2 * response * share * value),
        (nu, rho): Integer(0),
        (rho, rho): 2 * others * noise_slope**2 * (others - 1 + 2 * noise_share)
        + 4 * others * noise_slope * cross
        + 4 * cross**2 * share,
        (theta, theta): 2 * power * m**2,
        (theta, eta): -2 * cross * m,
        (eta, eta): Integer(0),
    }


def hessian(point: Point) -> Matrix:
    """Hessian in the tangent moves of a point, in the partial derivatives that do not vanish, by name."""
    vanishing = {SECOND[pair]: 0 for pair, value in second_partials().items() if value == 0}
    vanishing |= {PARTIALS[overlap]: 0 for overlap, value in first_partials().items() if value == 0}
    return point.hessian().subs(vanishing)


def evaluated(expression: Expr, at: Expr) -> Expr:
    """`expression` with the values of the partial derivatives at theta = `at`."""
    values = {PARTIALS[overlap]: value for overlap, value in first_partials().items()}
    values |= {SECOND[pair]: value for pair, value in second_partials().items()}
    return expression.subs(values, simultaneous=True).subs(theta, at)


class Form(NamedTuple):
    """The quadratic form A x^2 + 2 C x y + B y^2, positive if B > 0 and A B > C^2."""

    A: Expr
    C: Expr
    B: Expr

    @classmethod
    def of(cls, matrix: Matrix, at: Expr) -> Form:
        """The form of a symmetric 2x2 matrix in partial derivatives, at theta = `at`."""
        return cls(*(expand(evaluated(matrix[i], at)) for i in (0, 1, 3)))


@cache
def complete_form() -> Form:
    """The form in (kappa, rho) at k = v*, v = k*, where nu = rho - kappa to first order."""
    to_overlaps = Matrix([[1, 0], [-1, 1]])
    block = hessian(complete_point()).extract([0, 2], [0, 2])
    return Form.of(to_overlaps.T * block * to_overlaps, Integer(1))


@cache
def overlap_form() -> Matrix:
    """The form at theta < 1 in (kappa, rho, nu).

    To first order rho = theta kappa + sqrt(1 - theta^2) <k, f> + nu.
    """
    root = sqrt(1 - theta**2)
    to_overlaps = Matrix([[1, 0, 0], [-theta / root, 1 / root, -1 / root], [0, 0, 1]])
    block = hessian(tangent_point()).extract([0, 1, 3], [0, 1, 3]).subs(PARTIALS[theta], 0)
    return (to_overlaps.T * block * to_overlaps).applyfunc(factor)


@cache
def partial_form() -> Form:
    """The form in (kappa, rho) at the best theta < 1, minimised over nu, in which it is convex."""
    form = overlap_form()
    reduced = form[:2, :2] - form[:2, 2] * form[2, :2] / form[2, 2]
    return Form.of(reduced.applyfunc(simplify), best_theta())
