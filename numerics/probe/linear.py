"""Linear probes: logistic regression on standardised features, its penalty chosen on the training set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from numerics.probe.extra import require

PENALTIES = (1.0, 1e-1, 1e-2, 1e-3, 1e-4)
"""Candidates for the weight of |w|^2 / 2 beside the mean log-loss, strongest first."""

FOLDS = 3
CONSTANT = 1e-4
"""A feature counts as constant when its standard deviation is below this share of the features' size. In the
embeddings [CLS] is the same in every sentence but for rounding, which must not be blown up to size 1."""


@dataclass(frozen=True)
class Standardiser:
    """Features to mean 0 and standard deviation 1, constant ones to 0; mean and scale are (features,)."""

    mean: np.ndarray
    scale: np.ndarray

    @classmethod
    def of(cls, features: np.ndarray) -> Standardiser:
        """The one that standardises (n, features)."""
        mean = features.mean(axis=0, dtype=np.float64)
        deviation = features.std(axis=0, dtype=np.float64)
        size = np.sqrt(np.mean(mean**2 + deviation**2))
        scale = np.divide(1.0, deviation, out=np.zeros_like(deviation), where=deviation > CONSTANT * size)
        return cls(mean, scale)

    def __call__(self, features: np.ndarray) -> np.ndarray:
        """(..., features) standardised, in the type that came in."""
        return ((features - self.mean) * self.scale).astype(features.dtype)


@dataclass(frozen=True)
class LinearProbe:
    """sign(score), score = <w, x> + b with x standardised; labels are +1 and -1."""

    standardise: Standardiser
    weights: np.ndarray
    bias: float

    def score(self, features: np.ndarray) -> np.ndarray:
        """(...,) scores of (..., features)."""
        return self.standardise(features) @ self.weights.astype(features.dtype) + self.bias

    def predict(self, features: np.ndarray) -> np.ndarray:
        """(...,) labels; a score of exactly 0 is read as +1."""
        return np.where(self.score(features) >= 0, 1, -1)


def fit_linear(features: np.ndarray, labels: np.ndarray, penalty: float) -> LinearProbe:
    """The probe that minimises mean log-loss + penalty |w|^2 / 2 on (n, features) and (n,) labels +-1."""
    standardise = Standardiser.of(features)
    model = _regression(penalty, len(labels)).fit(standardise(features), labels)
    return LinearProbe(standardise, model.coef_[0].astype(np.float64), float(model.intercept_[0]))


def choose_penalty(features: np.ndarray, labels: np.ndarray, seed: int) -> float:
    """The strongest of PENALTIES that predicts left-out training sentences as well as the best one does.

    As well: its mean accuracy over FOLDS folds is within one standard error of the best. No test set has a
    say, so that each measures what it is named after.
    """
    selection = require("sklearn.model_selection")
    folds = list(selection.StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(features, labels))
    scores = np.array([[_left_out(features, labels, p, *fold) for fold in folds] for p in PENALTIES])
    means = scores.mean(axis=1)
    best = int(means.argmax())
    allowed = means[best] - scores[best].std(ddof=1) / np.sqrt(FOLDS)
    return PENALTIES[int(np.argmax(means >= allowed))]


class BagOfWords:
    """How often each word of the training texts stands in a text: what it holds, but not where."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counter = require("sklearn.feature_extraction.text").CountVectorizer().fit(texts)

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """(n, words) float32 counts; words that no training text has are left out."""
        return self._counter.transform(texts).toarray().astype(np.float32)


def _regression(penalty: float, n: int) -> Any:
    linear_model = require("sklearn.linear_model")
    return linear_model.LogisticRegression(C=1 / (penalty * n), max_iter=5000)


def _left_out(
    features: np.ndarray, labels: np.ndarray, penalty: float, inside: np.ndarray, outside: np.ndarray
) -> float:
    probe = fit_linear(features[inside], labels[inside], penalty)
    return float(np.mean(probe.predict(features[outside]) == labels[outside]))
