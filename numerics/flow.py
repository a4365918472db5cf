"""Gradient flow on the two spheres, solved for the overlaps with dense output and events."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

from numerics import checks, datasets, frame, schedules
from numerics.flow_kernel import velocity
from numerics.iteration import Progress
from numerics.overlaps import Overlaps
from numerics.schedules import Schedule
from numerics.task import Task

RTOL, ATOL = 1e-13, 1e-18
"""Tolerances of a step of the solver. The small absolute one keeps the digits of small overlaps."""

POINTS = 201
"""Number of times in a dataset if none are given."""

MOST_EVALUATIONS = 400_000
"""Evaluations of the field after which a run is given up: rounding errors exceed the solver's tolerances."""


class Event(Protocol):
    """A function of time and overlaps that is zero where something happens; numerics.events has some.

    direction: 1 if it happens when the value rises to zero, or is at least zero at the start; 0 if it
    happens at every change of sign.
    """

    @property
    def direction(self) -> int: ...

    def __call__(self, time: float, o: Overlaps) -> float: ...


@dataclass(frozen=True)
class FlowPaths:
    """Paths of the gradient flow, one a run, at any time from 0 to t_end.

    happened: for each event the times at which it happened, an array a run.
    """

    t_end: float
    interpolants: tuple[Callable[[np.ndarray], np.ndarray], ...]
    happened: Mapping[str, tuple[np.ndarray, ...]]

    def __call__(self, times: Any) -> Overlaps:
        """Overlaps of shape (runs, *shape of times).

        Raises ValueError for times outside [0, t_end], RuntimeError where the solver's path is not finite.
        """
        times = checks.reals("times", times, minimum=0)
        if times.size and times.max() > self.t_end:
            raise ValueError(f"times must be <= t_end={self.t_end!r}, got {float(times.max())!r}")
        paths = [path(times.ravel()).reshape(frame.SIZE, *times.shape) for path in self.interpolants]
        bad = [run for run, path in enumerate(paths) if not np.isfinite(path).all()]
        if bad:
            raise RuntimeError(f"run {bad[0]} is not finite between its steps; try a larger rtol and atol")
        return Overlaps.unchecked(frame.overlaps(np.stack(paths, axis=1)))

    def first(self, event: str) -> np.ndarray:
        """First time of the event in each run, nan where it does not happen."""
        return np.array([times[0] if times.size else np.nan for times in self.happened[event]])


def gradient_flow(
    o: Overlaps,
    lam: Schedule,
    task: Task,
    *,
    t_end: float,
    times: Any = None,
    events: Mapping[str, Event] | None = None,
    rtol: float = RTOL,
    atol: float = ATOL,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Gradient flow k' = -grad_k R_lam, v' = -grad_v R_lam on the unit spheres, in the overlaps alone.

    o: starts, of shape () or (runs,). lam: a positive number or a schedule of the time. t_end > 0.
    times: where to report, a row of times in [0, t_end]; None: POINTS equidistant ones. Paths at any time,
    and all times of the events, are in `flow_paths`, which has the same arguments.
    events: functions to watch, by name; a variable first_NAME (run) holds the first time that the event
    happened, nan if it did not.
    rtol, atol: tolerances of a solver's step.
    progress: called with (runs done, runs).

    Accuracy: with the default tolerances, for d from 30 to 1e9 and lam^2 d from 1 to 1e6, uniform starts
    stay within 1e-10 of the flow (measured: 1e-11; tests/numerics/test_flow.py), unless a run passes so near
    to a saddle that rounding decides. For other parameters the overlaps are admissible, or a RuntimeError
    says where the solver stopped (tests/numerics/test_edges.py).

    Returns a dataset of dims (run, time) with kappa, nu, theta, eta, rho, excess_risk, distance, and lam
    (time); its attributes hold every parameter. The overlaps are admissible at every time.
    Raises TypeError or ValueError naming the argument, and RuntimeError if the solver fails.

    >>> ds = gradient_flow(Overlaps(kappa=0.1, nu=0.2), 0.1, Task(d=400, L=10), t_end=200)
    >>> ds.kappa.values[0, [0, 100, 200]].round(3).tolist()
    [0.1, 0.99, 0.999]
    """
    paths = flow_paths(o, lam, task, t_end=t_end, events=events, rtol=rtol, atol=atol, progress=progress)
    times = np.linspace(0.0, paths.t_end, POINTS) if times is None else checks.reals("times", times)
    if times.ndim != 1:
        raise ValueError(f"times must be a row of times, got shape {times.shape}")
    overlaps = paths(times).stack()
    attributes = {
        "algorithm": "gradient flow",
        "lam": schedules.describe(lam),
        "t_end": paths.t_end,
        "rtol": float(rtol),
        "atol": float(atol),
    }
    lams = schedules.evaluate("lam", lam, times)
    runs = datasets.run_numbers(None, overlaps.shape[1])
    dataset = datasets.trajectories(overlaps, lams, ("time", times), runs, task, attributes)
    return dataset.assign({f"first_{name}": ("run", paths.first(name)) for name in paths.happened})


def flow_paths(
    o: Overlaps,
    lam: Schedule,
    task: Task,
    *,
    t_end: float,
    events: Mapping[str, Event] | None = None,
    rtol: float = RTOL,
    atol: float = ATOL,
    progress: Progress | None = None,
) -> FlowPaths:
    """Solve the gradient flow with dense output; arguments and errors as for `gradient_flow`.

    The method is LSODA, which changes between Adams and BDF formulas with the stiffness: of SciPy's solvers
    it reaches a given error in the least time, by a factor of ten. It works on the coordinates of k and v in
    a frame of R^4, so that the overlaps are admissible at every time.
    """
    t_end = checks.real("t_end", t_end, above=0)
    tolerances = {"rtol": checks.real("rtol", rtol, above=0), "atol": checks.real("atol", atol, above=0)}
    field = _field(schedules.check("lam", lam), task)
    starts = frame.vectors(Overlaps.unchecked(datasets.starts(o))).T
    watched = {name: _watched(event) for name, event in (events or {}).items()}
    settings: dict[str, Any] = {"method": "LSODA", "dense_output": True, **tolerances}
    interpolants, happened = [], []
    for run, start in enumerate(starts):
        try:
            solution = _solution(field, t_end, start, events=list(watched.values()), **settings)
        except RuntimeError as error:
            raise RuntimeError(f"run {run} stopped {error}") from error
        interpolants.append(solution.sol)
        happened.append(solution.t_events or [])
        if progress:
            progress(run + 1, len(starts))
    times = {
        name: tuple(_with_start(event, start, run[i]) for start, run in zip(starts, happened, strict=True))
        for i, (name, event) in enumerate(watched.items())
    }
    return FlowPaths(t_end, tuple(interpolants), times)


def _solution(
    field: Callable[[float, np.ndarray], np.ndarray], t_end: float, start: np.ndarray, **how: Any
) -> Any:
    """solve_ivp's result. Raises RuntimeError that says when and why the solver stopped."""
    evaluations = itertools.count(1)

    def counted(time: float, x: np.ndarray) -> np.ndarray:
        if next(evaluations) > MOST_EVALUATIONS:
            raise RuntimeError(
                f"at time {time!r} after {MOST_EVALUATIONS} evaluations; try a larger rtol and atol"
            )
        return field(time, x)

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "lsoda")  # what it says is in the result, too
        solution = solve_ivp(counted, (0.0, t_end), start, **how)
    if not solution.success or solution.sol is None:
        raise RuntimeError(f"at time {float(solution.t[-1])!r}: {solution.message}")
    return solution


def _field(lam: Schedule, task: Task) -> Callable[[float, np.ndarray], np.ndarray]:
    m, gamma, L = task.signal, task.gamma, float(task.L)
    if not callable(lam):
        return lambda time, x: velocity(x, lam, m, gamma, L)

    def field(time: float, x: np.ndarray) -> np.ndarray:
        return velocity(x, schedules.evaluate("lam", lam, np.array([time]))[0], m, gamma, L)

    return field


def _watched(event: Event) -> Any:
    """The event as the solver wants it: a function of time and coordinates, with attributes."""

    def watched(time: float, x: np.ndarray) -> float:
        return float(event(time, Overlaps.unchecked(frame.overlaps(x))))

    watched.direction = event.direction  # type: ignore[attr-defined]
    return watched


def _with_start(watched: Any, start: np.ndarray, times: np.ndarray) -> np.ndarray:
    at_once = watched.direction == 1 and watched(0.0, start) >= 0
    return np.concatenate([[0.0], times[times > 0]]) if at_once else times
