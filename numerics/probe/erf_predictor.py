"""The predictor of the theory, T(X) = sum_l erf(lam <X_l, k>) <X_l, v>, trained on real tokens by SGD."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import erf

from numerics.full_dimension import descended, unit
from numerics.probe.linear import Standardiser

LAM_TIMES_ROOT_D = 2.0
"""lam sqrt(d), as in the paper's experiments (lam = 0.1, d = 400)."""

STEP_TIMES_D = 1.0
"""Step size times d: the gradient in v grows as the squared size of a token, d."""

BATCH = 32
EPOCHS = 6
STARTS = 4


@dataclass(frozen=True)
class ErfPredictor:
    """T(X) on standardised tokens. k, v: (d,) unit vectors."""

    standardise: Standardiser
    k: np.ndarray
    v: np.ndarray
    lam: float
    risks: np.ndarray
    """(starts,) mean squared training error of every start; that of (k, v) is the smallest."""

    def contributions(self, tokens: np.ndarray, words: np.ndarray) -> np.ndarray:
        """(m, tokens): the term of each token in T(X); 0 where `words` (m, tokens) is false."""
        X = _inputs(self.standardise, tokens, words)
        return erf(self.lam * (X @ self.k)) * (X @ self.v)

    def predict(self, tokens: np.ndarray, words: np.ndarray) -> np.ndarray:
        """(m,) labels: the sign of T(X); 0 is read as +1."""
        return np.where(self.contributions(tokens, words).sum(axis=1) >= 0, 1, -1)


def train_erf_predictor(
    tokens: np.ndarray, words: np.ndarray, labels: np.ndarray, rng: np.random.Generator, starts: int = STARTS
) -> ErfPredictor:
    """The best of several starts, uniform on the spheres, by the risk E (Y - T(X))^2 on the training set.

    tokens: (m, tokens, d) states; words: (m, tokens) marks the tokens of the text, all others are left out;
    labels: (m,) +-1. Tokens are standardised to mean 0 and variance 1 in each coordinate.
    """
    standardise = Standardiser.of(tokens[words])
    X = _inputs(standardise, tokens, words)
    y = labels.astype(X.dtype)
    d = int(np.count_nonzero(standardise.scale)) or 1
    lam = LAM_TIMES_ROOT_D / math.sqrt(d)
    k, v = (unit(rng.standard_normal((starts, X.shape[-1])).astype(X.dtype)) for _ in range(2))
    for _ in range(EPOCHS):
        order = rng.permutation(len(X))
        for batch in np.array_split(order, max(1, len(X) // BATCH)):
            k, v = _step(X[batch], y[batch], k, v, lam, STEP_TIMES_D / d)
    risks = np.mean((_predict(X, k, v, lam) - y[:, None]) ** 2, axis=0)
    best = int(risks.argmin())
    return ErfPredictor(standardise, k[best], v[best], lam, risks)


def gradients(
    X: np.ndarray, y: np.ndarray, k: np.ndarray, v: np.ndarray, lam: float
) -> tuple[np.ndarray, np.ndarray]:
    """Gradients in k and v, each (starts, d), of the mean of (y - T(X))^2; X is (batch, tokens, d)."""
    scores, values = X @ k.T, X @ v.T
    attention = erf(lam * scores)
    errors = (attention * values).sum(axis=1, keepdims=True) - y[:, None, None]
    slopes = (2 / math.sqrt(math.pi)) * lam * np.exp(-((lam * scores) ** 2))
    flat = X.reshape(-1, X.shape[-1])
    factors = (2 / len(X)) * errors
    gradient_k = (factors * slopes * values).reshape(len(flat), -1).T @ flat
    gradient_v = (factors * attention).reshape(len(flat), -1).T @ flat
    return gradient_k, gradient_v


def _step(
    X: np.ndarray, y: np.ndarray, k: np.ndarray, v: np.ndarray, lam: float, step_size: float
) -> tuple[np.ndarray, np.ndarray]:
    gradient_k, gradient_v = gradients(X, y, k, v, lam)
    return descended(k, gradient_k, step_size), descended(v, gradient_v, step_size)


def _predict(X: np.ndarray, k: np.ndarray, v: np.ndarray, lam: float) -> np.ndarray:
    return (erf(lam * (X @ k.T)) * (X @ v.T)).sum(axis=1)


def _inputs(standardise: Standardiser, tokens: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Standardised tokens; what is no word of the text becomes 0, whose term is erf(0) 0 = 0."""
    return np.where(words[..., None], standardise(tokens), 0).astype(tokens.dtype)
