"""The excess risk from its definition, at any precision: a slow path that shares no formula.

Given a token's score U = <X, k>, its value V = <X, v> and label projection W = <X, v*> are Gaussian, with
moments by linear regression on U. The expectation over U is one-dimensional and done by quadrature in mpmath.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
from mpmath import mp, mpf

from numerics.overlaps import NAMES, Overlaps
from numerics.task import Task

_GUARD_DIGITS = 15
_FEATURES = (-12, -4, -1, 0, 1, 4, 12)
"""Where the quadrature is split: in widths of the erf around 0 and in deviations around the mean."""


def excess_risk_by_quadrature(o: Overlaps, lam: float, task: Task, digits: int = 30) -> Any:
    """E[(Y - T)^2] - epsilon^2 at one point, from the definition of the task and of the predictor.

    o: overlaps of shape (); lam > 0. Returns an mpmath number good to about `digits` digits relative to the
    largest of the expectations that it adds.

    >>> mpmath.nstr(excess_risk_by_quadrature(Overlaps(kappa=1, nu=1), 0.1, Task(d=400, L=10)), 12)
    '0.113498082965'
    """
    kappa, nu, theta, eta, rho = (mpf(float(getattr(o, name))) for name in NAMES)
    with mp.workdps(digits + _GUARD_DIGITS):
        gram = mpmath.matrix([[1, rho, eta], [rho, 1, nu], [eta, nu, 1]])
        length = mp.sqrt(mpf(task.d) / 2)
        means = (length * kappa, length * theta, mpf(0))
        informative = _Token(means, mpf(task.gamma), gram, mpf(lam))
        noise = _Token((mpf(0), mpf(0), mpf(0)), mpf(1), gram, mpf(lam))
        first, square = informative.error(label=1)
        noise_first, noise_square = noise.error(label=0)
        others = task.L - 1
        mean = first + others * noise_first
        result = mean**2 + (square - first**2) + others * (noise_square - noise_first**2)
    with mp.workdps(digits):
        return +result


class _Token:
    """A token's projections (U, V, W), regressed on U."""

    def __init__(self, means: tuple[Any, Any, Any], scale: Any, gram: Any, lam: Any) -> None:
        self.means, self.scale, self.gram, self.lam = means, scale, gram, lam

    def error(self, label: int) -> list[Any]:
        """First and second moment of label * W - erf(lam U) V."""
        return self._expectation(lambda u: self._given(u, label))

    def _given(self, u: Any, label: int) -> tuple[Any, Any]:
        """Both moments given the score u."""
        excess = u - self.means[0]
        value, target = (self.means[i] + self.gram[0, i] * excess for i in (1, 2))
        f = mp.erf(self.lam * u)
        mean = label * target - f * value
        spread = (
            label * self._given_u(2, 2) - 2 * label * f * self._given_u(1, 2) + f**2 * self._given_u(1, 1)
        )
        return mean, mean**2 + spread

    def _given_u(self, i: int, j: int) -> Any:
        """Covariance of two projections given U."""
        return self.scale**2 * (self.gram[i, j] - self.gram[0, i] * self.gram[0, j])

    def _expectation(self, function: Callable[[Any], tuple[Any, Any]]) -> list[Any]:
        centre, scale = self.means[0], self.scale
        reach = scale * mp.sqrt(2 * mp.log(10) * (mp.dps + 10))
        low, high = centre - reach, centre + reach
        points = [k / self.lam for k in _FEATURES] + [centre + k * scale for k in _FEATURES]
        nodes = [low, *sorted(p for p in set(points) if low < p < high), high]

        def weighted(component: int) -> Callable[[Any], Any]:
            return lambda u: function(u)[component] * mp.exp(-(((u - centre) / scale) ** 2) / 2)

        norm = scale * mp.sqrt(2 * mp.pi)
        return [mp.quad(weighted(component), nodes) / norm for component in (0, 1)]
