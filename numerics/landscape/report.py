"""The landscape of one set of parameters: critical points, which minimum is global, shares of starts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numerics import checks, display
from numerics.iteration import Progress
from numerics.landscape import basins, find
from numerics.landscape.basins import Share
from numerics.landscape.completeness import Completeness, completeness
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import CriticalPoint
from numerics.overlaps import NAMES
from numerics.task import Task

SETTINGS = ("runs", "seed", "t_end", "seconds")


@dataclass(frozen=True)
class Landscape:
    """What `landscape` found. `points` are in order of risk; `shares` by name of the minimum.

    proof: what is known of other critical points than these; None if that was not asked.
    """

    lam: float
    task: Task
    points: tuple[CriticalPoint, ...]
    shares: Mapping[str, Share] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    proof: Completeness | None = None

    @property
    def complete(self) -> bool | None:
        """Whether it is proved that there are no other critical points; None if that was not asked."""
        return None if self.proof is None else self.proof.complete

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
            "epsilon": self.task.epsilon,
            **self.settings,
            "critical_points": [self._entry(point) for point in self.points],
            "unexplained_runs": self.unexplained_runs,
            "complete": self.complete,
            "parts": None if self.proof is None else self.proof.as_dict(),
        }

    def to_json(self) -> str:
        """The landscape as a JSON document."""
        return json.dumps(self.as_dict(), indent=2, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Landscape:
        """The landscape that `to_json` wrote. Raises ValueError if the text holds none."""
        try:
            data = json.loads(text)
            task = Task(data["d"], data["L"], data["gamma"], data["epsilon"])
            entries = data["critical_points"]
            points = tuple(CriticalPoint.from_dict(entry, dimension=task.d) for entry in entries)
            settings = {name: data[name] for name in SETTINGS if name in data}
            proof = None if data["parts"] is None else Completeness.from_dict(data["parts"])
            return cls(data["lam"], task, points, _shares(data, points), settings, proof)
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
            raise ValueError(f"the text holds no landscape: {error!r}") from error

    def __repr__(self) -> str:
        minima = ", ".join(point.name for point in self.minima)
        proved = sum(point.certified for point in self.points)
        count = f"{len(self.points)} critical points, {proved} certified, minima: {minima}"
        return f"<Landscape at {self._setting()}: {count}; {completeness_text(self)}>"

    def _repr_html_(self) -> str:
        heads = [*NAMES, "excess risk", "index", "", "share of starts"]
        rows = [("critical point", heads), *((point.name, self._cells(point)) for point in self.points)]
        return display.table(rows, f"Landscape at {self._setting()}; {completeness_text(self)}")

    def _setting(self) -> str:
        task = self.task
        return f"lambda = {self.lam:g}, d = {task.d}, L = {task.L}, gamma = {task.gamma:.6g}"

    def _cells(self, point: CriticalPoint) -> list[str]:
        index = "?" if point.index is None else str(point.index)
        share = self.shares.get(point.name)
        told = f"{share.value:.3f} ({share.interval[0]:.3f}, {share.interval[1]:.3f})" if share else ""
        kind = point.kind if point.certified else f"{point.kind}, not proved"
        numbers = [f"{overlap + 0.0:.4f}".replace("-0.0000", "0.0000") for overlap in point.overlaps]
        return [*numbers, f"{point.excess_risk:.6g}", index, kind, told]

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
    seconds: float = 0.0,
    progress: Progress | None = None,
) -> Landscape:
    """Critical points with proofs, and the shares of `runs` uniform starts that gradient flow takes to each.

    lam: a positive number, read as the decimal that it prints as. runs: 0 to leave the shares out. seed: of
    the search and of the starts. t_end: flow time of a run. progress: called with (runs done, runs).
    Raises TypeError or ValueError, naming the argument, its value and what is allowed.
    """
    parameters = Parameters.of_task(lam, task)
    runs, seed = checks.integer("runs", runs, 0), checks.integer("seed", seed, 0)
    seconds = checks.real("seconds", seconds, minimum=0)
    points, found = find.critical_points(parameters, seed=seed), {}
    if runs:
        found = basins.shares(points, lam, task, runs=runs, seed=seed, t_end=t_end, progress=progress)
    proof = completeness(parameters, points, seconds=seconds, seed=seed) if seconds else None
    settings = {"runs": runs, "seed": seed, "t_end": t_end, "seconds": seconds}
    return Landscape(lam, task, points, found, settings, proof)


def completeness_text(found: Landscape) -> str:
    """Whether there may be other critical points, in words, with a cell that resists."""
    if found.proof is None:
        return "others not excluded"
    if found.proof.complete:
        return f"no others, proved in {found.proof.cells} cells"
    covered = ", ".join(name for name in found.proof.covers if name not in found.proof.left) or "nothing"
    name, part = next(iter(found.proof.left.items()))
    cell = " x ".join(f"[{low:.6g}, {high:.6g}]" for low, high in part.resisting)
    return f"undecided whether there are others: covered {covered}; in {name} the cell {cell} resists"


def _shares(data: Mapping[str, Any], points: tuple[CriticalPoint, ...]) -> dict[str, Share]:
    lost = data["unexplained_runs"]
    if lost is None:
        return {}
    runs = data["runs"]
    shares = {
        point.name: Share(runs, round(entry["share"] * runs) - entry["drifting_runs"], entry["drifting_runs"])
        for point, entry in zip(points, data["critical_points"], strict=True)
        if point.kind == "minimum"
    }
    return {**shares, basins.UNEXPLAINED: Share(runs, lost, 0)}
