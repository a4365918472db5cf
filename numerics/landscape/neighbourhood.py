"""A box around a critical point's coordinates that holds no other critical point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from numerics.landscape.charts import Oblique, Plane
from numerics.landscape.cover import slope
from numerics.landscape.intervals import Interval
from numerics.landscape.jets import coordinates
from numerics.landscape.profile import IntervalProfile

Box = tuple[np.ndarray, np.ndarray]

SMALL = 1e-9
"""Size of the box by which the sides' proportions are found."""

SIZES = 0.3 * 0.75 ** np.arange(60)

PIECES = 6
"""Pieces of each side of a box on which the Jacobian is enclosed; the hull of all is tighter than one."""


def neighbourhood(chart: Plane | Oblique, profile: IntervalProfile, at: Sequence[float]) -> Box | None:
    """Low and high corner of the largest of some boxes around a point that hold at most one critical point.

    With Y an approximate inverse of the Jacobian J of a square part of the equations at the point, these are
    one-to-one on a box with sides 2 r_j if sum_j |1 - Y J|_ij r_j < r_i on it, for each i.
    """
    best, precise = None, chart.with_profile(profile)
    for square in precise.square:
        found = _largest(precise, square, np.asarray(at, dtype=float))
        if found and (best is None or np.prod(found[1] - found[0]) > np.prod(best[1] - best[0])):
            best = found
    return best


@np.errstate(all="ignore")
def _largest(chart: Plane | Oblique, square: tuple[int, ...], centre: np.ndarray) -> Box | None:
    middle = _jacobian(chart, square, (centre, centre)).middle
    if not np.isfinite(middle).all() or abs(np.linalg.det(middle)) < 1e-300:
        return None
    inverse = np.linalg.inv(middle)
    shape = _proportions(_defect(chart, square, inverse, (centre - SMALL, centre + SMALL)))
    best, low, high = None, 0, len(SIZES)
    while low < high:  # the smaller the box, the smaller the defect
        middle_size = (low + high) // 2
        radii = SIZES[middle_size] * shape
        box = centre - radii, centre + radii
        reach = np.maximum(box[1] - centre, centre - box[0])
        if _contracts(_defect(chart, square, inverse, box), reach):
            best, high = box, middle_size
        else:
            low = middle_size + 1
    return best


def _jacobian(chart: Plane | Oblique, square: tuple[int, ...], box: Box) -> Interval:
    """Enclosure (equations, coordinates) of the Jacobian on a box, from its pieces."""
    sides = [np.linspace(low, high, PIECES + 1) for low, high in zip(*box, strict=True)]
    low, high = (
        np.meshgrid(*(side[part] for side in sides), indexing="ij") for part in (slice(-1), slice(1, None))
    )
    pieces = [Interval(a.ravel(), b.ravel()) for a, b in zip(low, high, strict=True)]
    jets, size = chart.equations(coordinates(pieces)), len(sides)
    entries = [[slope(jets[i], j) for j in range(size)] for i in square]
    lows = [[entry.lo.min() for entry in row] for row in entries]
    highs = [[entry.hi.max() for entry in row] for row in entries]
    return Interval(np.array(lows), np.array(highs))


def _defect(chart: Plane | Oblique, square: tuple[int, ...], inverse: np.ndarray, box: Box) -> np.ndarray:
    """Upper bounds of the entries of |1 - Y J| on a box."""
    jacobian, size = _jacobian(chart, square, box), len(inverse)
    product = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            terms = (jacobian[k, j] * -float(inverse[i, k]) for k in range(size))
            product[i, j] = sum(terms, Interval(float(i == j))).magnitude
    return np.where(np.isfinite(product), product, np.inf)


def _proportions(defect: np.ndarray) -> np.ndarray:
    """Sides for which the bound grows evenly: the Perron vector of the defect of a small cube."""
    if not np.isfinite(defect).all():
        return np.ones(len(defect))
    shape = np.ones(len(defect))
    for _ in range(50):
        shape = defect @ shape + 1e-3 * defect.max() * shape + 1e-300
        shape /= shape.max()
    return np.maximum(shape, 1e-4)


def _contracts(defect: np.ndarray, radii: np.ndarray) -> bool:
    """Whether sum_j defect_ij r_j < r_i for each i, rounded upwards."""
    for row, radius in zip(defect, radii, strict=True):
        total = sum((Interval(entry) * float(r) for entry, r in zip(row, radii, strict=True)), Interval(0.0))
        if not total.hi < radius:
            return False
    return True
