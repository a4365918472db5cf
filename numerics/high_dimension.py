"""SGD in high dimension: the differential equation that its overlaps follow, noise included."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from numerics import checks, datasets, schedules
from numerics.iteration import Progress
from numerics.limit_kernel import gradient_covariance, limit_velocity
from numerics.overlaps import Overlaps
from numerics.schedules import Schedule
from numerics.task import Task

POINTS = 201
"""Number of times in a dataset if none are given."""


def high_dimensional_limit(
    o: Overlaps,
    lam: Schedule,
    task: Task,
    *,
    rate: float,
    batch_size: int,
    t_end: float,
    times: Any = None,
    rtol: float = 1e-9,
    atol: float = 1e-12,
    progress: Progress | None = None,
) -> xr.Dataset:
    """The overlaps under SGD as the dimension D of the tokens grows, at time t = n / D after n steps.

    The step size is rate / D; the signal strength sqrt(task.d / 2), lam, gamma, epsilon, L and the batch are
    fixed (`stochastic_gradient_descent` with `ambient` D does such a step). The limit is the gradient flow at
    speed `rate` plus terms in rate^2 that the gradients' noise in all D directions causes: it pulls k and v
    away from the truth, and towards or away from each other. SGD's overlaps differ from it by O(1 / sqrt(D)).

    o: starts, of shape () or (runs,). lam: a positive number or a schedule of the time. rate > 0, t_end > 0.
    times: where to report, a row of times in [0, t_end]; None: POINTS equidistant ones.
    rtol, atol: tolerances of a solver's step. progress: called with (runs done, runs).

    Accuracy: that of the solver; the gradients' covariance in it agrees with sampled gradients
    (tests/numerics/test_high_dimension.py) and with an integral over Sobol points (claim sgd.covariance).

    Returns a dataset of dims (run, time) with kappa, nu, theta, eta, rho, excess_risk, distance, and lam
    (time); its attributes hold every parameter. Raises TypeError or ValueError naming the argument, and
    RuntimeError if the solver fails. Derivation: theory.high_dimension.

    >>> start, task = Overlaps(kappa=0.3, nu=0.3), Task(d=8, L=4)
    >>> ds = high_dimensional_limit(start, 0.5, task, rate=0.2, batch_size=2, t_end=30)
    >>> ds.nu.values[0, [0, -1]].round(3).tolist()
    [0.3, 0.862]
    """
    lam, t_end = schedules.check("lam", lam), checks.real("t_end", t_end, above=0)
    rate, batch_size = checks.real("rate", rate, above=0), checks.integer("batch_size", batch_size, 1)
    times = np.linspace(0.0, t_end, POINTS) if times is None else checks.reals("times", times, minimum=0)
    if times.ndim != 1 or (times > t_end).any():
        raise ValueError(f"times must be a row of times <= t_end={t_end!r}, got {times!r}")
    lams = schedules.evaluate("lam", lam, times)
    parameters = (task.signal, task.gamma, float(task.L), task.epsilon, float(batch_size), rate)

    def field(time: float, x: np.ndarray) -> np.ndarray:
        now = schedules.evaluate("lam", lam, np.array([time]))[0]
        return limit_velocity(x, now, *parameters)

    starts = datasets.starts(o)
    paths = []
    for run, start in enumerate(starts.T):
        solution = solve_ivp(
            field, (0.0, t_end), start, method="LSODA", dense_output=True, rtol=rtol, atol=atol
        )
        if not solution.success or solution.sol is None:
            raise RuntimeError(f"run {run} stopped at time {solution.t[-1]!r}: {solution.message}")
        paths.append(solution.sol(times))
        if progress:
            progress(run + 1, starts.shape[1])
    settings = {"lam": schedules.describe(lam), "rate": rate, "batch_size": batch_size, "t_end": t_end}
    attributes = {
        "algorithm": "stochastic gradient descent in high dimension",
        **settings,
        "rtol": rtol,
        "atol": atol,
    }
    runs = datasets.run_numbers(None, starts.shape[1])
    return datasets.trajectories(np.stack(paths, axis=1), lams, ("time", times), runs, task, attributes)


def outside_covariance(o: Overlaps, lam: float, task: Task, *, batch_size: int) -> np.ndarray:
    """Covariance (2, 2) over (k, v) of SGD's two batch gradients in any direction outside the frame.

    o: overlaps of shape (). Raises TypeError or ValueError for a bad lam, batch_size or shape.
    """
    point = datasets.starts(o)
    if point.shape[1] != 1:
        raise ValueError(f"o must have shape (), got {o.shape}")
    lam, batch_size = checks.real("lam", lam, above=0), checks.integer("batch_size", batch_size, 1)
    parameters = (task.signal, task.gamma, float(task.L), task.epsilon, float(batch_size))
    kk, kv, vv = gradient_covariance(np.ascontiguousarray(point[:, 0]), lam, *parameters)
    return np.array([[kk, kv], [kv, vv]])
