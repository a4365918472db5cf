"""Derivations on M, off M and on the swapped manifold against the numerics, over wide parameter ranges."""

import math

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import erf, erfc

from numerics import (
    Overlaps,
    Task,
    excess_risk,
    flow_velocity,
    gradient_flow,
    projected_gradient_descent,
)
from numerics.overlaps import NAMES
from numerics.separatrix import Separatrix
from tests.numerics.strategies import log_uniform, overlaps
from theory import convergence, stability, swapped
from theory.composite import a, in_parameters
from theory.special import zeta
from theory.symbols import L, gamma, lam, m
from theory.symmetry import LABEL_REFLECTION, SIGN_CHANGE

unit = st.floats(-1, 1)
tasks = st.builds(
    Task, d=log_uniform(4, 1e6).map(int), L=log_uniform(1, 1e4).map(int), gamma=log_uniform(0.1, 10)
)


@st.composite
def settings_of(draw):
    """A task and a lambda with lambda sqrt(d) neither tiny nor huge."""
    task = draw(tasks)
    return task, draw(log_uniform(0.05, 5)) / math.sqrt(task.d)


def compiled(expression):
    """A function of (task, lambda) from an expression in the parameters."""
    function = sympy.lambdify((lam, m, gamma, L), in_parameters(expression), ["scipy", "numpy"])
    return lambda task, strength: float(function(strength, task.signal, task.gamma, task.L))


BEST_THETA = compiled(swapped.best_theta())
SWAP_RISK = compiled(gamma**2 * swapped.partial_swap_risk() + swapped.noise())
RATES = [compiled(rate) for rate in convergence.sink_rates().values()]
LARGEST_STEP = compiled(convergence.largest_step_size())
SMALLEST_MARGIN = sympy.lambdify(
    (lam, m, gamma, L),
    in_parameters(stability.margin().subs(zeta(lam * m, lam * gamma), sympy.erf(a) ** 2)),
    "mpmath",
)
"""Where zeta is at its lower bound; the margin grows with zeta."""
SLOPE = compiled(convergence.separatrix_slope())


def flipped(o, symmetry):
    names = {str(overlap) for overlap in symmetry}
    return Overlaps.unchecked([(-1 if name in names else 1) * getattr(o, name) for name in NAMES])


@given(
    overlaps(),
    settings_of(),
    st.sampled_from([LABEL_REFLECTION, SIGN_CHANGE, LABEL_REFLECTION ^ SIGN_CHANGE]),
)
def test_risk_has_the_symmetries_and_the_flow_commutes_with_them(o, setting, symmetry):
    task, strength = setting
    other = flipped(o, symmetry)
    assert excess_risk(other, strength, task) == pytest.approx(excess_risk(o, strength, task), rel=1e-12)
    velocity = flow_velocity(o, strength, task)
    expected = flipped(velocity, symmetry).stack()
    scale = np.abs(expected).max()
    np.testing.assert_allclose(flow_velocity(other, strength, task).stack(), expected, atol=1e-11 * scale)


@settings(max_examples=30, deadline=None)
@given(unit, unit, settings_of(), log_uniform(1e-6, 1e6))
def test_descent_stays_on_both_manifolds_at_any_step_size(x, y, setting, step_size):
    task, strength = setting
    zero = 0.0
    for start, still in (
        (Overlaps(kappa=x, nu=y), ("theta", "eta", "rho")),
        (Overlaps(kappa=zero, nu=zero, theta=x, eta=y), ("kappa", "nu", "rho")),
    ):
        ds = projected_gradient_descent(start, strength, task, step_size=step_size, steps=20, record_every=1)
        assert all((ds[name] == 0).all() for name in still)


@settings(max_examples=15, deadline=None)
@given(overlaps(), settings_of())
def test_risk_never_rises_along_the_flow(o, setting):
    task, strength = setting
    ds = gradient_flow(o, strength, task, t_end=20.0 / (task.gamma**2 + task.L * strength))
    risk = ds.excess_risk.values[0]
    assert (np.diff(risk) <= 1e-9 * risk[:-1]).all()


@settings(max_examples=30, deadline=None)
@given(unit, unit, settings_of(), st.floats(0.05, 0.99))
def test_descent_on_the_manifold_decreases_the_risk_and_keeps_order(x, y, setting, share):
    task, strength = setting
    step_size = share * LARGEST_STEP(task, strength)
    starts = Overlaps(kappa=np.array([min(x, y), max(x, y)]), nu=np.array([min(x, -y), max(x, -y)]))
    ds = projected_gradient_descent(starts, strength, task, step_size=step_size, steps=50, record_every=1)
    risk = ds.excess_risk.values
    assert (np.diff(risk, axis=1) <= 1e-12 * risk[:, :-1]).all()
    for name in ("kappa", "nu"):
        assert (ds[name].values[0] <= ds[name].values[1] + 1e-12).all()


@settings(max_examples=20, deadline=None)
@given(settings_of())
def test_rates_at_the_sink_are_those_of_the_flow(setting):
    task, strength = setting
    near = 1e-7
    velocity = flow_velocity(Overlaps(kappa=1 - near, nu=1 - near), strength, task)
    found = [float(velocity.kappa) / near, float(velocity.nu) / near]
    assert found == pytest.approx(
        [rate(task, strength) for rate in RATES], rel=1e-4, abs=1e-9 * RATES[1](task, strength)
    )


@settings(max_examples=20, deadline=None)
@given(settings_of())
def test_slope_of_the_separatrix_is_the_one_that_integration_finds(setting):
    task, strength = setting
    nu, slope = 1e-3, SLOPE(task, strength)
    curve = Separatrix(strength, task)
    sides = [float(curve.side(kappa, nu)) for kappa in (nu / slope * 0.98, nu / slope * 1.02)]
    assert sides[0] * sides[1] < 0


@given(settings_of())
def test_the_flow_rests_at_the_role_swapped_point_and_its_risk_is_the_closed_form(setting):
    task, strength = setting
    theta = BEST_THETA(task, strength)
    o = Overlaps(kappa=0.0, nu=0.0, eta=1.0, theta=min(theta, 1.0), rho=0.0)
    velocity = flow_velocity(o, strength, task).stack()
    moved = flow_velocity(
        Overlaps(kappa=0.0, nu=0.0, eta=0.9, theta=min(theta, 1.0) * 0.9), strength, task
    ).stack()
    assert np.abs(velocity).max() <= 1e-9 * np.abs(moved).max()
    if theta < 1:
        assert excess_risk(o, strength, task) == pytest.approx(SWAP_RISK(task, strength), rel=1e-9)


@given(settings_of(), st.integers(1, 1000))
def test_oracle_minus_swap_does_not_depend_on_the_number_of_tokens(setting, length):
    task, strength = setting
    other = Task(d=task.d, L=length, gamma=task.gamma)
    points = Overlaps(kappa=[1.0, 0.0], nu=[1.0, 0.0], theta=[0.0, 1.0], eta=[0.0, 1.0], rho=[0.0, 0.0])
    here, there = (np.diff(excess_risk(points, strength, t))[0] for t in (task, other))
    scale = max(excess_risk(points, strength, t).max() for t in (task, other))
    assert here == pytest.approx(there, rel=1e-9, abs=1e-12 * scale)


def tangent_hessian(strength, task, step=1e-4):
    """Finite differences of the risk in (eta, theta) for unit vectors k, v in the plane of k*, v*."""

    def risk(x, y):
        o = Overlaps(
            kappa=math.cos(x), eta=math.sin(x), nu=math.cos(y), theta=math.sin(y), rho=math.sin(x + y)
        )
        return float(excess_risk(o, strength, task))

    def second(p, q):
        ends = (
            (s * p[0] + t * q[0], s * p[1] + t * q[1], s * t) for s in (step, -step) for t in (step, -step)
        )
        return sum(math.copysign(1, sign) * risk(x, y) for x, y, sign in ends) / (4 * step**2)

    e = ((1, 0), (0, 1))
    return np.array([[second(p, q) for q in e] for p in e])


@pytest.mark.parametrize(("d", "L_", "strength"), [(400, 10, 0.1), (40, 3, 0.4), (400, 10, 0.9), (9, 1, 1.5)])
def test_block_is_the_hessian_of_the_risk_by_finite_differences(d, L_, strength):
    task = Task(d=d, L=L_)
    values = {
        lam: sympy.Rational(str(strength)),
        m: sympy.sqrt(sympy.Rational(d, 2)),
        gamma: 1 / sympy.sqrt(2),
        L: L_,
    }
    block = in_parameters(stability.block()).subs(values).evalf()
    expected = np.array(block.tolist(), dtype=float)
    np.testing.assert_allclose(
        tangent_hessian(strength, task), expected, rtol=1e-4, atol=1e-5 * np.abs(expected).max()
    )


@settings(max_examples=50, deadline=None)
@given(
    log_uniform(2, 200), log_uniform(1, 1e3).map(int), log_uniform(0.2, 5), st.floats(0.01, math.sqrt(3) / 2)
)
def test_optimum_is_a_local_minimum_for_all_safe_lambda(d, length, noise, strength):
    with mpmath.workdps(120):  # enough for 1 - erf(a') at a'^2 <= 100
        m_ = mpmath.sqrt(mpmath.mpf(d) / 2)
        assert SMALLEST_MARGIN(mpmath.mpf(strength), m_, mpmath.mpf(noise), length) > 0


def test_rates_of_the_papers_setting():
    task, strength = Task(d=400, L=10), 0.1
    a = strength * task.signal / math.sqrt(1 + 2 * (strength * task.gamma) ** 2)
    b = a / math.sqrt(1 + 4 * (strength * task.gamma) ** 2)
    slow = 4 * task.gamma**2 * a * 2 / math.sqrt(math.pi) * math.exp(-(a**2)) * erfc(b)
    assert [rate(task, strength) for rate in RATES] == pytest.approx(
        [slow, 4 * task.gamma**2 * erf(a)], rel=1e-12
    )
