"""Values of expressions at rational points, and whether such a value is certainly not zero."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

import sympy

from numerics.arb import precision
from proofs_check.arb import Program, ball, compile_arb

BITS = 256
DIGITS, MORE_DIGITS = 50, 80
AGREEMENT = sympy.Rational(1, 10**6)
RESOLUTION = sympy.Rational(1, 10 ** (DIGITS - 10))
UNEVALUATED = (sympy.Integral, sympy.Derivative, sympy.Subs, sympy.Sum, sympy.Product, sympy.Limit)

Point = Mapping[sympy.Symbol, sympy.Rational]


def nonzero_value(expression: sympy.Expr, point: Point) -> sympy.Expr | None:
    """The value at a point if it is certainly not zero, else None, also where it is undefined.

    Ball arithmetic decides where every function in the expression has an enclosure. Elsewhere a value counts
    if it is the same at two precisions and not small against the terms that it is made of.

    >>> x = sympy.Symbol("x")
    >>> nonzero_value(x**2 - 2, {x: sympy.Integer(1)})
    -1.00000000000000
    >>> nonzero_value((x + 1) ** 2 - x**2 - 2 * x - 1, {x: sympy.Rational(1, 3)})
    """
    symbols = tuple(sorted(point, key=str))
    program = _program(expression, symbols)
    if program is None:
        return _by_digits(expression, point)
    with precision(BITS):
        exact = [Fraction(int(point[symbol].p), int(point[symbol].q)) for symbol in symbols]
        (value,) = program([ball(x, x) for x in exact])
        if not value.is_finite() or value.contains(0):
            return None
        return sympy.Float(value.mid().str(20, radius=False), 15)


@lru_cache(maxsize=32)
def _program(expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> Program | None:
    try:
        return compile_arb([expression], symbols)
    except TypeError:
        return None


def _by_digits(expression: sympy.Expr, point: Point) -> sympy.Expr | None:
    if expression.has(*UNEVALUATED):
        at_point = expression.subs(point).doit()
    else:
        at_point = expression.xreplace(dict(point))
    (coarse, _), (fine, size) = (_value_and_size(at_point, digits, {}) for digits in (DIGITS, MORE_DIGITS))
    if not all(number.is_number and number.is_finite for number in (coarse, fine, size)):
        return None
    certain = abs(fine) > RESOLUTION * size and abs(coarse - fine) <= AGREEMENT * abs(fine)
    return fine.n(15) if certain else None


def _value_and_size(
    node: sympy.Expr, digits: int, known: dict[sympy.Expr, tuple[Any, Any]]
) -> tuple[Any, Any]:
    """The value, and what it would be if nothing cancelled; each subexpression is computed once."""
    if node not in known:
        parts = [_value_and_size(arg, digits, known) for arg in node.args] if _is_algebraic(node) else []
        if node.is_Add:
            known[node] = sum(value for value, _ in parts), sum(size for _, size in parts)
        elif node.is_Mul:
            known[node] = prod(value for value, _ in parts), prod(size for _, size in parts)
        elif node.is_Pow and node.exp.is_Integer and node.exp > 0:
            known[node] = parts[0][0] ** node.exp, parts[0][1] ** node.exp
        else:
            value = (parts[0][0] ** node.exp if parts else node).evalf(digits)
            known[node] = value, abs(value)
    return known[node]


def _is_algebraic(node: sympy.Expr) -> bool:
    return node.is_Add or node.is_Mul or (node.is_Pow and node.exp.is_Rational)
