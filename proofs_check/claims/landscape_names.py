"""The landscape: names of critical points"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from numerics.landscape import find
from numerics.landscape.points import CriticalPoint, Five
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.judges.exact import Step, Steps

DIMENSION = 40
SADDLE, MINIMUM, MAXIMUM = 1, 0, 2 * (DIMENSION - 1)
"""Morse indices."""

EXACT: tuple[tuple[str, int, int, Five], ...] = (
    ("oracle", 0, MINIMUM, (-1, -1, 0, 0, 0)),
    ("negated oracle", 0, SADDLE, (-1, 1, 0, 0, 0)),
    ("orthogonal", 2, SADDLE, (0, 0, 0, 0, 0)),
    ("aligned", 1, SADDLE, (0, 0, 0, 0, -1)),
    ("complete swap", 0, SADDLE, (0, 0, -1, -1, 0)),
    ("negated swap", 0, SADDLE, (0, 0, 1, -1, 0)),
)
"""Name, rank, index and overlaps of points that are known for all parameters, by one of their images."""

FOUND: tuple[tuple[str, int, int, Five], ...] = (
    ("role-swapped", 1, MINIMUM, (0, 0, -0.7, -1, 0)),
    ("tilted oracle", 0, MINIMUM, (0.3, 0.9, 0.1, 0.2, 0.4)),
    ("planar saddle 1", 0, SADDLE, (0, 0, 0.7, 1, 1e-6)),
    ("oblique saddle 1", 1, SADDLE, (1e-6, 0, 0.7, 1, 0)),
    ("planar saddle 2", 0, SADDLE, (0.5, 0.5, 0.1, 0.1, 0.1)),
    ("oblique saddle 2", 1, SADDLE, (0, 1e-6, 0.7, 1, 0)),
    ("oblique saddle 3", 1, SADDLE, (0, 0, 0.7, 0.9, 0)),
    ("planar maximum", 0, MAXIMUM, (1, 0, 0, 0, 0)),
    ("oblique maximum", 1, MAXIMUM - 1, (0.5, 0, 0, 0, 0)),
    ("orthogonal saddle", 2, SADDLE, (0, 0, 0, 0, 1e-6)),
)
"""Others, in the order in which they are numbered."""

SWAPPED_WHOLLY: tuple[tuple[str, int, int, Five], ...] = (
    ("role-swapped", 0, MINIMUM, (0, 0, 1, 1, 0)),
    ("planar saddle", 0, SADDLE, (0.5, 0.5, 0.1, 0.1, 0.1)),
)
"""Where the complete swap is the role-swapped point."""

Names = Callable[[Sequence[CriticalPoint]], Sequence[CriticalPoint]]


def name_steps(named: Names, _: Context) -> Iterator[Step]:
    """Points by image, rank and index."""
    yield from _same(named, [*EXACT, *FOUND])
    yield from _same(named, SWAPPED_WHOLLY)


def _same(named: Names, rows: Sequence[tuple[str, int, int, Five]]) -> Iterator[Step]:
    points = [
        CriticalPoint(tuple(map(float, o)), 0.0, 0.0, rank, index, rank, True, DIMENSION)  # type: ignore[arg-type]
        for _, rank, index, o in rows
    ]
    for (name, *_), point in zip(rows, named(points), strict=True):
        yield Step(f"{point.overlaps}, of rank {point.rank}: {name}", point.name == name, point.name)


def by_kind(points: Sequence[CriticalPoint]) -> list[CriticalPoint]:
    """A false variant that looks at the kind alone."""
    return [replace(point, name=point.kind) for point in points]


def claims() -> list[Claim]:
    return [
        Claim(
            id="landscape.names",
            statement="Critical points that are known for all parameters have their names whichever image is found; the "
            "role-swapped point has $k = v^*$ and $v$ orthogonal to it, the tilted oracle is the other minimum in the plane, "
            "and what is left is named by stratum and kind, and numbered where several would have one name.",
            subject=lambda: find.named,
            source="this toolkit",
            judges=(Steps(name_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("by kind", lambda: by_kind),),
            depends_on=("risk.symmetry", "risk.reflection"),
        )
    ]
