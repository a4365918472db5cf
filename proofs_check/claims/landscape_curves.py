"""The thresholds in lambda that figures show, against the risk on the spheres in R^d itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from scipy.optimize import minimize_scalar

from numerics import Overlaps, Task, excess_risk
from numerics.landscape import branches
from numerics.landscape.points import Five
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.claims.landscape_points import FLAT, TASK, hessian_eigenvalues
from proofs_check.judges.exact import Step, Steps

BESIDE = 0.01
"""Where the signs are looked at, below and above each threshold, relative to it."""

DIMENSIONS = {20: 20, 160: 25, 1600: 100}
"""Where the dimensions that a figure takes begin, by that of the task."""

ORACLE: Five = (1.0, 1.0, 0.0, 0.0, 0.0)


@cache
def curves() -> dict[str, float]:
    """The thresholds, by name."""
    return {name: float(values[0]) for name, values in branches.threshold_curves([TASK]).items()}


def swapped(lam: float, task: Task = TASK) -> Five:
    """The role-swapped point: k = v*, and v the best combination of k* and a direction orthogonal to all."""
    found = minimize_scalar(
        lambda x: risk((0.0, 0.0, x, 1.0, 0.0), lam, task), bounds=(0.0, 1.0), options={"xatol": 1e-12}
    )
    return (0.0, 0.0, float(found.x), 1.0, 0.0)


def risk(overlaps: Five, lam: float, task: Task = TASK) -> float:
    """The excess risk."""
    return float(excess_risk(Overlaps.unchecked(np.array(overlaps)), lam, task))


def is_minimum(overlaps: Five, lam: float) -> bool:
    """Whether no direction on the spheres goes down."""
    return bool(hessian_eigenvalues(overlaps, lam).min() > -FLAT)


HOLDS: dict[str, Callable[[float], bool]] = {
    "oracle": lambda lam: is_minimum(ORACLE, lam),
    "swapped": lambda lam: is_minimum(swapped(lam), lam),
    "complete swap": lambda lam: swapped(lam)[2] > 1 - 1e-6,
    "tie": lambda lam: risk(swapped(lam), lam) < risk(ORACLE, lam),
}
"""What is so below the threshold of that name, and not above: the oracle is a minimum, the role-swapped point
is, it is v = k*, it is the better of the two."""


def curve_steps(thresholds: dict[str, float], _: Context) -> Iterator[Step]:
    """Either side of each threshold; and the values of lambda that a figure takes are close on both sides."""
    yield Step("there are four", list(thresholds) == list(HOLDS))
    for name, lam in thresholds.items():
        below, above = HOLDS[name](lam * (1 - BESIDE)), HOLDS[name](lam * (1 + BESIDE))
        yield Step(f"{name}: so below {lam}", below)
        yield Step(f"{name}: not so above {lam}", not above)
    grid = branches.grid(TASK, 3)
    for name in branches.PITCHFORKS:
        distances = np.abs(grid / curves()[name] - 1)
        around = [(distances[side] < 1e-3).sum() for side in (grid < curves()[name], grid > curves()[name])]
        yield Step(f"{name}: lambda on both sides", min(around) >= 1 and sum(around) >= 4)
    for d, first in DIMENSIONS.items():
        found = np.array(branches.dimensions(Task(d, TASK.L), 7))
        even = np.exp(np.linspace(np.log(first), np.log(64 * d), 7))
        yield Step(f"dimensions from {first} to 64 times {d}", bool(np.all(np.abs(found - even) <= 0.5)))
    ends = branches.LOWEST / TASK.d**0.5, branches.HIGHEST
    yield Step("from the lowest to the highest", bool(np.allclose(grid[[0, -1]], ends, rtol=1e-12)))


def claims() -> list[Claim]:
    return [
        Claim(
            id="landscape.curves",
            statement=f"For $d = {TASK.d}$, $L = {TASK.L}$, $\\gamma^2 = 1/2$ the oracle and the role-swapped point are minima on the "
            "spheres of $R^d$ 1% below their thresholds and not 1% above, the role-swapped point has $\\theta = 1$ below "
            "its threshold, and is the better of the two below the tie.",
            subject=curves,
            source="this toolkit",
            judges=(Steps(curve_steps, kind=Kind.NUMERICAL),),
            mutants=(
                Mutant(
                    "the oracle's larger by 2%", lambda: {**curves(), "oracle": 1.02 * curves()["oracle"]}
                ),
                Mutant("the tie smaller by 2%", lambda: {**curves(), "tie": 0.98 * curves()["tie"]}),
            ),
            depends_on=("landscape.thresholds",),
            derivation="Thresholds are isolated with proof; the Hessian is taken by finite differences along all tangent directions.",
        )
    ]
