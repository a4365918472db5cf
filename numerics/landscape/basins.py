"""Where gradient flow from uniform starts ends: shares of the minima, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.stats import binomtest

from numerics import frame
from numerics.flow_kernel import velocity
from numerics.iteration import Progress
from numerics.landscape.find import ORACLE
from numerics.landscape.points import CriticalPoint
from numerics.overlaps import Overlaps
from numerics.risk import flow_velocity
from numerics.starts import random_starts
from numerics.task import Task

ARRIVED = 0.02
"""A path has arrived when its overlaps are this close to those of a minimum."""

MEASURABLE = 1e-3
"""A change of a distance between overlaps that is no rounding."""

NEAR_MANIFOLD = 1e-3
"""A path this close to M moves along M: it drifts, exponentially slowly if lam^2 d kappa^2 is large."""

T_END = 1e4
RTOL, ATOL = 1e-7, 1e-10
CONFIDENCE = 0.95

UNEXPLAINED = "unexplained"


@dataclass(frozen=True)
class Share:
    """A share of the starts, with its Clopper-Pearson interval of confidence CONFIDENCE.

    runs: all of them; arrived: those that reached the point; drifting: those still on their way to it.
    """

    runs: int
    arrived: int
    drifting: int

    @property
    def value(self) -> float:
        """The share."""
        return (self.arrived + self.drifting) / self.runs

    @property
    def interval(self) -> tuple[float, float]:
        """Its interval.

        >>> [round(end, 3) for end in Share(runs=200, arrived=100, drifting=0).interval]
        [0.429, 0.571]
        """
        test = binomtest(self.arrived + self.drifting, self.runs)
        low, high = test.proportion_ci(CONFIDENCE, method="exact")
        return float(low), float(high)


def shares(
    points: Sequence[CriticalPoint],
    lam: float,
    task: Task,
    *,
    runs: int = 200,
    seed: int = 0,
    t_end: float = T_END,
    progress: Progress | None = None,
) -> dict[str, Share]:
    """Shares of uniform starts from which gradient flow reaches each of the minima, by name.

    Runs that end elsewhere are UNEXPLAINED, unless they drift along M to the oracle, see `drifting`.
    progress: called with (runs done, runs).
    """
    minima = [point for point in points if point.kind == "minimum"]
    last = ends(random_starts(runs, task, seed), lam, task, minima, t_end=t_end, progress=progress)
    arrived = reached(last, minima)
    on_the_way = drifting(last, lam, task) & (arrived == "") & any(p.name == ORACLE for p in minima)
    found = {
        point.name: Share(
            runs,
            arrived=int((arrived == point.name).sum()),
            drifting=int(on_the_way.sum()) if point.name == ORACLE else 0,
        )
        for point in minima
    }
    lost = int(((arrived == "") & ~on_the_way).sum())
    return {**found, UNEXPLAINED: Share(runs, arrived=lost, drifting=0)}


def ends(
    o: Overlaps,
    lam: float,
    task: Task,
    at: Sequence[CriticalPoint] = (),
    *,
    t_end: float = T_END,
    progress: Progress | None = None,
) -> Overlaps:
    """Where gradient flow from each start (runs,) is at t_end, or when it arrives at one of the points."""
    images = _images(at)
    parameters = (lam, task.signal, task.gamma, float(task.L))

    def field(time: float, x: np.ndarray) -> np.ndarray:
        return velocity(x, *parameters)

    def arrival(time: float, x: np.ndarray) -> float:
        return float(_distances(frame.overlaps(x)[:, None], images).min() - ARRIVED)

    arrival.terminal = True  # type: ignore[attr-defined]
    settings: dict[str, Any] = {"method": "LSODA", "rtol": RTOL, "atol": ATOL}
    if len(images):
        settings["events"] = arrival
    states = []
    for run, start in enumerate(frame.vectors(o).T):
        states.append(solve_ivp(field, (0.0, t_end), start, **settings).y[:, -1])
        if progress:
            progress(run + 1, o.shape[0])
    return Overlaps.unchecked(frame.overlaps(np.array(states).T))


def reached(o: Overlaps, points: Sequence[CriticalPoint], within: float = 1.01 * ARRIVED) -> np.ndarray:
    """The name of the point that each of the overlaps (runs,) is within a distance of, or ""."""
    names = np.full(o.shape, "", dtype=object)
    for point in points:
        names[_distances(o.stack(), _images([point])).min(axis=0) < within] = point.name
    return names


def destinations(before: Overlaps, after: Overlaps, points: Sequence[CriticalPoint]) -> np.ndarray:
    """For overlaps (runs,) at two times the name of the point that was reached, or else came nearer, or "".

    Nearer means by more than MEASURABLE; if several points came nearer it is the one that did so most.
    """
    names, best = reached(after, points), np.full(after.shape, MEASURABLE)
    arrived = names != ""
    for point in points:
        images = _images([point])
        gain = (_distances(before.stack(), images) - _distances(after.stack(), images)).max(axis=0)
        names[~arrived & (gain > best)] = point.name
        best = np.maximum(best, gain)
    return names


def drifting(o: Overlaps, lam: float, task: Task) -> np.ndarray:
    """Whether overlaps (runs,) move along M to the oracle.

    The distance to M is less than NEAR_MANIFOLD, kappa and nu have the same sign, and |kappa| grows: on M
    the flow has no other limit from there.
    """
    grows = flow_velocity(o, lam, task).kappa * np.sign(o.kappa) > 0
    return (o.distance < NEAR_MANIFOLD) & (o.kappa * o.nu > 0) & grows


def _images(points: Sequence[CriticalPoint]) -> np.ndarray:
    return np.array([image for point in points for image in point.images]).reshape(-1, 5)


def _distances(o: np.ndarray, images: np.ndarray) -> np.ndarray:
    """Euclidean distances (images, runs) of overlaps (5, runs)."""
    return np.linalg.norm(o[None] - images[:, :, None], axis=1)
