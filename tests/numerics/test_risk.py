"""The risk against quadrature from the definition, interval arithmetic, sampling, and its invariances."""

import math
import subprocess
import sys

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from strategies import lams, log_uniform, overlaps, tasks

from numerics import Overlaps, Task, arb, excess_risk, flow_velocity
from numerics.definition import excess_risk_by_quadrature
from numerics.generated import closed_forms, kernels


def by_intervals(o, lam, task):
    point = [float(x) for x in o.stack()]
    return arb.evaluate(closed_forms.excess_risk, point, lam, task.d, task.gamma, task.L)[0]


@given(overlaps(), lams, tasks)
def test_risk_is_accurate_for_extreme_parameters(o, lam, task):
    value, exact = excess_risk(o, lam, task), by_intervals(o, lam, task)
    assert value == pytest.approx(exact, rel=1e-12, abs=1e-300)


@given(overlaps(), lams, tasks)
def test_velocity_is_accurate_to_the_largest_partial_derivative(o, lam, task):
    point = [float(x) for x in o.stack()]
    with arb.precision(2000):
        parameters = (flint.arb(lam), arb.signal(task.d), flint.arb(task.gamma), flint.arb(task.L))
        balls = [flint.arb(x) for x in point]
        partials = closed_forms.partial_derivatives(arb.ARB, *balls, *parameters)
        exact = kernels.overlap_velocity.py_func(*balls, *partials)
    scale = max(abs(float(p)) for p in partials)
    error = np.abs(flow_velocity(o, lam, task).stack() - [float(v) for v in exact]).max()
    assert error <= 1e-13 * scale + 1e-300


@settings(max_examples=8)
@given(overlaps(), log_uniform(1e-3, 1e2), st.builds(Task, d=st.integers(2, 10**6), L=st.integers(1, 1000)))
def test_risk_agrees_with_the_definition(o, lam, task):
    exact = excess_risk_by_quadrature(o, lam, task, digits=18)
    assert abs(mpf(float(excess_risk(o, lam, task))) / exact - 1) < 1e-12


@given(overlaps(), lams, tasks)
def test_risk_is_invariant_under_negation_and_reflection(o, lam, task):
    risk = excess_risk(o, lam, task)
    negated = Overlaps(-o.kappa, -o.nu, -o.theta, -o.eta, o.rho)
    reflected = Overlaps(o.kappa, o.nu, -o.theta, -o.eta, -o.rho)
    assert excess_risk(negated, lam, task) == pytest.approx(risk, rel=1e-13, abs=1e-300)
    assert excess_risk(reflected, lam, task) == pytest.approx(risk, rel=1e-13, abs=1e-300)


@given(overlaps(), lams, tasks)
def test_risk_is_not_negative(o, lam, task):
    assert excess_risk(o, lam, task) >= 0


@given(overlaps(), log_uniform(1e-3, 1e3), st.integers(2, 10**6), st.integers(1, 100), log_uniform(0.1, 10))
def test_velocity_descends_the_risk(o, lam, d, L, gamma):
    task = Task(d, L, gamma)
    constants = kernels.partial_derivatives_constants(lam, task.signal, gamma, float(L))
    partials = np.array(kernels.partial_derivatives(*o.stack(), constants))
    rate = partials @ flow_velocity(o, lam, task).stack()
    scale = np.abs(partials).max() ** 2
    assert rate <= 1e-12 * scale


def test_velocity_is_minus_the_gradient_in_full_space():
    rng, d = np.random.default_rng(0), 6
    task, lam, step = Task(d, 4, 0.8), 0.6, 1e-5
    k, v = (x / np.linalg.norm(x) for x in rng.standard_normal((2, d)))

    def overlaps_of(k, v):
        return Overlaps.unchecked([k[0], v[1], v[0], k[1], k @ v])

    def risk_of(k, v):
        return float(excess_risk(overlaps_of(k / np.linalg.norm(k), v / np.linalg.norm(v)), lam, task))

    moves = step * np.eye(d)
    gradient_k = np.array([risk_of(k + e, v) - risk_of(k - e, v) for e in moves]) / (2 * step)
    gradient_v = np.array([risk_of(k, v + e) - risk_of(k, v - e) for e in moves]) / (2 * step)
    ahead = overlaps_of(k - step * gradient_k, v - step * gradient_v).stack()
    behind = overlaps_of(k + step * gradient_k, v + step * gradient_v).stack()
    velocity = flow_velocity(overlaps_of(k, v), lam, task).stack()
    assert velocity == pytest.approx((ahead - behind) / (2 * step), rel=1e-5, abs=1e-5)


@pytest.mark.parametrize(
    ("d", "lam", "gamma"), [(1e12, 1e-12, 1e-6), (1e12, 1e3, 1e-6), (1e12, 1e3, 1.0), (1, 1e-12, 1.0)]
)
def test_extreme_parameters_give_finite_numbers(d, lam, gamma):
    for point in (Overlaps(1, 1), Overlaps(0.3, -0.2, 0.1, 0.4, 0.2)):
        task = Task(d, 10, gamma)
        assert math.isfinite(excess_risk(point, lam, task))
        assert np.isfinite(flow_velocity(point, lam, task).stack()).all()


def test_what_is_not_finite_is_refused_rather_than_refined():
    with pytest.raises(ArithmeticError, match="arguments must be finite"):
        excess_risk(Overlaps.unchecked(np.full(5, np.nan)), 0.1, Task(400, 10))


def test_what_is_large_is_evaluated():
    """Arguments as large as doubles go, whose squares are none."""
    largest = 1.7e308
    given_back = arb.evaluate(lambda functions, *arguments: arguments, [0.0] * 5, largest, 2, largest, 3)
    assert given_back == [0.0] * 5 + [largest, 1.0, largest, 3.0]


def test_shapes_broadcast():
    o = Overlaps(kappa=np.linspace(-1, 1, 5)[:, None], nu=np.linspace(-1, 1, 4))
    task = Task(400, 10)
    assert excess_risk(o, 0.1, task).shape == (5, 4)
    assert excess_risk(Overlaps(1, 1), [0.1, 0.2], task).shape == (2,)
    assert isinstance(excess_risk(Overlaps(1, 1), 0.1, task), float)
    assert flow_velocity(o, np.full((2, 1, 1), 0.1), task).shape == (2, 5, 4)


def test_import_is_free_of_sympy():
    code = "import sys, numerics; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
