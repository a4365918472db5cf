"""The landscape: every critical point of the risk on the two spheres, with its index, and where minima come and go."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from flint import arb

from numerics import Overlaps, Task, projected_gradient_descent
from numerics.landscape import basins, certify, completeness, find, square, thresholds
from numerics.landscape.completeness import STRATA
from numerics.landscape.listed import RADIUS, Examined, Listed, examined
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import SYMMETRIES, CriticalPoint
from numerics.overlaps import NAMES
from numerics.starts import random_starts
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.claims.manifold import TYPES
from proofs_check.judges.exact import Step, Steps

PAPER: dict[str, Any] = {"d": 400, "L": 10, "gamma_squared": "1/2"}
"""The paper's setting."""

Table = Mapping[str, Sequence[Listed]]
"""Critical points by lambda."""


@cache
def listed() -> Table:
    """The table of critical points, all but the orthogonal one, which is the same for all parameters."""
    data = json.loads((resources.files("proofs_check") / "data" / "critical_points.json").read_text())
    return {lam: tuple(_listed(**entry) for entry in entries) for lam, entries in data.items()}


def _listed(name: str, k: list[str], v: list[str], index: int) -> Listed:
    return Listed(name, tuple(k), tuple(v), index)


def changed(lam: str, name: str, **fields: Any) -> Table:
    """The table with other values in one entry."""
    rows = tuple(replace(row, **fields) if row.name == name else row for row in listed()[lam])
    return {**listed(), lam: rows}


def without(lam: str, name: str) -> Table:
    """The table with an entry missing."""
    return {lam: tuple(row for row in listed()[lam] if row.name != name)}


@cache
def parameters(lam: str) -> Parameters:
    """The paper's setting with this lambda."""
    return Parameters.of(lam=lam, **PAPER)


# --- one by one ------------------------------------------------------------------------------------------


@cache
def proved(lam: str, row: Listed) -> Examined:
    """What interval arithmetic proves of an entry."""
    return examined(parameters(lam), row)


def point_steps(table: Table, _: Context) -> Iterator[Step]:
    """Krawczyk's test on the box of each entry, and the signs of the bordered Hessian at its only zero."""
    for lam, rows in table.items():
        for row in rows:
            found = proved(lam, row)
            at = f"lambda = {lam}, {row.name}"
            yield Step(
                f"{at}: one critical point within {RADIUS} of k = {_row(row.k)}, v = {_row(row.v)}",
                found.unique,
            )
            if found.unique:
                same = None if found.index is None else found.index == row.index
                yield Step(f"{at}: its index is {row.index}", same, "" if same else f"it is {found.index}")


def _row(decimals: Sequence[str]) -> str:
    return f"({', '.join(decimals)})"


def minimum_steps(claimed: Mapping[str, Sequence[str]], _: Context) -> Iterator[Step]:
    """The listed minima in the order of their risks, whose enclosures are disjoint."""
    for lam, names in claimed.items():
        minima = {row.name: proved(lam, row) for row in listed()[lam] if proved(lam, row).index == 0}
        yield Step(
            f"lambda = {lam}: the minima in the table are {', '.join(sorted(names))}",
            set(minima) == set(names),
        )
        index = certify.orthogonal(parameters(lam)).index
        yield Step(
            f"lambda = {lam}: the orthogonal point is no minimum",
            None if index is None else index > 0,
            f"its index is {index}",
        )
        risks = [arb(minima[name].excess_risk) for name in names if name in minima]
        for one, next_one, low, high in zip(names, names[1:], risks, risks[1:], strict=False):
            sign = True if low < high else False if low > high else None
            yield Step(
                f"{one} is below {next_one}", sign, f"{low.str(8, radius=False)}, {high.str(8, radius=False)}"
            )


# --- nothing else ----------------------------------------------------------------------------------------


@cache
def search_result(lam: str) -> tuple[CriticalPoint, ...]:
    """What the search finds, certified."""
    return find.critical_points(parameters(lam), starts=256)


Cells = Mapping[tuple[str, str], Sequence[Listed]]
"""Critical points by lambda and stratum."""


def part(table: Table, lam: str, *strata: str) -> Cells:
    """The entries at a lambda in the plane of k* and v*, out of it, or both."""
    sizes = {stratum: 2 + STRATA.index(stratum) for stratum in strata}
    return {(lam, s): tuple(row for row in table[lam] if len(row.k) == sizes[s]) for s in strata}


@cache
def proof(lam: str, strata: tuple[str, ...], seconds: float) -> completeness.Completeness:
    """Branch and bound over the charts of some strata, all certified points known."""
    return completeness.completeness(parameters(lam), search_result(lam), strata=strata, seconds=seconds)


SLOW = {("0.9", "oblique")}
"""What takes minutes: two million cells."""

SECONDS, THOROUGH_SECONDS = 120.0, 900.0
"""Budget for one lambda; on a quiet machine it takes a few seconds, and in a thorough run a few minutes."""


def complete_steps(claimed: Cells, context: Context) -> Iterator[Step]:
    """Every certified point is in the table, and every cell that is not one's holds no critical point."""
    seconds = THOROUGH_SECONDS if context.thorough else SECONDS
    shown = {key: rows for key, rows in claimed.items() if context.thorough or key not in SLOW}
    strata = tuple(stratum for _, stratum in shown)
    for (lam, stratum), rows in shown.items():
        at, names = f"lambda = {lam}, {stratum}", {row.name for row in rows}
        there = [point for point in search_result(lam) if point.rank == STRATA.index(stratum)]
        missing = [f"{point.name} {point.overlaps}" for point in there if point.name not in names]
        yield Step(f"{at}: every point that is found is listed", not missing, ", ".join(missing))
        if not missing:
            for name, cover in proof(lam, strata, seconds).of(stratum).items():
                resisting = "" if cover.complete else f"the cell {cover.resisting} resists"
                yield Step(f"lambda = {lam}, {name}: {cover.cells} cells", cover.complete or None, resisting)


def euler_steps(table: Table, _: Context) -> Iterator[Step]:
    """Morse-Bott: indices sum to the Euler characteristic 0 of two odd spheres, those of spheres S^397 to 0."""
    for lam, rows in table.items():
        signs = [_images(row) * (-1) ** row.index for row in rows if len(row.k) == 2]
        text = " ".join(f"{sign:+d}" for sign in signs)
        yield Step(f"lambda = {lam}: {text} = 0", sum(signs) == 0, str(sum(signs)))


def _images(row: Listed) -> int:
    """How many critical points the symmetries make of one in the plane."""
    (kappa, eta), (theta, nu) = (map(Fraction, row.k), map(Fraction, row.v))
    overlaps = (kappa, nu, theta, eta, kappa * theta + eta * nu)
    return len({tuple(s * o for s, o in zip(signs, overlaps, strict=True)) for signs in SYMMETRIES})


# --- M, thresholds, ends ---------------------------------------------------------------------------------

BOXES = (
    {"lam": ("0.09", "0.11"), "d": (300, 500), "L": 10, "gamma_squared": ("0.4", "0.6")},
    {"lam": ("0.89", "0.91"), "d": (390, 410), "L": 10, "gamma_squared": ("0.49", "0.51")},
)
"""Boxes of parameters around the paper's settings."""
NARROW = {**BOXES[0], "lam": ("0.1", "0.1001"), "d": 400, "gamma_squared": "0.5"}
"""A box that is hardly one."""
UNPROVED = Fraction(1, 1000)
"""Distance from an equilibrium at which cells resist if it is not known."""


def square_steps(types: Mapping[tuple[int, int], str], _: Context) -> Iterator[Step]:
    """Branch and bound over the square, the box of parameters cut where that is needed."""
    for sides in BOXES:
        box = Parameters.of(**sides)
        others = [point for point in square.rest_points(box) if point not in types]
        yield Step(f"{box.described()}: no equilibrium is left out", not others, str(others or ""))
        if others:
            return
        found = square.equilibria(box, tuple(types))
        wrong = {point: kind for point, kind in found.types.items() if kind != types[point]}
        yield Step(f"{box.described()}: the types", not wrong, str(wrong or ""))
        resisting = "" if found.proved else f"{found.resisting} resists"
        yield Step(f"{box.described()}: nothing else, {found.cells} cells", found.proved or None, resisting)
    for point in types:
        yield _resists(point, [other for other in types if other != point])


def _resists(point: tuple[int, int], others: Sequence[tuple[int, int]]) -> Step:
    """Without a point that is there the proof fails, next to it."""
    found = square.equilibria(Parameters.of(**NARROW), others, cells=0)
    cell = found.resisting[1] if found.resisting else ()
    near = [low - UNPROVED <= x <= high + UNPROVED for x, (low, high) in zip(point, cell, strict=False)]
    return Step(
        f"{point} is not proved away", not found.proved and near == [True, True], str(found.resisting)
    )


def threshold_steps(claimed: Mapping[str, Sequence[str]], _: Context) -> Iterator[Step]:
    """Every zero of each criterion on [1/50, 3], isolated by branch and bound; cut off after ten decimals."""
    for name, decimals in claimed.items():
        found = isolated(name)
        yield Step(
            f"{name}: all of [1/50, 3] is decided", not found.resisting or None, str(found.resisting or "")
        )
        zeros = tuple(f"({low}, {high})" for low, high in ((float(a), float(b)) for a, b in found.zeros))
        same = len(found.zeros) == len(decimals) and all(map(_starts, found.zeros, decimals))
        yield Step(f"{name}: its zeros are {', '.join(decimals)}...", same, f"in {', '.join(zeros)}")


@cache
def isolated(name: str) -> thresholds.Isolation:
    """The zeros of a criterion in the paper's setting."""
    return thresholds.threshold(name, **PAPER)


def _starts(zero: tuple[Fraction, Fraction], decimals: str) -> bool:
    """Whether every number of an interval begins with these decimals."""
    low, unit = Fraction(decimals), Fraction(1, 10 ** len(decimals.partition(".")[2]))
    return low <= zero[0] and zero[1] < low + unit


RUNS = {"0.1": (4e-3, 10_000, 200), "0.9": (1e-3, 100_000, 5)}
"""Step size, steps and runs for each lambda."""
THOROUGH = {"0.1": (4e-3, 50_000, 200), "0.9": (1e-3, 1_000_000, 200)}


def end_steps(minima: Mapping[str, Sequence[str]], context: Context) -> Iterator[Step]:
    """Where projected gradient descent from uniform starts is after all steps, and a tenth before."""
    for lam, names in minima.items():
        step_size, steps, runs = (THOROUGH if context.thorough else RUNS)[lam]
        before, after = descended(lam, step_size, steps, runs)
        points = [point for point in search_result(lam) if point.name in names]
        reached, going = basins.reached(after, points), basins.destinations(before, after, points)
        count = [f"{(going == n).sum()} to {n}, {(reached == n).sum()} there" for n in names]
        detail = "; ".join([*count, f"{(going == '').sum()} to none"])
        yield Step(
            f"lambda = {lam}: {runs} runs, {steps} steps of size {step_size}",
            bool((going != "").all()),
            detail,
        )


@cache
def descended(lam: str, step_size: float, steps: int, runs: int) -> tuple[Overlaps, Overlaps]:
    """Overlaps after nine tenths of the steps and after all."""
    task = Task(d=PAPER["d"], L=PAPER["L"])
    every = steps // 10
    path = projected_gradient_descent(
        random_starts(runs, task, 0), float(lam), task, step_size=step_size, steps=steps, record_every=every
    )
    before, after = (
        Overlaps.unchecked([path[name].sel(step=step).values for name in NAMES])
        for step in (steps - every, steps)
    )
    return before, after


# --- claims ----------------------------------------------------------------------------------------------

MINIMA = {"0.1": ("oracle", "role-swapped"), "0.9": ("tilted oracle", "role-swapped")}
"""In the order of their risks."""

THRESHOLDS = {
    "oracle": ("0.8924379482",),
    "swapped": ("0.9206832360",),
    "complete swap": ("0.0627889522",),
    "tie": ("0.0907218276",),
}
SETTING = "$d = 400$, $L = 10$, $\\gamma^2 = 1/2$"


def claims() -> list[Claim]:
    return [*listing(), *nothing_else(), *dynamics()]


def listing() -> list[Claim]:
    shifted = ("0.043652354607", "0.999046786025")
    return [
        Claim(
            id="landscape.points",
            statement=f"For {SETTING} and $\\lambda = 0.1$ each of 11 boxes of half-width $10^{{-9}}$ in the "
            "coordinates of $k$ and $v$ along $(k^*, v^*, e_1)$, and for $\\lambda = 0.9$ each of 12, holds exactly one "
            "critical point of the risk, of the stated Morse index in $R^d$. Among them are the oracle "
            "(index 0 and 1), the role-swapped point (index 0) and, at $\\lambda = 0.9$, a third minimum, the tilted "
            "oracle, with $\\kappa = 0.302$, $\\nu = 0.947$.",
            subject=listed,
            source="this toolkit",
            judges=(Steps(point_steps, kind=Kind.CERTIFIED),),
            mutants=(
                Mutant("a point shifted by 1e-7", lambda: changed("0.1", "planar saddle 1", k=shifted)),
                Mutant("the oracle a minimum at 0.9", lambda: changed("0.9", "oracle", index=0)),
                Mutant("the tilted oracle a saddle", lambda: changed("0.9", "tilted oracle", index=1)),
                Mutant("index 397", lambda: changed("0.1", "planar saddle 1", index=397)),
                Mutant(
                    "theta negated",
                    lambda: changed("0.1", "role-swapped", v=("-0.629772269869", "0", "-0.776779819578")),
                ),
            ),
            depends_on=("risk.five-overlaps", "manifold.closure"),
            derivation="Krawczyk's test on the equations of Lagrange, gradient parallel to vector and length one, "
            "in the frame; then the signs of the eigenvalues of the bordered Hessian, and those of the $d - 2$ or "
            "$d - 3$ directions out of the frame.",
        ),
        Claim(
            id="landscape.minima",
            statement=f"For {SETTING} the oracle is the global minimum of the risk at $\\lambda = 0.1$ (0.113498, "
            "role-swapped 0.115512); at $\\lambda = 0.9$ the tilted oracle has the lowest risk of the listed minima "
            "(3.806573, role-swapped 3.984798).",
            subject=lambda: MINIMA,
            source="this toolkit",
            judges=(Steps(minimum_steps, kind=Kind.CERTIFIED),),
            mutants=(
                Mutant("the other order at 0.1", lambda: {"0.1": MINIMA["0.1"][::-1]}),
                Mutant("the oracle at 0.9", lambda: {"0.9": ("oracle", *MINIMA["0.9"])}),
                Mutant("no third minimum", lambda: {"0.9": ("role-swapped",)}),
            ),
            depends_on=("landscape.points", "landscape.complete"),
        ),
    ]


def nothing_else() -> list[Claim]:
    return [
        Claim(
            id="landscape.plane",
            statement=f"For {SETTING} and $\\lambda = 0.9$, up to symmetries, the risk has no other critical points in the "
            "plane of $k^*$ and $v^*$ than the 8 that are listed there.",
            subject=lambda: part(listed(), "0.9", *STRATA),
            source="this toolkit",
            judges=(Steps(complete_steps, kind=Kind.CERTIFIED),),
            mutants=(
                Mutant("no tilted oracle", lambda: part(without("0.9", "tilted oracle"), "0.9", *STRATA)),
                Mutant("no planar maximum", lambda: part(without("0.9", "planar maximum"), "0.9", *STRATA)),
            ),
            depends_on=(
                "landscape.strata",
                "landscape.points",
                "cells.examined",
                "cells.kept",
                "cells.boxes",
            ),
            derivation="Cells of the torus of two angles: on each one of the two torques is not zero, by interval or "
            "mean-value form, or Krawczyk's image misses it, or it is in a box with a regular Jacobian around a listed "
            "point. A thorough run goes on out of the plane: but for the 4 listed points and the orthogonal one nothing is there.",
        ),
        Claim(
            id="landscape.complete",
            statement=f"For {SETTING} and $\\lambda = 0.1$ the risk has, up to its symmetries and rotations, the 11 listed "
            "critical points, the orthogonal one, and no other.",
            subject=lambda: part(listed(), "0.1", *STRATA),
            source="this toolkit",
            judges=(Steps(complete_steps, kind=Kind.CERTIFIED),),
            mutants=(
                Mutant("no role-swapped point", lambda: part(without("0.1", "role-swapped"), "0.1", *STRATA)),
                Mutant(
                    "no oblique saddle of index 1",
                    lambda: part(without("0.1", "oblique saddle 1"), "0.1", *STRATA),
                ),
            ),
            depends_on=(
                "landscape.strata",
                "landscape.points",
                "cells.examined",
                "cells.kept",
                "cells.boxes",
            ),
            derivation="As in the plane, with cells of three coordinates.",
        ),
        Claim(
            id="landscape.euler",
            statement=f"For {SETTING} and $\\lambda = 0.1$ and $0.9$ the signs $(-1)^{{index}}$ of the listed critical points "
            "in the plane, their images under the symmetries counted, sum to the Euler characteristic of the product "
            "of the spheres, which is 0.",
            subject=listed,
            source="this toolkit",
            judges=(Steps(euler_steps, kind=Kind.CERTIFIED),),
            mutants=(
                Mutant("no tilted oracle", lambda: without("0.9", "tilted oracle")),
                Mutant("the oracle a minimum at 0.9", lambda: changed("0.9", "oracle", index=0)),
            ),
            depends_on=("landscape.points",),
            derivation="Morse and Bott: the other critical points come in spheres $S^{d-3}$ or in pairs of orthogonal "
            "vectors, whose Euler characteristics are 0 for even $d$. A point that is missing would show.",
        ),
    ]


def dynamics() -> list[Claim]:
    return [
        Claim(
            id="landscape.equilibria",
            statement="For $0.09 \\le \\lambda \\le 0.11$, $300 \\le d \\le 500$, $0.4 \\le \\gamma^2 \\le 0.6$, and for "
            "$0.89 \\le \\lambda \\le 0.91$, $390 \\le d \\le 410$, $0.49 \\le \\gamma^2 \\le 0.51$, interval arithmetic finds "
            "the equilibria of the flow on $M$ in $[-1, 1]^2$ and their types as computer algebra does for all parameters.",
            subject=lambda: TYPES,
            source="this toolkit",
            judges=(Steps(square_steps, kind=Kind.CERTIFIED),),
            mutants=(
                Mutant(
                    "no saddle", lambda: {point: kind for point, kind in TYPES.items() if point != (0, 0)}
                ),
                Mutant("(1, -1) a sink", lambda: {**TYPES, (1, -1): "sink"}),
                Mutant("one more", lambda: {**TYPES, (1, 0): "saddle"}),
            ),
            depends_on=("manifold.equilibria", "manifold.types"),
        ),
        Claim(
            id="landscape.thresholds",
            statement=f"For {SETTING} and $1/50 \\le \\lambda \\le 3$, each to ten digits: the oracle is a local minimum up to "
            "$0.8924379482$ and not beyond; the role-swapped point has $\\theta = 1$ up to $0.0627889522$, its risk "
            "passes the oracle's at $0.0907218276$, and it is a minimum from $\\theta < 1$ on up to $0.9206832360$ and not "
            "beyond.",
            subject=lambda: THRESHOLDS,
            source="this toolkit",
            judges=(Steps(threshold_steps, kind=Kind.CERTIFIED),),
            mutants=(
                Mutant("the tenth digit", lambda: {"oracle": ("0.8924379483",)}),
                Mutant("0.92 for 0.9207", lambda: {"swapped": ("0.9200",)}),
                Mutant("no tie", lambda: {"tie": ()}),
                Mutant("two births", lambda: {"complete swap": ("0.0627889522", "0.07")}),
            ),
            depends_on=(
                "stability.condition",
                "swapped.minimum",
                "swapped.theta",
                "swapped.risk",
                "risk.oracle",
            ),
            derivation="Each is the only zero of a function of $\\lambda$ that theory derives: the margin $D h - N^2$, "
            "$A B - C^2$, $b - 1$, the difference of the risks. Cells of $\\lambda$ hold no zero by the interval or the "
            "mean-value form, or the function is monotone on them; bisection does the rest.",
        ),
        Claim(
            id="landscape.ends",
            statement=f"For {SETTING} projected gradient descent from uniform starts on the spheres, with the paper's step "
            "sizes, ends each time within 0.02 of a certified minimum, or has come nearer to one by more than 0.001 over "
            "the last tenth of the steps: 200 runs at $\\lambda = 0.1$, and at $\\lambda = 0.9$ 5 runs of $10^5$ steps.",
            subject=lambda: MINIMA,
            source="this toolkit",
            judges=(Steps(end_steps, kind=Kind.NUMERICAL),),
            mutants=(
                Mutant("no role-swapped point", lambda: {"0.1": ("oracle",)}),
                Mutant("the oracle alone at 0.1", lambda: {"0.1": ("oracle",), "0.9": MINIMA["0.9"]}),
                Mutant("no tilted oracle", lambda: {"0.9": ("role-swapped",)}),
            ),
            depends_on=("landscape.points", "dynamics.descent"),
            derivation="A thorough run takes 200 runs at $\\lambda = 0.9$ too, of $10^6$ steps.",
        ),
    ]
