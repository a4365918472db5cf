"""The shares of uniform starts that each minimum attracts, over a grid of lambda and dimension."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from numerics.iteration import Progress
from numerics.landscape import basins, find
from numerics.landscape.parameters import Parameters
from numerics.task import Task

NAMES = (find.ORACLE, find.SWAPPED, find.TILTED, basins.UNEXPLAINED)
"""Where runs can end."""

STARTS = 128
"""Of the search for the minima."""


def share_grid(
    lams: Sequence[float],
    tasks: Sequence[Task],
    *,
    runs: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Shares of uniform starts by flow, with intervals of basins.CONFIDENCE: dims (task, lam, end).

    The variables are share, low and high; coordinates d and L belong to the dimension task. A minimum that
    does not exist has share 0. progress: called with (cells done, cells).
    Raises ValueError or TypeError as `landscape`.
    """
    values = np.zeros((3, len(tasks), len(lams), len(NAMES)))
    for i, task in enumerate(tasks):
        for j, lam in enumerate(lams):
            points = find.critical_points(Parameters.of_task(lam, task), seed=seed, starts=STARTS)
            found = basins.shares(points, lam, task, runs=runs, seed=seed)
            for k, name in enumerate(NAMES):
                share = found.get(name, basins.Share(runs, 0, 0))
                values[:, i, j, k] = share.value, *share.interval
            if progress:
                progress(i * len(lams) + j + 1, len(tasks) * len(lams))
    dims = ("task", "lam", "end")
    coords = {
        "lam": list(map(float, lams)),
        "end": list(NAMES),
        "d": ("task", [task.d for task in tasks]),
        "L": ("task", [task.L for task in tasks]),
    }
    variables = {name: (dims, value) for name, value in zip(("share", "low", "high"), values, strict=True)}
    return xr.Dataset(variables, coords, {"runs": runs, "seed": seed, "confidence": basins.CONFIDENCE})
