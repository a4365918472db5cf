"""The risk as a quadratic in four overlaps, and the torques that vanish at critical points."""

from sympy import Rational, cos, diff, sin, symbols

from theory import landscape
from theory.landscape import NAMED, R
from theory.risk import excess_risk
from theory.symbols import OVERLAPS, L, eta, gamma, kappa, lam, m, nu, rho, theta

AT = {lam: Rational(3, 10), m: 5, gamma: Rational(4, 5), L: 7}
POINT = {
    kappa: Rational(1, 3),
    nu: Rational(1, 2),
    theta: Rational(-1, 5),
    eta: Rational(2, 7),
    rho: Rational(1, 9),
}


def in_parameters(expression):
    from theory.composite import DEFINITIONS, u

    values = {**landscape.definitions(), u: DEFINITIONS[u]}
    return expression.subs(values, simultaneous=True)


def value(expression):
    return in_parameters(expression).subs(AT).subs(POINT).evalf(30)


def test_the_partial_derivatives_are_those_of_the_risk():
    found = landscape.partials()._replace(kappa=landscape.partials().kappa * landscape.decay)
    for overlap, partial in zip(OVERLAPS, found, strict=True):
        exact = diff(excess_risk(), overlap).subs(AT).subs(POINT).evalf(30)
        assert abs(value(partial) - exact) < 1e-24


def test_torques_are_the_slopes_along_rotations():
    """Turning k and v about e1, the slope of the risk is the torque along e1."""
    angle = symbols("angle")
    turned_k = {kappa: kappa * cos(angle) - eta * sin(angle), eta: eta * cos(angle) + kappa * sin(angle)}
    values = dict(zip(R, symbols("a b c d e"), strict=True))
    risk = sum(values[partial] * overlap for partial, overlap in zip(R, OVERLAPS, strict=True))
    moved = risk.subs({rho: kappa * theta + eta * nu}).subs(turned_k, simultaneous=True)
    slope = diff(moved, angle).subs(angle, 0)
    torque = landscape.planar()[0].subs(landscape.decay, 1).subs(values)
    assert (slope - torque).expand() == 0


def test_the_leaning_vectors_balance():
    tilted, scalar = landscape.leaning()
    q = landscape.POLAR[landscape.q]
    cosine = landscape.cosine
    on_sphere = {theta: tilted, rho: scalar, landscape.q: q}
    total = landscape.balance().subs(on_sphere).subs(kappa, landscape.radius * cosine)
    assert total.simplify() == 0
    k_dot_v = kappa * tilted + eta * nu + landscape.radius * landscape.sine * q
    assert (k_dot_v - scalar).subs(kappa, landscape.radius * cosine).simplify() == 0


def test_coefficients_are_free_of_the_other_overlaps():
    for coefficient in landscape.coefficients():
        assert not coefficient.free_symbols & {nu, theta, eta, rho}
    assert set(NAMED) < set(landscape.definitions())
