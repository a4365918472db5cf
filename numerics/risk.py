"""Excess risk and gradient-flow velocity at any overlaps, vectorised."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from numerics import checks
from numerics.generated import closed_forms, kernels
from numerics.overlaps import NAMES, Overlaps
from numerics.task import Task

_SAFE_MAGNITUDE = 256.0
"""Up to this ratio of what cancels to the result, rounding costs at most 5e-13, a dozen eps a unit."""


def excess_risk(o: Overlaps, lam: Any, task: Task) -> np.ndarray | float:
    """Excess risk R_lam(k, v) - epsilon^2 of the erf predictor (Theorem 1).

    o: overlaps of any shape. lam: positive, a scalar or an array that broadcasts with o's shape.
    Returns float64 of the broadcast shape, a float where that is ().

    Accuracy: relative error at most 1e-12 for d to 1e15, L to 1e9, gamma from 1e-8 to 1e8 and lam from
    1e-12 to 1e6. The kernel adds non-negative terms; where what cancels within them is too large for double
    precision, the closed form is evaluated in interval arithmetic instead. (tests/numerics/test_risk.py)

    Raises TypeError or ValueError for a lam that is not positive or does not broadcast.

    >>> task = Task(d=400, L=10)
    >>> round(float(excess_risk(Overlaps(kappa=1, nu=1), 0.1, task)), 12)
    0.113498082965
    """
    points, lams, shape = _broadcast(o, lam)
    values = np.empty(lams.size)
    unsafe = np.empty(lams.size, dtype=np.bool_)
    _excess_risks(points, lams, task.signal, task.gamma, float(task.L), values, unsafe)
    for i in np.flatnonzero(unsafe):
        values[i] = _precise(closed_forms.excess_risk, points[:, i], lams[i], task)[0]
    return values.reshape(shape)[()]


def flow_velocity(o: Overlaps, lam: Any, task: Task) -> Overlaps:
    """Time derivative of the overlaps under Riemannian gradient flow k' = -grad_k R, v' = -grad_v R.

    o: overlaps of any shape. lam: positive, a scalar or an array that broadcasts with o's shape.
    Returns the five derivatives as Overlaps (not themselves admissible) of the broadcast shape.

    Accuracy: error at most 1e-13 of the largest partial derivative of the risk in the overlaps, for the
    parameters that `excess_risk` names. (tests/numerics/test_risk.py)

    Raises TypeError or ValueError for a lam that is not positive or does not broadcast.

    >>> velocity = flow_velocity(Overlaps(kappa=0.5, nu=0.5), 0.1, Task(d=400, L=10))
    >>> round(float(velocity.nu), 12), abs(float(velocity.theta))
    (0.51021136739, 0.0)
    """
    points, lams, shape = _broadcast(o, lam)
    velocities = np.empty_like(points)
    _velocities(points, lams, task.signal, task.gamma, float(task.L), velocities)
    return Overlaps.unchecked(velocities.reshape(5, *shape))


def _broadcast(o: Overlaps, lam: Any) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Overlaps as (5, n), lam as (n,), and the common shape."""
    lams = checks.reals("lam", lam, above=0)
    try:
        shape = np.broadcast_shapes(o.shape, lams.shape)
    except ValueError as error:
        raise ValueError(
            f"lam must have a shape that broadcasts with the overlaps' {o.shape}, got {lams.shape}"
        ) from error
    points = np.stack([np.broadcast_to(getattr(o, name), shape).ravel() for name in NAMES])
    return points, np.broadcast_to(lams, shape).ravel(), shape


def _precise(function: Any, point: np.ndarray, lam: float, task: Task) -> list[float]:
    from numerics import arb

    return arb.evaluate(function, [float(x) for x in point], float(lam), task.d, task.gamma, task.L)


@njit(cache=True, nogil=True)
def _excess_risks(
    points: np.ndarray,
    lams: np.ndarray,
    m: float,
    gamma: float,
    L: float,
    values: np.ndarray,
    unsafe: np.ndarray,
) -> None:
    lam = 0.0
    constants = kernels.excess_risk_constants(1.0, m, gamma, L)
    for i in range(lams.size):
        if lams[i] != lam:
            lam = lams[i]
            constants = kernels.excess_risk_constants(lam, m, gamma, L)
        kappa, nu, theta, eta, rho = points[0, i], points[1, i], points[2, i], points[3, i], points[4, i]
        value, magnitude = kernels.excess_risk(kappa, nu, theta, eta, rho, constants)
        values[i] = value
        unsafe[i] = not (magnitude <= _SAFE_MAGNITUDE * value and math.isfinite(value))


@njit(cache=True, nogil=True)
def _velocities(
    points: np.ndarray, lams: np.ndarray, m: float, gamma: float, L: float, velocities: np.ndarray
) -> None:
    lam = 0.0
    constants = kernels.partial_derivatives_constants(1.0, m, gamma, L)
    for i in range(lams.size):
        if lams[i] != lam:
            lam = lams[i]
            constants = kernels.partial_derivatives_constants(lam, m, gamma, L)
        kappa, nu, theta, eta, rho = points[0, i], points[1, i], points[2, i], points[3, i], points[4, i]
        a, b, c, d, e = kernels.partial_derivatives(kappa, nu, theta, eta, rho, constants)
        rates = kernels.overlap_velocity(kappa, nu, theta, eta, rho, a, b, c, d, e)
        for j in range(5):
            velocities[j, i] = rates[j]
