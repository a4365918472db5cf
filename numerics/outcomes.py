"""Where a run ends: at the oracle, at the role-swapped point, or elsewhere."""

from __future__ import annotations

import numpy as np
import xarray as xr

from numerics import checks, overlaps
from numerics.generated import kernels
from numerics.overlaps import Overlaps
from numerics.task import Task

RADIUS = 0.1
"""A run has ended at a point if its overlaps are closer to it than this, in the Euclidean distance."""

NAMES = ORACLE, SWAPPED, ELSEWHERE = "oracle", "role-swapped", "elsewhere"


def oracle() -> Overlaps:
    """The two optima on M, (k, v) = +-(k*, v*)."""
    return Overlaps(kappa=[1, -1], nu=[1, -1])


def role_swapped(lam: float, task: Task) -> Overlaps:
    """The two role-swapped critical points: k = +-v* and kappa = nu = rho = 0.

    There the risk is a quadratic in theta; its minimum, or +-1 if that is out of reach, is theta.

    Accuracy: relative error of theta at most 1e-12 for the parameters that `excess_risk` names
    (tests/numerics/test_edges.py).

    >>> role_swapped(0.1, Task(d=400, L=10)).theta.round(6)
    array([ 0.629772, -0.629772])
    """
    lam = checks.real("lam", lam, above=0)
    constants = kernels.partial_derivatives_constants(lam, task.signal, task.gamma, float(task.L))
    at_0, at_1 = (
        kernels.partial_derivatives(0.0, 0.0, theta, 1.0, 0.0, constants)[2] for theta in (0.0, 1.0)
    )
    theta = min(1.0, at_0 / (at_0 - at_1))
    return Overlaps(kappa=0, nu=0, theta=[theta, -theta], eta=[1, -1])


def classify(o: Overlaps, lam: float, task: Task, radius: float = RADIUS) -> np.ndarray:
    """The name of the point that each of the overlaps is near to: an array of text, in their shape."""
    names = np.full(o.shape, ELSEWHERE, dtype=object)
    for name, points in {SWAPPED: role_swapped(lam, task), ORACLE: oracle()}.items():
        distances = np.linalg.norm(
            o.stack()[..., None] - points.stack().reshape(5, *(1,) * len(o.shape), 2), axis=0
        )
        names[distances.min(axis=-1) < radius] = name
    return names.astype(str)


def of_runs(dataset: xr.Dataset) -> np.ndarray:
    """The name of the point at which each run of a dataset of the dynamics ends."""
    last = dataset.isel({dataset.excess_risk.dims[1]: -1})
    attrs = dataset.attrs
    task = Task(int(attrs["d"]), int(attrs["L"]), float(attrs["gamma"]), float(attrs["epsilon"]))
    return classify(Overlaps.unchecked([last[name] for name in overlaps.NAMES]), float(last.lam), task)


def counts(dataset: xr.Dataset) -> dict[str, int]:
    """How many runs of a dataset end at the oracle, at the role-swapped point, and elsewhere."""
    names = of_runs(dataset)
    return {name: int((names == name).sum()) for name in NAMES}
