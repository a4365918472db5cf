"""Trajectories: over steps or time, and as paths in the (kappa, nu) plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from numerics.plotting import labels, look

MANY = 8
"""With more runs than this, single lines are drawn thinner and fainter."""


def trajectories(
    dataset: xr.Dataset,
    variables: str | Sequence[str] = ("kappa", "nu"),
    *,
    ax: Axes | None = None,
    **line: Any,
) -> Axes:
    """Every run's `variables` over the steps, or the time, one colour a variable.

    dataset: of dims (run, step) or (run, time). line: options of matplotlib's lines.
    Raises ValueError if the dataset has no such dimensions or variable.
    """
    ax = look.axes(ax)
    names = [variables] if isinstance(variables, str) else list(variables)
    x = along(dataset)
    for name in names:
        rows = rows_of(dataset, name)
        colour = look.COLOURS.get(name, look.INK)
        drawn = {"color": colour, "label": labels.symbol(name), **_weight(len(rows)), **line}
        for row in rows:
            ax.plot(dataset[x], row, **drawn)
            drawn["label"] = None
    labels.name_axes(ax, x, names[0])
    if len(names) > 1:
        ax.set_ylabel("overlaps")
        ax.legend()
    return ax


def plane(dataset: xr.Dataset, *, ax: Axes | None = None, fold: bool = False, **line: Any) -> Axes:
    """Every run's path in the (kappa, nu) plane: an open circle where it starts, a dot where it ends.

    fold: draw (|kappa|, |nu|) instead. line: options of matplotlib's lines.
    """
    ax = look.axes(ax)
    part = np.abs if fold else np.asarray
    kappa, nu = part(rows_of(dataset, "kappa")), part(rows_of(dataset, "nu"))
    drawn = {"color": look.PALETTE[0], **_weight(len(kappa)), **line}
    for x, y in zip(kappa, nu, strict=True):
        ax.plot(x, y, **drawn)
    dot = 0.75 * look.plt.rcParams["lines.markersize"]
    marker = {"marker": "o", "linestyle": "none", "zorder": 4, "clip_on": False, "color": drawn["color"]}
    ax.plot(kappa[:, 0], nu[:, 0], markersize=0.85 * dot, markerfacecolor="white", **marker)
    ax.plot(kappa[:, -1], nu[:, -1], markersize=dot, markeredgecolor="white", **marker)
    low = -0.05 if fold else -1.05
    ax.set(xlim=(low, 1.05), ylim=(low, 1.05), aspect="equal")
    labels.name_axes(ax, "kappa", "nu")
    if fold:
        ax.set(xlabel=r"$|\kappa|$", ylabel=r"$|\nu|$")
    return ax


def along(dataset: xr.Dataset) -> str:
    """The dimension that a dataset's runs go along: "step" or "time"; ValueError if it has neither."""
    for name in ("step", "time"):
        if isinstance(dataset, xr.Dataset) and name in dataset.dims:
            return name
    raise ValueError(f"dataset must be an xarray.Dataset with a dimension step or time, got {dataset!r}")


def rows_of(dataset: xr.Dataset, name: str) -> np.ndarray:
    """A variable's values as an array (run, along); ValueError if there is none of that name."""
    x = along(dataset)
    if name not in dataset:
        raise ValueError(f"variables must be among {', '.join(map(str, dataset.data_vars))}, got {name!r}")
    values = dataset[name]
    return (values if "run" in values.dims else values.expand_dims("run")).transpose("run", x).values


def _weight(runs: int) -> dict[str, float]:
    return {"linewidth": 0.8, "alpha": 0.5} if runs > MANY else {}
