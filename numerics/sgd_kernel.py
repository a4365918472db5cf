"""One-pass SGD on the overlaps, exact in law, as a Numba kernel.

A step draws the batch in the orthonormal frame f1, f2, f3, f4 that Gram-Schmidt makes of k, v, v*, k*.
Predictions need the tokens' components along f1 and f2 alone, and the label the informative token's along f3
too. The batch gradients are linear combinations of the tokens, so given these numbers their other components
are independent Gaussians, with the 2 x 2 covariance that the tokens' coefficients have as Gram matrix.
Outside the frame only the gradients' own Gram matrix enters: a Wishart matrix with d - 4 degrees of freedom,
drawn by Bartlett's decomposition. That is 2 normals a noise token, 3 an informative one and 7 numbers a
step, whatever d is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

SMALLEST_EXPONENT = -700.0
"""exp(x) is taken at x >= this: what that changes is below 1e-304, and subnormal numbers are slow."""

DIRECTIONS = 6
"""f1..f4 and two directions outside the frame, in which the gradients' remainders lie."""


class Law(NamedTuple):
    """What the law of a batch depends on besides lam: signal strength, scales, sizes and d - 4."""

    signal: float
    gamma: float
    epsilon: float
    noise_tokens: int
    batch_size: int
    outside: int


class Frame(NamedTuple):
    """Components along f1..f4 of v (2 of them), v* (3) and k* (4); k is f1."""

    v1: float
    v2: float
    y1: float
    y2: float
    y3: float
    m1: float
    m2: float
    m3: float
    m4: float


class Gram(NamedTuple):
    """A symmetric 2 x 2 matrix over (k-gradient, v-gradient)."""

    kk: float
    kv: float
    vv: float


class Informative(NamedTuple):
    """Draws of the informative token: label, prediction, its coefficients and its components."""

    label: float
    prediction: float
    k: float
    v: float
    x1: float
    x2: float
    x3: float


class Noise(NamedTuple):
    """Sums over the noise tokens: prediction, gradients along f1 and f2, Gram matrix of the coefficients."""

    prediction: float
    k2: float
    v1: float
    v2: float
    gram: Gram


@njit(cache=True, nogil=True)
def root(square: float) -> float:
    """Square root of a number that only rounding makes negative."""
    return math.sqrt(max(square, 0.0))


@njit(cache=True, nogil=True)
def component(product: float, length: float, room: float) -> float:
    """product / length within [-room, room]; 0 if the direction has no length, when any would do."""
    if length <= 0.0:
        return 0.0
    return min(max(product / length, -room), room)


@njit(cache=True, nogil=True)
def orthonormal_frame(o: np.ndarray) -> Frame:
    """Gram-Schmidt on k, v, v*, k*, from the overlaps."""
    kappa, nu, theta, eta, rho = o[0], o[1], o[2], o[3], o[4]
    v2 = root(1.0 - rho * rho)
    y_room = root(1.0 - eta * eta)
    y2 = component(nu - rho * eta, v2, y_room)
    y3 = root(y_room * y_room - y2 * y2)
    m_room = root(1.0 - kappa * kappa)
    m2 = component(theta - rho * kappa, v2, m_room)
    m_room = root(m_room * m_room - m2 * m2)
    m3 = component(-eta * kappa - y2 * m2, y3, m_room)
    return Frame(rho, v2, eta, y2, y3, kappa, m2, m3, root(m_room * m_room - m3 * m3))


@njit(cache=True, nogil=True)
def activation(score: float, lam: float) -> tuple[float, float]:
    """erf(lam score) and its derivative in the score."""
    x = lam * score
    slope = 2.0 / math.sqrt(math.pi) * lam
    return math.erf(x), slope * math.exp(max(-x * x, SMALLEST_EXPONENT))


@njit(cache=True, nogil=True)
def informative_token(rng: np.random.Generator, f: Frame, law: Law, lam: float) -> Informative:
    """Draw an informative token's components along f1, f2, f3 and the label."""
    x1 = law.signal * f.m1 + law.gamma * rng.standard_normal()
    x2 = law.signal * f.m2 + law.gamma * rng.standard_normal()
    x3 = law.signal * f.m3 + law.gamma * rng.standard_normal()
    label = f.y1 * x1 + f.y2 * x2 + f.y3 * x3 + law.epsilon * rng.standard_normal()
    value = f.v1 * x1 + f.v2 * x2
    weight, slope = activation(x1, lam)
    return Informative(label, weight * value, slope * value, weight, x1, x2, x3)


@njit(cache=True, nogil=True)
def noise_tokens(rng: np.random.Generator, f: Frame, count: int, lam: float) -> Noise:
    """Draw the noise tokens' components along f1 and f2 and sum what the gradients need."""
    prediction = k2 = v1 = v2 = kk = kv = vv = 0.0
    for _ in range(count):
        x1 = rng.standard_normal()
        x2 = rng.standard_normal()
        value = f.v1 * x1 + f.v2 * x2
        weight, slope = activation(x1, lam)
        k = slope * value
        prediction += weight * value
        k2 += k * x2
        v1 += weight * x1
        v2 += weight * x2
        kk += k * k
        kv += k * weight
        vv += weight * weight
    return Noise(prediction, k2, v1, v2, Gram(kk, kv, vv))


@njit(cache=True, nogil=True)
def added(total: Gram, factor: float, term: Gram) -> Gram:
    """total + factor * term."""
    return Gram(total.kk + factor * term.kk, total.kv + factor * term.kv, total.vv + factor * term.vv)


@njit(cache=True, nogil=True)
def cholesky(a: Gram) -> Gram:
    """Lower triangular root of a positive semi-definite matrix, its lower left entry under `kv`."""
    kk = root(a.kk)
    vk = component(a.kv, kk, root(a.vv))
    return Gram(kk, vk, root(a.vv - vk * vk))


@njit(cache=True, nogil=True)
def add_gaussian(rng: np.random.Generator, gradients: np.ndarray, direction: int, covariance: Gram) -> None:
    """Add a centred Gaussian pair to the two gradients' components in one direction."""
    l = cholesky(covariance)
    first = rng.standard_normal()
    gradients[0, direction] += l.kk * first
    gradients[1, direction] += l.kv * first + l.vv * rng.standard_normal()


@njit(cache=True, nogil=True)
def set_outside(rng: np.random.Generator, gradients: np.ndarray, scale: Gram, freedom: int) -> None:
    """Draw the gradients' parts outside the frame by the triangular root of their Wishart Gram matrix."""
    l = cholesky(scale)
    first = math.sqrt(rng.chisquare(freedom))
    gradients[0, 4] = l.kk * first
    gradients[1, 4] = l.kv * first + l.vv * rng.standard_normal()
    gradients[1, 5] = l.vv * math.sqrt(rng.chisquare(freedom - 1))


@njit(cache=True, nogil=True)
def batch_gradients(rng: np.random.Generator, f: Frame, law: Law, lam: float, gradients: np.ndarray) -> None:
    """Fill `gradients` (2, DIRECTIONS): the batch means of the gradients of (Y - T)^2 in k and in v.

    The k-gradient's component along f1 = k stays 0: the tangent projection removes it.
    """
    gradients[:] = 0.0
    noise = Gram(0.0, 0.0, 0.0)
    informative = Gram(0.0, 0.0, 0.0)
    for _ in range(law.batch_size):
        x = informative_token(rng, f, law, lam)
        z = noise_tokens(rng, f, law.noise_tokens, lam)
        r = 2.0 * (x.prediction + z.prediction - x.label) / law.batch_size
        gradients[0, 1] += r * (x.k * x.x2 + z.k2)
        gradients[0, 2] += r * x.k * x.x3
        gradients[0, 3] += r * x.k * law.signal * f.m4
        gradients[1, 0] += r * (x.v * x.x1 + z.v1)
        gradients[1, 1] += r * (x.v * x.x2 + z.v2)
        gradients[1, 2] += r * x.v * x.x3
        gradients[1, 3] += r * x.v * law.signal * f.m4
        noise = added(noise, r * r, z.gram)
        informative = added(informative, (law.gamma * r) ** 2, Gram(x.k * x.k, x.k * x.v, x.v * x.v))
    everything = added(noise, 1.0, informative)
    add_gaussian(rng, gradients, 2, noise)
    add_gaussian(rng, gradients, 3, everything)
    set_outside(rng, gradients, everything, law.outside)


@njit(cache=True, nogil=True)
def descend(o: np.ndarray, f: Frame, gradients: np.ndarray, step: float) -> bool:
    """Move k and v against the tangent parts of the gradients and normalise; `o` becomes their overlaps.

    Returns False, and leaves `o` as it was, if the new overlaps are not finite.
    """
    along_v = gradients[1, 0] * f.v1 + gradients[1, 1] * f.v2
    gradients[1, 0] -= along_v * f.v1
    gradients[1, 1] -= along_v * f.v2
    k_square = v_square = product = 0.0
    for i in range(DIRECTIONS):
        k = (1.0 if i == 0 else 0.0) - step * gradients[0, i]
        v = (f.v1 if i == 0 else f.v2 if i == 1 else 0.0) - step * gradients[1, i]
        k_square += k * k
        v_square += v * v
        product += k * v
        gradients[0, i] = k
        gradients[1, i] = v
    if not (math.isfinite(k_square) and math.isfinite(v_square)):
        return False
    gk, gv = gradients[0], gradients[1]
    k_length, v_length = math.sqrt(k_square), math.sqrt(v_square)
    o[0] = (gk[0] * f.m1 + gk[1] * f.m2 + gk[2] * f.m3 + gk[3] * f.m4) / k_length
    o[1] = (gv[0] * f.y1 + gv[1] * f.y2 + gv[2] * f.y3) / v_length
    o[2] = (gv[0] * f.m1 + gv[1] * f.m2 + gv[2] * f.m3 + gv[3] * f.m4) / v_length
    o[3] = (gk[0] * f.y1 + gk[1] * f.y2 + gk[2] * f.y3) / k_length
    o[4] = product / (k_length * v_length)
    return True


@njit(cache=True, nogil=True)
def advance(
    rng: np.random.Generator,
    state: np.ndarray,
    law: Law,
    lam: np.ndarray,
    step_size: np.ndarray,
    records: np.ndarray,
) -> int:
    """Do len(lam) steps on the overlaps `state` (5,), in place; record it at len(records) equal distances.

    Returns the number of steps done; if it is smaller, the next step is not finite and `state` is the state
    before it.
    """
    gradients = np.empty((2, DIRECTIONS))
    stride = lam.size // records.shape[0]
    for n in range(lam.size):
        f = orthonormal_frame(state)
        batch_gradients(rng, f, law, lam[n], gradients)
        if not descend(state, f, gradients, step_size[n]):
            return n
        if (n + 1) % stride == 0:
            records[n // stride] = state
    return lam.size
