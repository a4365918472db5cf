"""Where the runs of an ensemble end."""

from __future__ import annotations

import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from numerics.overlaps import NAMES
from numerics.plotting import labels, look, paths

SPREAD = 0.32
"""Half the width, in units of the distance between columns, over which dots are spread."""


def ensemble(dataset: xr.Dataset, *, ax: Axes | None = None, at: int = -1) -> Axes:
    """All five overlaps of every run: a dot a run, by default at the end.

    dataset: of dims (run, step) or (run, time). at: index of the step or time.
    The dots of an overlap are in order of height: a column is its empirical quantile function.
    """
    ax = look.axes(ax)
    for column, name in enumerate(NAMES):
        values = np.sort(paths.rows_of(dataset, name)[:, at])
        offsets = SPREAD * np.linspace(-1, 1, values.size) if values.size > 1 else np.zeros(1)
        ax.plot(
            column + offsets,
            values,
            ".",
            color=look.COLOURS[name],
            alpha=0.65,
            markeredgewidth=0,
            clip_on=False,
        )
    ax.axhline(0, color=look.SHADE, linewidth=0.6, zorder=0)
    ax.set_xticks(range(len(NAMES)), [labels.symbol(name) for name in NAMES])
    ax.tick_params(axis="x", length=0, labelsize="medium")
    x = paths.along(dataset)
    where = f"{x} {dataset[x].values[at]:,g}"
    ax.set(ylim=(-1.05, 1.05), ylabel="overlaps", title=f"{dataset.sizes['run']} runs at {where}")
    return ax
