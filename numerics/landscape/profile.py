"""The functions of kappa in the equations of critical points: on arrays, and enclosed on intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol

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

CELLS = 512
"""Cells of [0, 1] on which an enclosure is tabled."""

MARGIN = 16
"""Cells tabled below kappa = 0."""

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
    """Enclosures on intervals of kappa in [-MARGIN / CELLS, 1], from a table of Arb enclosures on cells.

    On an interval in cells i..j a function lies in the hull of its enclosures on these, and, by the mean
    value theorem, within slopes * (kappa - node) of its value at any node.
    """

    def __init__(self, parameters: Parameters) -> None:
        with precision(BITS):
            arguments = parameters.balls()
            constants = generated.constants(BOXES, *arguments)
            self.constants = {
                name: Interval.of(ball) for name, ball in zip(CONSTANTS, constants, strict=True)
            }
            self.constants["gamma"] = Interval.of(arguments[2])
            nodes = [arb(i) / CELLS for i in range(-MARGIN, CELLS + 1)]
            at_nodes = [generated.profile(BOXES, node, *arguments) for node in nodes]
            cells = [low.union(high) for low, high in pairwise(nodes)]
            slopes = [generated.profile_slopes(BOXES, cell, *arguments) for cell in cells]
            values = [
                _tightened(generated.profile(BOXES, cell, *arguments), at, slope, cell - node)
                for cell, at, slope, node in zip(cells, at_nodes[:-1], slopes, nodes[:-1], strict=True)
            ]
        self._nodes = _columns(at_nodes)
        self._values = [_Hulls(column) for column in _columns(values)]
        self._slopes = [_Hulls(column) for column in _columns(slopes)]

    def __call__(self, kappa: Jet) -> dict[str, Jet]:
        where = _Place(kappa.value)
        result = {}
        for name, node, value, slope in zip(NAMES, self._nodes, self._values, self._slopes, strict=True):
            steep = slope(where)
            linear = node[where.node] + steep * where.offset
            result[name] = kappa.then(value(where).intersect(linear), steep)
        return result


class _Place:
    """The cells that intervals of kappa meet, a node near the middle of each, and the offset from it."""

    def __init__(self, kappa: Interval) -> None:
        low, high = kappa.lo * CELLS + MARGIN, np.minimum(kappa.hi, 1.0) * CELLS + MARGIN
        self.outside = ~(low >= 0)
        last = CELLS + MARGIN - 1
        self.first = np.clip(np.floor(np.where(self.outside, 0, low)), 0, last).astype(int)
        self.last = np.clip(np.floor(np.where(np.isnan(high), last, high)), self.first, last).astype(int)
        self.node = (self.first + self.last + 1) // 2
        self.offset = Interval(kappa.lo, np.minimum(kappa.hi, 1.0)) - (self.node - MARGIN) / CELLS


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


def _tightened(cell: tuple[arb, ...], at: tuple[arb, ...], slopes: tuple[arb, ...], offset: arb) -> list[arb]:
    mean_value = (a + s * offset for a, s in zip(at, slopes, strict=True))
    return [c.intersection(b) for c, b in zip(cell, mean_value, strict=True)]


def _columns(rows: list[Any]) -> list[Interval]:
    return [Interval.of([arb(row[i]) for row in rows]) for i in range(len(NAMES))]
