"""The gradient flow on the manifold M: a planar system in (kappa, nu), or in angles.

On M the vector k keeps the plane that it spans with k*, and v the plane that it spans with v*. With
kappa = sin(phi), nu = sin(psi) the flow is the gradient flow of the risk in the Euclidean plane of the two
angles, and a step of projected gradient descent turns each angle by arctan(step size * angular velocity).
"""

from __future__ import annotations

from functools import cache
from itertools import chain

from sympy import (
    Expr,
    Matrix,
    Mul,
    Symbol,
    asin,
    atan,
    cos,
    diff,
    erf,
    factor,
    simplify,
    sin,
    solve,
    symbols,
)

from theory.composite import a, b, in_parameters
from theory.descent import step_size
from theory.symbols import gamma, kappa, nu

phi, psi = symbols("phi psi", real=True)
ANGLES = {kappa: phi, nu: psi}


def gate_slope(x: Expr) -> Expr:
    """erf'(x)."""
    u = Symbol("u")
    return diff(erf(u), u).subs(u, x)


def velocity() -> dict[Expr, Expr]:
    """Time derivatives of kappa and nu under the gradient flow on M."""
    return {
        kappa: 2 * gamma**2 * a * gate_slope(a * kappa) * (1 - kappa**2) * (nu - erf(b * kappa)),
        nu: 2 * gamma**2 * (1 - nu**2) * erf(a * kappa),
    }


def factors() -> tuple[Expr, Expr]:
    """The velocities of kappa and nu over 2 gamma^2 a erf'(a kappa) and over 2 gamma^2, in parameters."""
    scales = {kappa: 2 * gamma**2 * a * gate_slope(a * kappa), nu: 2 * gamma**2}
    first, second = (in_parameters(rate / scales[overlap]) for overlap, rate in velocity().items())
    return first, second


def in_angles(expression: Expr) -> Expr:
    """A function of kappa and nu as one of the angles."""
    return expression.subs({overlap: sin(angle) for overlap, angle in ANGLES.items()}, simultaneous=True)


@cache
def angular_velocity() -> Matrix:
    """Time derivatives of (phi, psi): those of their sines over their cosines."""
    rates = (
        in_angles(rate / (1 - overlap**2)) * cos(ANGLES[overlap]) for overlap, rate in velocity().items()
    )
    return Matrix(list(rates))


@cache
def jacobian() -> Matrix:
    """Jacobian of the angular velocity, a symmetric matrix: minus the Hessian of the risk in the angles."""
    return angular_velocity().jacobian(list(ANGLES.values()))


def descent_step() -> Matrix:
    """(phi, psi) after a step of projected gradient descent."""
    turned = (step_size * rate for rate in angular_velocity())
    return Matrix([angle + atan(turn) for angle, turn in zip(ANGLES.values(), turned, strict=True)])


Equilibrium = tuple[Expr, Expr]


@cache
def equilibria() -> frozenset[Equilibrium]:
    """All zeros (kappa, nu) of the velocity in the plane, factor by factor."""
    along_nu = _zeros(velocity()[nu], (nu, kappa))
    return frozenset(chain.from_iterable(_completed(variable, value) for variable, value in along_nu))


def _zeros(expression: Expr, variables: tuple[Expr, ...]) -> list[tuple[Expr, Expr]]:
    """(variable, value) of each zero of each factor, solved for the first variable that it has."""
    found = []
    for part in Mul.make_args(factor(expression)):
        variable = next((v for v in variables if part.has(v)), None)
        if variable is not None:
            found += [(variable, value) for value in solve(part, variable)]
    return found


def _completed(variable: Expr, value: Expr) -> list[Equilibrium]:
    """Equilibria on the line variable = value."""
    rest = (kappa, nu) if variable == nu else (nu,)
    points = (
        {variable: value, other: at} for other, at in _zeros(velocity()[kappa].subs(variable, value), rest)
    )
    return [(point[kappa], point[nu]) for point in points]


@cache
def linearisation(at: Equilibrium) -> Matrix:
    """Jacobian of the angular velocity at an equilibrium."""
    angles = {ANGLES[overlap]: asin(value) for overlap, value in zip((kappa, nu), at, strict=True)}
    return jacobian().subs(angles, simultaneous=True).applyfunc(simplify)
