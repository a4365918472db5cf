"""One-pass SGD in the frame of k, v, k*, v*, exact in law, as a Numba kernel.

A step draws the batch in orthonormal directions f1, f2, f3, f4 that span these four vectors, f1 = k and v in
the span of f1 and f2. Noise tokens enter predictions by their components along f1 and f2 alone. The batch
gradients are linear combinations of the tokens, so given these components, and all four of the informative
tokens', the others are Gaussian, with the 2 x 2 covariance that the tokens' coefficients have as Gram matrix.
Outside the frame only the two gradients' own Gram matrix enters: a Wishart matrix with d - 4 degrees of
freedom, drawn by Bartlett's decomposition. That is 2 normals a noise token, 5 an informative one with its
label, and 7 numbers a step, whatever d is.
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
    """Components along f1..f4 of k* (m), v* (y) and, along f1 and f2, of v; k is f1."""

    m1: float
    m2: float
    m3: float
    m4: float
    y1: float
    y2: float
    y3: float
    y4: float
    v1: float
    v2: float


class Gram(NamedTuple):
    """A symmetric 2 x 2 matrix over (k-gradient, v-gradient)."""

    kk: float
    kv: float
    vv: float


class Informative(NamedTuple):
    """Draws of the informative token: error without the other tokens, coefficients, components."""

    error: float
    k: float
    v: float
    x1: float
    x2: float
    x3: float
    x4: float


class Noise(NamedTuple):
    """Sums over the noise tokens: prediction, gradients along f1 and f2, Gram matrix of the coefficients."""

    prediction: float
    k2: float
    v1: float
    v2: float
    gram: Gram


@njit(cache=True, nogil=True)
def orthonormal_frame(x: np.ndarray) -> Frame:
    """f1..f4 for k = x[:4], v = x[4:] in coordinates along (k*, v*, e1, e2), by two Householder reflections.

    The first maps k to the first axis, up to sign, the second the rest of v to the second axis: the
    reflections are orthogonal to rounding, also where k and v are parallel or in the span of k* and v*.
    """
    sign = math.copysign(1.0, x[0])
    u0, u1, u2, u3 = x[0] + sign, x[1], x[2], x[3]
    scale = 1.0 / (1.0 + abs(x[0]))
    along = scale * (u0 * x[4] + u1 * x[5] + u2 * x[6] + u3 * x[7])
    v0, v1, v2, v3 = x[4] - along * u0, x[5] - along * u1, x[6] - along * u2, x[7] - along * u3
    m_along, y_along = scale * u0, scale * u1
    m0, m1, m2, m3 = 1.0 - m_along * u0, -m_along * u1, -m_along * u2, -m_along * u3
    y0, y1, y2, y3 = -y_along * u0, 1.0 - y_along * u1, -y_along * u2, -y_along * u3
    rest = math.sqrt(v1 * v1 + v2 * v2 + v3 * v3)
    if rest == 0.0:
        return Frame(-sign * m0, m1, m2, m3, -sign * y0, y1, y2, y3, -sign * v0, 0.0)
    second = math.copysign(rest, v1)
    u1 = v1 + second
    scale = 1.0 / (rest * (rest + abs(v1)))
    m_along = scale * (u1 * m1 + v2 * m2 + v3 * m3)
    y_along = scale * (u1 * y1 + v2 * y2 + v3 * y3)
    m1, m2, m3 = m1 - m_along * u1, m2 - m_along * v2, m3 - m_along * v3
    y1, y2, y3 = y1 - y_along * u1, y2 - y_along * v2, y3 - y_along * v3
    return Frame(-sign * m0, m1, m2, m3, -sign * y0, y1, y2, y3, -sign * v0, -second)


@njit(cache=True, nogil=True)
def activation(score: float, lam: float) -> tuple[float, float]:
    """erf(lam score) and its derivative in the score."""
    x = lam * score
    slope = 2.0 / math.sqrt(math.pi) * lam
    return math.erf(x), slope * math.exp(max(-x * x, SMALLEST_EXPONENT))


@njit(cache=True, nogil=True)
def informative_token(rng: np.random.Generator, f: Frame, law: Law, lam: float) -> Informative:
    """Draw an informative token's components along f1..f4 and the label."""
    x1 = law.signal * f.m1 + law.gamma * rng.standard_normal()
    x2 = law.signal * f.m2 + law.gamma * rng.standard_normal()
    x3 = law.signal * f.m3 + law.gamma * rng.standard_normal()
    x4 = law.signal * f.m4 + law.gamma * rng.standard_normal()
    label = f.y1 * x1 + f.y2 * x2 + f.y3 * x3 + f.y4 * x4 + law.epsilon * rng.standard_normal()
    value = f.v1 * x1 + f.v2 * x2
    weight, slope = activation(x1, lam)
    return Informative(weight * value - label, slope * value, weight, x1, x2, x3, x4)


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
    kk = math.sqrt(a.kk)
    vk = a.kv / kk if kk > 0.0 else 0.0
    return Gram(kk, vk, math.sqrt(max(a.vv - vk * vk, 0.0)))


@njit(cache=True, nogil=True)
def add_gaussian(rng: np.random.Generator, gradients: np.ndarray, direction: int, root: Gram) -> None:
    """Add a centred Gaussian pair with a covariance's root to the gradients' components in a direction."""
    first = rng.standard_normal()
    gradients[0, direction] += root.kk * first
    gradients[1, direction] += root.kv * first + root.vv * rng.standard_normal()


@njit(cache=True, nogil=True)
def set_outside(rng: np.random.Generator, gradients: np.ndarray, root: Gram, freedom: int) -> None:
    """Draw the gradients' parts outside the frame by the triangular root of their Wishart Gram matrix."""
    first = math.sqrt(rng.chisquare(freedom))
    gradients[0, 4] = root.kk * first
    gradients[1, 4] = root.kv * first + root.vv * rng.standard_normal()
    gradients[1, 5] = root.vv * math.sqrt(rng.chisquare(freedom - 1))


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
        r = 2.0 * (x.error + z.prediction) / law.batch_size
        gradients[0, 1] += r * (x.k * x.x2 + z.k2)
        gradients[0, 2] += r * x.k * x.x3
        gradients[0, 3] += r * x.k * x.x4
        gradients[1, 0] += r * (x.v * x.x1 + z.v1)
        gradients[1, 1] += r * (x.v * x.x2 + z.v2)
        gradients[1, 2] += r * x.v * x.x3
        gradients[1, 3] += r * x.v * x.x4
        noise = added(noise, r * r, z.gram)
        informative = added(informative, (law.gamma * r) ** 2, Gram(x.k * x.k, x.k * x.v, x.v * x.v))
    root = cholesky(noise)
    add_gaussian(rng, gradients, 2, root)
    add_gaussian(rng, gradients, 3, root)
    set_outside(rng, gradients, cholesky(added(noise, 1.0, informative)), law.outside)


@njit(cache=True, nogil=True)
def take_truth(p: np.ndarray, f: Frame) -> tuple[float, float]:
    """Components of p along k* and v*, which are taken off p."""
    m = p[0] * f.m1 + p[1] * f.m2 + p[2] * f.m3 + p[3] * f.m4
    y = p[0] * f.y1 + p[1] * f.y2 + p[2] * f.y3 + p[3] * f.y4
    p[0] -= m * f.m1 + y * f.y1
    p[1] -= m * f.m2 + y * f.y2
    p[2] -= m * f.m3 + y * f.y3
    p[3] -= m * f.m4 + y * f.y4
    return m, y


@njit(cache=True, nogil=True)
def dot(p: np.ndarray, q: np.ndarray) -> float:
    """Inner product in the directions of a step."""
    total = 0.0
    for i in range(DIRECTIONS):
        total += p[i] * q[i]
    return total


@njit(cache=True, nogil=True)
def triangle(p: np.ndarray, q: np.ndarray) -> tuple[float, float, float]:
    """|p|, and the lengths of q along p and across it; q becomes its part across p."""
    length = math.sqrt(dot(p, p))
    if length == 0.0:
        return 0.0, 0.0, math.sqrt(dot(q, q))
    along = dot(p, q) / length
    for i in range(DIRECTIONS):
        q[i] -= along / length * p[i]
    return length, along, math.sqrt(dot(q, q))


@njit(cache=True, nogil=True)
def descend(x: np.ndarray, f: Frame, gradients: np.ndarray, step_size: float) -> bool:
    """Move k and v against the tangent parts of the gradients, normalise, and write their coordinates.

    `gradients` is used up. Returns False, and leaves `x` as it was, if the result is not finite.
    """
    k, v = gradients[0], gradients[1]
    radial = v[0] * f.v1 + v[1] * f.v2
    v[0] -= radial * f.v1
    v[1] -= radial * f.v2
    for i in range(DIRECTIONS):
        k[i] *= -step_size
        v[i] *= -step_size
    k[0] += 1.0
    v[0] += f.v1
    v[1] += f.v2
    k_square, v_square = dot(k, k), dot(v, v)
    if not (math.isfinite(k_square) and math.isfinite(v_square)):
        return False
    kappa, eta = take_truth(k, f)
    theta, nu = take_truth(v, f)
    k2 = k3 = v2 = v3 = 0.0
    if dot(k, k) >= dot(v, v):
        k2, v2, v3 = triangle(k, v)
    else:
        v2, k2, k3 = triangle(v, k)
    k_length, v_length = math.sqrt(k_square), math.sqrt(v_square)
    x[0], x[1], x[2], x[3] = kappa / k_length, eta / k_length, k2 / k_length, k3 / k_length
    x[4], x[5], x[6], x[7] = theta / v_length, nu / v_length, v2 / v_length, v3 / v_length
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
    """Do len(lam) steps on the coordinates `state` (8,), in place; record it at len(records) equal distances.

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
