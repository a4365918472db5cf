"""The derivatives that the certified proofs carry along, against power series."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from flint import arb, arb_series

from numerics.arb import precision
from numerics.landscape import jets
from numerics.landscape.intervals import Interval
from numerics.landscape.jets import Jet, coordinates
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.judges.exact import Step, Steps

BITS = 200

Function = Callable[[Any, Any], Any]

FUNCTIONS: Mapping[str, tuple[Function, Function]] = {
    "x + y": (lambda x, y: x + y, lambda x, y: x + y),
    "x + 2": (lambda x, y: x + 2.0, lambda x, y: x + 2),
    "3 + y": (lambda x, y: 3.0 + y, lambda x, y: y + 3),
    "-x": (lambda x, y: -x, lambda x, y: -x),
    "x - y": (lambda x, y: x - y, lambda x, y: x - y),
    "x - 2": (lambda x, y: x - 2.0, lambda x, y: x - 2),
    "3 - y": (lambda x, y: 3.0 - y, lambda x, y: 3 - y),
    "x y": (lambda x, y: x * y, lambda x, y: x * y),
    "x (x + y)": (lambda x, y: x * (x + y), lambda x, y: x * (x + y)),
    "2 x": (lambda x, y: 2.0 * x, lambda x, y: 2 * x),
    "y^2": (lambda x, y: y**2, lambda x, y: y * y),
    "x / y": (lambda x, y: x / y, lambda x, y: x / y),
    "3 / y": (lambda x, y: 3.0 / y, lambda x, y: 3 / y),
    "x / 5": (lambda x, y: x / 5.0, lambda x, y: x / 5),
    "x / 5 / 3": (lambda x, y: x / 5.0 / 3.0, lambda x, y: x / 15),
    "sqrt(x y)": (lambda x, y: jets.sqrt(x * y), lambda x, y: (x * y).sqrt()),
    "sin 2 arctan y": (lambda x, y: jets.half_angle(y)[0], lambda x, y: 2 * y / (1 + y * y)),
    "cos 2 arctan y": (lambda x, y: jets.half_angle(y)[1], lambda x, y: (1 - y * y) / (1 + y * y)),
}
"""On jets, and on power series."""

PLACES = 40
ROOM = 1e-14


def derivative_steps(functions: Mapping[str, tuple[Function, Function]], context: Context) -> Iterator[Step]:
    """Values and first derivatives, as numbers and as enclosures, against power series of two terms."""
    rng = np.random.default_rng(context.seed)
    at, width = rng.uniform(0.2, 3, (2, PLACES)), 10.0 ** rng.uniform(-6, -1, (2, PLACES))
    on_numbers = coordinates(list(at))
    on_intervals = coordinates([Interval(x - w, x + w) for x, w in zip(at, width, strict=True)])
    with precision(BITS):
        for name, (function, exact) in functions.items():
            numbers, enclosed = function(*on_numbers), function(*on_intervals)
            terms = [_terms(exact, x, y) for x, y in zip(*at, strict=True)]
            close = all(_is_close(numbers, terms, i) for i in range(PLACES))
            yield Step(f"{name}: the value and the derivatives of numbers", close)
            yield Step(
                f"{name}: those of intervals enclose them",
                all(_encloses(enclosed, terms, i) for i in range(PLACES)),
            )


def _terms(exact: Function, x: float, y: float) -> list[arb]:
    """The value, and the derivatives in x and in y."""
    in_x = exact(arb_series([x, 1], 2), arb_series([y, 0], 2))
    in_y = exact(arb_series([x, 0], 2), arb_series([y, 1], 2))
    return [in_x[0], in_x[1], in_y[1]]


def _is_close(jet: Jet, terms: list[list[arb]], i: int) -> bool:
    parts = [float(_at(part, i)) for part in _parts(jet)]
    return all(
        abs(arb(part) - term) <= ROOM * (1 + abs(term)) for part, term in zip(parts, terms[i], strict=True)
    )


def _encloses(jet: Jet, terms: list[list[arb]], i: int) -> bool:
    parts = [part if isinstance(part, Interval) else Interval(part) for part in _parts(jet)]
    ends = [(arb(float(_at(part.lo, i))), arb(float(_at(part.hi, i)))) for part in parts]
    return all(low <= term <= high for (low, high), term in zip(ends, terms[i], strict=True))


def _parts(jet: Jet) -> list[Any]:
    return [jet.value, jet.slopes.get(0, 0.0), jet.slopes.get(1, 0.0)]


def _at(part: Any, i: int) -> Any:
    return part[i] if np.ndim(part) else part


def claims() -> list[Claim]:
    return [
        Claim(
            id="interval.derivatives",
            statement="Sums, products, squares, quotients, square roots and the sine and cosine of $2 \\arctan x$ carry their "
            f"first derivatives in two coordinates along: to $10^{{-14}}$ for numbers at {PLACES} random places, and as enclosures "
            "on intervals around them.",
            subject=lambda: FUNCTIONS,
            source="this toolkit",
            judges=(Steps(derivative_steps, kind=Kind.NUMERICAL),),
            mutants=(
                Mutant(
                    "a quotient with the sign of a product", lambda: _altered("3 / y", lambda x, y: 3.0 * y)
                ),
                Mutant("one factor's derivative only", lambda: _altered("x y", lambda x, y: x * y.value)),
                Mutant(
                    "a square's derivative halved",
                    lambda: _altered("y^2", lambda x, y: y.then(y.value**2, y.value)),
                ),
            ),
            depends_on=("interval.operations",),
            derivation="The same functions on power series of two terms with Arb coefficients.",
        )
    ]


def _altered(name: str, function: Function) -> Mapping[str, tuple[Function, Function]]:
    return {**FUNCTIONS, name: (function, FUNCTIONS[name][1])}
