"""The datasets that the dynamics return: their layout, and files of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from numerics import checks, files, schedules
from numerics.iteration import Iteration
from numerics.overlaps import NAMES, Overlaps
from numerics.risk import excess_risk
from numerics.task import Task

LONG_NAMES = {
    "kappa": "<k, k*>",
    "nu": "<v, v*>",
    "theta": "<v, k*>",
    "eta": "<k, v*>",
    "rho": "<k, v>",
    "excess_risk": "excess risk R - epsilon^2",
    "distance": "distance to the manifold, sqrt(theta^2 + eta^2 + rho^2)",
    "lam": "lambda",
}


def starts(o: Any) -> np.ndarray:
    """The overlaps as an array (5, runs); TypeError or ValueError for what is no run or row of runs.

    >>> starts(Overlaps(kappa=0.5, nu=0.25)).shape
    (5, 1)
    """
    if not isinstance(o, Overlaps):
        raise TypeError(f"o must be Overlaps, got {o!r}")
    if len(o.shape) > 1:
        raise ValueError(f"o must have shape () or (runs,), got {o.shape}")
    return o.stack().reshape(5, -1)


def run_numbers(runs: Any, count: int) -> np.ndarray:
    """Labels of the runs: `runs`, one integer >= 0 a run, or 0, 1, ... if it is None."""
    if runs is None:
        return np.arange(count)
    numbers = np.array([checks.integer("runs", run, 0) for run in runs], dtype=np.int64)
    if numbers.size != count:
        raise ValueError(f"runs must hold one integer a run, {count} in all, got {numbers.size}")
    return numbers


def trajectories(
    overlaps: np.ndarray,
    lam: np.ndarray,
    along: tuple[str, np.ndarray],
    runs: np.ndarray,
    task: Task,
    attributes: Mapping[str, Any],
) -> xr.Dataset:
    """The dataset of trajectories `overlaps` (5, run, along) at which lam is `lam` (along,).

    along: name and values of the second dimension, "step" or "time".
    """
    points = Overlaps.unchecked(overlaps)
    dims = ("run", along[0])
    values: dict[str, tuple[Any, ...]] = {name: (dims, o) for name, o in zip(NAMES, overlaps, strict=True)}
    values["excess_risk"] = (dims, excess_risk(points, lam, task))
    values["distance"] = (dims, points.distance)
    values["lam"] = (along[0], lam)
    data = {name: (*value, {"long_name": LONG_NAMES[name]}) for name, value in values.items()}
    parameters = {"d": task.d, "L": task.L, "gamma": task.gamma, "epsilon": task.epsilon}
    return xr.Dataset(data, {"run": runs, along[0]: along[1]}, {**parameters, **attributes})


def descent(
    overlaps: np.ndarray, runs: np.ndarray, iteration: Iteration, task: Task, attributes: Mapping[str, Any]
) -> xr.Dataset:
    """The dataset of an iterative algorithm's recorded overlaps (5, run, step)."""
    settings = {
        "lam": schedules.describe(iteration.lam),
        "step_size": schedules.describe(iteration.step_size),
        "steps": iteration.steps,
        "record_every": iteration.stride,
    }
    along = ("step", iteration.recorded)
    return trajectories(overlaps, iteration.recorded_lam(), along, runs, task, {**settings, **attributes})


def save(dataset: xr.Dataset, path: str | os.PathLike[str]) -> Path:
    """Write the dataset as netCDF 4, whole or not at all; returns the path.

    Integers that netCDF cannot hold, such as seeds of 2^63 and more, are written as text.
    """
    path = Path(path)
    plain = dataset.assign_attrs({name: _attribute(value) for name, value in dataset.attrs.items()})
    with _without_cluster():
        content = plain.to_netcdf(engine="h5netcdf")
    with files.replacing(path) as temporary:  # the HDF5 library reports a full disk less clearly
        temporary.write_bytes(content)
    return path


def _without_cluster() -> AbstractContextManager[Any]:
    """Keeps xarray from asking a Dask cluster, if this process is the client of one, for a lock on memory."""
    if "distributed" not in sys.modules:
        return nullcontext()
    from dask import config

    return config.set(scheduler="threads")


def load(path: str | os.PathLike[str]) -> xr.Dataset:
    """Read a dataset that `save` wrote, into memory."""
    dataset = xr.load_dataset(path, engine="h5netcdf")
    seed = dataset.attrs.get("seed")
    return dataset.assign_attrs(seed=int(seed)) if isinstance(seed, str) else dataset


def _attribute(value: Any) -> Any:
    return str(value) if isinstance(value, int) and value >= 2**63 else value
