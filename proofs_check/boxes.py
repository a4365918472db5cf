"""Branch and bound: proves that a function is positive on a box, or finds a point where it is not."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

import sympy
from flint import arb

from numerics.arb import precision
from proofs_check.arb import FUNCTIONS, ball, compile_arb

Interval = tuple[Fraction, Fraction]
Cell = tuple[Interval, ...]
FIRST_BITS, LAST_BITS = 64, 1024
ENOUGH_BITS = 10


@dataclass(frozen=True)
class Outcome:
    """True with the number of cells, False with a point and the value there, None with what resists."""

    holds: bool | None
    cells: int
    cell: Cell = ()
    point: tuple[Fraction, ...] = ()
    value: str = ""


class Positivity:
    """Is `expression` > 0 (or >= 0) at every real point of a box, its edges included?

    On each cell the value is bounded from below by ball arithmetic and by the mean-value form; a variable
    in which the function is monotone is fixed at the end where it is lowest. The cell with the worst bound is
    cut first, across the variable that moves the function most. The function must be analytic around the box.
    """

    def __init__(
        self, expression: sympy.Expr, variables: Sequence[sympy.Symbol], *, strict: bool = True
    ) -> None:
        derivatives = [sympy.diff(expression, variable) for variable in variables]
        self._value = compile_arb([expression], variables, FUNCTIONS)
        self._gradient = compile_arb(derivatives, variables, FUNCTIONS)
        self._strict = strict

    def decide(self, box: Cell, budget: int) -> Outcome:
        """Search with at most `budget` cells."""
        ticket = count()
        queue: list[tuple[float, int, Cell]] = [(0.0, next(ticket), box)]
        examined = 0
        while queue:
            _, _, cell = heapq.heappop(queue)
            if examined >= budget:
                return Outcome(None, examined, cell=cell)
            examined += 1
            found = self._examine(cell)
            if found.outside is not None:
                return Outcome(False, examined, point=_middle(found.cell), value=str(found.outside))
            if not found.proved:
                halves = _cut(found.cell, found.gradient)
                if not halves:
                    return Outcome(None, examined, cell=found.cell)
                for half in halves:
                    heapq.heappush(queue, (found.bound, next(ticket), half))
        return Outcome(True, examined)

    def _examine(self, cell: Cell) -> _Finding:
        bits = FIRST_BITS
        while True:
            with precision(bits):
                found = self._bound(cell)
            if found.proved or found.outside is not None or found.sharp or bits >= LAST_BITS:
                return found
            bits *= 2

    def _bound(self, cell: Cell) -> _Finding:
        balls = [ball(*side) for side in cell]
        gradient = self._gradient(balls)
        cell = tuple(_fix(side, slope) for side, slope in zip(cell, gradient, strict=True))
        balls = [ball(*side) for side in cell]
        point = [ball(x, x) for x in _middle(cell)]
        (here,) = self._value(point)
        (whole,) = self._value(balls)
        outside = here if here.is_finite() and (here < 0 or (self._strict and here.is_zero())) else None
        steps = (slope * (x - at) for slope, x, at in zip(gradient, balls, point, strict=True))
        mean_value = sum(steps, here)
        bounds = [bound.lower() for bound in (whole, mean_value) if bound.is_finite()]
        proved = any(bound > 0 if self._strict else bound >= 0 for bound in bounds)
        best = max((float(bound) for bound in bounds), default=float("-inf"))
        sharp = here.is_finite() and here.rel_accuracy_bits() >= ENOUGH_BITS
        return _Finding(cell, gradient, proved, outside, sharp, best)


@dataclass(frozen=True)
class _Finding:
    cell: Cell
    gradient: list[arb]
    proved: bool
    outside: arb | None
    sharp: bool
    bound: float


def _fix(side: Interval, slope: arb) -> Interval:
    """The end at which a monotone function is lowest, or the whole side."""
    if slope.is_finite() and slope >= 0:
        return side[0], side[0]
    if slope.is_finite() and slope <= 0:
        return side[1], side[1]
    return side


def _middle(cell: Cell) -> tuple[Fraction, ...]:
    return tuple((low + high) / 2 for low, high in cell)


def _cut(cell: Cell, gradient: Sequence[arb]) -> list[Cell]:
    """The cell in two halves, across the side along which the function may move most; [] for a point."""
    widths = [float(high - low) for low, high in cell]
    if not any(widths):
        return []

    def movement(index: int) -> float:
        slope = gradient[index]
        steepness = float(slope.abs_upper()) if slope.is_finite() else float("inf")
        return widths[index] * steepness if widths[index] else -1.0

    across = max(range(len(cell)), key=lambda index: (movement(index), widths[index]))
    low, high = cell[across]
    half = (low + high) / 2
    return [(*cell[:across], side, *cell[across + 1 :]) for side in ((low, half), (half, high))]
