"""The equilibria of the flow on M in the square -1 <= kappa, nu <= 1, for boxes of parameters.

kappa' has the factor (1 - kappa^2) (nu - erf(b kappa)), nu' the factor (1 - nu^2) erf(a kappa); what is left
of each is positive. A cell holds no equilibrium if one of these is not zero on it, or if nu' = 0 confines it
to an edge nu = +-1: there nu - erf(b kappa) has the sign of nu, as |erf| < 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, arb_mat, ctx

from numerics.arb import BOXES, precision
from numerics.generated import landscape as generated
from numerics.landscape.parameters import Parameters, ball

FIRST_BITS, LAST_BITS = 64, 512
"""Working precision: doubled where that may help, on a single set of parameters."""

CELLS_AT_ONCE = 4096
"""Cells of the square for one box of parameters, before the box is cut."""

MOST_CELLS = 200_000
"""Budget for all boxes of parameters."""

Cell = tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class Square:
    """The outcome: the type of each equilibrium, or what resisted if not all is proved."""

    proved: bool
    types: Mapping[tuple[int, int], str]
    cells: int
    resisting: tuple[Parameters, Cell] | None = None


def equilibria(
    parameters: Parameters,
    expected: Sequence[tuple[int, int]],
    *,
    cells: int = MOST_CELLS,
) -> Square:
    """Prove that the expected points are all equilibria, of one type each, for every parameter of the box.

    The box of parameters is cut until this is so on each part. cells: budget of cells of the square in all.
    """
    types: Mapping[tuple[int, int], str] = {}
    queue, examined = [parameters], 0
    while queue:
        part = queue.pop()
        found = _on_part(part, expected)
        examined += found.cells
        if found.proved and types in ({}, found.types):
            types = found.types
            continue
        halves = part.halves()
        if examined > cells or not halves or found.proved:
            return Square(False, found.types, examined, found.resisting)
        queue += halves
    return Square(True, types, examined)


def rest_points(parameters: Parameters) -> list[tuple[int, int]]:
    """Which of the nine points of {-1, 0, 1}^2 are equilibria for every parameter of the box."""
    with precision(FIRST_BITS):
        arguments = parameters.balls()[:3]
        grid = [(kappa, nu) for kappa in (-1, 0, 1) for nu in (-1, 0, 1)]
        return [point for point in grid if _rests(point, arguments)]


def _rests(point: tuple[int, int], arguments: Sequence[arb]) -> bool:
    values = generated.manifold_factors(BOXES, *map(arb, point), *arguments)
    return all(arb(value).is_zero() for value in values)


def _on_part(parameters: Parameters, expected: Sequence[tuple[int, int]]) -> Square:
    bits, found = FIRST_BITS, None
    while found is None or (not found.proved and not parameters.halves() and bits <= LAST_BITS):
        with precision(bits):
            found = _at(parameters, expected)
        bits *= 2
    return found


def _at(parameters: Parameters, expected: Sequence[tuple[int, int]]) -> Square:
    arguments = parameters.balls()[:3]
    known = [_neighbourhood(point, arguments) for point in expected]
    types = {point: _type(point, arguments) for point in expected}
    unit = (Fraction(-1), Fraction(1))
    queue, examined = [(unit, unit)], 0
    while queue:
        cell = queue.pop()
        examined += 1
        if examined > CELLS_AT_ONCE or "undecided" in types.values():
            return Square(False, types, examined, (parameters, cell))
        if not any(box and _inside(cell, box) for box in known) and not _empty(cell, arguments):
            queue += _halves(cell)
    return Square(True, types, examined)


def _empty(cell: Cell, arguments: Sequence[arb]) -> bool:
    kappa, nu = (ball(side) for side in cell)
    first, second = generated.manifold_factors(BOXES, kappa, nu, *arguments)
    if not arb(first).contains(0) or not arb(second).contains(0):
        return True
    return _confined(cell, kappa, arguments)


def _confined(cell: Cell, kappa: arb, arguments: Sequence[arb]) -> bool:
    """Whether nu' = 0 confines the cell to nu = +-1, where kappa' = 0 at the corners only."""
    (low, high), (bottom, top) = cell
    if low == -1 or high == 1 or (bottom == -1) == (top == 1):
        return False
    gate = generated.manifold_factors(BOXES, kappa, arb(0), *arguments)[1]
    return not arb(gate).contains(0)


def _neighbourhood(point: tuple[int, int], arguments: Sequence[arb]) -> Cell | None:
    """A cell around an equilibrium on which the Jacobian is regular: it holds no other one."""
    size = Fraction(1, 2)
    for _ in range(ctx.prec):
        sides = tuple((Fraction(x) - size, Fraction(x) + size) for x in point)
        if not _jacobian(map(ball, sides), arguments).det().contains(0):
            return sides  # type: ignore[return-value]
        size /= 2
    return None


def _type(point: tuple[int, int], arguments: Sequence[arb]) -> str:
    """Sink, source or saddle; positive factors that were left out scale the rows of the Jacobian."""
    values = generated.manifold_factors(BOXES, *map(arb, point), *arguments)
    if not all(arb(value).contains(0) for value in values):
        return "no equilibrium"
    jacobian = _jacobian(map(arb, point), arguments)
    determinant, a, d = jacobian.det(), jacobian[0, 0], jacobian[1, 1]
    if determinant < 0:
        return "saddle"
    if determinant > 0 and a < 0 and d < 0:
        return "sink"
    return "source" if determinant > 0 and a > 0 and d > 0 else "undecided"


def _jacobian(place: Iterable[arb], arguments: Sequence[arb]) -> arb_mat:
    return arb_mat(2, 2, generated.manifold_jacobian(BOXES, *place, *arguments))


def _inside(cell: Cell, box: Cell) -> bool:
    return all(b[0] <= c[0] and c[1] <= b[1] for c, b in zip(cell, box, strict=True))


def _halves(cell: Cell) -> list[Cell]:
    """Cut across the longer side."""
    across = 0 if cell[0][1] - cell[0][0] >= cell[1][1] - cell[1][0] else 1
    low, high = cell[across]
    middle = (low + high) / 2
    parts = ((low, middle), (middle, high))
    return [(part, cell[1]) if across == 0 else (cell[0], part) for part in parts]
