"""Values of expressions at rational points to many digits, and whether such a value is certainly not zero."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

DIGITS, MORE_DIGITS = 50, 80
AGREEMENT = sympy.Rational(1, 10**6)
UNEVALUATED = (sympy.Integral, sympy.Derivative, sympy.Subs, sympy.Sum, sympy.Product, sympy.Limit)

Point = Mapping[sympy.Symbol, sympy.Rational]


def nonzero_value(expression: sympy.Expr, point: Point) -> sympy.Expr | None:
    """The value at a point if it is certainly not zero, else None.

    What rounding leaves of a zero changes with the number of digits; a value that stays is no zero.
    Differences smaller than about 10^-DIGITS of what is summed are not seen. Undefined values count as none.

    >>> x = sympy.Symbol("x")
    >>> nonzero_value(x**2 - 2, {x: sympy.Integer(1)})
    -1.00000000000000
    >>> nonzero_value((x + 1) ** 2 - x**2 - 2 * x - 1, {x: sympy.Rational(1, 3)})
    """
    at_point = _substitute(expression, point)
    coarse, fine = _number(at_point, DIGITS), _number(at_point, MORE_DIGITS)
    if coarse is None or fine is None or not fine:
        return None
    return fine.n(15) if abs(coarse - fine) <= AGREEMENT * abs(fine) else None


def _substitute(expression: sympy.Expr, point: Point) -> sympy.Expr:
    if expression.has(*UNEVALUATED):
        return expression.subs(point).doit()
    return expression.xreplace(dict(point))


def _number(expression: sympy.Expr, digits: int) -> Any:
    """The number to so many digits, each function value in it computed once."""
    values = {call: call.evalf(digits + 10) for call in _outermost_functions(expression)}
    value = expression.xreplace(values).evalf(digits, maxn=2 * digits)
    return value if value.is_number and value.is_finite else None


def _outermost_functions(expression: sympy.Expr) -> set[sympy.Expr]:
    found = set()
    walk = sympy.preorder_traversal(expression)
    for node in walk:
        if isinstance(node, sympy.Function):
            found.add(node)
            walk.skip()
    return found
