"""The gradient-flow vector field in the frame (k*, v*, e1, e2), as a Numba kernel."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from numerics.generated import kernels


@njit(cache=True, nogil=True, error_model="numpy")
def velocity(x: np.ndarray, lam: float, m: float, gamma: float, L: float) -> np.ndarray:
    """Minus the Riemannian gradients at k = x[:4], v = x[4:], which are normalised first."""
    k_scale = 1.0 / math.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3])
    v_scale = 1.0 / math.sqrt(x[4] * x[4] + x[5] * x[5] + x[6] * x[6] + x[7] * x[7])
    k0, k1, k2, k3 = x[0] * k_scale, x[1] * k_scale, x[2] * k_scale, x[3] * k_scale
    v0, v1, v2, v3 = x[4] * v_scale, x[5] * v_scale, x[6] * v_scale, x[7] * v_scale
    rho = k0 * v0 + k1 * v1 + k2 * v2 + k3 * v3
    constants = kernels.partial_derivatives_constants(lam, m, gamma, L)
    partials = kernels.partial_derivatives(k0, v1, v0, k1, rho, constants)
    gradients = kernels.frame_gradients(k0, k1, k2, k3, v0, v1, v2, v3, rho, *partials)
    result = np.empty(8)
    for i in range(8):
        result[i] = -gradients[i]
    return result
