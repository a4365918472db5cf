"""Random rational points that satisfy the assumptions of symbols, to look for counterexamples at."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

import sympy

Domain = Mapping[sympy.Symbol, tuple[Any, Any]]


def random_points(
    symbols: Iterable[sympy.Symbol], count: int, seed: int, domain: Domain | None = None
) -> list[dict[sympy.Symbol, sympy.Rational]]:
    """`count` points: each symbol in its open interval of `domain`, else as its own assumptions allow.

    >>> t = sympy.Symbol("t", positive=True)
    >>> all(point[t] > 0 for point in random_points([t], 5, seed=1))
    True
    """
    ordered = sorted(symbols, key=lambda symbol: symbol.name)
    draw = random.Random(seed)
    ranges = {symbol: _range(symbol, domain or {}) for symbol in ordered}
    return [{symbol: _draw(symbol, *ranges[symbol], draw) for symbol in ordered} for _ in range(count)]


def _range(symbol: sympy.Symbol, domain: Domain) -> tuple[sympy.Rational, sympy.Rational]:
    if symbol in domain:
        low, high = (sympy.Rational(str(end)) for end in domain[symbol])
        return low, high
    scale = sympy.Integer(9 if symbol.is_integer else 3)
    return (
        sympy.S.Zero if symbol.is_nonnegative else -scale,
        sympy.S.Zero if symbol.is_nonpositive else scale,
    )


def _draw(symbol: sympy.Symbol, low: Any, high: Any, draw: random.Random) -> sympy.Rational:
    if symbol.is_integer:
        first = int(sympy.ceiling(low)) + bool(symbol.is_positive and low <= 0)
        return sympy.Integer(draw.randint(first, int(sympy.floor(high))) or 1)
    return low + (high - low) * sympy.Rational(draw.randint(1, 9996), 9997)
