"""What a surprise is worth: tail probabilities of estimates, and one error budget for all statistical checks.

A check that finds its estimate surprising (two-sided probability below SURPRISE under the claim) repeats
it with fresh seeds and more samples. Both are independent under a true claim, so the probability that the
first is surprising and the second has a tail probability of at most p is SURPRISE * p: that product is the
check's p-value, or that of the first estimate alone where it is at most OVERWHELMING, which adds nothing
that double precision resolves. Holm's step-down procedure (1979, "A simple sequentially rejective multiple
test procedure", Scandinavian Journal of Statistics 6) then keeps the probability that any true claim of the
suite is called refuted within the budget, whatever the dependence between checks.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

from scipy import optimize, special

from proofs_check.claim import Context, Evidence, Kind, Verdict
from proofs_check.verdict import Finding

SURPRISE, OVERWHELMING = 1e-2, 1e-100
P_VALUE = "p_value"
"""Where a judge leaves its p-value in the evidence's data."""


def tail_probability(score: float, observations: float = math.inf, asymmetry: float = 0.0) -> float:
    """Two-sided probability of a standard score this large, allowing for few observations and for skewness.

    It is Student's or, if that is larger, the normal one times exp(|asymmetry| score^3 / 6), the leading
    term of Cramer's series (Petrov, 1975, "Sums of independent random variables", chapter VIII), with
    asymmetry the skewness of the estimate's law. Beyond score = 2 / |asymmetry|, where the series means
    nothing, this product stays at its minimum until Chebyshev's bound 1 / score^2 is smaller.

    >>> round(tail_probability(1.959964), 6)
    0.05
    >>> round(tail_probability(400.0, asymmetry=0.9), 8)
    6.25e-06
    """
    skewness, size = abs(asymmetry), abs(score)
    student = special.stdtr(observations - 1, -size) if math.isfinite(observations) else 0.0
    normal = float(special.ndtr(-size))
    if skewness:
        sensible = min(size, 2 / skewness)
        series = math.exp(special.log_ndtr(-sensible) + skewness * sensible**3 / 6)
        normal = min(series, 1 / (2 * size**2)) if size else series
    return float(min(1.0, 2 * max(student, normal)))


def critical_score(probability: float, observations: float = math.inf, asymmetry: float = 0.0) -> float:
    """The score whose tail probability is `probability`; infinite if that is beyond 1e6."""
    largest = 1e6
    if tail_probability(largest, observations, asymmetry) > probability:
        return math.inf

    def excess(score: float) -> float:
        return tail_probability(score, observations, asymmetry) - probability

    return float(optimize.brentq(excess, 0.0, largest))


def threshold(context: Context) -> float:
    """The p-value at which a check refutes by itself, however the others come out."""
    return context.error_budget / context.statistical_checks


def verdict(p_value: float, detects: bool, context: Context) -> Verdict:
    """A check's verdict before Holm: undecided in the gap where that depends on the other checks."""
    if p_value <= threshold(context):
        return Verdict.REFUTED
    return Verdict.HOLDS if detects and p_value > context.error_budget else Verdict.UNDECIDED


def settle(findings: Mapping[str, Finding], context: Context) -> dict[str, Finding]:
    """The findings with Holm's procedure carried out over all their statistical evidence.

    Checks that were not run count as unsurprising, so a claim's verdict never depends on their absence for
    the worse. Mutants are judged one by one: they are false by intention.
    """
    ranked = sorted(
        (float(item.data[P_VALUE]), claim_id, index)
        for claim_id, finding in findings.items()
        for index, item in enumerate(finding.evidence)
        if item.kind is Kind.STATISTICAL and P_VALUE in item.data
    )
    settled = dict(findings)
    for rank, (p_value, claim_id, index) in enumerate(ranked):
        if p_value > context.error_budget / max(context.statistical_checks - rank, 1):
            break
        settled[claim_id] = _refuted(settled[claim_id], index)
    return settled


def _refuted(finding: Finding, index: int) -> Finding:
    evidence: list[Evidence] = list(finding.evidence)
    evidence[index] = dataclasses.replace(evidence[index], verdict=Verdict.REFUTED)
    return dataclasses.replace(finding, evidence=tuple(evidence))
