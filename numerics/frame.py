"""Unit vectors k, v of R^4 with given overlaps: the orthonormal frame (k*, v*, e1, e2) and back.

Gradient flow and gradient descent never leave the span of k, v, k*, v*, which has at most four dimensions
whatever d is. Held as coordinates in a frame of that span, k and v are unit vectors after every step, so that
the overlaps that they have are admissible by construction.
"""

from __future__ import annotations

import numpy as np

from numerics.overlaps import Overlaps, residual_gram

SIZE = 8
"""Coordinates of k (0..3) and of v (4..7) along k*, v*, e1, e2."""


def vectors(o: Overlaps) -> np.ndarray:
    """Coordinates (8, ...) of k and v in a frame (k*, v*, e1, e2), from overlaps of shape (...).

    e1 lies along the larger of the residuals of k and v outside span(k*, v*), so that nothing is divided
    by a small number that rounding has made.
    """
    kk, vv, kv = residual_gram(o)
    k_first = kk >= vv
    large = np.sqrt(np.maximum(np.where(k_first, kk, vv), 0.0))
    small = np.maximum(np.where(k_first, vv, kk), 0.0)
    bound = np.sqrt(small)
    along = np.clip(np.divide(kv, large, out=np.zeros_like(kv), where=large > 0), -bound, bound)
    across = np.sqrt(np.maximum(small - along**2, 0.0))
    zero = np.zeros_like(along)
    k = np.stack([o.kappa, o.eta, np.where(k_first, large, along), np.where(k_first, zero, across)])
    v = np.stack([o.theta, o.nu, np.where(k_first, along, large), np.where(k_first, across, zero)])
    return np.concatenate([k / np.linalg.norm(k, axis=0), v / np.linalg.norm(v, axis=0)])


def overlaps(coordinates: np.ndarray) -> np.ndarray:
    """Overlaps (5, ...) of the vectors with the given coordinates (8, ...), normalised first.

    >>> o = Overlaps(kappa=0.6, nu=0.5, theta=0.1, eta=-0.2, rho=0.3)
    >>> bool(np.allclose(overlaps(vectors(o)), o.stack(), rtol=0, atol=1e-15))
    True
    """
    k, v = coordinates[:4], coordinates[4:]
    k = k / np.linalg.norm(k, axis=0)
    v = v / np.linalg.norm(v, axis=0)
    return np.stack([k[0], v[1], v[0], k[1], np.einsum("i...,i...->...", k, v)])
