"""The separatrix of the flow on M: the stable curves of the saddle (0, 0), between the two basins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from numerics import checks
from numerics.generated import kernels
from numerics.task import Task

SATURATED = 20.0
"""tanh of anything above is 1 to double precision."""

NEAR = 1e-6
"""Up to this, the curve and the risk's gradient are taken as linear: a relative error of its square."""


class Separatrix:
    """The curve kappa = -K(artanh nu) through the saddle (0, 0) of the gradient flow on M, K odd.

    As artanh(kappa)' = -dR/dkappa and artanh(nu)' = -dR/dnu on M, K' = (1 - K^2) (dR/dkappa) / |dR/dnu|, from
    the stable direction at the saddle on. Backwards in time neighbouring paths approach the curve, so
    errors decay along it. lam: a positive number. Raises TypeError or ValueError for another.

    Accuracy: kappa of the curve within 1e-10 (claim flow.separatrix, at two lam); for lam sqrt(d) from 0.1
    to 30 every point has a side, odd and increasing in kappa (tests/numerics/test_edges.py).

    >>> curve = Separatrix(0.1, Task(d=400, L=10))
    >>> curve.side(0.5, [-0.1, -0.9]) > 0
    array([ True, False])
    """

    def __init__(self, lam: float, task: Task) -> None:
        self.lam, self.task = checks.real("lam", lam, above=0), task
        parameters = (self.lam, task.signal, task.gamma, float(task.L))
        self._constants = kernels.partial_derivatives_constants(*parameters)
        self._start = NEAR / max(1.0, self.lam * task.signal)
        self._slope = self._stable_slope(self._start)
        span, first = (self._start, SATURATED), [self._slope * self._start]
        solution = solve_ivp(
            self._rate, span, first, method="LSODA", rtol=1e-11, atol=1e-14, dense_output=True
        )
        assert solution.sol is not None
        self._curve = solution.sol

    def side(self, kappa: Any, nu: Any) -> np.ndarray:
        """Positive in the basin of (1, 1), negative in that of (-1, -1), zero on the curve; broadcasts."""
        kappa, nu = checks.reals("kappa", kappa), checks.reals("nu", nu)
        with np.errstate(divide="ignore"):
            u = np.arctanh(np.clip(nu, -1.0, 1.0))
        return kappa + np.sign(u) * self.kappa(np.abs(u))

    def kappa(self, u: np.ndarray) -> np.ndarray:
        """K(u) for u >= 0; 1 at infinity."""
        inside = np.clip(u, self._start, SATURATED)
        curve = self._curve(inside.ravel())[0].reshape(u.shape)
        return np.where(np.isinf(u), 1.0, np.where(u < self._start, self._slope * u, curve))

    def _rate(self, u: float, kappa: np.ndarray) -> list[float]:
        R_kappa, R_nu = self._gradient(kappa[0], -math.tanh(u))
        return [(1 - kappa[0] ** 2) * R_kappa / -R_nu]

    def _stable_slope(self, h: float) -> float:
        """-kappa / nu along the stable eigenvector, from the Hessian [[B, -A], [-A, 0]] of the risk."""
        R_kappa, R_nu = self._gradient(h, 0.0)
        ratio = R_kappa / -R_nu / 2
        return ratio + math.hypot(ratio, 1.0)

    def _gradient(self, kappa: float, nu: float) -> tuple[float, float]:
        return kernels.partial_derivatives(kappa, nu, 0.0, 0.0, 0.0, self._constants)[:2]
