"""Where starts end, and which points of neighbouring landscapes are one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import xarray as xr
from scipy.special import betaincinv

from numerics import Task, projected_gradient_descent
from numerics.landscape import branches
from numerics.landscape.basins import CONFIDENCE, UNEXPLAINED
from numerics.landscape.branches import Branch
from numerics.landscape.find import ORACLE, SWAPPED, TILTED
from numerics.landscape.points import CriticalPoint
from numerics.landscape.report import Landscape
from numerics.landscape.share_grid import NAMES, share_grid
from numerics.overlaps import NAMES as OVERLAPS
from numerics.starts import random_starts
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.judges.exact import Step, Steps

LAMS, TASK, RUNS = (0.1, 0.9), Task(d=40, L=2), 10
STEP_SIZE, STEPS = 0.02, 10_000


@cache
def shares(seed: int) -> xr.Dataset:
    """Shares by gradient flow."""
    return share_grid(LAMS, [TASK], runs=RUNS, seed=seed)


def share_steps(stated: Callable[[int], xr.Dataset], context: Context) -> Iterator[Step]:
    """Shares of the same starts by projected gradient descent, and Clopper and Pearson's intervals of them."""
    found = stated(context.seed)
    yield Step(
        "tasks, lambda and ends are named", dict(found.sizes) == {"task": 1, "lam": 2, "end": len(NAMES)}
    )
    told = found.d.item(), found.L.item(), tuple(found.lam.values), tuple(found.end.values)
    yield Step("with their values", told == (TASK.d, TASK.L, LAMS, NAMES), str(told))
    for lam in LAMS:
        counts = descended(lam, context.seed)
        for name in NAMES:
            cell = found.sel(lam=lam, end=name).isel(task=0)
            count = counts[name]
            yield Step(f"lambda = {lam}: {count} of {RUNS} to {name}", float(cell.share) == count / RUNS)
            low, high = clopper_pearson(count)
            yield Step(
                f"lambda = {lam}, {name}: its interval",
                np.allclose([cell.low, cell.high], [low, high], atol=1e-9),
            )


def descended(lam: float, seed: int) -> Counter[str]:
    """At which minimum projected gradient descent ends, or on its way to which."""
    path = projected_gradient_descent(
        random_starts(RUNS, TASK, seed), lam, TASK, step_size=STEP_SIZE, steps=STEPS, record_every=STEPS
    )
    ends = np.abs(np.stack([path[name].values[:, -1] for name in OVERLAPS], axis=1))
    return Counter(_minimum(*end) for end in ends)


def _minimum(kappa: float, nu: float, theta: float, eta: float, rho: float) -> str:
    """The minimum near some overlaps, given their magnitudes: v is v* but for a little, or k is v*."""
    if eta > 0.99 and max(kappa, nu, rho) < 0.01:
        return SWAPPED
    if nu > 0.99 and theta < 0.1:
        return ORACLE if kappa > 0.99 else TILTED if kappa < 0.9 else UNEXPLAINED
    return UNEXPLAINED


def clopper_pearson(count: int) -> tuple[float, float]:
    """The interval, by quantiles of beta distributions."""
    tail = (1 - CONFIDENCE) / 2
    low = betaincinv(count, RUNS - count + 1, tail) if count else 0.0
    high = betaincinv(count + 1, RUNS - count, 1 - tail) if count < RUNS else 1.0
    return float(low), float(high)


def exchanged(seed: int) -> xr.Dataset:
    """A false variant: the shares at one lambda are those at the other."""
    found = shares(seed)
    return found.assign_coords(lam=found.lam.values[::-1])


# --- branches --------------------------------------------------------------------------------------------

PATHS: Mapping[str, Callable[[float], tuple[float, ...]]] = {
    "still": lambda x: (1.0, 1.0, 0.0, 0.0, 0.0),
    "moving": lambda x: (x, 0.3, 0.2 - x, 0.1, 0.0),
    "crossing": lambda x: (0.9 - x, 0.3, 0.2, 0.1, 0.4),
    "born": lambda x: (0.0, -0.8, 0.0, 0.5 * x, 0.9),
    "vanishing": lambda x: (-0.9, 0.9 - 0.1 * x, 0.6, 0.0, 0.0),
}
"""Overlaps on curves: two of them come close, one begins and one ends halfway."""

PLACES = tuple(i / 10 for i in range(11))
HALFWAY = 0.45


def _there(name: str, x: float) -> bool:
    return {"born": x > HALFWAY, "vanishing": x < HALFWAY}.get(name, True)


def branch_steps(joined: Callable[[Sequence[Landscape]], list[Branch]], context: Context) -> Iterator[Step]:
    """Points on known curves, shuffled; a minimum that jumps is followed by its name, a saddle is not."""
    rng = np.random.default_rng(context.seed)
    landscapes = []
    for x in PLACES:
        points = [
            _point(name, PATHS[name](x), sign)
            for name in PATHS
            if _there(name, x)
            for sign in (rng.choice([1, -1]),)
        ]
        landscapes.append(Landscape(x, TASK, tuple(points[i] for i in rng.permutation(len(points)))))
    found = joined(landscapes)
    yield Step("as many branches as curves", len(found) == len(PATHS), str(len(found)))
    for branch in found:
        names = {point.name for point in branch.points}
        yield Step(f"one curve: {', '.join(sorted(names))}", len(names) == 1)
        expected = [x for x in PLACES if _there(branch.points[0].name, x)]
        yield Step("wholly", list(branch.lams) == expected and len(branch.points) == len(expected))
    for index, count in ((0, 1), (1, 2)):
        jump = [
            Landscape(x, TASK, (_point("one", (y, y, 0.0, 0.0, 1.0), 1, index),))
            for x, y in ((0.0, 1.0), (0.1, 0.5))
        ]
        yield Step(f"index {index}, a jump: {count} branches", len(joined(jump)) == count)


def _point(name: str, overlaps: Sequence[float], sign: int, index: int = 1) -> CriticalPoint:
    """A point, or its image under (k, v) to (-k, -v)."""
    kappa, nu, theta, eta, rho = overlaps
    place = (sign * kappa, sign * nu, sign * theta, sign * eta, rho)
    return CriticalPoint(place, 0.0, 0.0, 0, index, 0, True, TASK.d, name)


def by_order(landscapes: Sequence[Landscape]) -> list[Branch]:
    """A false variant that takes the first points of all landscapes for one branch, and so on."""
    most = max(len(found.points) for found in landscapes)
    rows = [[(f.lam, f.points[i]) for f in landscapes if i < len(f.points)] for i in range(most)]
    return [Branch(*map(tuple, zip(*row, strict=True))) for row in rows]


def claims() -> list[Claim]:
    setting = f"$\\lambda = {LAMS[0]}$ and ${LAMS[1]}$, $d = {TASK.d}$, $L = {TASK.L}$, $\\gamma^2 = 1/2$"
    return [
        Claim(
            id="landscape.shares",
            statement=f"For {setting} the shares of {RUNS} uniform starts that gradient flow takes to each minimum are those of "
            "projected gradient descent with small steps, with the intervals of Clopper and Pearson; no run ends elsewhere.",
            subject=lambda: shares,
            source="this toolkit",
            judges=(Steps(share_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("the other lambda", lambda: exchanged),),
            depends_on=("dynamics.descent",),
        ),
        Claim(
            id="landscape.branches",
            statement="Points on five known curves, two of which come close while one begins and one ends, are joined to those "
            "curves whatever their order and their images; a minimum that jumps is followed by its name.",
            subject=lambda: branches.branches,
            source="this toolkit",
            judges=(Steps(branch_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("in the order of the points", lambda: by_order),),
        ),
    ]
