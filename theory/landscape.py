"""Critical points of the risk on the product of spheres: what its form in the overlaps implies for them.

For fixed kappa the risk is a quadratic polynomial in nu, theta, eta and rho. Its coefficients depend on kappa
with slopes that all have the factor exp(-a^2 kappa^2), as the mean gate has. With that factor taken out the
equations of a critical point contain nothing exponentially small, and their solutions are isolated.

Up to a rotation that fixes k* and v* the vector k is (kappa, eta, p) in an orthonormal frame (k*, v*, e1). If
v lies in the frame's span, v = (theta, nu, q), the point is critical when each vector is parallel to the
gradient in it, that is when the two torques vanish. In the plane of k* and v* this is one equation a vector.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from sympy import Dummy, Expr, Matrix, Symbol, cancel, diff, exp, expand, pi, solve, sqrt, symbols

from theory.composite import DEFINITIONS, a, u
from theory.risk import excess_risk
from theory.special import erf_moment
from theory.symbols import eta, gamma, kappa, nu, rho, theta


class Quadratic(NamedTuple):
    """Coefficients of the risk, functions of kappa: free - 2 gamma^2 gate nu + value theta^2 + score rho^2 +
    cross theta rho - swap eta (theta - u kappa rho)."""

    free: Expr
    gate: Expr
    value: Expr
    score: Expr
    cross: Expr
    swap: Expr

    def polynomial(self) -> Expr:
        """The quadratic polynomial in nu, theta, eta and rho."""
        straight = self.free - 2 * gamma**2 * self.gate * nu + self.value * theta**2 + self.score * rho**2
        return straight + self.cross * theta * rho - self.swap * eta * (theta - u * kappa * rho)


NAMED = Quadratic(*symbols("free gate value score cross swap", real=True))
"""The coefficients by name."""

SLOPES = Quadratic(*(Symbol(f"{c}_slope", real=True) for c in Quadratic._fields))
"""By name their derivatives in kappa, divided by `decay`."""

decay = Symbol("decay", positive=True)
"""exp(-a^2 kappa^2)."""

gate_ratio = Symbol("gate_ratio", positive=True)
"""gate / kappa, which is smooth at kappa = 0."""

swap_scale = Symbol("swap_scale", positive=True)
"""swap / decay, which does not depend on kappa."""


@cache
def coefficients() -> Quadratic:
    """The coefficients in kappa and the parameters: derivatives of the risk at nu = theta = eta = rho = 0."""
    risk, start = excess_risk(), {nu: 0, theta: 0, eta: 0, rho: 0}
    return Quadratic(
        free=risk.subs(start),
        gate=diff(risk, nu).subs(start) / (-2 * gamma**2),
        value=diff(risk, theta, 2).subs(start) / 2,
        score=diff(risk, rho, 2).subs(start) / 2,
        cross=diff(risk, theta, rho).subs(start),
        swap=-diff(risk, theta, eta).subs(start),
    )


@cache
def definitions() -> dict[Symbol, Expr]:
    """Everything named above, in kappa and the parameters."""
    slope = DEFINITIONS[a]
    factor = exp(-((slope * kappa) ** 2))
    named = dict(zip(NAMED, coefficients(), strict=True))
    slopes = {name: _over(diff(c, kappa), factor) for name, c in zip(SLOPES, coefficients(), strict=True)}
    return (
        named
        | slopes
        | {
            decay: factor,
            gate_ratio: 2 * slope / sqrt(pi) * erf_moment(0, slope * kappa),
            swap_scale: _over(named[NAMED.swap], factor),
        }
    )


def _over(expression: Expr, factor: Expr) -> Expr:
    """The quotient of an expression that is linear in the factor and vanishes with it."""
    symbol = Dummy()
    linear = expression.subs(factor, symbol)
    assert linear.subs(symbol, 0) == 0
    return diff(linear, symbol)


class Partials(NamedTuple):
    """Partial derivatives of the risk in the overlaps; that in kappa is divided by `decay`."""

    kappa: Expr
    nu: Expr
    theta: Expr
    eta: Expr
    rho: Expr


R = Partials(*symbols("R_kappa R_nu R_theta R_eta R_rho", real=True))
"""The partial derivatives by name."""


def partials() -> Partials:
    """In the overlaps and what is named above."""
    risk = NAMED.polynomial()
    along_kappa = SLOPES.polynomial() + diff(risk, kappa).subs(NAMED.swap, swap_scale)
    return Partials(along_kappa, *(diff(risk, overlap) for overlap in (nu, theta, eta, rho)))


p, q = symbols("p q", real=True)
"""Components of k and v along e1."""


def torques() -> tuple[Matrix, Matrix]:
    """Cross products of k and v with the gradients in them, in the frame (k*, v*, e1)."""
    k, v = Matrix([kappa, eta, p]), Matrix([theta, nu, q])
    along_k = Matrix([decay * R.kappa, R.eta, 0]) + R.rho * v
    along_v = Matrix([R.theta, R.nu, 0]) + R.rho * k
    return k.cross(along_k), v.cross(along_v)


def planar() -> tuple[Expr, Expr]:
    """Torques in the plane of k* and v*: zero at the critical points with p = q = 0, and there only."""
    in_plane = {p: 0, q: 0}
    return tuple(torque[2].subs(in_plane) for torque in torques())


radius, cosine, sine = symbols("radius cosine sine", real=True)
"""Polar coordinates around v* on the sphere of k: kappa = radius cosine, p = radius sine."""

lean = Symbol("lean", real=True)
"""Says how v leans out of the plane: q = -sine swap lean."""

POLAR = {p: radius * sine, q: -sine * NAMED.swap * lean}


def balance() -> Expr:
    """The torques' sum along k*, p R_eta + q R_nu but for the sign, over radius: linear in v."""
    first, second = torques()
    values = {R.eta: partials().eta, R.nu: partials().nu.subs(NAMED.gate, radius * cosine * gate_ratio)}
    total = (first[0] + second[0]).subs(values).subs(p, radius * sine)
    return cancel(expand(total) / radius)


@cache
def leaning() -> tuple[Expr, Expr]:
    """theta and rho of the vectors v that `balance`, by lean and nu; not normalised.

    Where theta - u kappa rho = 2 gamma^2 gate_ratio cosine lean the torques' sum along k* vanishes, and every
    v for which it does has a lean, since neither gate_ratio nor swap is ever zero.
    """
    across = 2 * gamma**2 * gate_ratio * cosine * lean
    tilted = across + u * kappa * rho
    (scalar,) = solve(rho - (kappa * tilted + eta * nu + (p * q).subs(POLAR)), rho)
    return tilted.subs(rho, scalar), scalar


turn_cosine, turn_sine = symbols("turn_cosine turn_sine", real=True)
"""Cosine and sine of an angle that is zero where rho is."""


@cache
def turned() -> tuple[Expr, Expr, Expr, Expr]:
    """lean, nu, theta and rho by the angle: in these coordinates rho depends on little else but the angle.

    rho (1 - u kappa^2) is eta nu + grip lean by `leaning`, and vanishes along (lean, nu) = (eta, -grip).
    """
    along = 2 * gamma**2 * gate_ratio * cosine
    grip = radius * (along * cosine - NAMED.swap * sine**2)
    leaned, upright = eta * turn_cosine + grip * turn_sine, eta * turn_sine - grip * turn_cosine
    scalar = (eta**2 + grip**2) * turn_sine / (1 - u * kappa**2)
    found = leaning()[1].subs({lean: leaned, nu: upright}, simultaneous=True)
    assert cancel((found - scalar).subs(kappa, radius * cosine)) == 0
    return leaned, upright, along * leaned + u * kappa * scalar, scalar


def oblique() -> Matrix:
    """Four torques that vanish at the critical points out of the plane, as rows (x, y) of x radius + y lean.

    They are the sum along v*, divided by `decay`; that on v along k* and along v*; and that on v along k.
    Each has the factor sine = p / radius, which is taken out.
    """
    first, second = torques()
    k = Matrix([kappa, eta, p])
    found = [(first[1] + second[1]) / decay, second[0], -second[1], second.dot(k)]
    return Matrix([_row(torque) for torque in found])


def _row(torque: Expr) -> list[Expr]:
    torque = torque.subs(POLAR)
    if torque.has(decay):
        torque = torque.subs(NAMED.swap, decay * swap_scale)
    whole = cancel(expand(torque) / sine)
    parts = [diff(whole, variable) for variable in (radius, lean)]
    assert expand(whole - parts[0] * radius - parts[1] * lean) == 0
    return parts
