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
ROWS = frozenset({"mrow", "math", "mtd", "msqrt", "mstyle", "mpadded"})
SIGNS = frozenset("+-\N{MINUS SIGN}±∓")
CLOSING = frozenset(")]}|⟩!′")
OPENING = frozenset("([{⟨")
BARS = frozenset("|‖")
THIN = "0.167em"


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
    if element.tag in ROWS:
        _space(list(element))


def _space(row: list[ElementTree.Element]) -> None:
    """Spacing that the converter leaves out: signs as prefixes, names of functions, bars as fences."""
    for before, child, after in zip([None, *row], row, [*row[1:], None], strict=False):
        core = child[0] if child.tag in ("msup", "msub", "msubsup") else child
        text = core.text or ""
        if core.tag == "mo" and text in SIGNS and _starts(before):
            core.set("form", "prefix")
        elif core.tag in ("mi", "mo") and len(text) > 1 and text.isalpha():
            core.tag = "mo"
            applied = after is not None and _opens(after)
            core.attrib |= {"lspace": THIN if before is not None else "0", "rspace": "0" if applied else THIN}
        elif core.tag == "mo" and text in BARS:
            core.attrib |= {"lspace": "0", "rspace": "0"}


def _starts(before: ElementTree.Element | None) -> bool:
    """Whether what follows `before` stands at the start of a term."""
    return before is None or (before.tag == "mo" and (before.text or "") not in CLOSING)


def _opens(element: ElementTree.Element) -> bool:
    """Whether it is, or begins with, an opening bracket."""
    return element.text in OPENING if len(element) == 0 else _opens(element[0])
