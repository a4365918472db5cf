"""The gradient flow against other solvers, other coordinates and the reference velocities; its events."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from numerics import InverseTimeDecay, Overlaps, Task, flow_velocity, gradient_flow
from numerics.events import Arrival, SeparatrixCrossing
from numerics.flow import FlowPaths, flow_paths
from numerics.flow_kernel import velocity
from numerics.frame import overlaps, vectors
from numerics.overlaps import NAMES
from numerics.separatrix import Separatrix

TASK = Task(d=400, L=10)


def states(dataset):
    """Overlaps (5, run, time)."""
    return np.stack([dataset[name].values for name in NAMES])


def times_to(t_end):
    return np.concatenate([[0.0], np.geomspace(1e-6 * t_end, t_end, 40)])


@pytest.mark.parametrize("lam", [0.1, 0.9])
def test_solves_the_equation_of_the_overlaps(lam):
    """Against an explicit method on the five overlaps, by the velocity that is tested elsewhere."""
    start, times = Overlaps.random(2, TASK, np.random.default_rng(4)), times_to(1.0)
    found = states(gradient_flow(start, lam, TASK, t_end=1.0, times=times))

    def field(_, y):
        return flow_velocity(Overlaps.unchecked(y.reshape(5, -1)), lam, TASK).stack().ravel()

    solution = solve_ivp(
        field, (0, 1.0), start.stack().ravel(), method="DOP853", rtol=1e-13, atol=1e-15, t_eval=times
    )
    np.testing.assert_allclose(found, solution.y.reshape(5, 2, -1), rtol=0, atol=1e-11)


REGIMES = [
    (TASK, 0.1, 100.0),
    (TASK, 0.9, 100.0),
    (Task(d=30, L=3, gamma=0.9), 0.5, 100.0),
    (Task(d=10**6, L=10), 1e-3, 1000.0),
    (Task(d=10**9, L=10), 3e-2, 100.0),
    (Task(d=10**9, L=10), 1e-4, 1000.0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("task", "lam", "t_end"), REGIMES)
def test_error_is_as_stated(task, lam, t_end):
    """Against an implicit Runge-Kutta method at its smallest tolerance: the docstring's 1e-10."""
    start, times = Overlaps.random(1, task, np.random.default_rng(0)), times_to(t_end)
    found = states(gradient_flow(start, lam, task, t_end=t_end, times=times))
    solution = solve_ivp(
        lambda _, x: velocity(x, lam, task.signal, task.gamma, float(task.L)),
        (0, t_end),
        vectors(start[0]),
        method="Radau",
        rtol=1e-13,
        atol=1e-18,
        t_eval=times,
    )
    np.testing.assert_allclose(found[:, 0], overlaps(solution.y), rtol=0, atol=1e-10)


@pytest.mark.parametrize("d", [6, 400, 10**9])
def test_gram_matrix_stays_positive_semi_definite_and_the_risk_falls(d):
    task = Task(d=d, L=10)
    lam = 2 / np.sqrt(d)
    dataset = gradient_flow(Overlaps.random(4, task, np.random.default_rng(d)), lam, task, t_end=300.0)
    Overlaps(*states(dataset))
    assert (np.diff(dataset.excess_risk, axis=1) <= 1e-9 * dataset.excess_risk[:, :1].values).all()


def test_is_the_limit_of_small_descent_steps():
    from numerics import projected_gradient_descent

    start = Overlaps.random(3, TASK, np.random.default_rng(2))
    flow = states(gradient_flow(start, 0.1, TASK, t_end=2.0, times=[2.0]))[..., 0]
    errors = []
    for steps in (20_000, 40_000):
        descent = projected_gradient_descent(start, 0.1, TASK, step_size=2.0 / steps, steps=steps)
        errors.append(np.abs(states(descent)[..., -1] - flow).max())
    assert errors[0] < 1e-3
    assert 1.9 < errors[0] / errors[1] < 2.1


def test_a_run_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr("numerics.flow.MOST_EVALUATIONS", 100)
    with pytest.raises(RuntimeError, match=r"run 0 stopped at time .* after 100 evaluations"):
        gradient_flow(Overlaps(0.1, 0.2), 0.1, Task(400, 10), t_end=100)


def test_a_path_that_is_not_finite_is_an_error():
    paths = FlowPaths(1.0, (lambda times: np.full((8, times.size), np.nan),), {})
    with pytest.raises(RuntimeError, match="run 0 is not finite"):
        paths([0.5])


def test_manifold_is_invariant():
    dataset = gradient_flow(Overlaps(kappa=0.1, nu=[0.2, -0.3]), 0.3, TASK, t_end=50)
    assert (dataset.distance == 0).all()


def test_lam_may_change_with_time():
    start, lam = Overlaps(kappa=0.1, nu=0.2, theta=0.05), InverseTimeDecay(0.5, 0.1)
    found = gradient_flow(start, lam, TASK, t_end=4.0, times=[0.0, 4.0])
    np.testing.assert_allclose(found.lam, [0.5, 0.5 / 1.4])
    state = start
    for n in range(4000):
        now = lam(1e-3 * n + 5e-4)
        middle = Overlaps.unchecked(state.stack() + 5e-4 * flow_velocity(state, now, TASK).stack())
        state = Overlaps.unchecked(state.stack() + 1e-3 * flow_velocity(middle, now, TASK).stack())
    np.testing.assert_allclose(states(found)[:, 0, -1], state.stack(), rtol=0, atol=1e-4)


def test_paths_can_be_asked_at_any_time():
    start = Overlaps.random(3, TASK, np.random.default_rng(1))
    paths = flow_paths(start, 0.1, TASK, t_end=5.0)
    np.testing.assert_allclose(paths(0).stack(), start.stack(), rtol=0, atol=1e-14)
    times = np.array([[0.1, 2.0], [3.0, 5.0]])
    assert paths(times).shape == (3, 2, 2)
    dataset = gradient_flow(start, 0.1, TASK, t_end=5.0, times=times.ravel())
    np.testing.assert_array_equal(paths(times).stack().reshape(5, 3, 4), states(dataset))
    with pytest.raises(ValueError, match=r"times must be <= t_end=5\.0, got 6\.0"):
        paths([1.0, 6.0])


def test_arrival_is_when_the_distance_falls_to_the_radius():
    at = Overlaps(kappa=[1, -1], nu=[1, -1])
    start = Overlaps(kappa=[0.2, -0.2, 0.995], nu=[0.3, -0.2, 0.998])
    events = {"oracle": Arrival(at, 0.01)}
    paths = flow_paths(start, 0.1, TASK, t_end=300.0, events=events)
    first = paths.first("oracle")
    assert first[2] == 0
    for run in range(2):
        there = paths(first[run])[run]
        assert np.hypot(1 - abs(there.kappa), 1 - abs(there.nu)) == pytest.approx(0.01, rel=1e-9)
    dataset = gradient_flow(start, 0.1, TASK, t_end=300.0, events=events)
    np.testing.assert_array_equal(dataset.first_oracle, first)
    assert np.isnan(gradient_flow(start[0], 0.1, TASK, t_end=0.1, events=events).first_oracle)


@pytest.mark.parametrize(
    ("lam", "task"), [(0.1, TASK), (0.9, TASK), (1e-3, Task(d=30, L=2)), (0.1, Task(d=10**9, L=10))]
)
def test_separatrix_separates_the_basins(lam, task):
    curve = Separatrix(lam, task)
    assert curve.side(0.0, 0.0) == 0
    u = np.array([0.1, 0.5, 2.0])
    on = curve.kappa(u)
    assert ((on > 0) & (np.diff(on, prepend=0) > 0)).all()
    for sign in (1, -1):
        start = Overlaps(kappa=on * (1 + sign * 1e-5), nu=-np.tanh(u))
        assert (np.sign(curve.side(start.kappa, start.nu)) == sign).all()
        assert (np.sign(curve.side(-start.kappa, -start.nu)) == -sign).all()
        end = states(gradient_flow(start, lam, task, t_end=1e5, times=[1e5]))[:2, :, 0]
        assert (np.sign(end) == sign).all()


def test_paths_on_the_manifold_do_not_cross_and_others_may():
    events = {"crossing": SeparatrixCrossing(0.1, TASK)}
    on = Overlaps.random(2, TASK, np.random.default_rng(0), on="manifold")
    assert np.isnan(gradient_flow(on, 0.1, TASK, t_end=5, events=events).first_crossing).all()
    off = Overlaps(kappa=0.05, nu=-0.02, theta=0.3, eta=-0.3)
    paths = flow_paths(off, 0.1, TASK, t_end=5, events=events)
    (times,) = paths.happened["crossing"]
    assert times.size == 1
    there = paths(times)[0]
    np.testing.assert_allclose(Separatrix(0.1, TASK).side(there.kappa, there.nu), 0, atol=1e-9)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"t_end": 0}, ValueError, "t_end must be a finite number > 0, got 0"),
        ({"rtol": -1}, ValueError, "rtol must be"),
        ({"times": [0, 2]}, ValueError, "times must be <= t_end"),
        ({"times": [-1, 0]}, ValueError, "times must be"),
        ({"times": 0.5}, ValueError, "times must be a row"),
        ({"lam": 0}, ValueError, "lam must be"),
        ({"lam": lambda t: 1 - 2 * t}, ValueError, "lam must be finite and > 0"),
    ],
)
def test_bad_arguments(changes, error, message):
    arguments = {"lam": 0.1, "t_end": 1.0} | changes
    with pytest.raises(error, match=message):
        gradient_flow(Overlaps(kappa=0.1, nu=0.1), task=TASK, **arguments)


@pytest.mark.parametrize(("at", "radius"), [(Overlaps(kappa=1, nu=1), 0.0), ((1, 1), 0.1)])
def test_bad_arrivals(at, radius):
    with pytest.raises((ValueError, TypeError), match=r"radius|at"):
        Arrival(at, radius)


@pytest.mark.parametrize(("lam", "task"), [(0.1, TASK), (0.9, TASK), (0.3, Task(d=30, L=2, gamma=1.3))])
def test_separatrix_is_accurate_to_ten_digits(lam, task):
    """Against the planar flow's own equations, backwards in time from the saddle in small steps."""
    a = lam * task.signal / math.sqrt(1 + 2 * (lam * task.gamma) ** 2)
    b = a / math.sqrt(1 + 4 * (lam * task.gamma) ** 2)

    def rate(u, kappa):
        pull = 2 * a / math.sqrt(math.pi) * math.exp(-((a * kappa) ** 2))
        return (1 - kappa**2) * pull * (math.tanh(u) + math.erf(b * kappa)) / math.erf(a * kappa)

    us = np.geomspace(1e-9, 1, 8001)
    kappa = (b + math.sqrt(b**2 + math.pi)) / math.sqrt(math.pi) * us[0]  # along the stable direction
    for u, step in zip(us, np.diff(us), strict=False):
        kappa = _runge_kutta(rate, u, kappa, step)
    found = Separatrix(lam, task).kappa(np.array([1.0]))[0]
    assert found == pytest.approx(kappa, abs=1e-10)


def _runge_kutta(rate, u, x, h):
    k1 = rate(u, x)
    k2 = rate(u + h / 2, x + h * k1 / 2)
    k3 = rate(u + h / 2, x + h * k2 / 2)
    k4 = rate(u + h, x + h * k3)
    return x + h * (k1 + 2 * k2 + 2 * k3 + k4) / 6
