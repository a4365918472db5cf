"""Statistical evidence: agreement with Monte Carlo at a stated error probability and resolution."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from proofs_check.claim import Context, Evidence, Kind, Verdict
from proofs_check.significance import (
    OVERWHELMING,
    P_VALUE,
    SURPRISE,
    critical_score,
    tail_probability,
    threshold,
    verdict,
)

POWER = 0.99
POWER_SCORE = 2.3263478740408408
"""The standard normal quantile at POWER."""

LARGEST_DETECTABLE = 0.01
MORE_SAMPLES = 16


@dataclass(frozen=True)
class Measured:
    """Estimates of one or several numbers, flat arrays of one length.

    observations: independent observations behind each error; infinite where it is known.
    asymmetry: skewness of each estimate's law.
    """

    value: np.ndarray
    error: np.ndarray
    observations: float
    asymmetry: np.ndarray

    @classmethod
    def of(cls, estimate: Any) -> Measured:
        """From an object with value and standard_error, or a pair of them."""
        pair = estimate if isinstance(estimate, tuple) else (estimate.value, estimate.standard_error)
        value, error = (np.ravel(np.asarray(x, dtype=float)) for x in pair)
        asymmetry = np.ravel(getattr(estimate, "asymmetry", np.zeros_like(value)))
        return cls(value, error, getattr(estimate, "observations", math.inf), asymmetry)

    def scores(self, claimed: np.ndarray) -> np.ndarray:
        """Differences from the claimed values in standard errors; minus infinity for what is not a number."""
        difference = self.value - claimed
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = np.where(difference == 0, 0.0, difference / self.error)
        return np.where(np.isnan(scores), -np.inf, scores)

    def probability(self, scores: np.ndarray) -> float:
        """Probability, at most, that any of the estimates is so far off: Bonferroni over them."""
        tails = (
            tail_probability(s, self.observations, a) for s, a in zip(scores, self.asymmetry, strict=True)
        )
        return min(1.0, len(scores) * min(tails))

    def detectable(self, probability: float) -> np.ndarray:
        """Differences that have this tail probability or less with a probability of POWER."""
        share = probability / len(self.value)
        critical = np.array([critical_score(share, self.observations, a) for a in self.asymmetry])
        with np.errstate(invalid="ignore"):
            return np.where(self.error > 0, (critical + POWER_SCORE) * self.error, 0.0)


@dataclass(frozen=True)
class Agreement:
    """Tests claimed values against an estimator.

    The subject is the claimed number or array of numbers, or a function without arguments that computes
    it. If the first estimate surprises (see `significance`), a second with fresh seeds and 16 times the
    samples decides, unless the first leaves no doubt. The evidence tells the smallest relative difference,
    of the entry where it is largest, that would be called refuted with 99% power, and it is undecided if
    that is above 1%.

    estimator: function (seed, samples) -> (value, standard error), or an object with value and
        standard_error and, if it knows them, observations and asymmetry. Values may be arrays.
    scale: what differences are relative to; by default the claimed values.
    joint: relative to the largest of the claimed values, which together are one vector.
    """

    estimator: Callable[[int, int], Any]
    samples: int
    description: str = ""
    scale: float | None = None
    joint: bool = False
    kind: Kind = Kind.STATISTICAL

    def __call__(self, subject: Any, context: Context) -> Evidence:
        claimed = np.ravel(np.asarray(subject() if callable(subject) else subject, dtype=float))
        samples, repeated = self.samples, False
        first = measured = self._measure(context.seed, samples, claimed)
        p_value = first.probability(first.scores(claimed))
        if OVERWHELMING < p_value <= SURPRISE:
            samples, repeated = self.samples * MORE_SAMPLES, True
            measured = self._measure(context.seed + 1, samples, claimed)
            p_value = SURPRISE * measured.probability(measured.scores(claimed))
        detectable = self._detectable(first, claimed)
        worst = int(np.argmax(np.abs(measured.scores(claimed))))
        score = float(measured.scores(claimed)[worst])
        data = {
            "claimed": claimed,
            "estimate": measured.value,
            "standard_error": measured.error,
            "samples": samples,
            "repeated": repeated,
            "standard_score": score,
            P_VALUE: p_value,
            "refuting_p_value": threshold(context),
            "detectable_relative_difference": detectable,
        }
        found = verdict(p_value, detectable <= LARGEST_DETECTABLE, context)
        detail = _detail(score, samples, p_value, repeated) + _resolution(found, detectable)
        if self.description:
            detail = f"{self.description}: {detail}"
        return Evidence(self.kind, found, detail, data=data)

    def _measure(self, seed: int, samples: int, claimed: np.ndarray) -> Measured:
        measured = Measured.of(self.estimator(seed, samples))
        if measured.value.shape != claimed.shape:
            raise ValueError(
                f"claim and estimate must have as many numbers, got {claimed.size} and {measured.value.size}"
            )
        return measured

    def _detectable(self, first: Measured, claimed: np.ndarray) -> float:
        """What surprises the first estimate with 99% power; the second, 4 times sharper, will not miss it."""
        scale = np.abs(claimed) if self.scale is None else np.full(claimed.shape, self.scale)
        scale = np.full(claimed.shape, scale.max()) if self.joint else scale
        with np.errstate(divide="ignore", invalid="ignore"):
            relative = np.where(scale > 0, first.detectable(SURPRISE) / scale, np.inf)
        return float(relative.max())


@dataclass(frozen=True)
class Positive:
    """Tests that an estimated number, or each of several, is positive.

    The subject is an estimator as for `Agreement`. The evidence holds only if the claim's contrary is
    itself as improbable as the budget demands: every entry shown positive. It is refuted if an entry is shown
    negative, and otherwise undecided. Surprises are repeated as in `Agreement`.
    """

    samples: int
    description: str = ""
    kind: Kind = Kind.STATISTICAL

    def __call__(self, subject: Any, context: Context) -> Evidence:
        samples = self.samples
        measured = Measured.of(subject(context.seed, samples))
        p_value, repeated = self._against(measured), False
        if OVERWHELMING < p_value <= SURPRISE:
            samples, repeated = self.samples * MORE_SAMPLES, True
            measured = Measured.of(subject(context.seed + 1, samples))
            p_value = SURPRISE * self._against(measured)
        scores = measured.scores(np.zeros_like(measured.value))
        worst = int(np.argmin(scores))
        shown = scores[worst] > 0 and self._probability(measured, worst) <= threshold(context)
        data = {
            "estimate": measured.value,
            "standard_error": measured.error,
            "samples": samples,
            "repeated": repeated,
            "standard_score": float(scores[worst]),
            P_VALUE: p_value,
            "refuting_p_value": threshold(context),
        }
        found = verdict(p_value, bool(shown), context)
        detail = _detail(float(scores[worst]), samples, p_value, repeated)
        return Evidence(self.kind, found, f"{self.description}: {detail}".lstrip(": "), data=data)

    def _against(self, measured: Measured) -> float:
        """p-value of "all positive": the smallest over the negative entries."""
        scores = np.minimum(measured.scores(np.zeros_like(measured.value)), 0)
        return measured.probability(scores)

    def _probability(self, measured: Measured, entry: int) -> float:
        score = measured.scores(np.zeros_like(measured.value))[entry]
        return tail_probability(score, measured.observations, measured.asymmetry[entry])


def _detail(score: float, samples: int, p_value: float, repeated: bool) -> str:
    again = " in a repetition" if repeated else ""
    return f"{score:+.2f} standard errors from {samples:,} samples{again}, p = {p_value:.2g}"


def _resolution(found: Verdict, detectable: float) -> str:
    if found is Verdict.REFUTED:
        return ""
    return f"; a difference of {detectable:.2%} would show with {POWER:.0%} power"
