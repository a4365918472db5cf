"""How the critical points move, are born and change their type as lambda changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matplotlib.axes import Axes

from numerics.landscape.points import CriticalPoint
from numerics.landscape.report import Landscape
from numerics.overlaps import NAMES
from numerics.plotting import labels, look

COLOURS = {"oracle": look.PALETTE[0], "role-swapped": look.PALETTE[1]}
"""Points that keep their name; a minimum by another name has the third colour."""


def bifurcation(
    landscapes: Iterable[Landscape],
    variable: str = "kappa",
    *,
    ax: Axes | None = None,
    symmetric: bool = True,
) -> Axes:
    """A variable of every critical point over lambda: minima filled, saddles and maxima small and open.

    landscapes: at any values of lambda. variable: an overlap or "excess_risk". symmetric: draw the images
    under the symmetries too. Raises ValueError for another variable.
    """
    if variable not in (*NAMES, "excess_risk"):
        raise ValueError(f"variable must be one of {', '.join(NAMES)}, excess_risk, got {variable!r}")
    ax = look.axes(ax)
    for landscape in landscapes:
        for point in landscape.points:
            values = _values(point, variable, symmetric)
            ax.plot([landscape.lam] * len(values), values, **_marker(point))
    ax.set_xscale("log")
    labels.name_axes(ax, "lam", variable)
    handles, names = ax.get_legend_handles_labels()
    known = dict(zip(names, handles, strict=True))
    ax.legend(known.values(), known)
    return ax


def _values(point: CriticalPoint, variable: str, symmetric: bool) -> list[float]:
    if variable == "excess_risk":
        return [point.excess_risk]
    images = point.images if symmetric else (point.overlaps,)
    return sorted({image[NAMES.index(variable)] for image in images})


def _marker(point: CriticalPoint) -> dict[str, Any]:
    shape: dict[str, Any] = {"linestyle": "none", "marker": "o", "clip_on": False}
    if point.kind != "minimum":
        return {
            **shape,
            "color": look.SHADE,
            "markersize": 3,
            "markerfacecolor": "none",
            "label": "no minimum",
        }
    known = point.name in COLOURS
    label = f"minimum: {point.name if known else 'another'}"
    return {**shape, "color": COLOURS.get(point.name, look.PALETTE[2]), "zorder": 3, "label": label}
