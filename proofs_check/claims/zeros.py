"""The proofs of zeros and of signs, on equations whose zeros and matrices whose eigenvalues are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq

from numerics.arb import precision
from numerics.landscape import krawczyk, thresholds
from numerics.landscape.krawczyk import Inertia
from numerics.landscape.parameters import ball
from numerics.landscape.thresholds import Isolation
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.judges.exact import Step, Steps

BITS = 128
Vector = list[arb]


class Quadratic:
    """f(x) = A (x - z) + q (x - z)^2, entry by entry, with a zero at z; A and z are of small fractions."""

    def __init__(self, rng: np.random.Generator, size: int, bend: float = 0.5) -> None:
        self.matrix = arb_mat([[_sixteenths(rng) + 2 * (i == j) for j in range(size)] for i in range(size)])
        self.zero = [_sixteenths(rng) / 3 for _ in range(size)]
        self.bend, self.size = arb(bend), size

    def value(self, x: Sequence[arb]) -> Vector:
        """f(x)."""
        away = [a - z for a, z in zip(x, self.zero, strict=True)]
        linear = self.matrix * arb_mat([[a] for a in away])
        return [linear[i, 0] + self.bend * a * a for i, a in enumerate(away)]

    def jacobian(self, x: Sequence[arb]) -> arb_mat:
        """f'(x)."""
        slopes = [2 * self.bend * (a - z) for a, z in zip(x, self.zero, strict=True)]
        return arb_mat(
            [
                [self.matrix[i, j] + (slopes[i] if i == j else 0) for j in range(self.size)]
                for i in range(self.size)
            ]
        )

    def around(self, radius: str, shift: float = 0.0) -> Vector:
        """A box around the zero, or beside it."""
        return [(z + shift).mid() + arb(0, radius) for z in self.zero]


def _sixteenths(rng: np.random.Generator) -> arb:
    return arb(int(rng.integers(-8, 9))) / 16


Decide = Callable[[Sequence[arb], Sequence[arb]], bool]


def zero_steps(inside: Decide, context: Context) -> Iterator[Step]:
    """Newton's method, Krawczyk's test on boxes with one zero, with none and with two, and its limit."""
    rng = np.random.default_rng(context.seed)
    with precision(BITS):
        for size in (1, 2, 4):
            f = Quadratic(rng, size)
            yield from _found_steps(f, inside)
        f = Quadratic(rng, 2)
        two = arb_mat([[arb(-1) / 8, arb(0)], [arb(0), arb(1)]])
        f.matrix, f.bend = two, arb(1)
        box = [(z + x).mid() + arb(0, "0.1") for z, x in zip(f.zero, (1 / 20, 0.0), strict=True)]
        found = krawczyk.image(f.value, f.jacobian, box)
        yield Step("a box with two zeros is no box with one", bool(found and not inside(found, box)))
        f.matrix = arb_mat([[arb(0), arb(0)], [arb(0), arb(1)]])
        yield Step("a double zero is not proved", krawczyk.prove(f.value, f.jacobian, f.zero) is None)


def _found_steps(f: Quadratic, inside: Decide) -> Iterator[Step]:
    text = f"{f.size} equations"
    point = krawczyk.newton(f.value, f.jacobian, f.around("1e-3", 1 / 32))
    near = point is not None and all(
        abs(x - z) < arb(2) ** (10 - BITS) for x, z in zip(point, f.zero, strict=True)
    )
    yield Step(f"{text}: Newton's method ends at the zero", near)
    proved = krawczyk.prove(f.value, f.jacobian, point or f.zero)
    yield Step(f"{text}: it is proved", proved is not None)
    if proved:
        yield Step(f"{text}: the balls hold it", _holds(proved, f.zero))
        small = max(float(x.rad()) for x in proved) < 2.0 ** (20 - BITS)
        yield Step(f"{text}: they are small", small)
    box = f.around("0.02", 0.001)
    image = krawczyk.image(f.value, f.jacobian, box)
    yield Step(f"{text}: a box with the zero is one with one", bool(image and inside(image, box)))
    yield Step(f"{text}: its image holds the zero", bool(image and _holds(image, f.zero)))
    last = krawczyk.sharpened(f.value, f.jacobian, box)
    sharp = _holds(last, f.zero) and max(float(x.rad()) for x in last) < 2.0 ** (20 - BITS)
    yield Step(f"{text}: sharpened it is small, and holds the zero", sharp)
    box = f.around("0.02", 0.05)
    image = krawczyk.image(f.value, f.jacobian, box)
    yield Step(f"{text}: a box without is one without", bool(image and krawczyk.apart(image, box)))
    box = f.around("0.02", 0.0199)
    image = krawczyk.image(f.value, f.jacobian, box)
    yield Step(f"{text}: a zero at the edge is not ruled out", bool(image and not krawczyk.apart(image, box)))


def _holds(box: Sequence[arb], point: Sequence[arb]) -> bool:
    return all(x.overlaps(z) for x, z in zip(box, point, strict=True))


def touching(image: Sequence[arb], box: Sequence[arb]) -> bool:
    """A false variant of the test: the image meets the box."""
    return not krawczyk.apart(image, box)


# --- signs of eigenvalues --------------------------------------------------------------------------------

Signs = Callable[[arb_mat], Inertia | None]
SIZES = (1, 2, 3, 5, 8)
SMALLEST, LARGEST = -4, 3
"""Powers of ten of the eigenvalues."""


def inertia_steps(signs: Signs, context: Context) -> Iterator[Step]:
    """Matrices Q diag(x) Q^T with rational reflections Q; balls that hold a singular matrix, or nearly one."""
    rng = np.random.default_rng(context.seed)
    with precision(BITS):
        for size in SIZES:
            for negative in sorted({0, size // 2, size}):
                values = 10.0 ** rng.uniform(SMALLEST, LARGEST, size)
                values[:negative] *= -1
                matrix = _turned(values, rng)
                text = f"{size} x {size}, {negative} negative"
                yield Step(text, signs(matrix) == Inertia(negative, size - negative))
                smallest = float(np.abs(values).min())
                near = signs(_blurred(matrix, 0.1 * smallest / size))
                yield Step(
                    f"{text}, blurred by less than decides", near == Inertia(negative, size - negative)
                )
                yield Step(f"{text}, blurred by more", signs(_blurred(matrix, 1.01 * smallest)) is None)
        for twice, told in ((1, Inertia(0, 2)), (-1, Inertia(2, 0))):
            yield Step(f"{twice} twice, beside up to 0.9", signs(_beside(twice, "0.9")) == told)
            yield Step(f"{twice} twice, beside up to 1.1", signs(_beside(twice, "1.1")) is None)


def _turned(values: np.ndarray, rng: np.random.Generator) -> arb_mat:
    """The matrix with these eigenvalues after a reflection."""
    size = len(values)
    normal = [fmpq(int(x)) for x in rng.integers(1, 9, size)]
    length = sum((x * x for x in normal), fmpq(0))
    entries = [[fmpq(i == j) - 2 * normal[i] * normal[j] / length for j in range(size)] for i in range(size)]
    q = arb_mat([[arb(x) for x in row] for row in entries])
    diagonal = arb_mat(
        [[arb(float(values[i])) if i == j else arb(0) for j in range(size)] for i in range(size)]
    )
    return q * diagonal * q.transpose()


def _blurred(matrix: arb_mat, radius: float) -> arb_mat:
    size = matrix.nrows()
    return arb_mat([[matrix[i, j] + arb(0, radius) for j in range(size)] for i in range(size)])


def _beside(twice: int, radius: str) -> arb_mat:
    """2 x 2 matrices with the same number twice on the diagonal, and numbers up to a radius beside it."""
    return arb_mat([[arb(twice), arb(0, radius)], [arb(0, radius), arb(twice)]])


def of_the_middle(matrix: arb_mat) -> Inertia | None:
    """A false variant: signs of the matrix in the middle of the balls."""
    size = matrix.nrows()
    return krawczyk.inertia(arb_mat([[matrix[i, j].mid() for j in range(size)] for i in range(size)]))


# --- zeros on an interval --------------------------------------------------------------------------------

ROOTS = {
    "no zero": (),
    "one": (Fraction(1, 3),),
    "three": (Fraction(-2, 7), Fraction(1, 9), Fraction(5, 8) + Fraction(1, 1000)),
    "two that are close": (Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**6)),
}
WIDTH = Fraction(1, 10**15)
Isolate = Callable[[Any, tuple[Fraction, Fraction], Fraction, int], Isolation]


def isolation_steps(isolate: Isolate, _: Context) -> Iterator[Step]:
    """Polynomials with known zeros on [-1, 1]."""
    span = (Fraction(-1), Fraction(1))
    with precision(2 * BITS):
        for name, roots in ROOTS.items():
            found = isolate(lambda cell, roots=roots: _polynomial(roots, cell), span, WIDTH, 2_000)
            zeros = sorted(zip(found.zeros, found.falling, strict=True))
            held = [low <= root <= high for root, ((low, high), _) in zip(roots, zeros, strict=False)]
            yield Step(f"{name}: each in an interval", len(zeros) == len(roots) and all(held))
            yield Step(f"{name}: narrow", all(high - low <= WIDTH for (low, high), _ in zeros))
            falls = [bool((len(roots) - i) % 2 == 0) for i in range(len(roots))]
            yield Step(f"{name}: falling or not", [falling for _, falling in zeros] == falls)
            yield Step(f"{name}: everything is decided", not found.resisting)
        double = isolate(lambda cell: _polynomial((Fraction(1, 3),) * 2, cell), span, WIDTH, 300)
        near = [low <= Fraction(1, 3) <= high for low, high in double.resisting]
        yield Step("a double zero is not decided", not double.zeros and any(near))
        yield Step("nor more than the budget allows", double.cells >= 300)


def _polynomial(roots: Sequence[Fraction], cell: tuple[Fraction, Fraction]) -> tuple[arb, arb]:
    """The product of x - root, and its derivative, on a cell; 1 + x^2 is a factor without zeros."""
    x = ball(cell)
    value, slope = 1 + x * x, 2 * x
    for root in roots:
        factor = x - ball(root)
        value, slope = value * factor, slope * factor + value
    return value, slope


def one_missing(*arguments: Any) -> Isolation:
    """A false variant without the first zero."""
    found = thresholds.isolate(*arguments)
    return replace(found, zeros=found.zeros[1:], falling=found.falling[1:])


def claims() -> list[Claim]:
    return [
        Claim(
            id="zeros.unique",
            statement="On 1, 2 and 4 quadratic equations with a known zero, Newton's method finds it, Krawczyk's test proves it "
            "in small balls that hold it, tells boxes with one zero from boxes with none, and proves neither a double "
            "zero nor one of two in a box.",
            subject=lambda: krawczyk.inside,
            source="this toolkit",
            judges=(Steps(zero_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("the image meets the box", lambda: touching),),
        ),
        Claim(
            id="zeros.inertia",
            statement="The numbers of negative and positive eigenvalues are right for matrices up to $8 \\times 8$ with known "
            "eigenvalues of $10^{-4}$ to $10^3$, also in balls a tenth as wide as decides, and not told if the balls hold a "
            "singular matrix.",
            subject=lambda: krawczyk.inertia,
            source="this toolkit",
            judges=(Steps(inertia_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("the middle of the balls", lambda: of_the_middle),),
        ),
        Claim(
            id="zeros.isolated",
            statement="Branch and bound isolates every zero of polynomials with known zeros to $10^{-15}$, with the sign of the "
            "slope, $10^{-6}$ apart too, and does not decide a double one.",
            subject=lambda: thresholds.isolate,
            source="this toolkit",
            judges=(Steps(isolation_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("a zero is missing", lambda: one_missing),),
        ),
    ]
