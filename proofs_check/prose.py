r"""What statements are written in: paragraphs of text with LaTeX between dollar signs."""

from __future__ import annotations

import inspect
import re

MATHEMATICS = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$", re.DOTALL)
_OPERATOR = re.compile(r"(?<![\\a-zA-Z{])(erfc?|exp|log|arcsin|arctan|sin|cos|Var|Cov)(?![a-zA-Z])")


def paragraphs(text: str) -> list[str]:
    r"""The paragraphs of a text such as a docstring, each on one line.

    >>> paragraphs("One\ntwo.\n\nThree.")
    ['One two.', 'Three.']
    """
    return [
        " ".join(block.split()) for block in re.split(r"\n\s*\n", inspect.cleandoc(text)) if block.strip()
    ]


def symbol_names(names: str) -> str:
    r"""The names of symbols as mathematics, unless they are written so already.

    >>> symbol_names("kappa, x_0")
    '$\\kappa, x_{0}$'
    """
    from sympy import Symbol, latex

    if "$" in names:
        return names
    return f"${', '.join(latex(Symbol(name.strip())) for name in names.split(','))}$"


def with_operators(latex: str) -> str:
    r"""Names of functions as operators where they are written plainly.

    >>> with_operators(r"erf(x)^2 + \exp(\mathrm{erf} y)")
    '\\operatorname{erf}(x)^2 + \\exp(\\mathrm{erf} y)'
    """
    return _OPERATOR.sub(r"\\operatorname{\1}", latex)
