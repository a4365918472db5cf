"""The landscape in one figure: the flow on M, the critical points over lambda, the thresholds over d."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics.landscape.branches import Branch
from numerics.landscape.points import CriticalPoint
from numerics.overlaps import NAMES
from numerics.plotting import labels, look
from numerics.plotting.bifurcation import COLOURS
from numerics.plotting.portrait import phase_portrait
from numerics.task import Task

LOWEST = 2
"""Largest index of the saddles that are drawn: those with more directions downhill hardly stop a run."""

THRESHOLDS = {
    "complete swap": (look.PALETTE[1], ":", r"role-swapped leaves $\theta = 1$"),
    "tie": (look.INK, "-.", "oracle and role-swapped tie"),
    "oracle": (look.PALETTE[0], "-", "oracle no minimum beyond"),
    "swapped": (look.PALETTE[1], "--", "role-swapped no minimum beyond"),
}
"""How each threshold is drawn and called."""


def branches(found: Sequence[Branch], variable: str = "kappa", *, ax: Axes | None = None) -> Axes:
    """The size of a variable along branches of critical points over lambda.

    Minima are solid, in the colour of their name; saddles of index LOWEST or less dashed and grey.
    variable: an overlap or "excess_risk". Raises ValueError for another.
    """
    if variable not in (*NAMES, "excess_risk"):
        raise ValueError(f"variable must be one of {', '.join(NAMES)}, excess_risk, got {variable!r}")
    ax = look.axes(ax)
    for branch in found:
        kinds = [_kind(point) for point in branch.points]
        for kind in dict.fromkeys(kinds):
            heights = [
                _value(point, variable) if kind == other else np.nan
                for point, other in zip(branch.points, kinds, strict=True)
            ]
            ax.plot(branch.lams, heights, **_line(kind))
    ax.set_xscale("log")
    labels.name_axes(ax, "lam", variable)
    if variable != "excess_risk":
        ax.set_ylabel(f"|{labels.symbol(variable)}|")
    _legend(ax)
    return ax


def threshold_curves(
    dimensions: Sequence[int], curves: Mapping[str, np.ndarray], *, ax: Axes | None = None
) -> Axes:
    """Thresholds in lambda by name over the dimension; those that the mapping has."""
    ax = look.axes(ax)
    ax.set(xscale="log", yscale="log", xlim=(0.9 * min(dimensions), 1.1 * max(dimensions)))
    for name, (colour, line, text) in THRESHOLDS.items():
        if name in curves:
            ax.plot(dimensions, curves[name], color=colour, linestyle=line, label=text)
    ax.legend()
    return labels.name_axes(ax, "d", "lam")


def overview(
    lam: float,
    task: Task,
    found: Sequence[Branch],
    dimensions: Sequence[int],
    curves: Mapping[str, np.ndarray],
    *,
    context: str = "page",
) -> Figure:
    """Three panels: the flow on M with its separatrix, |kappa| of the branches, the thresholds.

    lam is marked by a dotted line. context: as for `style`.
    """
    with look.style(context):
        width, _ = look.size(context)
        figure, (left, middle, right) = look.plt.subplots(1, 3, figsize=(width, 0.47 * width))
        phase_portrait(lam, task, ax=left)
        branches(found, ax=middle)
        threshold_curves(dimensions, curves, ax=right)
        middle.axvline(lam, color=look.SHADE, linestyle=":", linewidth=0.8, zorder=0)
        right.plot([task.d], [lam], "x", color=look.INK, markersize=4)
        for ax, letter in zip((left, middle, right), "abc", strict=True):
            ax.set_title(f"({letter})", loc="left")
            ax.set_box_aspect(1)
            _legend(ax, loc="upper left", bbox_to_anchor=(-0.1, -0.3), handlelength=2.2)
    return figure


def _legend(ax: Axes, **options: Any) -> None:
    """A legend with each name once, in the order in which they come."""
    handles, names = ax.get_legend_handles_labels()
    known = dict(zip(names, handles, strict=True))
    ax.legend(known.values(), known, **options)


def _kind(point: CriticalPoint) -> str | None:
    """What a point is drawn as: the name of a minimum, "saddle", or nothing."""
    if point.kind == "minimum":
        return point.name.rstrip(" 0123456789")
    return "saddle" if point.index is not None and point.index <= LOWEST else None


def _value(point: CriticalPoint, variable: str) -> float:
    if variable == "excess_risk":
        return point.excess_risk
    return abs(point.overlaps[NAMES.index(variable)])


def _line(kind: str | None) -> dict[str, Any]:
    if kind is None:
        return {"linestyle": "none"}
    if kind == "saddle":
        text = f"saddle of index 1 or {LOWEST}"
        return {"color": look.SHADE, "linestyle": "--", "linewidth": 0.8, "label": text, "zorder": 1.5}
    return {"color": COLOURS.get(kind, look.PALETTE[2]), "label": kind, "clip_on": False}
