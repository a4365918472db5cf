"""The landscape: what its report says, and keeps"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from numerics import Task
from numerics.landscape.basins import UNEXPLAINED, Share
from numerics.landscape.completeness import Completeness
from numerics.landscape.cover import Cover
from numerics.landscape.points import CriticalPoint
from numerics.landscape.report import Landscape
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.judges.exact import Step, Steps

MINIMA, SADDLES, LANDSCAPES, RUNS = ("first", "second"), ("saddle 1", "saddle 2"), 20, 30
NO_RUNS, SOME_LEFT, ALL_COVERED = 5, 3, 2
"""Every so many of the landscapes."""


def made(rng: np.random.Generator, number: int) -> Landscape:
    """A landscape of random points, shares and covers."""
    task = Task(int(rng.integers(4, 500)), int(rng.integers(1, 20)), rng.uniform(0.1, 2), rng.uniform())
    points = tuple(_point(rng, name, index, task.d) for index, name in _indexed())
    ends = rng.multinomial(RUNS, np.full(5, 1 / 5)).tolist()
    shares = {name: Share(RUNS, ends[i], ends[i + 2]) for i, name in enumerate(MINIMA)}
    shares[UNEXPLAINED] = Share(RUNS, ends[4], 0)
    settings = {"runs": RUNS, "seed": number, "t_end": rng.uniform(1, 50), "seconds": 9.0}
    if number % NO_RUNS == 0:
        shares, settings = {}, settings | {"runs": 0}
    covers = {"plane, one": Cover(True, 10 + number), "plane, other": Cover(True, 7)}
    if number % SOME_LEFT == 0:
        covers["oblique"] = Cover(False, 3, number + 1, ((0.25, 0.5), (rng.uniform(-1, 0), 1.0)))
    proof = Completeness(covers) if number % SOME_LEFT == 0 or number % ALL_COVERED == 0 else None
    return Landscape(rng.uniform(0.05, 1), task, points, shares, settings, proof)


def _indexed() -> list[tuple[int, str]]:
    return [*((0, name) for name in MINIMA), *((1 + i, name) for i, name in enumerate(SADDLES))]


def _point(rng: np.random.Generator, name: str, index: int, d: int) -> CriticalPoint:
    overlaps = tuple(rng.uniform(-1, 1, 5).tolist())
    numbers = int(rng.integers(0, 3)), index, int(rng.integers(0, 2))
    return CriticalPoint(overlaps, rng.uniform(), 1e-30, *numbers, bool(rng.integers(2)), d, name)


Kept = Callable[[Landscape], str]


def kept_steps(written: Kept, context: Context) -> Iterator[Step]:
    """Made landscapes: their JSON entry by entry, and what is read from it."""
    rng = np.random.default_rng(context.seed)
    for number in range(LANDSCAPES):
        landscape = made(rng, number)
        text = written(landscape)
        yield Step(f"landscape {number} is read as it was", Landscape.from_json(text) == landscape)
        yield from _entry_steps(number, landscape, json.loads(text))


def _entry_steps(number: int, made_one: Landscape, data: dict[str, object]) -> Iterator[Step]:
    task, settings = made_one.task, made_one.settings
    numbers = {"lam": made_one.lam, "d": task.d, "L": task.L, "gamma": task.gamma, "epsilon": task.epsilon}
    same = all(data[name] == value for name, value in {**numbers, **settings}.items())
    yield Step(f"{number}: the setting", same)
    lost = made_one.shares[UNEXPLAINED].arrived if made_one.shares else None
    covered = None if made_one.proof is None else number % SOME_LEFT != 0
    told = data["unexplained_runs"], data["complete"]
    yield Step(
        f"{number}: runs without an end, and whether all is covered", told == (lost, covered), str(told)
    )
    entries = data["critical_points"]
    assert isinstance(entries, list)
    for entry, point in zip(entries, made_one.points, strict=True):
        share = made_one.shares.get(point.name, Share(RUNS, 0, 0))
        runs_to = share.arrived + share.drifting
        seen = entry["share"], entry["drifting_runs"], entry["global_minimum"]
        values = (runs_to / RUNS, share.drifting) if made_one.shares else (None, None)
        yield Step(f"{number}, {point.name}", seen == (*values, point.name == MINIMA[0]), str(seen))
        interval = list(share.interval) if made_one.shares else None
        yield Step(f"{number}, {point.name}: its interval", entry["share_interval"] == interval)


def without_drifting(landscape: Landscape) -> str:
    """A false variant: runs that drift are lost."""
    shares = {name: replace(share, drifting=0) for name, share in landscape.shares.items()}
    return replace(landscape, shares=shares).to_json()


def claims() -> list[Claim]:
    return [
        Claim(
            id="landscape.kept",
            statement=f"{LANDSCAPES} random landscapes are read from their JSON as they were; it tells the shares of the runs that "
            "arrive at each minimum or drift to it, which is the global one, and whether all parts are covered.",
            subject=lambda: Landscape.to_json,
            source="this toolkit",
            judges=(Steps(kept_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("drifting runs are lost", lambda: without_drifting),),
        )
    ]
