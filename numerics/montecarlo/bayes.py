"""The Bayes predictor: its posterior over locations, and two estimators of its excess risk.

Up to a constant, the log-likelihood ratio of a token being the informative one is
a = m <X, k*> / gamma^2 + (1 - 1/gamma^2) |X|^2 / 2. The posterior P(J0 = l | X) is the softmax of a_l, the
Bayes predictor the posterior mean of <X_l, v*>, and its excess risk is E Var(<X_{J0}, v*> | X).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from numerics import checks
from numerics.montecarlo.quantity import Observations, Quantity
from numerics.montecarlo.scores import PIECE
from numerics.montecarlo.source import Source
from numerics.task import Task


def log_odds(k_star: Any, squared_norm: Any, m: Any, gamma: Any) -> Any:
    """a: the log-likelihood ratio of informative to noise token without its constant; arrays or symbols."""
    return m * k_star / gamma**2 + (1 - 1 / gamma**2) * squared_norm / 2


@dataclass(frozen=True)
class BayesQuantity(Quantity):
    """What the two estimators of E Var(<X_{J0}, v*> | X) share: the task, with d >= 2.

    Outside k* a token is isotropic, so given <X_l, k*> and its squared length q_l in the d - 1 other
    directions, <X_l, v*> has mean 0 and variance q_l / (d - 1), independently over tokens. So with the
    posterior p, E[Var(<X_{J0}, v*> | X) | scores] = sum_l p_l (1 - p_l) q_l / (d - 1). A token takes a
    normal and a chi-square.
    """

    task: Task

    def __post_init__(self) -> None:
        if not isinstance(self.task, Task):
            raise TypeError(f"task must be a Task, got {self.task!r}")
        checks.integer("d (for the Bayes risk)", self.task.d, 2)

    @property
    def dimension(self) -> int:
        return 2 * self.task.L

    @property
    def footprint(self) -> int:
        return min(4 * self.dimension, PIECE)

    def _scores(
        self, source: Source, count: int, mean: float, deviation: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """log_odds and q / (d - 1) of `count` tokens N(mean k*, deviation^2 I_d), shape (rows, count)."""
        degrees = self.task.d - 1
        k_star = mean + deviation * source.normal(count)
        rest = deviation**2 * source.chisquare(degrees, count)
        return log_odds(k_star, k_star**2 + rest, self.task.signal, self.task.gamma), rest / degrees

    def _pieces(self, source: Source, count: int) -> list[int]:
        """Sizes in which `count` noise tokens are drawn."""
        largest = max(1, PIECE // (4 * source.rows))
        return [min(largest, count - start) for start in range(0, count, largest)]


@dataclass(frozen=True)
class BayesFromPosterior(BayesQuantity):
    """Tokens drawn from the task; their posterior variance. Blind to errors too rare to be drawn."""

    def observe(self, source: Source) -> Observations:
        task = self.task
        log, variance = self._scores(source, 1, task.signal, task.gamma)
        largest = log[:, 0]
        total, first, second = np.ones_like(largest), variance[:, 0], variance[:, 0]
        for count in self._pieces(source, task.L - 1):
            log, variance = self._scores(source, count, 0.0, 1.0)
            above = np.maximum(largest, log.max(axis=1))
            rescale, weights = np.exp(largest - above), np.exp(log - above[:, None])
            total = total * rescale + weights.sum(axis=1)
            first = first * rescale + (weights * variance).sum(axis=1)
            second = second * rescale**2 + (weights**2 * variance).sum(axis=1)
            largest = above
        return Observations(posterior_variance(total, first, second))


@dataclass(frozen=True)
class BayesFromConfusion(BayesQuantity):
    """The same by importance sampling of the confusions that make up the risk, however rare they are.

    With r = dP1/dP0 the likelihood ratio of one token and h = q / (d - 1), exchangeability gives
    E sum_l p_l (1 - p_l) h_l = (L - 1) E_0[r_1 r_2 (h_1 + h_2) / (2 sum_l r_l)], all tokens noise. Drawing
    tokens 1 and 2 from the density proportional to sqrt(p0 p1) instead turns this into
    (L - 1) c^2 E[sqrt(r_1 r_2) (h_1 + h_2) / (2 sum_l r_l)], c = E_0 sqrt(r) the Bhattacharyya coefficient.
    The weight sqrt(r_1 r_2) / sum_l r_l is at most 1/2, and a common factor of the r_l cancels in it.
    """

    def observe(self, source: Source) -> Observations:
        task = self.task
        if task.L == 1:
            return Observations(np.zeros(source.rows))
        mean, spread = confusion_law(task.signal, task.gamma)
        log, variance = self._scores(source, 2, mean, math.sqrt(spread))
        total = special.logsumexp(log, axis=1)
        for count in self._pieces(source, task.L - 2):
            noise, _ = self._scores(source, count, 0.0, 1.0)
            total = np.logaddexp(total, special.logsumexp(noise, axis=1))
        scale = math.log(task.L - 1) + 2 * log_bhattacharyya(task.d, task.gamma)
        return Observations(np.exp(scale + log.mean(axis=1) - total) * variance.mean(axis=1))


def posterior_variance(total: Any, first: Any, second: Any) -> Any:
    """sum_l p_l (1 - p_l) h_l for p_l = w_l / total, first = sum_l w_l h_l, second = sum_l w_l^2 h_l."""
    return first / total - second / total**2


def confusion_law(m: Any, gamma: Any) -> tuple[Any, Any]:
    """Mean along k* and variance of the Gaussian density proportional to sqrt(p0 p1); arrays or symbols."""
    return m / (1 + gamma**2), 2 * gamma**2 / (1 + gamma**2)


def log_bhattacharyya(d: Any, gamma: Any, log: Callable[[Any], Any] = math.log) -> Any:
    """log of the integral of sqrt(p0 p1) for N(0, I_d) and N(sqrt(d/2) k*, gamma^2 I_d)."""
    return d / 2 * log(2 * gamma / (1 + gamma**2)) - d / (8 * (1 + gamma**2))
