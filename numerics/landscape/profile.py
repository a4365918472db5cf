"""The functions of kappa in the equations of critical points: on arrays, and enclosed on intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from flint import arb

from numerics.arb import BOXES, precision
from numerics.generated import landscape as generated
from numerics.landscape.intervals import Interval
from numerics.landscape.jets import Jet
from numerics.landscape.parameters import Parameters

NAMES = (
    "gate",
    "value",
    "score",
    "cross",
    "swap",
    "decay",
    "gate_ratio",
    "free_slope",
    "value_slope",
    "score_slope",
    "cross_slope",
    "swap_slope",
)
"""The results of the generated `profile`, in order; theory.landscape says what they are."""

CONSTANTS = ("u", "gate_slope", "swap_scale")

CELLS, FINE_CELLS = 1024, 65536
"""Cells of a unit of kappa on which an enclosure is tabled, powers of two: usually, and on a short span."""

MARGIN = 32
"""Cells tabled below kappa = 0, and on both sides of a short span."""

BITS = 80


class Profile(Protocol):
    """The functions at kappa, by name, with their derivatives in the coordinates of kappa."""

    @property
    def constants(self) -> Mapping[str, Any]:
        """What does not depend on kappa, and gamma."""

    def __call__(self, kappa: Jet) -> dict[str, Jet]: ...


class PointProfile:
    """The functions at points: numbers, arrays, or balls."""

    def __init__(self, functions: Any, parameters: Sequence[Any]) -> None:
        """functions: a table F; parameters: lam, m, gamma and L, numbers that it takes."""
        self._functions, self._parameters = functions, parameters
        self.constants = dict(zip(CONSTANTS, self._evaluate(generated.constants), strict=True))
        self.constants["gamma"] = parameters[2]

    def __call__(self, kappa: Jet) -> dict[str, Jet]:
        values = self._evaluate(generated.profile, kappa.value)
        slopes = self._evaluate(generated.profile_slopes, kappa.value)
        return {name: kappa.then(v, s) for name, v, s in zip(NAMES, values, slopes, strict=True)}

    def _evaluate(self, function: Any, *arguments: Any) -> tuple[Any, ...]:
        return function(self._functions, *arguments, *self._parameters)


class IntervalProfile:
    """Enclosures on intervals of kappa, from tables of Arb enclosures on cells.

    They cover [-MARGIN / CELLS, 1], or, on a finer scale, a short span of kappa; beyond, nothing is known.

    On an interval in cells i..j a function lies in the hull of its enclosures on these, and, by Taylor's
    formula, near its value at any node: within derivative * (kappa - node), and for the functions themselves,
    not their slopes, also within a second derivative's term of the tangent.
    """

    def __init__(self, parameters: Parameters, span: tuple[float, float] | None = None) -> None:
        self._scale = _Scale.whole() if span is None else _Scale.of(*span)
        with precision(BITS):
            arguments = parameters.balls()
            constants = generated.constants(BOXES, *arguments)
            self.constants = {
                name: Interval.of(ball) for name, ball in zip(CONSTANTS, constants, strict=True)
            }
            self.constants["gamma"] = Interval.of(arguments[2])
            values, slopes, curvatures = (
                _Table(function, arguments, self._scale)
                for function in (generated.profile, generated.profile_slopes, generated.profile_curvatures)
            )
        self._slopes = slopes.columns(curvatures)
        tangents = values.columns(slopes)
        self._values = [
            replace(column, tangent=slope.nodes, curvature=slope.derivative)
            for column, slope in zip(tangents, self._slopes, strict=True)
        ]

    def __call__(self, kappa: Jet) -> dict[str, Jet]:
        where = _Place(kappa.value, self._scale)
        columns = zip(NAMES, self._values, self._slopes, strict=True)
        return {name: kappa.then(value(where), slope(where)) for name, value, slope in columns}


class _Scale(NamedTuple):
    """Nodes i / cells for first <= i <= last."""

    cells: int
    first: int
    last: int

    @classmethod
    def whole(cls) -> _Scale:
        """The scale for all of [0, 1]."""
        return cls(CELLS, -MARGIN, CELLS)

    @classmethod
    def of(cls, low: float, high: float) -> _Scale:
        """The fine scale for a span."""
        return cls(FINE_CELLS, int(low * FINE_CELLS) - MARGIN, int(high * FINE_CELLS) + MARGIN)


class _Table:
    """Arb enclosures of a generated function at the nodes and on the cells between them."""

    def __init__(self, function: Callable[..., Any], arguments: Sequence[arb], scale: _Scale) -> None:
        self._places = [arb(i) / scale.cells for i in range(scale.first, scale.last + 1)]
        self.nodes = [function(BOXES, node, *arguments) for node in self._places]
        self.cells = [function(BOXES, low.union(high), *arguments) for low, high in pairwise(self._places)]

    def columns(self, derivative: _Table) -> list[_Column]:
        """Each of the functions, given the table of their derivatives."""
        offsets = [low.union(high) - low for low, high in pairwise(self._places)]
        tight = [
            [c.intersection(n + s * offset) for c, n, s in zip(cell, node, slope, strict=True)]
            for cell, node, slope, offset in zip(
                self.cells, self.nodes[:-1], derivative.cells, offsets, strict=True
            )
        ]
        parts = zip(_columns(self.nodes), _columns(tight), _columns(derivative.cells), strict=True)
        return [_Column(node, _Hulls(cell), _Hulls(slope)) for node, cell, slope in parts]


@dataclass(frozen=True)
class _Column:
    """One function: its values at the nodes, and hulls of itself and of its derivative over cells.

    tangent, curvature: its slopes at the nodes and hulls of its second derivative, if they are known.
    """

    nodes: Interval
    cells: _Hulls
    derivative: _Hulls
    tangent: Interval | None = None
    curvature: _Hulls | None = None

    def __call__(self, where: _Place) -> Interval:
        start = self.nodes[where.node]
        found = self.cells(where).intersect(start + self.derivative(where) * where.offset)
        if self.tangent is None or self.curvature is None:
            return found
        bend = self.curvature(where) * where.offset**2 * 0.5
        return found.intersect(start + self.tangent[where.node] * where.offset + bend)


class _Place:
    """The cells that intervals of kappa meet, a node near the middle of each, and the offset from it."""

    def __init__(self, kappa: Interval, scale: _Scale) -> None:
        top = np.minimum(kappa.hi, 1.0)
        low, high = kappa.lo * scale.cells - scale.first, top * scale.cells - scale.first
        last = scale.last - scale.first - 1
        self.outside = ~((low >= 0) & (high <= last + 1))
        self.first = np.clip(np.floor(np.where(self.outside, 0, low)), 0, last).astype(int)
        self.last = np.clip(np.floor(np.where(self.outside, last, high)), self.first, last).astype(int)
        self.node = (self.first + self.last + 1) // 2
        self.offset = Interval(kappa.lo, top) - (self.node + scale.first) / scale.cells


class _Hulls:
    """Hulls of the enclosures on the cells i..j, by hulls over runs of cells of lengths 1, 2, 4, ..."""

    def __init__(self, cells: Interval) -> None:
        self._levels = [cells]
        length = 1
        while 2 * length <= cells.lo.size:
            last = self._levels[-1]
            self._levels.append(
                Interval(
                    np.minimum(last.lo[:-length], last.lo[length:]),
                    np.maximum(last.hi[:-length], last.hi[length:]),
                )
            )
            length *= 2

    def __call__(self, where: _Place) -> Interval:
        level = np.log2(where.last - where.first + 1).astype(int)
        low, high = np.empty(level.shape), np.empty(level.shape)
        for n in np.unique(level):
            here = level == n
            one, two = where.first[here], where.last[here] + 1 - (1 << n)
            runs = self._levels[n]
            low[here] = np.minimum(runs.lo[one], runs.lo[two])
            high[here] = np.maximum(runs.hi[one], runs.hi[two])
        return Interval(np.where(where.outside, -np.inf, low), np.where(where.outside, np.inf, high))


def _columns(rows: list[Any]) -> list[Interval]:
    return [Interval.of([arb(row[i]) for row in rows]) for i in range(len(NAMES))]
