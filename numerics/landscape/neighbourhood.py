"""A box around a critical point's coordinates that holds no other critical point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import arb, arb_mat

from numerics.arb import BOXES, precision
from numerics.landscape.charts import Oblique, Plane
from numerics.landscape.jets import coordinates
from numerics.landscape.parameters import Parameters
from numerics.landscape.profile import PointProfile

Box = tuple[np.ndarray, np.ndarray]

BITS = 80
SMALL = 1e-9
"""Size of the box by which the sides' proportions are found."""

SIZES = 0.3 * 0.75 ** np.arange(60)


def neighbourhood(chart: Plane | Oblique, parameters: Parameters, at: Sequence[float]) -> Box | None:
    """Low and high corner of the largest of some boxes around a point that hold at most one critical point.

    With Y an approximate inverse of the Jacobian J of a square part of the equations at the point, these are
    one-to-one on a box with sides 2 r_j if sum_j |1 - Y J|_ij r_j < r_i on it, for each i.
    """
    best = None
    with precision(BITS):
        precise = chart.with_profile(PointProfile(BOXES, parameters.balls()))
        for square in precise.square:
            found = _largest(precise, square, at)
            if found and (best is None or np.prod(found[1] - found[0]) > np.prod(best[1] - best[0])):
                best = found
    return best


def _largest(chart: Plane | Oblique, square: tuple[int, ...], at: Sequence[float]) -> Box | None:
    centre = np.asarray(at, dtype=float)
    try:
        inverse = _jacobian(chart, square, centre, np.zeros(centre.size)).inv()
    except ZeroDivisionError:
        return None
    shape = _proportions(_defect(chart, square, inverse, centre, np.full(centre.size, SMALL)))
    for size in SIZES:
        radii = size * shape
        defect = _defect(chart, square, inverse, centre, radii)
        if _contracts(defect, radii):
            return centre - radii, centre + radii
    return None


def _jacobian(
    chart: Plane | Oblique, square: tuple[int, ...], centre: np.ndarray, radii: np.ndarray
) -> arb_mat:
    """Enclosure of the Jacobian on a box."""
    box = [arb(x).union(arb(x - r)).union(arb(x + r)) for x, r in zip(centre, radii, strict=True)]
    jets = chart.equations(coordinates(box))
    return arb_mat([[jets[i].slopes.get(j, arb(0)) for j in range(centre.size)] for i in square])


def _defect(
    chart: Plane | Oblique, square: tuple[int, ...], inverse: arb_mat, centre: np.ndarray, radii: np.ndarray
) -> list[list[arb]]:
    """Upper bounds of the entries of |1 - Y J| on a box."""
    product = inverse * _jacobian(chart, square, centre, radii)
    size = centre.size
    return [[abs(arb(i == j) - product[i, j]).upper() for j in range(size)] for i in range(size)]


def _proportions(defect: list[list[arb]]) -> np.ndarray:
    """Sides for which the bound grows evenly: the Perron vector of the defect of a small cube."""
    matrix = np.array([[float(entry) for entry in row] for row in defect])
    if not np.isfinite(matrix).all():
        return np.ones(len(matrix))
    shape = np.ones(len(matrix))
    for _ in range(50):
        shape = matrix @ shape + 1e-3 * matrix.max() * shape + 1e-300
        shape /= shape.max()
    return np.maximum(shape, 1e-4)


def _contracts(defect: list[list[arb]], radii: np.ndarray) -> bool:
    for row, radius in zip(defect, radii, strict=True):
        total = sum((entry * arb(r) for entry, r in zip(row, radii, strict=True)), arb(0))
        if not total < arb(radius):
            return False
    return True
