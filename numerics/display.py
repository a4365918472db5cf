"""Results as notebooks show them: small HTML tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

COLUMNS = 8
"""Of a longer row a table shows the first ones."""


def table(rows: Iterable[tuple[str, Sequence[str]]], caption: str = "") -> str:
    """An HTML table of named rows of text, in the colours of the page around it.

    >>> table([("n", ["1", "2"])], "Numbers")
    '<table><caption>Numbers</caption><tr><th>n</th><td>1</td><td>2</td></tr></table>'
    """
    written = "".join(
        f"<tr><th>{escape(name)}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        for name, cells in rows
    )
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}{written}</table>"


def cells(values: Any, digits: int = 6) -> list[str]:
    """The first numbers of an array as text, and an ellipsis if there are more.

    >>> cells(range(20))
    ['0', '1', '2', '3', '4', '5', '6', '7', '…']
    """
    flat = np.ravel(values)
    return [f"{value:.{digits}g}" for value in flat[:COLUMNS]] + ["…"] * (flat.size > COLUMNS)
