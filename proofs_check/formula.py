"""Formulas for people: a claim's SymPy objects as text for a terminal and as LaTeX for a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

TERMINAL_COLUMNS = 76


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

    return tuple(
        Formula(_pretty(item), sympy.latex(item))
        for item in _sympy_objects(shown, (sympy.Basic, sympy.MatrixBase))
    )


def _pretty(item: Any) -> str:
    import sympy

    return sympy.pretty(item, use_unicode=True, num_columns=TERMINAL_COLUMNS)


def _sympy_objects(shown: Any, types: tuple[type, ...]) -> Iterable[Any]:
    if isinstance(shown, types):
        return [shown]
    if isinstance(shown, dict):
        shown = list(shown.values())
    if isinstance(shown, tuple | list):
        return [item for item in shown if isinstance(item, types)]
    return []
