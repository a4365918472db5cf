"""Values of lam at which minima appear, vanish or exchange their order, isolated with proof.

- "oracle": beyond it the oracle is no local minimum (the margin D h - N^2 of theory.stability).
- "swapped": beyond it the role-swapped point, with theta < 1, is none (theory.swapped_stability).
- "complete swap": below it the role-swapped point is v = k*; there a pitchfork gives birth to theta < 1.
- "tie": there the role-swapped point, with theta < 1, and the oracle have the same risk.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from numerics.arb import BOXES, precision
from numerics.generated import landscape as generated
from numerics.landscape.parameters import Parameters, ball

CRITERIA = {
    "oracle": generated.oracle_criterion,
    "swapped": generated.swapped_criterion,
    "complete swap": generated.complete_swap_criterion,
    "tie": generated.tie_criterion,
}
"""Functions of the parameters, with their derivatives in lam: positive where the oracle is a minimum, where
the role-swapped point is one, where it is v = k*, where its risk is higher than the oracle's."""

BITS = 192

Span = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Isolation:
    """Every zero of a function on an interval, each in an interval that holds it and no other.

    falling: for each zero whether the function falls through it.
    resisting: intervals on which nothing was decided; empty in a proof.
    """

    zeros: tuple[Span, ...]
    falling: tuple[bool, ...]
    resisting: tuple[Span, ...]
    cells: int


def threshold(
    name: str,
    *,
    d: Any,
    L: Any,
    gamma_squared: Any,
    low: Any = "1/50",
    high: Any = 3,
    digits: int = 15,
    cells: int = 20_000,
) -> Isolation:
    """Every zero of the criterion of that name for low <= lam <= high, to `digits` decimals.

    d, L, gamma_squared as for `Parameters.of`. cells: the budget.
    Raises ValueError for an unknown name, or as `Parameters.of`.

    >>> zero, = threshold("complete swap", d=400, L=10, gamma_squared="1/2").zeros
    >>> f"{float(zero[0]):.10f}"
    '0.0627889523'
    """
    if name not in CRITERIA:
        raise ValueError(f"name must be one of {', '.join(CRITERIA)}, got {name!r}")
    given = {"d": d, "L": L, "gamma_squared": gamma_squared}
    base = Parameters.of(lam=(low, high), **given)
    span = base.lam if isinstance(base.lam, tuple) else (base.lam, base.lam)

    def both(cell: Span) -> tuple[arb, arb]:
        value, slope = CRITERIA[name](BOXES, *Parameters.of(lam=cell, **given).balls())
        return arb(value), arb(slope)

    with precision(BITS):
        return isolate(both, span, Fraction(1, 10**digits), cells)


def isolate(both: Any, span: Span, width: Fraction, cells: int) -> Isolation:
    """Zeros of a function on an interval, by branch and bound; both: enclosures of value and derivative."""
    zeros, falling, resisting = [], [], []
    queue, examined = [span], 0
    while queue:
        cell = queue.pop()
        examined += 1
        if examined > cells:
            resisting.append(cell)
            continue
        value, slope = both(cell)
        middle = (cell[0] + cell[1]) / 2
        offset = ball(cell) - ball(middle)
        if not value.contains(0) or not (both((middle, middle))[0] + slope * offset).contains(0):
            continue
        if not slope.contains(0):
            ends = [both((end, end))[0] for end in cell]
            if any(end.contains(0) for end in ends):
                resisting.append(cell)
            elif (ends[0] > 0) != (ends[1] > 0):
                zeros.append(_bisected(both, cell, bool(ends[0] > 0), width))
                falling.append(bool(slope < 0))
            continue
        queue += [(middle, cell[1]), (cell[0], middle)]
    return Isolation(tuple(zeros), tuple(falling), tuple(resisting), examined)


def _bisected(both: Any, cell: Span, positive_first: bool, width: Fraction) -> Span:
    """The cell narrowed around its zero, as far as signs are decided."""
    low, high = cell
    while high - low > width:
        middle = (low + high) / 2
        value = both((middle, middle))[0]
        if value.contains(0):
            break
        low, high = (middle, high) if bool(value > 0) == positive_first else (low, middle)
    return low, high
