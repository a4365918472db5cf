"""Every public function at the edges: an error of a documented type, or finite output that is accurate."""

import contextlib

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import lams, log_uniform, overlaps, tasks

from numerics import (
    InverseTimeDecay,
    Overlaps,
    Task,
    arb,
    estimate_risk,
    excess_risk,
    gradient_flow,
    projected_gradient_descent,
    stochastic_gradient_descent,
)
from numerics.generated import closed_forms
from numerics.iteration import NonFiniteError
from numerics.overlaps import GRAM_TOLERANCE, NAMES, residual_gram

ULPS = st.integers(-3, 3)


def partials_in_balls(o, lam, task):
    """The risk's partial derivatives in Arb, with the balls of the overlaps."""
    balls = [flint.arb(float(x)) for x in o.stack()]
    parameters = (flint.arb(lam), arb.signal(task.d), flint.arb(task.gamma), flint.arb(task.L))
    return balls, closed_forms.partial_derivatives(arb.ARB, *balls, *parameters)


def step_in_balls(o, lam, task, step_size):
    """One step of projected gradient descent by the Gram matrix, at 2000 bits."""
    with arb.precision(2000):
        (kappa, nu, theta, eta, rho), (r_kappa, r_nu, r_theta, r_eta, r_rho) = partials_in_balls(o, lam, task)
        gram = [[1, rho, kappa, eta], [rho, 1, theta, nu], [kappa, theta, 1, 0], [eta, nu, 0, 1]]

        def inner(p, q):
            return sum((p[i] * gram[i][j] * q[j] for i in range(4) for j in range(4)), flint.arb(0))

        s = flint.arb(step_size)
        radial_k = r_kappa * kappa + r_eta * eta + r_rho * rho
        radial_v = r_theta * theta + r_nu * nu + r_rho * rho
        k = [1 + s * radial_k, -s * r_rho, -s * r_kappa, -s * r_eta]
        v = [-s * r_rho, 1 + s * radial_v, -s * r_theta, -s * r_nu]
        k = [x / inner(k, k).sqrt() for x in k]
        v = [x / inner(v, v).sqrt() for x in v]
        first, second = [0, 0, 1, 0], [0, 0, 0, 1]
        pairs = ((k, first), (v, second), (v, first), (k, second), (k, v))
        return np.array([float(inner(p, q)) for p, q in pairs])


def assert_sound(dataset):
    """Finite, admissible, and with a risk that is not negative."""
    values = np.stack([dataset[name].values for name in NAMES])
    assert np.isfinite(values).all()
    assert np.isfinite(dataset.excess_risk).all()
    assert (dataset.excess_risk >= 0).all()
    kk, vv, kv = residual_gram(Overlaps.unchecked(values))
    assert ((kk + vv) / 2 - np.hypot((kk - vv) / 2, kv) >= -GRAM_TOLERANCE).all()


@given(overlaps(), lams, tasks, log_uniform(1e-6, 1e3))
def test_a_step_of_descent_is_accurate(o, lam, task, reach):
    with arb.precision(200):
        scale = max(abs(float(p)) for p in partials_in_balls(o, lam, task)[1])
    step_size = reach / max(scale, 1e-200)
    dataset = projected_gradient_descent(o, lam, task, step_size=step_size, steps=1)
    exact = step_in_balls(o, lam, task, step_size)
    found = np.array([dataset[name].values[0, -1] for name in NAMES])
    assert found == pytest.approx(exact, abs=1e-12 * max(1.0, reach))


@given(overlaps(), lams, tasks, log_uniform(1e-30, 1e30))
def test_descent_is_sound_or_says_where_it_stopped(o, lam, task, step_size):
    with contextlib.suppress(NonFiniteError):
        assert_sound(projected_gradient_descent(o, lam, task, step_size=step_size, steps=50, record_every=10))


@given(overlaps(), lams, tasks, log_uniform(1e-30, 1e30), st.integers(0, 2**63))
def test_sgd_is_sound_or_says_where_it_stopped(o, lam, task, step_size, seed):
    small = Task(max(task.d, 6), min(task.L, 30), task.gamma, 0.1)
    options = {"step_size": step_size, "steps": 20, "batch_size": 2, "record_every": 5, "seed": seed}
    with contextlib.suppress(NonFiniteError):
        assert_sound(stochastic_gradient_descent(o, lam, small, **options))


@given(overlaps(), log_uniform(0.1, 30), log_uniform(1e-3, 10), st.integers(1, 50), log_uniform(0.1, 10))
def test_flow_is_sound_and_its_risk_never_rises(o, scaled, t_end, L, gamma):
    task = Task(400, L, gamma)
    dataset = gradient_flow(o, scaled / 20, task, t_end=t_end, times=np.linspace(0, t_end, 20))
    assert_sound(dataset)
    risks = dataset.excess_risk.values[0]
    assert (np.diff(risks) <= 1e-9 * risks[:-1] + 1e-300).all()


@given(overlaps(), lams, tasks, st.integers(0, 2**32))
def test_monte_carlo_covers_the_closed_form(o, lam, task, seed):
    small = Task(task.d, min(task.L, 50), task.gamma)
    estimate = estimate_risk(o, lam, small, samples=2048, seed=seed)
    exact = excess_risk(o, lam, small)
    assert np.isfinite(estimate.value)
    assert estimate.standard_error >= 0
    assert abs(estimate.value - exact) <= 12 * estimate.standard_error + 1e-9 * exact


@given(st.lists(ULPS, min_size=5, max_size=5), st.sampled_from(["oracle", "swapped", "aligned", "opposite"]))
def test_overlaps_a_few_ulps_off_a_face_are_taken(ulps, face):
    points = {
        "oracle": (1.0, 1.0, 0.0, 0.0, 0.0),
        "swapped": (0.0, 0.0, 0.5, 1.0, 0.0),
        "aligned": (0.6, 0.8, 0.6, 0.8, 1.0),
        "opposite": (0.6, -0.8, -0.6, 0.8, -1.0),
    }
    values = np.array(points[face]) + np.array(ulps) * 2.0**-53
    o = Overlaps(*values)
    for lam in (1e-9, 0.1, 10.0):
        assert excess_risk(o, lam, Task(400, 10)) >= 0


@given(log_uniform(1e-12, 1e6), log_uniform(1e-9, 1e3), st.integers(0, 10**9))
def test_schedules_stay_positive(start, rate, step):
    value = InverseTimeDecay(start, rate)(np.array([step]))
    assert value > 0
    assert value == pytest.approx(start / (1 + rate * step))
