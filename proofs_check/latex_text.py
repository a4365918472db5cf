r"""Statements for a terminal: the LaTeX between dollar signs as one line of Unicode text."""

from __future__ import annotations

import re
from functools import cache

from pylatexenc.latex2text import LatexNodes2Text

from proofs_check.prose import MATHEMATICS, with_operators

SUPERSCRIPTS = str.maketrans("0123456789+-n*'", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ*′")
SUBSCRIPTS = str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")
_FRACTION = re.compile(r"\\[dt]?frac(?![a-zA-Z])\s*")
_SCRIPT = re.compile(r"([\^_])\s*(?=[{\\A-Za-z0-9*'])")
_COMMAND = re.compile(r"\\(?:[a-zA-Z]+|.)")
_OPERATOR = re.compile(r" *([=<>≤≥≠≈∈→↦]) *| *([+-]) ")
_SHORT_ROOT = re.compile(r"√\((\w+)\)")
_INNERMOST = re.compile(r"\([^()]*\)")
_COMPOUND = re.compile(r"[-+*/=<>≤≥±· ]")


def statement_text(statement: str) -> str:
    r"""The statement with its inline mathematics as text.

    >>> statement_text(r"If $\kappa^2 \le 1$ then $R_\lambda(k^*) \ge \frac{\nu + 1}{\sqrt{d/2}}$.")
    'If κ² ≤ 1 then R_λ(k*) ≥ (ν + 1)/√(d/2).'
    """
    return MATHEMATICS.sub(_shown, statement).replace(r"\$", "$")


def _shown(match: re.Match[str]) -> str:
    """The formula, or its LaTeX as it stands where that is not understood."""
    try:
        return formula_text(match[1])
    except Exception:
        return match[0]


def formula_text(latex: str) -> str:
    r"""One formula as a line of text; what has no Unicode form keeps a readable ^( ) or _( ).

    >>> formula_text(r"e^{-x^2} + x_{l-1} + X_{J_0}^{10}")
    'e^(-x²) + x_(l-1) + X_J₀¹⁰'
    """
    return _symbols(_scripts(_fractions(with_operators(latex).replace(r"\|", "‖").replace("'", "′"))))


def _fractions(latex: str) -> str:
    while match := _FRACTION.search(latex):
        above, middle = _argument(latex, match.end())
        below, end = _argument(latex, middle)
        latex = f"{latex[: match.start()]}{_bracket(above)}/{_bracket(below)}{latex[end:]}"
    return latex


def _scripts(latex: str) -> str:
    start = 0
    while match := _SCRIPT.search(latex, start):
        content, end = _argument(latex, match.end())
        table = SUPERSCRIPTS if match[1] == "^" else SUBSCRIPTS
        inner = _scripts(content)
        small = inner.translate(table)
        plain = all(ord(character) in table for character in inner)
        shown = small if plain else match[1].replace("_", r"\_").replace("^", r"\string^") + _bracket(inner)
        latex = latex[: match.start()] + shown + latex[end:]
        start = match.start() + len(shown)
    return latex


def _argument(latex: str, start: int) -> tuple[str, int]:
    """The group, command or character at `start` without braces, and where it ends."""
    if latex[start] == "\\":
        command = _COMMAND.match(latex, start)
        assert command is not None
        return command[0], command.end()
    if latex[start] != "{":
        return latex[start], start + 1
    depth = 0
    for end in range(start, len(latex)):
        depth += {"{": 1, "}": -1}.get(latex[end], 0)
        if depth == 0:
            return latex[start + 1 : end], end + 1
    raise ValueError(f"unbalanced brace in the formula {latex!r}")


def _bracket(latex: str) -> str:
    """In parentheses if it is more than one factor, else as a group."""
    text = _symbols(latex)
    while "(" in text and (shorter := _INNERMOST.sub("", text)) != text:
        text = shorter
    return f"({latex})" if _COMPOUND.search(text) else f"{{{latex}}}"


@cache
def _converter() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="text", keep_comments=True, strict_latex_spaces=False)


def _symbols(latex: str) -> str:
    text = _converter().latex_to_text(latex).replace("^⋆", "*").replace("^⊤", "ᵀ")
    text = _SHORT_ROOT.sub(r"√\1", _OPERATOR.sub(r" \1\2 ", text))
    return re.sub(r" +", " ", text).strip()
