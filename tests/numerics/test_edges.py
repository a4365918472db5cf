"""Every public function at the edges: an error of a documented type, or finite output that is accurate."""

import contextlib
import inspect
import re
from fractions import Fraction
from pathlib import Path
from unittest import mock

import flint
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ULPS, lams, log_uniform, overlaps, tasks

import numerics
from numerics import (
    InverseTimeDecay,
    Overlaps,
    Task,
    arb,
    estimate_risk,
    excess_risk,
    gradient_flow,
    outcomes,
    projected_gradient_descent,
    stochastic_gradient_descent,
)
from numerics.generated import closed_forms
from numerics.iteration import NonFiniteError
from numerics.montecarlo.risk import ESTIMATORS
from numerics.overlaps import GRAM_TOLERANCE, NAMES, residual_gram
from numerics.separatrix import Separatrix

ERROR = 1e-10
"""The stated error of a path of the flow; near a minimum the risk's error is of the order of its square."""


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


@given(overlaps(off=False), lams, tasks, log_uniform(1e-6, 1e3))
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
    assert (np.diff(risks) <= 1e-9 * risks[:-1] + ERROR**2).all()


@given(overlaps(), lams, tasks, log_uniform(1e-3, 1e2))
def test_flow_is_sound_for_extreme_parameters_or_says_where_it_stopped(o, lam, task, reach):
    with arb.precision(200):
        scale = max(abs(float(p)) for p in partials_in_balls(o, lam, task)[1])
    t_end = min(reach / max(scale, 1e-200), 1e200)
    with contextlib.suppress(RuntimeError), mock.patch("numerics.flow.MOST_EVALUATIONS", 5_000):
        assert_sound(gradient_flow(o, lam, task, t_end=t_end, times=np.linspace(0, t_end, 5)))


@given(overlaps(), lams, tasks, st.sampled_from(sorted(ESTIMATORS)), st.integers(0, 2**32))
def test_every_estimator_is_finite_and_covers_the_closed_form(o, lam, task, estimator, seed):
    small = Task(max(task.d, 4), min(task.L, 50), task.gamma)
    estimate = estimate_risk(o, lam, small, estimator=estimator, samples=256, seed=seed)
    assert np.isfinite(estimate.value)
    assert np.isfinite(estimate.standard_error)
    assert estimate.standard_error >= 0


@given(
    st.integers(0, 5),
    log_uniform(3, 1e15).map(int),
    st.sampled_from(["sphere", "manifold"]),
    st.integers(0, 2**32),
)
def test_random_starts_are_admissible_in_any_dimension(n, d, on, seed):
    o = Overlaps.random(n, Task(d, 1), np.random.default_rng(seed), on=on)
    assert Overlaps(*o.stack()).shape == (n,)


@given(lams, tasks)
def test_role_swapped_points_are_accurate(lam, task):
    def slope(theta):
        return partials_in_balls(Overlaps(0, 0, theta, 1), lam, task)[1][2]

    with arb.precision(2000):
        at_0, at_1 = slope(0.0), slope(1.0)
        exact = min(1.0, float(at_0 / (at_0 - at_1)))
    assert outcomes.role_swapped(lam, task).theta == pytest.approx([exact, -exact], rel=1e-12)


@given(overlaps(), lams, tasks)
def test_every_end_has_a_name(o, lam, task):
    assert str(outcomes.classify(o, lam, task)) in outcomes.NAMES


@given(log_uniform(0.1, 30), log_uniform(10, 1e9).map(int), st.integers(1, 100), log_uniform(0.1, 10))
def test_the_separatrix_has_a_side_everywhere(scaled, d, L, gamma):
    curve = Separatrix(scaled / d**0.5, Task(d, L, gamma))
    grid = np.linspace(-1, 1, 9)
    sides = curve.side(grid[:, None], grid)
    assert np.isfinite(sides).all()
    assert (np.diff(sides, axis=0) > 0).all()
    assert sides == pytest.approx(-sides[::-1, ::-1])


@given(overlaps(), lams, tasks, st.integers(0, 2**32))
def test_monte_carlo_covers_the_closed_form(o, lam, task, seed):
    small, samples = Task(task.d, min(task.L, 50), task.gamma), 2048
    estimate = estimate_risk(o, lam, small, samples=samples, seed=seed)
    exact = excess_risk(o, lam, small)
    assert np.isfinite(estimate.value)
    assert estimate.standard_error >= 0
    unseen = 16 / samples  # what happens more rarely need not show
    assert abs(estimate.value - exact) <= 12 * estimate.standard_error + unseen * exact


@given(ULPS, st.sampled_from(["oracle", "swapped", "aligned", "opposite"]))
def test_overlaps_a_few_ulps_off_a_face_are_taken(ulps, face):
    points = {
        "oracle": (1.0, 1.0, 0.0, 0.0, 0.0),
        "swapped": (0.0, 0.0, 0.5, 1.0, 0.0),
        "aligned": (0.6, 0.8, 0.6, 0.8, 1.0),
        "opposite": (0.6, -0.8, -0.6, 0.8, -1.0),
    }
    o = Overlaps(*(np.array(points[face]) + ulps))
    for lam in (1e-9, 0.1, 10.0):
        assert excess_risk(o, lam, Task(400, 10)) >= 0


@given(log_uniform(1e-12, 1e6), log_uniform(1e-9, 1e3), st.integers(0, 10**9))
def test_schedules_stay_positive(start, rate, step):
    value = InverseTimeDecay(start, rate)(np.array([step]))
    assert value > 0
    assert value == pytest.approx(float(Fraction(start) / (1 + Fraction(rate) * step)), rel=4e-16)


@given(tasks)
def test_the_signal_strength_is_rounded_correctly(task):
    with arb.precision(200):
        assert task.signal == pytest.approx(float(arb.signal(task.d)), rel=2.0**-52)


@pytest.mark.parametrize("name", numerics.__all__)
def test_docstrings_say_how_accurate_and_which_test_holds_it(name):
    text = inspect.getdoc(getattr(numerics, name))
    accuracy = text.partition("Accuracy:")[2].partition("\n\n")[0]
    tests = re.findall(r"tests/[\w/]+\.py", accuracy)
    assert tests
    assert all((Path(__file__).parents[2] / test).is_file() for test in tests)
