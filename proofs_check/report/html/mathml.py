"""LaTeX to MathML, which browsers typeset by themselves; only known elements and attributes get through."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from functools import lru_cache

import latex2mathml.converter
from markupsafe import Markup, escape

from proofs_check.prose import MATHEMATICS, with_operators

NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
ELEMENTS = frozenset(
    """math mrow mi mn mo ms mspace mtext mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup
    munder mover munderover mmultiscripts mprescripts mtable mtr mtd semantics""".split()  # noqa: SIM905
)
ATTRIBUTES = frozenset(
    """display displaystyle scriptlevel mathvariant stretchy fence separator form lspace rspace largeop
    movablelimits accent accentunder linethickness columnalign rowspacing columnspacing width height depth
    minsize maxsize symmetric""".split()  # noqa: SIM905
)
SIGNS = frozenset("+-\N{MINUS SIGN}±∓")
CLOSING = frozenset(")]}|⟩!′")


def statement_markup(statement: str) -> Markup:
    r"""Text with inline mathematics between dollar signs; all else is escaped.

    >>> statement_markup("a < b")
    Markup('a &lt; b')
    >>> "<mi>κ</mi>" in statement_markup(r"If $\kappa = 1$")
    True
    """
    pieces = MATHEMATICS.split(statement)
    return Markup("").join(
        _mathml(with_operators(piece), "inline") if place % 2 else escape(piece.replace(r"\$", "$"))
        for place, piece in enumerate(pieces)
    )


def formula_markup(latex: str) -> Markup:
    """A displayed formula."""
    return _mathml(latex, "block")


@lru_cache(maxsize=4096)
def _mathml(latex: str, display: str) -> Markup:
    """MathML, or the LaTeX itself as code where the converter does not know it."""
    try:
        tree = ElementTree.fromstring(latex2mathml.converter.convert(latex, display=display))
        _clean(tree)
    except Exception:
        return Markup('<code class="latex">{}</code>').format(latex)
    tree.set("display", display)
    return Markup(ElementTree.tostring(tree, encoding="unicode"))


def _clean(element: ElementTree.Element) -> None:
    """Strip the namespace, which HTML implies, and everything that is not presentation MathML."""
    element.tag = element.tag.removeprefix(NAMESPACE)
    if element.tag not in ELEMENTS:
        raise ValueError(f"no element of presentation MathML: {element.tag}")
    for name in set(element.attrib) - ATTRIBUTES:
        del element.attrib[name]
    for child in element:
        _clean(child)
    _mark_signs(element)


def _mark_signs(row: ElementTree.Element) -> None:
    """A sign at the start of a row or after another operator is a prefix: no space around it."""
    before = None
    for child in row:
        starts = before is None or (before.tag == "mo" and (before.text or "") not in CLOSING)
        if child.tag == "mo" and child.text in SIGNS and starts and row.tag in ("mrow", "math"):
            child.set("form", "prefix")
        before = child
