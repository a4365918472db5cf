"""Gradient descent and SGD as they stand, on vectors of R^d: slow and plain, to test the fast ones."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import erf

from numerics.arrays import ARRAYS
from numerics.frame import vectors
from numerics.generated import closed_forms
from numerics.overlaps import Overlaps
from numerics.task import Task


class Vectors(NamedTuple):
    """Unit vectors k and v, each (runs, d), and the orthonormal truth (k*, v*), each (d,)."""

    k: np.ndarray
    v: np.ndarray
    k_star: np.ndarray
    v_star: np.ndarray

    @property
    def overlaps(self) -> Overlaps:
        """The overlaps, of shape (runs,)."""
        k, v, k_star, v_star = self
        return Overlaps.unchecked([k @ k_star, v @ v_star, v @ k_star, k @ v_star, np.sum(k * v, axis=1)])

    def moved(self, gradient_k: np.ndarray, gradient_v: np.ndarray, step_size: float) -> Vectors:
        """k and v after a step against the tangent parts of the gradients, normalised."""
        return self._replace(
            k=descended(self.k, gradient_k, step_size), v=descended(self.v, gradient_v, step_size)
        )


def random_vectors(runs: int, task: Task, rng: np.random.Generator, ambient: int | None = None) -> Vectors:
    """k and v uniform on the sphere of R^ambient, by default R^d; k*, v* two columns of a random rotation."""
    dimension = ambient or task.d
    truth = np.linalg.qr(rng.standard_normal((dimension, 2)))[0]
    k, v = rng.standard_normal((2, runs, dimension))
    return Vectors(unit(k), unit(v), truth[:, 0].copy(), truth[:, 1].copy())


def copies(o: Overlaps, runs: int, ambient: int) -> Vectors:
    """Vectors of R^ambient, ambient >= 4, with the overlaps `o` of shape (), the same in each run."""
    k, v = (np.pad(row, (0, ambient - 4)) for row in vectors(o).reshape(2, 4))
    return Vectors(np.tile(k, (runs, 1)), np.tile(v, (runs, 1)), *np.eye(2, ambient))


def gradient_step(x: Vectors, lam: float, step_size: float, task: Task) -> Vectors:
    """A step of projected gradient descent on the risk."""
    return x.moved(*risk_gradients(x, lam, task), step_size)


def risk_gradients(x: Vectors, lam: float, task: Task) -> tuple[np.ndarray, np.ndarray]:
    """Gradients of the risk in k and v, each (runs, d), by the closed form of its partial derivatives."""
    o = x.overlaps.stack()
    arguments = (*o, lam, task.signal, task.gamma, task.L)
    partials = closed_forms.partial_derivatives(ARRAYS, *arguments)
    R_kappa, R_nu, R_theta, R_eta, R_rho = (np.broadcast_to(p, o[0].shape)[:, None] for p in partials)
    gradient_k = R_kappa * x.k_star + R_eta * x.v_star + R_rho * x.v
    gradient_v = R_theta * x.k_star + R_nu * x.v_star + R_rho * x.k
    return gradient_k, gradient_v


def sgd_step(
    x: Vectors, lam: float, step_size: float, task: Task, batch_size: int, rng: np.random.Generator
) -> Vectors:
    """A step of SGD: the gradients of a batch, and a descent step."""
    return x.moved(*sample_gradients(x, lam, task, batch_size, rng), step_size)


def sample_gradients(
    x: Vectors, lam: float, task: Task, batch_size: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Batch means of the gradients of (Y - T(X))^2 in k and v, (runs, d), with (X, Y) by the definition."""
    shape = (x.k.shape[0], batch_size, task.L)
    informative = np.arange(task.L) == rng.integers(task.L, size=shape[:2])[..., None]
    tokens = rng.standard_normal((*shape, x.k.shape[1]))
    tokens *= np.where(informative, task.gamma, 1.0)[..., None]
    tokens += informative[..., None] * (task.signal * x.k_star)
    labels = np.sum((tokens @ x.v_star) * informative, axis=-1)
    labels += task.epsilon * rng.standard_normal(shape[:2])
    scores = np.einsum("rbld,rd->rbl", tokens, x.k, optimize=True)
    values = np.einsum("rbld,rd->rbl", tokens, x.v, optimize=True)
    attention = erf(lam * scores)
    errors = np.sum(attention * values, axis=-1) - labels
    factor = (2 / batch_size) * errors[..., None]
    slope = 2 / math.sqrt(math.pi) * lam * np.exp(-((lam * scores) ** 2))
    gradient_k = np.einsum("rbl,rbld->rd", factor * slope * values, tokens, optimize=True)
    gradient_v = np.einsum("rbl,rbld->rd", factor * attention, tokens, optimize=True)
    return gradient_k, gradient_v


def unit(x: np.ndarray) -> np.ndarray:
    """The rows of (runs, d), normalised."""
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def descended(x: np.ndarray, gradient: np.ndarray, step_size: float) -> np.ndarray:
    """Unit rows (runs, d) after a step against the tangent part of the gradient, normalised."""
    return unit(x - step_size * tangent(x, gradient))


def tangent(x: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """The parts of gradients (runs, d) that are orthogonal to the unit rows x."""
    return gradient - np.sum(gradient * x, axis=1, keepdims=True) * x
