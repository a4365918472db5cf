"""Variance of (a + b G) erf(t + g G) beyond its affine part: the risk's curvature term."""

from __future__ import annotations

import math

from numba import njit

from numerics.generated.tail_closed import tail_closed

_SERIES_BELOW = 0.5
"""The series' ratio is 2 g^2 / (1 + 2 g^2); from g^2 = 1/2 on the closed form cancels little."""

_MOST_TERMS = 2000


@njit(cache=True)
def hermite_tail(t: float, g: float, a: float, b: float, floor: float) -> tuple[float, float]:
    """Var[(a + b G) F] - Cov[(a + b G) F, G]^2 with F = erf(t + g G), and its rounding error's magnitude.

    Both to what matters when the value is added to `floor` >= 0. The rounding error is a few eps times the
    magnitude: the value itself where a sum of squares gives it, what cancels where the closed form does.

    >>> value, _ = hermite_tail(0.0, 1e-3, 1.0, 0.0, 0.0)
    >>> abs(value / (8 / (3 * math.pi) * 1e-18) - 1) < 1e-5
    True
    """
    if g * g < _SERIES_BELOW:
        value = _series(t, g, a, b, floor)
        return value, value
    return tail_closed(t, g, a, b), (abs(a) + abs(b)) ** 2


@njit(cache=True)
def _series(t: float, g: float, a: float, b: float, floor: float) -> float:
    """sum_{n >= 2} (a q_n + b (sqrt(n) q_{n-1} + sqrt(n+1) q_{n+1}))^2, where q_n = sqrt(n!) f_n.

    By Rodrigues' formula q_n = front step^n (-1)^(n-1) phi_{n-1}(h) / sqrt(n) with the normalised Hermite
    polynomials phi_n, which have a three-term recurrence and obey |phi_n(h)| <= 1.09 exp(h^2 / 2).
    """
    scale = math.sqrt(1 + 2 * g * g)
    h = t / scale
    step = -g * math.sqrt(2.0) / scale
    front = -math.sqrt(2.0 / math.pi) * math.exp(-h * h)
    largest = 2.0 / math.pi * math.exp(-h * h)
    phi_before, phi = 1.0, h * math.sqrt(2.0)
    power = step
    before, current = 0.0, front * step
    total = 0.0
    for n in range(1, _MOST_TERMS):
        power *= step
        ahead = front * power * phi / math.sqrt(n + 1.0)
        if n >= 2:
            component = a * current + b * (math.sqrt(float(n)) * before + math.sqrt(n + 1.0) * ahead)
            total += component * component
            rest = largest * power * power / (step * step) * (abs(a) + 2 * abs(b) / abs(step)) ** 2
            if rest <= 1e-17 * (total + floor):
                break
        phi_before, phi = (
            phi,
            (h * math.sqrt(2.0) * phi - math.sqrt(float(n)) * phi_before) / math.sqrt(n + 1.0),
        )
        before, current = current, ahead
    return total
