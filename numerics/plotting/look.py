"""One look for every figure: colours, and sizes for a column, a page, a projector or a notebook."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics import files

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, which the colour-blind can tell apart."""

COLOURS = MappingProxyType(dict(zip(("kappa", "nu", "theta", "eta", "rho"), PALETTE, strict=False)))
"""The colour of each overlap, the same in every figure."""

INK, SHADE = "#222222", "#8C8C8C"
"""What marks and what only guides the eye."""

_WIDTHS = {"column": (3.3, 8), "page": (6.8, 9), "slides": (10.0, 18), "notebook": (6.4, 10.5)}
_GOLDEN = 0.618


def style(context: str = "notebook") -> AbstractContextManager[None]:
    """A context in which figures fit their medium.

    context: "column" (of a two-column paper), "page" (its full width), "slides" (a projector) or "notebook".
    Raises ValueError for another.

    >>> with style("column"):
    ...     plt.rcParams["font.size"], size("column", rows=2)
    (8.0, (3.3, 4.0788))
    """
    return mpl.rc_context(_settings(context))


def use(context: str = "notebook") -> None:
    """As `style`, but from now on: for the first cell of a notebook."""
    mpl.rcParams.update(_settings(context))


def _settings(context: str) -> dict[str, Any]:
    width, points = _context(context)
    line = points / 6.5
    return {
        "figure.figsize": (width, width * _GOLDEN),
        "figure.constrained_layout.use": True,
        "figure.dpi": 100,
        "savefig.dpi": 300,
        "font.size": points,
        "font.family": "sans-serif" if context in ("slides", "notebook") else "STIXGeneral",
        "mathtext.fontset": "dejavusans" if context in ("slides", "notebook") else "stix",
        "axes.titlesize": "medium",
        "axes.labelsize": "medium",
        "legend.fontsize": "small",
        "xtick.labelsize": "small",
        "ytick.labelsize": "small",
        "axes.prop_cycle": cycler(color=PALETTE),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.4 * line,
        "axes.edgecolor": INK,
        "lines.linewidth": line,
        "lines.markersize": 3.5 * line,
        "legend.frameon": False,
        "pdf.fonttype": 42,
        "svg.hashsalt": "single-location-regression",
    }


def size(context: str = "notebook", *, rows: float = 1, aspect: float = _GOLDEN) -> tuple[float, float]:
    """Width and height in inches of a figure of `rows` rows, each `aspect` times as high as wide."""
    width, _ = _context(context)
    return width, round(width * aspect * rows, 6)


def save(figure: Figure, path: str | os.PathLike[str]) -> Path:
    """Write the figure whole or not at all; the suffix, .svg, .pdf or .png, says how. Returns the path.

    The same figure gives the same bytes: no date is written.
    """
    path, kind = Path(path), file_kind(path)
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
    with files.replacing(path) as temporary:
        figure.savefig(temporary, format=kind, metadata=dates[kind])
    return path


def file_kind(path: str | os.PathLike[str]) -> str:
    """svg, pdf or png, by the suffix of a figure's path. Raises ValueError for another.

    >>> file_kind("figure.PNG")
    'png'
    """
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in ("svg", "pdf", "png"):
        raise ValueError(f"path must end in .svg, .pdf or .png, got {str(path)!r}")
    return kind


def axes(ax: Axes | None) -> Axes:
    """`ax`, or the axes of a new figure."""
    return plt.subplots()[1] if ax is None else ax


def _context(context: str) -> tuple[float, float]:
    if context not in _WIDTHS:
        raise ValueError(f"context must be one of {', '.join(map(repr, _WIDTHS))}, got {context!r}")
    return _WIDTHS[context]
