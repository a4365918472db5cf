"""Statistical evidence: agreement with Monte Carlo at a stated error probability and resolution."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from proofs_check.claim import Context, Evidence, Kind, Verdict

POWER = 0.99
LARGEST_DETECTABLE = 0.01
MORE_SAMPLES = 16


@dataclass(frozen=True)
class Agreement:
    """Tests a claimed value against an estimator, a function (seed, samples) -> (value, standard error).

    The subject is the claimed number, or a function without arguments that computes it. The claim is refuted
    only if two estimates, the second with a fresh seed and 16 times the samples, both differ from it by more
    than chance explains with the check's share of the run's error budget. It is undecided if a relative
    difference of 1% would have gone unseen with a probability above 1%.
    """

    estimator: Callable[[int, int], tuple[float, float]]
    samples: int
    description: str = ""
    kind: Kind = Kind.STATISTICAL

    def __call__(self, subject: Any, context: Context) -> Evidence:
        claimed = float(subject() if callable(subject) else subject)
        surprise = NormalDist().inv_cdf(1 - context.error_budget / context.statistical_checks / 2)
        for samples, seed in ((self.samples, context.seed), (self.samples * MORE_SAMPLES, context.seed + 1)):
            estimate, error = self.estimator(seed, samples)
            score = (estimate - claimed) / error
            if abs(score) <= surprise:
                break
        detectable = (
            (surprise + NormalDist().inv_cdf(POWER)) * error / abs(claimed) if claimed else float("inf")
        )
        data = {
            "claimed": claimed,
            "estimate": estimate,
            "standard_error": error,
            "samples": samples,
            "standard_score": score,
            "allowed_score": surprise,
            "detectable_relative_difference": detectable,
        }
        detail = f"{score:+.2f} standard errors from {samples:,} samples, {surprise:.1f} allowed"
        if self.description:
            detail = f"{self.description}: {detail}"
        if abs(score) > surprise:
            return Evidence(self.kind, Verdict.REFUTED, detail, data=data)
        detail += f"; a difference of {detectable:.2%} would show with {POWER:.0%} power"
        verdict = Verdict.HOLDS if detectable <= LARGEST_DETECTABLE else Verdict.UNDECIDED
        return Evidence(self.kind, verdict, detail, data=data)
