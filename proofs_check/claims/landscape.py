"""The landscape: every critical point of the risk on the two spheres, with its index."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from flint import arb

from numerics.landscape import certify, completeness, find
from numerics.landscape.completeness import STRATA
from numerics.landscape.listed import RADIUS, Examined, Listed, examined
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import SYMMETRIES, CriticalPoint
from proofs_check.claim import Claim, Context, Kind, Mutant
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
"""What takes minutes: four million cells."""

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


# --- claims ----------------------------------------------------------------------------------------------

MINIMA = {"0.1": ("oracle", "role-swapped"), "0.9": ("tilted oracle", "role-swapped")}
"""In the order of their risks."""

SETTING = "$d = 400$, $L = 10$, $\\gamma^2 = 1/2$"


def claims() -> list[Claim]:
    return [*listing(), *nothing_else()]


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
