"""The equations of the charts of the landscape, against the velocities of k and v under the flow."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import product

import numpy as np

from numerics import Overlaps, Task, flow_velocity
from numerics.arrays import ARRAYS
from numerics.landscape import search
from numerics.landscape.charts import Oblique, Plane
from numerics.landscape.jets import coordinates
from numerics.landscape.parameters import Parameters
from numerics.landscape.profile import PointProfile
from proofs_check.claim import Claim, Context, Mutant
from proofs_check.judges.numerical import Agreement

SETTINGS = ((0.7, Task(7, 3, 0.8)), (0.2, Task(40, 5, 1.7)), (2.0, Task(5, 1, 0.5)))
"""lam and task."""
CHARTS: tuple[Callable[[PointProfile, int], search.Chart], ...] = (
    Plane,
    Oblique,
    partial(Oblique, turned=False),
)
PLACES = 3
"""Random places in each chart."""

Point = tuple[int, int, int, list[float]]
"""Indices of setting and chart, the sign of v along the chart, and coordinates."""
Pair = tuple[np.ndarray, np.ndarray]


def some_places(context: Context) -> list[Point]:
    """In every chart, with v along and against it, in every setting."""
    rng = np.random.default_rng(context.seed)
    kinds = product(range(len(SETTINGS)), range(len(CHARTS)), (1, -1))
    return [(*kind, _place(chart_of(*kind), rng)) for kind in kinds for _ in range(PLACES)]


def _place(chart: search.Chart, rng: np.random.Generator) -> list[float]:
    return [float(x) for x in rng.uniform(chart.low, chart.high)]


@cache
def chart_of(setting: int, chart: int, sign: int) -> search.Chart:
    """The chart that the numbers of a point name."""
    lam, task = SETTINGS[setting]
    return CHARTS[chart](PointProfile(ARRAYS, Parameters.of_task(lam, task).floats()), sign)


def by_chart(point: Point) -> list[float]:
    """The chart's equations at a point, and what the chart is to make zero there."""
    *kind, at = point
    chart = chart_of(*kind)
    return [*(float(jet.value) for jet in chart.equations(coordinates(at))), *[0.0] * (1 + 2 * (kind[1] > 0))]


def by_flow(point: Point) -> list[float]:
    """The same by k x k' and v x v'; then how far v is from unit length and the torques from balance."""
    setting, kind, sign, at = point
    chart, (lam, task) = chart_of(setting, kind, sign), SETTINGS[setting]
    k, v = vectors(chart, at)
    on_k, on_v = torques(k, v, lam, task)
    off = float(v @ v) - 1
    if isinstance(chart, Plane):
        return [on_k[2], on_v[2], off]
    sine = k[2] / np.hypot(k[0], k[2])
    decay = np.exp(-((lam * task.signal * k[0]) ** 2) / (1 + 2 * (lam * task.gamma) ** 2))
    rows = np.array([(on_k + on_v)[1] / decay, on_v[0], -on_v[1], on_v @ k]) / sine
    start, across = vectors(chart, [*at[:2], 0.0])
    return [*rows.tolist(), on_k[2], off, (on_k + on_v)[0], start @ across if chart.turned else 0.0]


def vectors(chart: search.Chart, at: list[float]) -> Pair:
    """k and v in the frame (k*, v*, e1)."""
    kappa, eta, p, theta, nu, q = (float(x) for x in chart.vectors(at))
    return np.array([kappa, eta, p]), np.array([theta, nu, q])


def torques(k: np.ndarray, v: np.ndarray, lam: float, task: Task) -> Pair:
    """Cross products of k and v with the gradients of the risk in them, which are -k' and -v' and multiples of k and v."""
    velocity = flow_velocity(Overlaps(k[0], v[1], v[0], k[1], k @ v), lam, task)
    moves = [velocity.kappa, velocity.eta], [velocity.theta, velocity.nu]
    along_k, along_v = (np.array([*m, 0.0]) for m in moves)
    for vector, move in ((k, along_k), (v, along_v)):
        if vector[2]:
            move[2] = -(vector @ move) / vector[2]
    return np.cross(along_k, k), np.cross(along_v, v)


def claims() -> list[Claim]:
    return [
        Claim(
            id="landscape.equations",
            statement="At random places of each chart of the landscape, in three settings, its equations are the torques on $k$ and $v$ "
            "under the gradient flow, divided by the factors that do not vanish; out of the plane the torques' sum along $k^*$ "
            "vanishes, and $\\rho$ where the turned angle is zero. To $10^{-9}$ of the largest.",
            subject=lambda: by_chart,
            source="this toolkit",
            judges=(
                Agreement(by_flow, some_places, 1e-9, description="velocities of the overlaps", joint=True),
            ),
            mutants=(
                Mutant("v the other way", lambda: lambda point: by_chart((*point[:2], -point[2], point[3]))),
                Mutant("x larger by 1e-6", lambda: lambda point: by_chart((*point[:3], _moved(point[3])))),
            ),
            depends_on=("risk.five-overlaps",),
            derivation="$k'$ and $v'$ are orthogonal to $k$ and $v$, so that the velocities of the overlaps determine them.",
        ),
    ]


def _moved(at: list[float]) -> list[float]:
    return [*at[:-1], at[-1] + 1e-6]
