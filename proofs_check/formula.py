"""Formulas for people: a claim's SymPy objects as text for a terminal and as LaTeX for a page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

COLUMNS = 76
MOST_OPERATIONS = 200


@dataclass(frozen=True)
class Formula:
    """One displayed formula: several lines of text, and LaTeX."""

    text: str
    latex: str


def render(shown: Any) -> tuple[Formula, ...]:
    """Formulas of a SymPy object, or of a tuple, list or mapping of them; nothing for anything else.

    >>> import sympy
    >>> render(sympy.Symbol("x") ** 2)[0].latex
    'x^{2}'
    >>> render(3.5)
    ()
    """
    import sympy

    types = (sympy.Basic, sympy.MatrixBase)
    return tuple(Formula(_text(item), sympy.latex(item)) for item in _sympy_objects(shown, types))


def _text(item: Any) -> str:
    """Two-dimensional if it fits, else side by side of an equation, else term by term, else in a line."""
    import sympy

    if sympy.count_ops(item) <= MOST_OPERATIONS:
        block = sympy.pretty(item, use_unicode=True, wrap_line=False)
        if max(map(len, block.splitlines())) <= COLUMNS:
            return block
    if isinstance(item, sympy.core.relational.Relational):
        return f"{_text(item.lhs)}\n\n{item.rel_op.replace('==', '=')}\n\n{_text(item.rhs)}"
    if isinstance(item, sympy.Add):
        first, *others = item.as_ordered_terms()
        return "\n\n".join([_text(first), *map(_summand, others)])
    return _linear(item)


def _summand(term: Any) -> str:
    return f"-\n{_text(-term)}" if term.could_extract_minus_sign() else f"+\n{_text(term)}"


def _linear(item: Any) -> str:
    import sympy

    return textwrap.fill(sympy.sstr(item), COLUMNS, break_long_words=True, break_on_hyphens=False)


def _sympy_objects(shown: Any, types: tuple[type, ...]) -> Iterable[Any]:
    if isinstance(shown, types):
        return [shown]
    if isinstance(shown, dict):
        shown = list(shown.values())
    if isinstance(shown, tuple | list):
        return [item for item in shown if isinstance(item, types)]
    return []
