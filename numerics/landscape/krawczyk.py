"""Proves zeros of square systems, and signs of eigenvalues, in ball arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import mpmath
from flint import arb, arb_mat, ctx

Vector = list[arb]
Map = Callable[[Sequence[arb]], Vector]
MatrixMap = Callable[[Sequence[arb]], arb_mat]

STEPS = 60
"""Newton steps at most, at each precision."""


def newton(function: Map, jacobian: MatrixMap, start: Sequence[arb]) -> Vector | None:
    """A point near a zero, as exact numbers, to about the working precision; None if the steps do not shrink.

    No proof: this is where the proof starts.
    """
    point = [x.mid() for x in start]
    last, unit = None, 0.7 * ctx.prec
    for _ in range(STEPS):
        step = _solve(_middle(jacobian(point)), [y.mid() for y in function(point)])
        if step is None:
            return None
        size = max(float(abs(x).upper().log()) if x != 0 else float("-inf") for x in step)
        point = [(x - y).mid() for x, y in zip(point, step, strict=True)]
        if size < -2 * unit or (last is not None and size < -0.6 * unit and size >= last - 1):
            return point
        last = size
    return None


def prove(function: Map, jacobian: MatrixMap, centre: Sequence[arb]) -> Vector | None:
    """Balls around the centre that hold exactly one zero, or None if that is not proved.

    Krawczyk: if K = m - Y f(m) + (1 - Y f'(X)) (X - m) lies in the interior of X, then X holds exactly one
    zero and it is in K. X is a few times larger than the Newton step at m.
    """
    inverse = _inverse(_middle(jacobian(centre)))
    if inverse is None:
        return None
    step = _product(inverse, function(centre))
    floor = arb(2) ** (-(3 * ctx.prec) // 4)
    radius = max((abs(x).upper() for x in step), default=arb(0)) * 4 + floor
    box = [m + arb(0, radius.upper()) for m in centre]
    found = image(function, jacobian, box)
    return found if found and inside(found, box) else None


def image(function: Map, jacobian: MatrixMap, box: Sequence[arb]) -> Vector | None:
    """Krawczyk's image K of a box, which holds every zero that the box holds; None if it is not defined."""
    centre = [x.mid() for x in box]
    inverse = _inverse(_middle(jacobian(centre)))
    if inverse is None:
        return None
    shifts, contraction = _product(inverse, function(centre)), inverse * jacobian(box)
    offsets = [x - m for x, m in zip(box, centre, strict=True)]
    return [
        m - shifts[i] + sum(((arb(i == j) - contraction[i, j]) * o for j, o in enumerate(offsets)), arb(0))
        for i, m in enumerate(centre)
    ]


def inside(image: Sequence[arb], box: Sequence[arb]) -> bool:
    """Whether an image lies in the interior of its box, which then holds exactly one zero."""
    return all(x.contains_interior(y) for x, y in zip(box, image, strict=True))


def apart(image: Sequence[arb], box: Sequence[arb]) -> bool:
    """Whether an image does not meet its box, which then holds no zero."""
    return any(not x.overlaps(y) for x, y in zip(box, image, strict=True))


def sharpened(function: Map, jacobian: MatrixMap, box: Sequence[arb]) -> Vector:
    """A box with exactly one zero, narrowed by repeated images as far as the working precision goes."""
    box = list(box)
    while True:
        found = image(function, jacobian, box)
        if found is None or not all(y.rad() < x.rad() / 2 for x, y in zip(box, found, strict=True)):
            return box
        box = [x.intersection(y) for x, y in zip(box, found, strict=True)]


@dataclass(frozen=True)
class Inertia:
    """Numbers of negative and positive eigenvalues."""

    negative: int
    positive: int


def inertia(matrix: arb_mat) -> Inertia | None:
    """Of every symmetric matrix within the balls; None if a sign is not decided.

    Sylvester: a congruence with approximate eigenvectors keeps the signs, and makes the matrix nearly
    diagonal; Gershgorin's discs then tell them.
    """
    size = matrix.nrows()
    with mpmath.workprec(ctx.prec):
        entries = [[_mpf(matrix[i, j]) for j in range(size)] for i in range(size)]
        _, vectors = mpmath.eigsy(mpmath.matrix(entries))
        basis = arb_mat([[_arb(vectors[i, j]) for j in range(size)] for i in range(size)])
    rotated = basis.transpose() * matrix * basis
    if basis.det().contains(0):
        return None
    signs = []
    for i in range(size):
        reach = sum((abs(rotated[i, j]) for j in range(size) if j != i), arb(0))
        disc = rotated[i, i] + arb(0, 1) * reach.upper()
        signs.append(1 if disc > 0 else -1 if disc < 0 else 0)
    return Inertia(signs.count(-1), signs.count(1)) if all(signs) else None


def _middle(matrix: arb_mat) -> arb_mat:
    return arb_mat([[matrix[i, j].mid() for j in range(matrix.ncols())] for i in range(matrix.nrows())])


def _inverse(matrix: arb_mat) -> arb_mat | None:
    try:
        return _middle(matrix.inv())
    except ZeroDivisionError:
        return None


def _solve(matrix: arb_mat, right: Sequence[arb]) -> Vector | None:
    try:
        solution = matrix.solve(arb_mat([[y] for y in right]))
    except ZeroDivisionError:
        return None
    return [solution[i, 0].mid() for i in range(len(right))]


def _product(matrix: arb_mat, vector: Sequence[arb]) -> Vector:
    product = matrix * arb_mat([[x] for x in vector])
    return [product[i, 0] for i in range(len(vector))]


def _mpf(x: arb) -> mpmath.mpf:
    mantissa, exponent = x.mid().man_exp()
    return mpmath.mpf((int(mantissa), int(exponent)))


def _arb(x: mpmath.mpf) -> arb:
    sign, mantissa, exponent, _ = x._mpf_
    return arb(-int(mantissa) if sign else int(mantissa)) * arb(2) ** exponent
