"""The landscape: what is said of runs that have not ended"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from numerics import Overlaps, Task, gradient_flow
from numerics.landscape import basins
from numerics.landscape.basins import UNEXPLAINED, Share
from numerics.landscape.find import ORACLE, SWAPPED
from numerics.landscape.points import CriticalPoint, Five
from numerics.overlaps import NAMES
from numerics.starts import random_starts
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.claims.landscape_curves import swapped
from proofs_check.judges.exact import Step, Steps

LAM, TASK, RUNS, SEED, T_END = 0.5, Task(d=400, L=2), 12, 0, 30.0
"""A setting and a time at which some runs have arrived, some drift along M, and others do neither."""


def minimum(name: str, overlaps: Five) -> CriticalPoint:
    """A minimum, by what is asked of it here."""
    return CriticalPoint(overlaps, 0.0, 0.0, 0, 0, 0, False, TASK.d, name)


@cache
def minima() -> tuple[CriticalPoint, ...]:
    """The oracle, and the role-swapped point with the best theta."""
    oracle = minimum(ORACLE, (1.0, 1.0, 0.0, 0.0, 0.0))
    return oracle, minimum(SWAPPED, swapped(LAM, TASK))


Shares = Mapping[str, Share]


@cache
def shares() -> Shares:
    """What is said of the runs."""
    return basins.shares(minima(), LAM, TASK, runs=RUNS, seed=SEED, t_end=T_END)


def share_steps(found: Shares, _: Context) -> Iterator[Step]:
    """Each run by its overlaps at that time, and a little later."""
    counts = Counter(map(_state, *_followed()))
    told = {
        "at the oracle": found[ORACLE].arrived,
        "on the way to it": found[ORACLE].drifting,
        "at the role-swapped point": found[SWAPPED].arrived,
        "elsewhere": found[UNEXPLAINED].arrived,
    }
    for state, count in told.items():
        yield Step(f"{count} runs {state}", count == counts[state], f"{counts[state]} by the flow itself")
    yield Step("of all", all(share.runs == RUNS for share in found.values()))
    yield Step("some of three kinds", sum(count > 0 for count in counts.values()) == 3, str(counts))


@cache
def _followed() -> tuple[np.ndarray, np.ndarray]:
    """Overlaps (runs, 5) at the end, and a unit of time later."""
    starts = random_starts(RUNS, TASK, SEED)
    path = gradient_flow(starts, LAM, TASK, t_end=T_END + 1, times=[T_END, T_END + 1])
    now, later = (np.stack([path[name].values[:, i] for name in NAMES], axis=1) for i in (0, 1))
    return now, later


def _state(now: np.ndarray, later: np.ndarray) -> str:
    """In words, by the magnitudes of the overlaps: symmetries change signs only."""
    kappa, nu, *off = now
    at_oracle = np.array([abs(kappa) - 1, abs(nu) - 1, *off])
    at_swapped = np.abs(now) - minima()[1].overlaps
    if np.linalg.norm(at_oracle) < 1.01 * basins.ARRIVED and kappa * nu > 0:
        return "at the oracle"
    if np.linalg.norm(at_swapped) < 1.01 * basins.ARRIVED and now[2] * now[3] > 0:
        return "at the role-swapped point"
    drifts = np.linalg.norm(off) < basins.NEAR_MANIFOLD and kappa * nu > 0 and abs(later[0]) > abs(kappa)
    return "on the way to it" if drifts else "elsewhere"


def without_drift() -> Shares:
    """A false variant: what drifts has arrived."""
    found = shares()
    here = found[ORACLE]
    return {**found, ORACLE: Share(RUNS, here.arrived + here.drifting, 0)}


# --- which point came nearer -----------------------------------------------------------------------------

A = minimum("A", (0.8, 0.5, 0.1, 0.2, 0.3))
B = minimum("B", (0.1, -0.2, 0.6, 0.8, -0.4))
STEP = 2 * basins.MEASURABLE
NOWHERE: Five = (0.1, 0.3, -0.1, 0.2, 0.3)


def between(start: Five, end: Five, distance: float) -> np.ndarray:
    """A point so far from the first on the way to the second."""
    way = np.subtract(end, start)
    return np.asarray(start + distance * way / np.linalg.norm(way))


MOVES: tuple[tuple[str, np.ndarray, np.ndarray], ...] = (
    ("A", np.array(NOWHERE), np.array(A.images[1])),
    ("B", np.array(A.overlaps), between(B.overlaps, NOWHERE, basins.ARRIVED)),
    ("A", np.array(NOWHERE), between(NOWHERE, A.images[2], STEP)),
    ("B", np.array(NOWHERE), between(NOWHERE, B.images[3], STEP)),
    ("", np.array(NOWHERE), between(NOWHERE, B.overlaps, basins.MEASURABLE / 2)),
)
"""Where to, before, after: two arrivals, two approaches, and one too little."""

Destinations = Callable[[Overlaps, Overlaps, Sequence[CriticalPoint]], np.ndarray]


def move_steps(destinations: Destinations, _: Context) -> Iterator[Step]:
    """Made moves, and the same turned by a symmetry."""
    for signs in ((1, 1, 1, 1, 1), (-1, -1, -1, -1, 1)):
        names, *ends = zip(*MOVES, strict=True)
        before, after = (Overlaps.unchecked(np.transpose(end) * np.array(signs)[:, None]) for end in ends)
        found = destinations(before, after, (A, B))
        for expected, name in zip(names, found, strict=True):
            yield Step(f"{signs}: to {expected or 'none'}", name == expected, name)


def reached_only(before: Overlaps, after: Overlaps, points: Sequence[CriticalPoint]) -> np.ndarray:
    """A false variant that does not look where a move goes."""
    return basins.reached(after, points)


def claims() -> list[Claim]:
    return [
        Claim(
            id="landscape.unfinished",
            statement=f"For $\\lambda = {LAM}$, $d = {TASK.d}$, $L = {TASK.L}$, $\\gamma^2 = 1/2$, at time {T_END:g} of gradient flow, "
            f"as many of {RUNS} runs as is said are at a minimum, near $M$ with $\\kappa \\nu > 0$ and growing $|\\kappa|$, or elsewhere.",
            subject=shares,
            source="this toolkit",
            judges=(Steps(share_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("what drifts has arrived", without_drift),),
            depends_on=("landscape.shares",),
        ),
        Claim(
            id="landscape.destinations",
            statement="Runs are said to go to the point that they have reached or else have come nearer to by more than "
            f"{basins.MEASURABLE}, most if to several, its images included; others to none.",
            subject=lambda: basins.destinations,
            source="this toolkit",
            judges=(Steps(move_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("arrivals only", lambda: reached_only),),
        ),
    ]
