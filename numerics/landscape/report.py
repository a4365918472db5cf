"""The landscape of one set of parameters: critical points, which minimum is global, shares of starts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numerics import checks
from numerics.iteration import Progress
from numerics.landscape import basins, find
from numerics.landscape.basins import Share
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import CriticalPoint
from numerics.task import Task


@dataclass(frozen=True)
class Landscape:
    """What `landscape` found. `points` are in order of risk; `shares` by name of the minimum."""

    lam: float
    task: Task
    points: tuple[CriticalPoint, ...]
    shares: Mapping[str, Share] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def minima(self) -> tuple[CriticalPoint, ...]:
        """The local minima, the global one first."""
        return tuple(point for point in self.points if point.kind == "minimum")

    def __getitem__(self, name: str) -> CriticalPoint:
        """The point of that name. Raises KeyError."""
        for point in self.points:
            if point.name == name:
                return point
        known = ", ".join(point.name for point in self.points)
        raise KeyError(f"no critical point is called {name!r}; there are {known}")

    def as_dict(self) -> dict[str, Any]:
        """The landscape as JSON-able values."""
        return {
            "lam": self.lam,
            "d": self.task.d,
            "L": self.task.L,
            "gamma": self.task.gamma,
            **self.settings,
            "critical_points": [self._entry(point) for point in self.points],
            "unexplained_runs": self.unexplained_runs,
        }

    def to_json(self) -> str:
        """The landscape as a JSON document."""
        return json.dumps(self.as_dict(), indent=2, allow_nan=False) + "\n"

    @property
    def unexplained_runs(self) -> int | None:
        """Runs that neither reached a minimum nor drift to one; None if there were no runs."""
        lost = self.shares.get(basins.UNEXPLAINED)
        return lost.arrived if lost else None

    def _entry(self, point: CriticalPoint) -> dict[str, Any]:
        """A saddle has share 0, with the interval of none in as many runs."""
        entry = {**point.as_dict(), "global_minimum": point in self.minima[:1]}
        if not self.shares:
            return {**entry, "share": None, "share_interval": None, "drifting_runs": None}
        runs = next(iter(self.shares.values())).runs
        share = self.shares.get(point.name, Share(runs, 0, 0))
        interval = list(share.interval)
        return {**entry, "share": share.value, "share_interval": interval, "drifting_runs": share.drifting}


def landscape(
    lam: float,
    task: Task,
    *,
    runs: int = 200,
    seed: int = 0,
    t_end: float = basins.T_END,
    progress: Progress | None = None,
) -> Landscape:
    """Critical points with proofs, and the shares of `runs` uniform starts that gradient flow takes to each.

    lam: a positive number, read as the decimal that it prints as. runs: 0 to leave the shares out. seed: of
    the search and of the starts. t_end: flow time of a run. progress: called with (runs done, runs).
    Raises TypeError or ValueError, naming the argument, its value and what is allowed.
    """
    parameters = Parameters.of_task(lam, task)
    runs, seed = checks.integer("runs", runs, 0), checks.integer("seed", seed, 0)
    points, found = find.critical_points(parameters, seed=seed), {}
    if runs:
        found = basins.shares(points, lam, task, runs=runs, seed=seed, t_end=t_end, progress=progress)
    return Landscape(lam, task, points, found, {"runs": runs, "seed": seed, "t_end": t_end})
