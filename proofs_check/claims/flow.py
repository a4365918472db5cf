"""Events of the gradient flow: arrivals, the separatrix, and where runs end"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from numerics import (
    InverseTimeDecay,
    Overlaps,
    Task,
    arb,
    datasets,
    excess_risk,
    flow_velocity,
    gradient_flow,
    outcomes,
)
from numerics.events import Arrival, SeparatrixCrossing
from numerics.flow import Event, flow_paths
from numerics.flow_kernel import velocity
from numerics.generated import closed_forms
from numerics.overlaps import NAMES
from proofs_check.claim import Claim, Mutant
from proofs_check.judges.numerical import Agreement

SOURCE = "this toolkit"
PAPER = Task(d=400, L=10)
SMALL = Task(d=7, L=3, gamma=1.3)

FLOWS: tuple[tuple[tuple[float, ...], Any, Task, float], ...] = (
    ((0.3, 0.1, 0.0, 0.0, 0.0), 0.1, PAPER, 20.0),
    ((0.7, 0.6, 0.1, -0.1, 0.05), InverseTimeDecay(0.9, 0.1), SMALL, 5.0),
)
"""Start, lambda, task and length of paths that arrive."""
RADIUS = 0.3


def distance(overlaps: Any) -> float:
    """Distance to the nearer of the two optima."""
    return min(float(np.linalg.norm(np.subtract(overlaps, [s, s, 0, 0, 0]))) for s in (1, -1))


@cache
def arrival_of_overlaps(index: int) -> float:
    """When the path is closer than RADIUS to an optimum, solved in the overlaps by a Runge-Kutta method."""
    start, lam, task, t_end = FLOWS[index]
    path = solved(start, lam, task, t_end)
    return float(brentq(lambda time: distance(path(time)) - RADIUS, 0, t_end))


def solved(start: Any, lam: Any, task: Task, t_end: float) -> Any:
    """The flow's path in the five overlaps, by a Runge-Kutta method."""

    def field(time: float, overlaps: np.ndarray) -> np.ndarray:
        now = float(lam(time)) if callable(lam) else lam
        return flow_velocity(Overlaps.unchecked(overlaps), now, task).stack()

    tolerances = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-15}
    return solve_ivp(field, (0, t_end), start, dense_output=True, **tolerances).sol


def arrival_of_vectors(index: int, radius: float = RADIUS) -> float:
    """The same by the event, along a path of k and v."""
    start, lam, task, t_end = FLOWS[index]
    events = {"end": Arrival(outcomes.oracle(), radius)}
    found = gradient_flow(Overlaps(*start), lam, task, t_end=t_end, events=events)
    return float(found.first_end.values[0])


CROSSING = np.array([-0.15, 0.32, -0.32, -0.69, -0.47])
NEGATED = np.array([-1, -1, -1, -1, 1])
"""Signs that overlaps change when k and v do: the path from CROSSING crosses the separatrix, its mirror image the other way."""
CROSSINGS = (CROSSING, NEGATED * CROSSING)
SHORT, HALF, NEARBY = 1.0, 0.5, 0.05
"""Length of their paths, when they pass a station, and how near counts. Another station is the start."""


@cache
def path_that_crosses(index: int) -> Any:
    """In the overlaps."""
    return solved(CROSSINGS[index], CURVES[1][0], SMALL, SHORT)


def passages_of_overlaps(index: int) -> list[float]:
    """When the path is at the stations and at the separatrix, when far away, and where at times by default."""
    path, side = path_that_crosses(index), SeparatrixCrossing(*CURVES[1])
    to_station = brentq(lambda time: np.linalg.norm(path(time) - path(HALF)) - NEARBY, 0.1, HALF)
    crossing = brentq(lambda time: side(time, Overlaps.unchecked(path(time))), 0, SHORT)
    return [
        0.0,
        to_station,
        crossing,
        HALF,
        0.0,
        1.0,
        *(1, 2, 2, 2),
        *path(np.linspace(0, SHORT, 201)).ravel(),
    ]


class Clock:
    """The event that half the time is over."""

    direction = 1

    def __call__(self, time: float, o: Overlaps) -> float:
        return time - HALF


def passages_of_vectors(index: int, radius: float = NEARBY) -> list[float]:
    """The same along a path of k and v, and how many of how many runs were told to be done."""
    path = path_that_crosses(index)
    stations = Overlaps.unchecked(np.stack([path(0.0), path(HALF)], axis=1))
    events: dict[str, Event] = {
        "station": Arrival(stations, radius),
        "crossing": SeparatrixCrossing(*CURVES[1]),
        "clock": Clock(),
        "end": Arrival(outcomes.oracle(), radius),
    }
    (lam, task), told = CURVES[1], list[int]()
    happened = flow_paths(Overlaps(*CROSSINGS[index]), lam, task, t_end=SHORT, events=events).happened
    found = gradient_flow(
        Overlaps.unchecked(np.transpose(CROSSINGS)),
        lam,
        task,
        t_end=SHORT,
        events={name: events[name] for name in ("station", "end")},
        progress=lambda *numbers: told.extend(numbers),
    )
    first = found.isel(run=index)
    never = float(np.isnan(first.first_end.values))
    states = np.stack([first[name].values for name in NAMES])
    times = [time for name in ("station", "crossing", "clock") for time in happened[name][0]]
    return [*times, float(first.first_station), never, *told, *states.ravel()]


SPACE = 4
"""Dimensions that the flow takes."""

PLACES = tuple(np.random.default_rng(0).standard_normal((3, 2 * SPACE)))
"""k and v of any length."""


def velocity_of_vectors(x: np.ndarray, factor: float = 1.0) -> np.ndarray:
    """The velocity of k / |k| and v / |v|."""
    lam, task = CURVES[1]
    return velocity(x, factor * lam, task.signal, task.gamma, float(task.L))


def velocity_by_differences(x: np.ndarray) -> np.ndarray:
    """The same by quotients of order 4 of the risk as a function of the vectors' directions."""
    step, weights = 2e-3, np.array([1, -8, 8, -1]) / 12
    shifts = step * np.array([-2, -1, 1, 2])[:, None, None] * np.eye(2 * SPACE)
    pairs = (x + shifts).reshape(4, 2 * SPACE, 2, SPACE)
    k, v = np.moveaxis(pairs / np.linalg.norm(pairs, axis=-1, keepdims=True), 2, 0)
    overlaps = [k[..., 0], v[..., 1], v[..., 0], k[..., 1], (k * v).sum(axis=-1)]
    slopes = weights @ excess_risk(Overlaps.unchecked(overlaps), *CURVES[1]) / step
    return -np.repeat(np.linalg.norm(x.reshape(2, SPACE), axis=1), SPACE) * slopes


CURVES = ((0.9, PAPER), (0.5, SMALL))
HEIGHTS = (1e-3, 0.1, 0.5, 0.9, 0.999)
"""Values of nu at which separatrices are compared, and their negatives."""
TINY = 1e-8
"""A nu at which the separatrix is its tangent at the saddle; at nu = 1 it ends in a corner."""
RIGHT = 0.1
"""The kappa of the points whose sides are compared."""


class Reaching:
    """The event that nu is this high; the highest of them ends the path."""

    def __init__(self, height: float) -> None:
        self.height, self.terminal = height, height == max(HEIGHTS)

    def __call__(self, time: float, x: np.ndarray) -> float:
        return float(x[1] - self.height)


@cache
def sides_backwards(index: int) -> list[float]:
    """How far right of the separatrix the points (RIGHT, +-nu) are, the flow on M being followed backwards.

    It starts along the stable direction of the saddle, from the flow's Jacobian there by difference quotients.
    """
    lam, task = CURVES[index]

    def backwards(time: float, x: Any) -> list[float]:
        velocity = flow_velocity(Overlaps(*x), lam, task)
        return [-float(velocity.kappa), -float(velocity.nu)]

    tiny = 1e-7 / (1 + lam * task.signal)
    jacobian = np.array([backwards(0, (tiny, 0)), backwards(0, (0, tiny))]) / tiny
    rates, directions = np.linalg.eigh(jacobian)
    start = tiny * directions[:, 1] * np.sign(directions[1, 1])
    events: Sequence[Any] = [Reaching(height) for height in HEIGHTS]
    tolerances = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-18}
    path = solve_ivp(backwards, (0, 1e6 / rates[1]), start, events=events, **tolerances)
    slope = float(directions[0, 1] / directions[1, 1])
    curve = [float(states[0, 0]) for states in path.y_events] + [slope * TINY, -1.0]
    return [RIGHT - side * kappa for kappa in curve for side in (1, -1)]


def sides(index: int, factor: float = 1.0) -> list[float]:
    """The same by the event that watches the separatrix, with lambda times a factor."""
    lam, task = CURVES[index]
    crossing = SeparatrixCrossing(factor * lam, task)
    points = [Overlaps(RIGHT, side * height) for height in (*HEIGHTS, TINY, 1.0) for side in (1, -1)]
    return [crossing(0.0, point) for point in points]


ENDS = ((0.1, PAPER), (0.5, SMALL), (0.01, Task(d=3, L=2, gamma=2.0)))
"""Where ends are looked for; in the last the risk decreases in theta as far as theta goes."""


def swapped_theta(lam: float, task: Task) -> float:
    """The theta of least risk at k = v*, kappa = nu = rho = 0, where the risk is quadratic in theta."""

    def risk(theta: int) -> float:
        overlaps = (0.0, 0.0, float(theta), 1.0, 0.0)
        return arb.evaluate(closed_forms.excess_risk, overlaps, lam, task.d, task.gamma, task.L)[0]

    left, centre, right = map(risk, (-1, 0, 1))
    return min(1.0, (left - right) / (2 * (left - 2 * centre + right)))


def around(lam: float, task: Task, theta: float) -> np.ndarray:
    """Overlaps (5, 8) at 0.099 and at 0.101 from the oracles and the role-swapped points."""
    points = np.array([[s, s, 0, 0, 0] for s in (1, -1)] + [[0, 0, s * theta, s, 0] for s in (1, -1)]).T
    inwards = -np.sign(points) - [[0], [0], [0], [0], [1]]
    inwards /= np.linalg.norm(inwards, axis=0)
    return np.concatenate([points + distance * inwards for distance in (0.099, 0.101)], axis=1)


def runs_to(points: np.ndarray, lam: float, task: Task) -> Any:
    """A dataset of runs from M to these overlaps (5, runs), with another lambda at first."""
    overlaps = np.stack([0 * points, points], axis=2)
    steps, runs = np.arange(2), np.arange(points.shape[1])
    return datasets.trajectories(overlaps, np.array([2 * lam, lam]), ("step", steps), runs, task, {})


def ends_by_distance(index: int) -> list[float]:
    """theta of the role-swapped points; how many of the overlaps around are near which kind of point, twice."""
    theta = swapped_theta(*ENDS[index])
    return [theta, -theta, 2, 2, 4, 2, 2, 4]


def ends(index: int, factor: float = 1.0, radius: float = outcomes.RADIUS) -> list[float]:
    """The same by the functions that name overlaps, and where runs end."""
    lam, task = ENDS[index]
    found = outcomes.role_swapped(factor * lam, task)
    points = around(lam, task, swapped_theta(lam, task))
    names = outcomes.classify(Overlaps.unchecked(points), lam, task, radius)
    counts = outcomes.counts(runs_to(points, lam, task))
    return [
        *found.theta.tolist(),
        *((names == name).sum() for name in outcomes.NAMES),
        *(counts[name] for name in outcomes.NAMES),
    ]


def claims() -> list[Claim]:
    """Events and ends against other ways to compute them."""

    def over(many: Sequence[Any]) -> range:
        return range(len(many))

    return [
        Claim(
            id="flow.velocity",
            statement="The velocity of the flow is minus the gradient of the risk in the directions of $k$ and $v$, whatever lengths "
            "rounding gives them.",
            subject=lambda: velocity_of_vectors,
            source=SOURCE,
            judges=(
                Agreement(
                    velocity_by_differences, PLACES, 1e-8, joint=True, description="difference quotients"
                ),
            ),
            mutants=(Mutant("lambda larger by 1e-6", lambda: partial(velocity_of_vectors, factor=1 + 1e-6)),),
        ),
        Claim(
            id="flow.arrival",
            statement=r"The event of arrival near an optimum happens when a path of the gradient flow, solved in the five "
            r"overlaps by a Runge-Kutta method, is that near, to $10^{-9}$.",
            subject=lambda: arrival_of_vectors,
            source=SOURCE,
            depends_on=("reference.flow",),
            judges=(Agreement(arrival_of_overlaps, over(FLOWS), 1e-9, description="order 8"),),
            mutants=(Mutant("within 0.3001 for 0.3", lambda: partial(arrival_of_vectors, radius=0.3001)),),
        ),
        Claim(
            id="flow.passages",
            statement=r"Along a path of the flow off $M$ the events are those of the path that a Runge-Kutta method finds, to "
            r"$10^{-9}$: at a station from the start, later at another, across the separatrix once, at the time of a clock, never at an optimum.",
            subject=lambda: passages_of_vectors,
            source=SOURCE,
            depends_on=("reference.flow", "flow.separatrix"),
            judges=(
                Agreement(passages_of_overlaps, over(CROSSINGS), 1e-9, absolute=1e-9, description="order 8"),
            ),
            mutants=(Mutant("within 0.0501 for 0.05", lambda: partial(passages_of_vectors, radius=0.0501)),),
        ),
        Claim(
            id="flow.separatrix",
            statement=r"The computed curve between the basins of $(1, 1)$ and $(-1, -1)$ on $M$ is the path that the "
            r"flow followed backwards takes from the saddle along its stable direction, to $10^{-10}$.",
            subject=lambda: sides,
            source=SOURCE,
            depends_on=("manifold.flow-invariant",),
            judges=(Agreement(sides_backwards, over(CURVES), 1e-10, description="order 8"),),
            mutants=(Mutant("lambda larger by 1e-6", lambda: partial(sides, factor=1 + 1e-6)),),
        ),
        Claim(
            id="flow.ends",
            statement=r"The role-swapped points are where the risk is least in $\theta$ at $k = \pm v^*$, "
            r"$\kappa = \nu = \rho = 0$, and the end of a run is named after the point that is closer than 0.1.",
            subject=lambda: ends,
            source=SOURCE,
            depends_on=("swapped.theta",),
            judges=(Agreement(ends_by_distance, over(ENDS), 1e-12, description="interval arithmetic"),),
            mutants=(
                Mutant("lambda larger by 1e-6", lambda: partial(ends, factor=1 + 1e-6)),
                Mutant("a radius of 0.102 for 0.1", lambda: partial(ends, radius=0.102)),
            ),
        ),
    ]
