"""Special functions of the risk in double precision, compiled by Numba, without cancellation."""

from __future__ import annotations

import math

import numpy as np
from numba import njit


def _gauss_legendre(points: int) -> tuple[np.ndarray, np.ndarray]:
    nodes, weights = np.polynomial.legendre.leggauss(points)
    return 0.5 * (1 + nodes), 0.5 * weights


_FEW, _FEW_WEIGHTS = _gauss_legendre(12)
_MANY, _MANY_WEIGHTS = _gauss_legendre(24)
_FEW_SUFFICE_TO = 4.0
"""12 points reach full accuracy while the integrand falls by no more than exp(-4)."""

_DECAY = 40.0
"""exp(-40) is below the rounding of what it is dropped from."""


@njit(cache=True)
def erf_variance(t: float, g: float) -> float:
    """Var erf(t + g G) for G ~ N(0, 1), g > 0, to a relative error of 1e-14.

    The integral (4 / pi) int_a^1 exp(-h^2 (1 + x^2)) / (1 + x^2) dx, h = t / sqrt(1 + 2 g^2),
    a = 1 / sqrt(1 + 4 g^2), by 12 or 24 Gauss-Legendre points on the part of (a, 1) that counts. At t = 0
    it is (2 / pi) atan(2 g^2 / sqrt(1 + 4 g^2)). The relative error grows with h^2 as that of exp(-h^2) does.

    >>> round(erf_variance(0.0, 1.0), 12)
    0.464559054398
    """
    root = math.sqrt(1 + 4 * g * g)
    if t == 0.0:
        return 2 / math.pi * math.atan(2 * g * g / root)
    h = abs(t) / math.sqrt(1 + 2 * g * g)
    a = 1 / root
    width = 4 * g * g / (1 + 4 * g * g) / (1 + a)
    if h * h * width * (1 + a) > _DECAY:
        width = _DECAY / (h * h) / (a + math.sqrt(a * a + _DECAY / (h * h)))
    few = h * h * width * (2 * a + width) < _FEW_SUFFICE_TO
    nodes, weights = (_FEW, _FEW_WEIGHTS) if few else (_MANY, _MANY_WEIGHTS)
    total = 0.0
    for i in range(nodes.size):
        step = width * nodes[i]
        total += weights[i] * math.exp(-h * h * (2 * a + step) * step) / (1 + (a + step) ** 2)
    return 4 / math.pi * width * total * math.exp(-h * h * (1 + a * a))


@njit(cache=True)
def residual_norm(nu: float, eta: float, rho: float, h: float) -> float:
    """|v*' - erf(h) v'|^2 for the parts v*', v' orthogonal to k; accurate as nu and erf(h) tend to +-1.

    Written as |v* - erf(h) v|^2 minus the square of the part along k.

    >>> residual_norm(1.0, 0.0, 0.0, 5.0) == math.erfc(5.0) ** 2
    True
    """
    if h < 0.0:
        nu, eta, h = -nu, -eta, -h
    difference = math.erfc(h) - (1 - nu)
    along = eta - math.erf(h) * rho
    return (1 - nu) * (1 + nu) + difference * difference - along * along


@njit(cache=True)
def residual_norm_magnitude(nu: float, eta: float, rho: float, h: float) -> float:
    """Sum of the absolute values that `residual_norm` adds: its rounding error is a few eps times this."""
    difference = math.erfc(abs(h)) - (1 - abs(nu))
    along = abs(eta) + math.erf(abs(h)) * abs(rho)
    return abs((1 - nu) * (1 + nu)) + abs(difference) * (abs(difference) + 1) * 2 + along * along
