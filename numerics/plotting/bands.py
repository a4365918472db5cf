"""Curves over steps or time with bands: the median of the runs, and where most of them are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from numerics import checks
from numerics.plotting import labels, look, paths

_DASHES = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.5, 1, 1.5)))


def band(
    dataset: xr.Dataset,
    variables: str | Sequence[str] = "excess_risk",
    *,
    ax: Axes | None = None,
    level: float = 0.95,
    absolute: bool = False,
    **line: Any,
) -> Axes:
    """The median of `variables` over the runs, and the band that holds the middle `level` of them.

    dataset: of dims (run, step) or (run, time). absolute: of the variables' absolute values.
    line: options of matplotlib's lines; its colour is the band's.
    Raises ValueError for a level outside (0, 1) or an unknown variable.
    """
    ax = look.axes(ax)
    names = [variables] if isinstance(variables, str) else list(variables)
    quantiles = _quantiles(level)
    x = paths.along(dataset)
    written = {name: f"$|{labels.symbol(name)[1:-1]}|$" if absolute else labels.label(name) for name in names}
    for name in names:
        rows = paths.rows_of(dataset, name)
        low, middle, high = np.quantile(np.abs(rows) if absolute else rows, quantiles, axis=0)
        drawn = {"color": look.COLOURS.get(name, look.PALETTE[0]), **line}
        if len(names) > 1:
            drawn = {"label": written[name], **drawn}
        ax.fill_between(dataset[x], low, high, color=drawn["color"], alpha=0.2, linewidth=0)
        ax.plot(dataset[x], middle, **drawn)
    labels.name_axes(ax, x, names[0])
    ax.set_ylabel(written[names[0]] if len(names) == 1 else "overlaps")
    if len(names) > 1:
        ax.legend()
    return ax


def risk_curves(
    datasets: xr.Dataset | Mapping[str, xr.Dataset], *, ax: Axes | None = None, level: float = 0.95
) -> Axes:
    """The excess risk on a log scale, median and band, of one dataset or of several by name.

    Raises ValueError or TypeError as `band` does.
    """
    ax = look.axes(ax)
    named = {None: datasets} if isinstance(datasets, xr.Dataset) else datasets
    for number, (name, dataset) in enumerate(named.items()):
        colour, dashes = look.PALETTE[number % len(look.PALETTE)], _DASHES[number % len(_DASHES)]
        band(dataset, ax=ax, level=level, color=colour, label=name, linestyle=dashes)
    ax.set_yscale("log")
    if named is datasets:
        ax.legend()
    return ax


def _quantiles(level: float) -> list[float]:
    level = checks.real("level", level, above=0)
    if not level < 1:
        raise ValueError(f"level must be < 1, got {level!r}")
    return [(1 - level) / 2, 0.5, (1 + level) / 2]
