"""Critical points followed along lambda, and thresholds along d or L."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from numerics import checks
from numerics.iteration import Progress
from numerics.landscape import find, thresholds
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import CriticalPoint
from numerics.landscape.report import Landscape
from numerics.task import Task

STARTS = 64
"""Of the search in each chart, at each lambda."""

LOWEST, HIGHEST = 0.4, 3.0
"""Minima come and go between lambda sqrt(d) = LOWEST and lambda = HIGHEST."""

NEAR = (-1e-5, 1e-5, 1e-4, 3e-4, 6e-4, 1.5e-3, 5e-3)
"""Relative distances from a threshold at which landscapes are looked at: beyond it points move fast."""

PITCHFORKS = ("oracle", "swapped", "complete swap")
"""Thresholds at which a critical point parts from another; at the fourth two risks tie."""

FAR = 0.5
"""Points of neighbouring landscapes further apart in the overlaps differ, but for minima of one name."""


@dataclass(frozen=True)
class Branch:
    """One critical point as lambda changes: the values of lambda, and the point at each."""

    lams: tuple[float, ...]
    points: tuple[CriticalPoint, ...]

    def extended(self, lam: float, point: CriticalPoint) -> Branch:
        """The branch with one more point."""
        return Branch((*self.lams, lam), (*self.points, point))


def grid(task: Task, points: int = 17) -> np.ndarray:
    """Values of lambda from LOWEST / sqrt(d) to HIGHEST, closer together near the thresholds."""
    even = np.geomspace(LOWEST / task.d**0.5, HIGHEST, checks.integer("points", points, 2))
    zeros = [zero for name in PITCHFORKS for zero in approximate(name, task)]
    near = [zero * (1 + x) for zero in zeros for x in NEAR]
    inside = [lam for lam in near if even[0] < lam < even[-1]]
    return np.unique(np.concatenate([even, inside]))


def landscapes(
    lams: Iterable[float], task: Task, *, seed: int = 0, progress: Progress | None = None
) -> list[Landscape]:
    """The certified critical points at each lambda, without shares. progress: called with (done, all)."""
    found, values = [], sorted(map(float, lams))
    for number, lam in enumerate(values):
        points = find.critical_points(Parameters.of_task(lam, task), seed=seed, starts=STARTS)
        found.append(Landscape(lam, task, points))
        if progress:
            progress(number + 1, len(values))
    return found


def branches(found: Sequence[Landscape]) -> list[Branch]:
    """The points of landscapes, in order of lambda, joined to branches, the nearest pairs first."""
    ended: list[Branch] = []
    going: list[Branch] = []
    for landscape in found:
        free = list(landscape.points)
        pairs = sorted(
            (_distance(branch.points[-1], point), i, j)
            for i, branch in enumerate(going)
            for j, point in enumerate(free)
        )
        joined: dict[int, int] = {}
        for distance, i, j in pairs:
            near = distance < FAR or _same_minimum(going[i].points[-1], free[j])
            if near and i not in joined and j not in joined.values():
                joined[i] = j
        ended += [branch for i, branch in enumerate(going) if i not in joined]
        fresh = [point for j, point in enumerate(free) if j not in joined.values()]
        going = [going[i].extended(landscape.lam, free[j]) for i, j in joined.items()]
        going += [Branch((landscape.lam,), (point,)) for point in fresh]
    return ended + going


def dimensions(task: Task, points: int = 9) -> list[int]:
    """Dimensions from 25, or a sixteenth of that of a task, to 64 times it, evenly in the logarithm."""
    low = min(max(task.d / 16, 25.0), task.d)
    return sorted({round(d) for d in np.geomspace(low, 64.0 * task.d, checks.integer("points", points, 2))})


def _same_minimum(one: CriticalPoint, other: CriticalPoint) -> bool:
    return one.name == other.name and one.kind == other.kind == "minimum"


def threshold_curves(tasks: Iterable[Task], *, progress: Progress | None = None) -> dict[str, np.ndarray]:
    """The thresholds in lambda by name, each isolated with proof: (tasks,), nan where there is none.

    If there are several it is the largest. progress: called with (done, all).
    """
    rows, chosen = [], list(tasks)
    for number, task in enumerate(chosen):
        rows.append([max(approximate(name, task), default=np.nan) for name in thresholds.CRITERIA])
        if progress:
            progress(number + 1, len(chosen))
    return dict(zip(thresholds.CRITERIA, np.array(rows).T, strict=True))


def _distance(one: CriticalPoint, other: CriticalPoint) -> float:
    """Distance of the overlaps, of the nearest images."""
    images = np.array(other.images)
    return float(np.linalg.norm(images - np.array(one.overlaps), axis=1).min())


def approximate(name: str, task: Task, **options: Any) -> tuple[float, ...]:
    """The thresholds of that name between LOWEST / sqrt(d) and HIGHEST; options as for `threshold`."""
    squared = Parameters.of_task(1.0, task).gamma_squared
    found = thresholds.threshold(
        name, d=task.d, L=task.L, gamma_squared=squared, low=LOWEST / task.d**0.5, high=HIGHEST, **options
    )
    return tuple(float((a + b) / 2) for a, b in found.zeros)
