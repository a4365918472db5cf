"""The interval arithmetic of the certified proofs, in double precision and rounded outwards, against Arb."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from flint import arb

from numerics.arb import precision
from numerics.landscape.intervals import Interval, half_angle
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.judges.exact import Step, Steps

BITS = 200
ROOM = 1e-15
"""How much wider than the exact range an enclosure may be on each side, relative to its largest value."""


class Operation(NamedTuple):
    """An operation on arrays of intervals, and what it is on numbers x and y in Arb balls.

    least: errors are relative to this if the values are smaller. pole: y = 0, where nothing can be known.
    """

    on_intervals: Callable[[Interval, Interval], Interval]
    exact: Callable[[arb, arb], arb]
    least: float = 1e-300
    pole: bool = False


OPERATIONS: Mapping[str, Operation] = {
    "x + y": Operation(lambda x, y: x + y, lambda x, y: x + y),
    "x + 5/2": Operation(lambda x, y: x + 2.5, lambda x, y: x + 2.5),
    "3 + x": Operation(lambda x, y: 3 + x, lambda x, y: x + 3),
    "-x": Operation(lambda x, y: -x, lambda x, y: -x),
    "x - y": Operation(lambda x, y: x - y, lambda x, y: x - y),
    "5/2 - x": Operation(lambda x, y: 2.5 - x, lambda x, y: 2.5 - x),
    "x y": Operation(lambda x, y: x * y, lambda x, y: x * y),
    "-3 x": Operation(lambda x, y: x * -3, lambda x, y: -3 * x),
    "5/2 x": Operation(lambda x, y: 2.5 * x, lambda x, y: 2.5 * x),
    "x^2": Operation(lambda x, y: x**2, lambda x, y: x * x),
    "1 / y": Operation(lambda x, y: 1 / y, lambda x, y: 1 / y, pole=True),
    "x / y": Operation(lambda x, y: x / y, lambda x, y: x / y, pole=True),
    "x / 5": Operation(lambda x, y: x / 5, lambda x, y: x / 5),
    "sqrt max(x, 0)": Operation(lambda x, y: x.sqrt(), lambda x, y: x.max(arb(0)).sqrt()),
    "sin 2 arctan x": Operation(lambda x, y: half_angle(x)[0], lambda x, y: 2 * x / (1 + x * x), least=2.0),
    "cos 2 arctan x": Operation(
        lambda x, y: half_angle(x)[1], lambda x, y: (1 - x * x) / (1 + x * x), least=2.0
    ),
}

INTERVALS = 200
"""Random intervals on which each operation is looked at."""


def random_intervals(rng: np.random.Generator) -> Interval:
    """Intervals of all sizes and places: points, around zero, with an end at 0, 1 or -1."""
    centre = rng.choice([-1.0, 0.0, 1.0, 3.0], INTERVALS) * 10.0 ** rng.uniform(-3, 3, INTERVALS)
    width = 10.0 ** rng.uniform(-12, 3, INTERVALS) * (rng.uniform(size=INTERVALS) < 0.9)
    low, high, end = centre - width, centre + width, rng.choice([-1.0, 0.0, 1.0], INTERVALS)
    from_end, to_end = (rng.uniform(size=INTERVALS) < 0.1 for _ in range(2))
    low = np.where(from_end & (end < high), end, low)
    return Interval(low, np.where(to_end & (end > low), end, high))


def arithmetic_steps(operations: Mapping[str, Operation], context: Context) -> Iterator[Step]:
    """Each operation on random intervals, compared with the exact range of its values."""
    rng = np.random.default_rng(context.seed)
    x, y = (random_intervals(rng) for _ in range(2))
    for name, operation in operations.items():
        with np.errstate(all="ignore"):
            found = operation.on_intervals(x, y)
        wrong = [i for i in range(INTERVALS) if not is_range(found[i], operation, x[i], y[i])]
        at = (
            f"x in {_text(x[wrong[0]])}, y in {_text(y[wrong[0]])}: {_text(found[wrong[0]])}" if wrong else ""
        )
        yield Step(f"{name}: encloses all values, and hardly more", not wrong, at)


def is_range(found: Interval, operation: Operation, x: Interval, y: Interval) -> bool:
    """Whether an interval encloses the values of an operation, and is wider by rounding at most."""
    if operation.pole and y.lo <= 0 <= y.hi:
        return not (found.lo > -np.inf or found.hi < np.inf)
    with precision(BITS):
        return _fits(found, *_exact_range(operation, x, y), operation.least)


def _fits(found: Interval, low: arb, high: arb, least: float = 1e-300) -> bool:
    room = ROOM * max(abs(low), abs(high), arb(least))
    below, above = low - arb(float(found.lo)), arb(float(found.hi)) - high
    return bool(below >= 0 and below <= room and above >= 0 and above <= room)


def _exact_range(operation: Operation, x: Interval, y: Interval) -> tuple[arb, arb]:
    """Every operation takes its smallest and largest value at ends, or at x = 0 or +-1."""
    values = [operation.exact(arb(a), arb(b)) for a, b in product(_turns(x), _turns(y))]
    return min(values, key=arb.mid), max(values, key=arb.mid)


def _turns(x: Interval) -> list[float]:
    low, high = float(x.lo), float(x.hi)
    return [low, high, *(turn for turn in (-1.0, 0.0, 1.0) if low < turn < high)]


def _text(x: Interval) -> str:
    return f"[{float(x.lo)!r}, {float(x.hi)!r}]"


def feature_steps(kind: type[Interval], context: Context) -> Iterator[Step]:
    """What is not an operation: the middle, the magnitude, where zero is, intersections, enclosures of balls."""
    rng = np.random.default_rng(context.seed)
    x, y = (random_intervals(rng) for _ in range(2))
    x, y = kind(x.lo, x.hi), kind(y.lo, y.hi)
    inside = (x.lo <= x.middle) & (x.middle <= x.hi)
    yield Step("the middle is inside", bool(inside.all()))
    near = np.abs((x.middle - x.lo) - (x.hi - x.middle)) <= 1e-15 * x.magnitude
    yield Step("and in the middle", bool(near.all()))
    ends = [(abs(a), abs(b)) for a, b in zip(x.lo, x.hi, strict=True)]
    yield Step("the magnitude is that of an end", x.magnitude.tolist() == [max(pair) for pair in ends])
    yield Step(
        "zero is excluded if the ends have one sign", bool((x.excludes_zero() == (x.lo * x.hi > 0)).all())
    )
    meet = x.intersect(y)
    both = [(max(a, c), min(b, d)) for a, b, c, d in zip(x.lo, x.hi, y.lo, y.hi, strict=True)]
    yield Step("the intersection is what both hold", list(zip(meet.lo, meet.hi, strict=True)) == both)
    with precision(BITS):
        balls = [arb(1) / 3 * arb(float(a)).union(arb(float(b))) for a, b in zip(x.lo, x.hi, strict=True)]
        ranges = [*(kind.of(balls)[i] for i in range(INTERVALS)), kind.of(balls[0])]
        pairs = zip([*balls, balls[0]], ranges, strict=True)
        wrong = [ball for ball, found in pairs if not _fits(found, ball.lower(), ball.upper())]
    yield Step("balls are enclosed, hardly larger", not wrong)


class Inward(Interval):
    """A false variant of intervals, narrower by a rounding than the balls that they are made of."""

    @classmethod
    def of(cls, balls: Any) -> Interval:
        """Too narrow."""
        found = Interval.of(balls)
        return Interval(np.nextafter(np.nextafter(found.lo, 1e9), 1e9), found.hi)


# --- claims ----------------------------------------------------------------------------------------------


def without_pole(x: Interval, y: Interval) -> Interval:
    """A quotient that takes the ends for the extremes although y may be zero."""
    ends = [a / b for a in (x.lo, x.hi) for b in (y.lo, y.hi)]
    return Interval(np.min(ends, axis=0), np.max(ends, axis=0))


def _altered(name: str, on_intervals: Callable[[Interval, Interval], Interval]) -> Mapping[str, Operation]:
    return {**OPERATIONS, name: OPERATIONS[name]._replace(on_intervals=on_intervals)}


def claims() -> list[Claim]:
    return [
        Claim(
            id="interval.operations",
            statement="Sums, differences, products, squares, quotients, square roots and the sine and cosine of "
            f"$2 \\arctan x$ on {INTERVALS} random pairs of intervals enclose the exact range and are wider by $10^{{-15}}$ of "
            "its largest value at most; nothing is said of a quotient by an interval with zero.",
            subject=lambda: OPERATIONS,
            source="this toolkit",
            judges=(Steps(arithmetic_steps, kind=Kind.NUMERICAL),),
            mutants=(
                Mutant("a quotient without a pole", lambda: _altered("x / y", without_pole)),
                Mutant("x x for x^2", lambda: _altered("x^2", lambda x, y: x * x)),
                Mutant(
                    "to the nearest",
                    lambda: _altered("x + y", lambda x, y: Interval(x.lo + y.lo, x.hi + y.hi)),
                ),
                Mutant(
                    "no top of the cosine",
                    lambda: _altered("cos 2 arctan x", lambda x, y: half_angle(x)[1] * 0.9),
                ),
            ),
            derivation="Every operation takes its extremes at ends of the intervals, or where $x$ is 0 or $\\pm 1$: there "
            "Arb evaluates it to 200 bits.",
        ),
        Claim(
            id="interval.features",
            statement="Middles, magnitudes, intersections, the exclusion of zero, and the conversion of Arb balls are right "
            f"on {INTERVALS} random intervals; the converted ones enclose the balls.",
            subject=lambda: Interval,
            source="this toolkit",
            judges=(Steps(feature_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("balls rounded inwards", lambda: Inward),),
        ),
    ]
