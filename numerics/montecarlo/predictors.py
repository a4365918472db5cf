"""Predictors of Y from the tokens, and the risk of any predictor from the definition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from numerics.montecarlo.bayes import log_odds
from numerics.montecarlo.expectation import Expectation
from numerics.montecarlo.laws import Tokens
from numerics.overlaps import Overlaps
from numerics.task import Task

Predictor = Callable[[Tokens], np.ndarray]
"""A function of the tokens that returns predictions, shape (rows,)."""


@dataclass(frozen=True)
class NullPredictor:
    """Predicts E Y = 0."""

    def __call__(self, tokens: Tokens) -> np.ndarray:
        return np.zeros(len(tokens.v_star))


@dataclass(frozen=True)
class LinearPredictor:
    """The best linear predictor: with S = sum_l <X_l, v*>, the regression E[Y S] / E[S^2] of Y on S, times S.

    By symmetry all tokens get one coefficient, and directions other than v* are uncorrelated with Y.
    """

    task: Task

    def __call__(self, tokens: Tokens) -> np.ndarray:
        signal = self.task.gamma**2
        return signal / (signal + self.task.L - 1) * tokens.v_star.sum(axis=1)


@dataclass(frozen=True)
class BayesPredictor:
    """The posterior mean of <X_{J0}, v*>; needs the tokens' squared norms."""

    task: Task

    def __call__(self, tokens: Tokens) -> np.ndarray:
        odds = log_odds(tokens.k_star, tokens.squared_norm, self.task.signal, self.task.gamma)
        return (special.softmax(odds, axis=1) * tokens.v_star).sum(axis=1)


@dataclass(frozen=True)
class AttentionPredictor:
    """sum_l erf(lam <X_l, k>) <X_l, v>; needs the tokens' projections on k and v."""

    lam: float

    def __call__(self, tokens: Tokens) -> np.ndarray:
        assert tokens.k is not None
        assert tokens.v is not None
        return (special.erf(self.lam * tokens.k) * tokens.v).sum(axis=1)


@dataclass(frozen=True)
class SquaredError:
    """(Y - prediction)^2."""

    predictor: Predictor

    def __call__(self, tokens: Tokens, y: np.ndarray) -> np.ndarray:
        return (y - self.predictor(tokens)) ** 2


def predictor_risk(predictor: Predictor, task: Task, overlaps: Overlaps | None = None) -> Expectation:
    """The risk E[(Y - T)^2] of a predictor, label noise included, drawn from the definition.

    overlaps: needed if the predictor uses tokens.k or tokens.v.

    >>> from numerics.montecarlo import estimate
    >>> task = Task(d=400, L=10, gamma=1.0, epsilon=0.5)
    >>> bool(abs(estimate(predictor_risk(NullPredictor(), task), samples=20_000).value - 1.25) < 0.1)
    True
    """
    return Expectation(SquaredError(predictor), task, overlaps, norm=True)
