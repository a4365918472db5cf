"""The covariance of SGD's gradients and the velocity of the overlaps in high dimension, as Numba kernels."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from numerics.generated import kernels, sgd_limit

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)
_REACH = 9.0
"""Beyond this many standard deviations the Gaussian weight is below 1e-17."""
_STEEP = 6.0
"""erf(x) is 1 to double precision for x above this."""
MOMENTS = 9


@njit(cache=True, nogil=True, error_model="numpy")
def _corners(mean: float, deviation: float, lam: float) -> tuple[float, float, float, float, float]:
    """Standardised scores between which erf(lam U) is smooth at the scale of the interval."""
    centre, width = -mean / deviation, _STEEP / (lam * deviation)
    low = min(max(centre - width, -_REACH), _REACH)
    middle = min(max(centre, -_REACH), _REACH)
    high = min(max(centre + width, -_REACH), _REACH)
    return -_REACH, low, middle, high, _REACH


@njit(cache=True, nogil=True, error_model="numpy")
def token_moments(o: np.ndarray, lam: float, m: float, gamma: float, informative: bool) -> np.ndarray:
    """Moments (9,) about the informative or a noise token, by 48 Gauss-Legendre points on 4 intervals."""
    kappa, nu, theta, eta, rho = o[0], o[1], o[2], o[3], o[4]
    mean, deviation = (m * kappa, gamma) if informative else (0.0, 1.0)
    corners = _corners(mean, deviation, lam)
    total = np.zeros(MOMENTS)
    for part in range(4):
        half = 0.5 * (corners[part + 1] - corners[part])
        for i in range(_NODES.size):
            g = corners[part] + half * (1.0 + _NODES[i])
            x = lam * (mean + deviation * g)
            f, slope = math.erf(x), 2.0 / math.sqrt(math.pi) * lam * math.exp(-x * x)
            weight = half * _WEIGHTS[i] * math.exp(-0.5 * g * g) / math.sqrt(2.0 * math.pi)
            if informative:
                values = sgd_limit.informative_moments(g, f, slope, kappa, nu, theta, eta, rho, m, gamma)
            else:
                values = sgd_limit.noise_moments(g, f, slope, rho)
            for j in range(MOMENTS):
                total[j] += weight * values[j]
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def gradient_covariance(
    o: np.ndarray, lam: float, m: float, gamma: float, L: float, epsilon: float, batch: float
) -> tuple[float, float, float]:
    """Covariance kk, kv, vv of the batch gradients' components in a direction outside the frame."""
    a = token_moments(o, lam, m, gamma, True)
    b = token_moments(o, lam, m, gamma, False)
    a1, a2, b1, b2 = sgd_limit.error_moments(o[0], o[1], o[2], o[3], o[4], lam, m, gamma)
    return sgd_limit.gradient_covariance(
        a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8],
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8],
        a1, a2, b1, b2, gamma, L, epsilon, batch,
    )  # fmt: skip


@njit(cache=True, nogil=True, error_model="numpy")
def limit_velocity(
    o: np.ndarray,
    lam: float,
    m: float,
    gamma: float,
    L: float,
    epsilon: float,
    batch: float,
    rate: float,
) -> np.ndarray:
    """Time derivatives (5,) of the overlaps as the dimension grows, for a step size rate / dimension."""
    kappa, nu, theta, eta, rho = o[0], o[1], o[2], o[3], o[4]
    constants = kernels.partial_derivatives_constants(lam, m, gamma, L)
    partials = kernels.partial_derivatives(kappa, nu, theta, eta, rho, constants)
    covariance = gradient_covariance(o, lam, m, gamma, L, epsilon, batch)
    return np.array(sgd_limit.limit_velocity(kappa, nu, theta, eta, rho, *partials, *covariance, rate))
