"""Cells dropped and narrowed, where the tests' intervals are known in closed form"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from numerics.landscape import cover
from numerics.landscape.charts import Plane
from numerics.landscape.cover import Chart, Examined
from numerics.landscape.jets import Jet
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.claims.cells import Examine, half_of_each
from proofs_check.judges.exact import Step, Steps

BEND = 0.3
BENT = (2, 0, 1, 0)
"""Which coordinate enters each equation squared."""
SQUARES: dict[str, tuple[tuple[int, ...], ...]] = {
    "no square part": (),
    "two square parts": ((0, 1, 2), (3, 1, 0)),
    "a part that is singular": ((1, 1, 2), (2, 3, 0)),
}
CELLS = 400
ROUNDING = 1e-10


class Quadratics(Plane):
    """Four equations f_i = sum_j A_ij (x_j - z_j) + b (x_c - z_c)^2 in three coordinates, c as BENT says."""

    def __init__(self, rng: np.random.Generator, square: tuple[tuple[int, ...], ...]) -> None:
        self.zero, self.square = rng.uniform(-1, 1, 3), square  # type: ignore[assignment]
        main = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, -1]])
        self.matrix = main + rng.uniform(-0.3, 0.3, main.shape)
        self.matrix[0, 1] = self.matrix[2, 0] = 0

    def equations(self, at: Sequence[Jet]) -> list[Jet]:
        """The equations, each without the coordinates that do not enter it."""
        away = [x - float(z) for x, z in zip(at, self.zero, strict=True)]
        linear = [sum(float(a) * x for a, x in zip(row, away, strict=True) if a) for row in self.matrix]
        return [line + BEND * away[bent] ** 2 for line, bent in zip(linear, BENT, strict=True)]

    def expected(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Which cells (3, n) hold no zero by their ranges, means or images, and the cells, narrowed."""
        middle, radius = (low + high) / 2, (high - low) / 2
        away, one = middle - self.zero[:, None], np.eye(3)[list(BENT)]
        values = self.matrix @ away + BEND * away[list(BENT)] ** 2
        slopes = self.matrix[..., None] + 2 * BEND * one[..., None] * away
        spread = 2 * BEND * one[..., None] * radius
        empty = np.any(np.abs(values) > np.sum((np.abs(slopes) + spread) * radius, axis=1), axis=0)
        empty |= self._out_of_range(away, radius)
        for part in map(list, self.square):
            if len(set(part)) == 3:
                inverse = np.linalg.inv(np.moveaxis(slopes[part], 2, 0))
                centre = middle - np.einsum("nij,jn->in", inverse, values[part])
                reach = np.einsum("nij,jkn,kn->in", np.abs(inverse), spread[part], radius)
                low, high = np.maximum(low, centre - reach), np.minimum(high, centre + reach)
        return empty | np.any(low > high, axis=0), low, high

    def _out_of_range(self, away: np.ndarray, radius: np.ndarray) -> np.ndarray:
        """Where the terms' ranges sum to an interval without zero."""
        nearest, farthest = np.maximum(np.abs(away) - radius, 0), np.abs(away) + radius
        linear, width = self.matrix @ away, np.abs(self.matrix) @ radius
        above = linear - width + BEND * nearest[list(BENT)] ** 2 > 0
        below = linear + width + BEND * farthest[list(BENT)] ** 2 < 0
        return np.any(above | below, axis=0)


def narrowing_steps(examining: Examine, context: Context) -> Iterator[Step]:
    """Random cells with the zero in them or near them."""
    rng = np.random.default_rng(context.seed)
    for name, square in SQUARES.items():
        chart = Quadratics(rng, square)
        radius = 10.0 ** rng.uniform(-2, 0.3, (3, CELLS))
        middle = chart.zero[:, None] + radius * rng.uniform(-1.5, 1.5, radius.shape)
        found = examining(chart, middle - radius, middle + radius)
        empty, low, high = chart.expected(middle - radius, middle + radius)
        wrong = int((found.empty != empty).sum())
        yield Step(f"{name}: {int(empty.sum())} of {CELLS} cells hold no zero", wrong == 0, f"{wrong} others")
        error = max(np.abs(found.low - low).max(), np.abs(found.high - high).max())
        yield Step(f"{name}: the cells are narrowed", bool(error < ROUNDING), f"to within {error:.1e}")


def not_narrowed(chart: Chart, low: np.ndarray, high: np.ndarray) -> Examined:
    """A false variant that leaves the cells as they are."""
    return cover.examine(chart, low, high)._replace(low=low, high=high)


def claims() -> list[Claim]:
    return [
        Claim(
            id="cells.narrowed",
            statement="Cells of four quadratic equations in three coordinates are dropped exactly if a range of an equation, its "
            "mean-value form or Krawczyk's image says so, and narrowed to that image, up to rounding; a part without an "
            "inverse says nothing.",
            subject=lambda: cover.examine,
            source="this toolkit",
            judges=(Steps(narrowing_steps, kind=Kind.NUMERICAL),),
            mutants=(
                Mutant("half of each cell", lambda: half_of_each),
                Mutant("not narrowed", lambda: not_narrowed),
            ),
            depends_on=("interval.derivatives",),
            derivation="Middles and radii of all intervals with NumPy.",
        )
    ]
