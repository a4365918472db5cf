"""Steps of a proof in one line each: an equation, a sign, a value, a limit."""

from __future__ import annotations

from typing import Any

import sympy

from proofs_check.judges.exact import Step, is_zero
from proofs_check.judges.positive import positive_route


def equal(name: str, left: Any, right: Any, **options: Any) -> Step:
    """Two expressions are identically equal. Options as for `is_zero`.

    >>> x = sympy.Symbol("x")
    >>> equal("binomial", (x + 1) ** 2, x**2 + 2 * x + 1).ok
    True
    """
    return Step(name, is_zero(sympy.sympify(left) - sympy.sympify(right), **options))


def positive(name: str, expression: Any) -> Step:
    """An expression is positive for all values that its symbols' assumptions admit."""
    return _sign(name, expression, True)


def nonnegative(name: str, expression: Any) -> Step:
    """An expression is non-negative for all values that its symbols' assumptions admit."""
    return _sign(name, expression, False)


def value(name: str, expression: Any, variable: sympy.Symbol, at: Any, expected: Any) -> Step:
    """A continuous expression has the value `expected` where `variable` is `at`.

    >>> x = sympy.Symbol("x", positive=True)
    >>> value("no root", sympy.sqrt(1 + x), x, 0, 1).ok
    True
    """
    return equal(name, sympy.sympify(expression).subs(variable, at).doit(), expected)


def limit(name: str, expression: Any, variable: sympy.Symbol, to: Any, value: Any, side: str = "+-") -> Step:
    """An expression has the limit `value` as `variable` tends to `to` (from above with side "+").

    >>> n = sympy.Symbol("n", positive=True)
    >>> limit("harmonic", 1 / n, n, sympy.oo, 0).ok
    True
    """
    direction = "-" if to == sympy.oo else side
    found = sympy.limit(sympy.sympify(expression), variable, to, direction)
    if found == value:
        return Step(name, True, f"limit {found}")
    if isinstance(found, sympy.Limit):
        return Step(name, None, "the limit is not found")
    same = is_zero(found - value) if found.is_finite and sympy.sympify(value).is_finite else False
    return Step(name, same, f"limit {found}")


def grows_from_zero(
    name: str,
    expression: Any,
    variable: sympy.Symbol,
    change: tuple[Any, Any] | None = None,
    order: int = 1,
) -> list[Step]:
    """An expression is non-negative for variable >= 0, by Taylor's formula.

    Its derivatives of order 0 to `order` - 1 vanish or are positive at 0, and that of this order is
    non-negative.

    change: (expression, symbol); the derivative is written in a new symbol, of which the variable is this
    expression, before its sign is looked for.
    """
    steps = []
    for n in range(order):
        start = sympy.diff(expression, variable, n).subs(variable, 0).doit()
        steps.append(nonnegative(f"{name}: derivative {n} at 0", start))
    derivative = sympy.simplify(sympy.diff(expression, variable, order))
    if change:
        derivative = sympy.simplify(derivative.subs(variable, change[0]))
    return [*steps, nonnegative(f"{name}: derivative {order}", derivative)]


def _sign(name: str, expression: Any, strict: bool) -> Step:
    expression = sympy.sympify(expression)
    factored = sympy.factor(expression) if expression.free_symbols else expression
    if any(form.is_negative or (strict and form.is_nonpositive) for form in (expression, factored)):
        return Step(name, False, str(expression))
    route = positive_route(expression, strict) or positive_route(factored, strict)
    return Step(name, True if route else None, route)
