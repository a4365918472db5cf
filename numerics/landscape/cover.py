"""Branch and bound over a chart: proves that it holds no other critical points than the known ones."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from numerics.landscape.charts import Oblique, Plane
from numerics.landscape.intervals import Interval
from numerics.landscape.jets import Jet, coordinates

Chart = Plane | Oblique
Box = tuple[np.ndarray, np.ndarray]

CHUNK = 8192
"""Cells that are examined at once."""

FIRST_CUTS = 8
"""Cells along a side of length one to begin with."""


@dataclass(frozen=True)
class Cover:
    """The outcome: `complete` if nothing is left; otherwise the cell that resisted, in the coordinates."""

    complete: bool
    cells: int
    left: int = 0
    resisting: tuple[tuple[float, float], ...] = ()


def cover(chart: Chart, known: Sequence[Box], *, cells: int, seconds: float) -> Cover:
    """Examine the chart's domain, which is cut until each cell is in a known box or holds no critical point.

    known: boxes (low, high) that hold no critical points but the known ones, see `neighbourhood`.
    cells, seconds: the budget. The chart's profile must be an IntervalProfile.
    """
    low, high = _grid(chart)
    examined, deadline = 0, time.monotonic() + seconds
    while low.shape[1]:
        if examined >= cells or time.monotonic() > deadline:
            resisting = tuple((float(a), float(b)) for a, b in zip(low[:, -1], high[:, -1], strict=True))
            return Cover(False, examined, low.shape[1], resisting)
        now, rest = slice(-CHUNK, None), slice(0, max(low.shape[1] - CHUNK, 0))
        part = _cut(chart, low[:, now], high[:, now], known)
        examined += low[:, now].shape[1]
        low = np.concatenate([low[:, rest], part[0]], axis=1)
        high = np.concatenate([high[:, rest], part[1]], axis=1)
    return Cover(True, examined)


def _cut(chart: Chart, low: np.ndarray, high: np.ndarray, known: Sequence[Box]) -> Box:
    """Halves of the cells that are not decided."""
    inside = np.zeros(low.shape[1], dtype=bool)
    for box in known:
        inside |= np.all((low >= box[0][:, None]) & (high <= box[1][:, None]), axis=0)
    low, high = low[:, ~inside], high[:, ~inside]
    if not low.shape[1]:
        return low, high
    found = examine(chart, low, high)
    kept = ~found.empty
    low, high, along = found.low[:, kept], found.high[:, kept], found.along[kept]
    middle, number = low / 2 + high / 2, np.arange(low.shape[1])
    left, right = high.copy(), low.copy()
    left[along, number] = right[along, number] = middle[along, number]
    return np.concatenate([low, right], axis=1), np.concatenate([left, high], axis=1)


class Examined(NamedTuple):
    """Which cells hold no critical point, the side to cut each across, and the cells, narrowed."""

    empty: np.ndarray
    along: np.ndarray
    low: np.ndarray
    high: np.ndarray


@np.errstate(all="ignore")
def examine(chart: Chart, low: np.ndarray, high: np.ndarray) -> Examined:
    """Look at cells (dimension, n) of a chart whose profile is an IntervalProfile."""
    at, middle = _jets(low, high), low / 2 + high / 2
    jets = chart.equations(at)
    points = chart.equations(_jets(middle, middle))
    offsets = [Interval(a, b) - m for a, b, m in zip(low, high, middle, strict=True)]
    empty = np.zeros(low.shape[1], dtype=bool)
    for jet, point in zip(jets, points, strict=True):
        mean_value = sum((slope(jet, i) * offset for i, offset in enumerate(offsets)), point.value)
        empty |= jet.value.excludes_zero() | mean_value.excludes_zero()
    low, high = low.copy(), high.copy()
    for square in chart.square:
        empty |= _narrow([jets[i] for i in square], [points[i] for i in square], offsets, middle, low, high)
    weights = sum(_smear(jet, high - low) for jet in jets)
    return Examined(empty, np.argmax(weights + 1e-3 * (high - low), axis=0), low, high)


def _narrow(
    jets: Sequence[Jet],
    points: Sequence[Jet],
    offsets: Sequence[Interval],
    middle: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
) -> np.ndarray:
    """Intersect the cells with their Krawczyk images, in place; which are empty then."""
    size = len(jets)
    inverse, regular = _inverses(np.array([[slope(jet, j).middle for j in range(size)] for jet in jets]))
    for i in range(size):
        image = Interval(middle[i])
        for r in range(size):
            image = image - points[r].value * inverse[i, r]
        for j in range(size):
            entry = sum((slope(jets[r], j) * -inverse[i, r] for r in range(size)), Interval(float(i == j)))
            image = image + entry * offsets[j]
        low[i] = np.where(regular & (image.lo > low[i]), image.lo, low[i])
        high[i] = np.where(regular & (image.hi < high[i]), image.hi, high[i])
    return np.asarray((low > high).any(axis=0))


def _inverses(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Approximate inverses of matrices (n, n, cells), and which are finite; 0 for others."""
    stacked = np.moveaxis(matrices, 2, 0)
    regular = np.isfinite(stacked).all(axis=(1, 2))
    stacked = np.where(regular[:, None, None], stacked, np.eye(stacked.shape[1]))
    regular &= np.abs(np.linalg.det(stacked)) > 1e-300
    stacked = np.where(regular[:, None, None], stacked, np.eye(stacked.shape[1]))
    return np.moveaxis(np.linalg.inv(stacked), 0, 2), regular


def _smear(jet: Jet, widths: np.ndarray) -> np.ndarray:
    """How much of the variation of an equation over the cells comes from each coordinate."""
    parts = np.array([slope(jet, i).magnitude * width for i, width in enumerate(widths)])
    parts = np.where(np.isfinite(parts), parts, 0.0)
    return parts / np.maximum(parts.sum(axis=0), 1e-300)


def slope(jet: Jet, i: int) -> Interval:
    """The derivative of a jet of intervals in coordinate i, of the same shape."""
    found, shape = jet.slopes.get(i, 0.0), jet.value.lo.shape
    known = found if isinstance(found, Interval) else Interval(found)
    return Interval(np.broadcast_to(known.lo, shape), np.broadcast_to(known.hi, shape))


def _jets(low: np.ndarray, high: np.ndarray) -> list[Jet]:
    return coordinates([Interval(a, b) for a, b in zip(low, high, strict=True)])


def _grid(chart: Chart) -> Box:
    """The domain in cubes."""
    sides = [
        np.linspace(a, b, math.ceil(FIRST_CUTS * (b - a)) + 1)
        for a, b in zip(chart.low, chart.high, strict=True)
    ]
    low, high = (
        np.meshgrid(*(side[part] for side in sides), indexing="ij") for part in (slice(-1), slice(1, None))
    )
    return np.array([x.ravel() for x in low]), np.array([x.ravel() for x in high])
