"""The critical points of the risk: search, proof, names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from numerics.landscape import certify, search
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import CriticalPoint

ORACLE, SWAPPED, TILTED = "oracle", "role-swapped", "tilted oracle"
"""Minima. The tilted oracle, in the plane of k* and v*, parts from the oracle when that ceases to be one."""

EXACT = {
    ORACLE: (1, 1, 0, 0, 0),
    "negated oracle": (1, -1, 0, 0, 0),
    "orthogonal": (0, 0, 0, 0, 0),
    "aligned": (0, 0, 0, 0, 1),
    "complete swap": (0, 0, 1, 1, 0),
    "negated swap": (0, 0, -1, 1, 0),
}
"""Critical points for all parameters, by symmetry: kappa, nu, theta, eta, rho."""

STRATA = ("planar", "oblique", "orthogonal")
"""By rank, in the names of critical points that are known by no other."""


def critical_points(
    parameters: Parameters, *, seed: int = 0, starts: int = search.STARTS, last_bits: int = certify.LAST_BITS
) -> tuple[CriticalPoint, ...]:
    """Every class of critical points that is found, the lowest risk first, certified and named.

    seed, starts: of the search in each chart. last_bits: working precision at most.
    That there is no other is a matter of numerics.landscape.completeness.
    """
    found = [certify.on_manifold(parameters, nu) for nu in (1, -1)]
    found.append(certify.orthogonal(parameters))
    for chart in search.charts(parameters):
        for at in search.candidates(chart, seed, starts):
            if search.is_singular(chart, at):
                continue
            point = certify.critical_point(parameters, chart, at, last_bits)
            if point and not any(point.is_at(*other.overlaps) for other in found):
                found.append(point)
    return named(sorted(found, key=lambda point: point.excess_risk))


def named(points: Sequence[CriticalPoint]) -> tuple[CriticalPoint, ...]:
    """The points with names: those known in closed form by theirs, others by stratum and kind."""
    names = [_known(point) for point in points]
    if SWAPPED not in names:
        names = [SWAPPED if name == "complete swap" else name for name in names]
    return tuple(
        replace(point, name=name) for point, name in zip(points, _numbered(points, names), strict=True)
    )


def _known(point: CriticalPoint) -> str | None:
    for name, overlaps in EXACT.items():
        if point.is_at(*overlaps):
            return name
    if point.rank == 0 and point.kind == "minimum":
        return TILTED
    _, _, theta, eta, _ = point.overlaps
    return SWAPPED if point.is_at(0, 0, theta * eta, 1, 0) else None


def _numbered(points: Sequence[CriticalPoint], names: Iterable[str | None]) -> list[str]:
    """Names for the rest, with numbers in the order of risk where several would have the same."""
    full = [name or f"{STRATA[point.rank]} {point.kind}" for point, name in zip(points, names, strict=True)]
    total, seen = Counter(full), Counter[str]()
    result = []
    for name in full:
        seen[name] += 1
        result.append(f"{name} {seen[name]}" if total[name] > 1 else name)
    return result
