"""Projected gradient descent on coordinates in the frame (k*, v*, e1, e2), as a Numba kernel."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from numerics.generated import kernels


@njit(cache=True, nogil=True, error_model="numpy")
def descend(x: np.ndarray, step_size: float, constants: tuple[float, ...]) -> bool:
    """Move k = x[:4] and v = x[4:] by a step, in place; False, and no move, if the result is not finite."""
    k0, k1, k2, k3, v0, v1, v2, v3 = x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
    rho = k0 * v0 + k1 * v1 + k2 * v2 + k3 * v3
    partials = kernels.partial_derivatives(k0, v1, v0, k1, rho, constants)
    g = kernels.frame_gradients(k0, k1, k2, k3, v0, v1, v2, v3, rho, *partials)
    k0 -= step_size * g[0]
    k1 -= step_size * g[1]
    k2 -= step_size * g[2]
    k3 -= step_size * g[3]
    v0 -= step_size * g[4]
    v1 -= step_size * g[5]
    v2 -= step_size * g[6]
    v3 -= step_size * g[7]
    k_scale = 1.0 / math.sqrt(k0 * k0 + k1 * k1 + k2 * k2 + k3 * k3)
    v_scale = 1.0 / math.sqrt(v0 * v0 + v1 * v1 + v2 * v2 + v3 * v3)
    if not (k_scale > 0.0 and v_scale > 0.0):
        return False
    x[0], x[1], x[2], x[3] = k0 * k_scale, k1 * k_scale, k2 * k_scale, k3 * k_scale
    x[4], x[5], x[6], x[7] = v0 * v_scale, v1 * v_scale, v2 * v_scale, v3 * v_scale
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def advance(
    states: np.ndarray,
    parameters: tuple[float, float, float],
    lam: np.ndarray,
    step_size: np.ndarray,
    records: np.ndarray,
) -> tuple[int, int]:
    """Do len(lam) steps on `states` (runs, 8), in place, and record them at len(records) equal distances.

    parameters: signal strength, gamma, L. Returns (steps done, run): if fewer are done than asked for, the
    next step of that run is not finite, and its state is that before it.
    """
    m, gamma, L = parameters
    stride = lam.size // records.shape[0]
    for n in range(lam.size):
        constants = kernels.partial_derivatives_constants(lam[n], m, gamma, L)
        for run in range(states.shape[0]):
            if not descend(states[run], step_size[n], constants):
                return n, run
        if (n + 1) % stride == 0:
            records[n // stride] = states
    return lam.size, -1
