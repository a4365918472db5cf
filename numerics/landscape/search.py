"""Candidates for critical points: Newton's method from many starts, in double precision."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.stats import qmc

from numerics.arrays import ARRAYS
from numerics.landscape.charts import Oblique, Plane
from numerics.landscape.jets import Jet, coordinates
from numerics.landscape.parameters import Parameters
from numerics.landscape.profile import PointProfile

Chart = Plane | Oblique

STARTS = 1024
"""Starts in each chart, a power of two."""

STEPS = 60
SMALLEST = 1e-12
"""A run has arrived when a step in the coordinates is smaller."""

APART = 1e-7
"""Solutions closer than this in their coordinates are one."""


def charts(parameters: Parameters) -> list[Chart]:
    """The charts that cover the critical points in the span of k*, v*, e1."""
    profile = PointProfile(ARRAYS, parameters.floats())
    return [kind(profile, sign) for kind in (Plane, Oblique) for sign in (1, -1)]


def is_singular(chart: Chart, at: np.ndarray) -> bool:
    """k = v* and v = +-v*, where the equations of the oblique chart vanish although nothing is critical."""
    upright = 1.0 if isinstance(chart, Oblique) and chart.turned else 0.0
    return isinstance(chart, Oblique) and at[0] < APART and abs(abs(at[2]) - upright) < APART


def candidates(chart: Chart, seed: int = 0, starts: int = STARTS) -> np.ndarray:
    """Zeros (n, dimension) of the chart's equations in its domain, its edges included, unproved."""
    low, high = np.array(chart.low), np.array(chart.high)
    uniform = qmc.Sobol(low.size, rng=np.random.default_rng(seed)).random(starts)
    found = [_arrived(chart, low + (high - low) * uniform, square) for square in chart.square]
    points = np.concatenate(found)
    inside = np.all((points > low - APART) & (points < high + APART), axis=1)
    return _distinct(np.clip(points[inside], low, high))


def evaluate(chart: Chart, points: np.ndarray, square: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Values (n, dimension) of some equations of a chart, and Jacobians (n, dimension, dimension)."""
    jets = chart.equations(coordinates(list(points.T)))
    chosen = [jets[i] for i in square]
    values = np.stack([np.broadcast_to(jet.value, points.shape[:1]) for jet in chosen], axis=1)
    return values, np.stack([_gradient(jet, points) for jet in chosen], axis=1)


def _gradient(jet: Jet, points: np.ndarray) -> np.ndarray:
    slopes = [jet.slopes.get(i, 0.0) for i in range(points.shape[1])]
    return np.stack([np.broadcast_to(slope, points.shape[:1]) for slope in slopes], axis=1)


def _arrived(chart: Chart, points: np.ndarray, square: tuple[int, ...]) -> np.ndarray:
    """Where damped Newton steps end, for the starts from which they shrink to nothing."""
    limit = 0.2
    size = np.full(len(points), np.inf)
    for _ in range(STEPS):
        with np.errstate(all="ignore"):
            step = _steps(*evaluate(chart, points, square))
        size = np.linalg.norm(step, axis=1)
        points = points - step * np.minimum(1.0, limit / np.maximum(size, 1e-300))[:, None]
        wandering = ~np.all(np.abs(points) < 2, axis=1)
        points, size = points[~wandering], size[~wandering]
    return points[size < SMALLEST]


def _steps(values: np.ndarray, jacobians: np.ndarray) -> np.ndarray:
    """Newton steps by least squares, each equation scaled by its gradient; nan where it is not finite."""
    scale = np.linalg.norm(jacobians, axis=2, keepdims=True) + 1e-300
    matrix, right = jacobians / scale, values[..., None] / scale
    bad = ~(np.isfinite(matrix).all(axis=(1, 2)) & np.isfinite(right).all(axis=(1, 2)))
    matrix[bad], right[bad] = np.eye(matrix.shape[1]), np.nan
    return (np.linalg.pinv(matrix, rcond=1e-14) @ right)[..., 0]


def _distinct(points: np.ndarray) -> np.ndarray:
    """One of each group of points that are close."""

    def groups() -> Iterator[np.ndarray]:
        left = points
        while len(left):
            near = np.linalg.norm(left - left[0], axis=1) < 1e3 * APART
            yield left[0]
            left = left[~near]

    return np.array(list(groups())).reshape(-1, points.shape[1])
