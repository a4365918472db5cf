"""Error probabilities of the statistical judges and of the suite's shared budget."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from proofs_check import significance
from proofs_check.claim import Context, Evidence, Kind, Verdict
from proofs_check.judges import statistical
from proofs_check.significance import P_VALUE, critical_score, settle, tail_probability
from proofs_check.verdict import Finding

HOLDS, REFUTED, UNDECIDED = Verdict.HOLDS, Verdict.REFUTED, Verdict.UNDECIDED


@pytest.mark.parametrize("observations", [math.inf, 40.0])
@pytest.mark.parametrize("asymmetry", [0.0, 0.05, -0.1])
def test_critical_score_inverts_the_tail(observations, asymmetry):
    for probability in (0.05, 1e-4, 1e-8):
        score = critical_score(probability, observations, asymmetry)
        assert tail_probability(score, observations, asymmetry) == pytest.approx(probability)


def test_tail_decreases_and_skewness_widens_it():
    scores = np.linspace(0, 60, 400)
    for asymmetry in (0.0, 1e-9, 1e-3, 0.05, 0.3):
        tails = [tail_probability(s, asymmetry=asymmetry) for s in scores]
        assert (np.diff(tails) <= 1e-15).all()
    assert critical_score(1e-3, asymmetry=0.1) > critical_score(1e-3)
    assert critical_score(1e-6, asymmetry=0.9) == pytest.approx(1000)
    assert critical_score(1e-13, asymmetry=0.9) == math.inf


def test_tail_covers_the_mean_of_skewed_numbers():
    """Means of 400 exponential numbers have a Gamma law, whose upper tail is heavier than the normal one."""
    n = 400
    for score in (2.0, 3.0, 4.0, 5.0):
        exact = stats.gamma.sf(n + score * math.sqrt(n), n)
        assert tail_probability(score) / 2 < exact < tail_probability(score, asymmetry=2 / math.sqrt(n)) / 2


def estimates(truth, error):
    def estimator(seed, samples):
        spread = error / math.sqrt(samples)
        return truth + spread * np.random.default_rng(seed).standard_normal(), spread

    return estimator


def verdicts(judge, claimed, context, seeds):
    found = [judge(claimed, Context(2 * seed, False, *context)) for seed in seeds]
    return np.array([item.data[P_VALUE] for item in found]), [item.verdict for item in found]


def test_p_values_are_uniform_under_a_true_claim(monkeypatch):
    """With a surprise threshold at which surprises are common enough to be counted."""
    monkeypatch.setattr(significance, "SURPRISE", 0.1)
    monkeypatch.setattr(statistical, "SURPRISE", 0.1)
    p_values, _ = verdicts(statistical.Agreement(estimates(1.0, 0.1), 1), 1.0, (), range(4000))
    for level in (0.02, 0.05, 0.3):
        assert abs((p_values <= level).mean() - level) < 5 * math.sqrt(level / 4000)


def test_the_stated_detectable_difference_is_detected_with_99_per_cent_power():
    judge = statistical.Agreement(estimates(1.0, 0.1), 10_000)
    detectable = judge(1.0, Context()).data["detectable_relative_difference"]
    _, found = verdicts(judge, 1 + detectable, (1e-6, 20), range(1000))
    assert found.count(REFUTED) >= 980
    _, found = verdicts(judge, 1 + detectable / 2, (1e-6, 20), range(200))
    assert found.count(REFUTED) < 180


def test_arrays_share_the_probability():
    def pair(seed, samples):
        return np.array([1.0, 2.0]), np.array([1e-4, 1e-4])

    judge = statistical.Agreement(pair, 1)
    assert judge([1.0, 2.0], Context()).verdict is HOLDS
    assert judge([1.0, 2.001], Context()).verdict is REFUTED
    assert judge([1.0, 2.0002], Context()).data[P_VALUE] == pytest.approx(2 * tail_probability(2.0))
    with pytest.raises(ValueError, match="as many numbers"):
        judge([1.0], Context())


def test_differences_relative_to_a_scale():
    estimator = estimates(0.0, 1e-3)
    assert statistical.Agreement(estimator, 1)(0.0, Context()).verdict is UNDECIDED
    assert statistical.Agreement(estimator, 1, scale=1.0)(0.0, Context()).verdict is HOLDS


@pytest.mark.parametrize(
    ("asymmetry", "error", "verdict"), [(0.0, 1e-3, HOLDS), (0.9, 1e-3, UNDECIDED), (0.9, 1e-6, HOLDS)]
)
def test_a_skewed_estimate_must_be_sharper(asymmetry, error, verdict):
    def estimator(seed, samples):
        return SimpleNamespace(value=1.0, standard_error=error, observations=10**4, asymmetry=asymmetry)

    assert statistical.Agreement(estimator, 1)(1.0, Context()).verdict is verdict
    assert statistical.Agreement(estimator, 1)(1 + 2e4 * error, Context()).verdict is REFUTED


def test_exact_estimates():
    judge = statistical.Agreement(lambda seed, samples: (0.5, 0.0), 1)
    assert judge(0.5, Context()).verdict is HOLDS
    assert judge(0.5000001, Context()).verdict is REFUTED


@pytest.mark.parametrize(("truth", "verdict"), [(1.0, HOLDS), (-1.0, REFUTED), (0.0, UNDECIDED)])
def test_positive(truth, verdict):
    judge = statistical.Positive(100)
    assert judge(estimates(truth, 0.5), Context()).verdict is verdict
    both = lambda seed, samples: (np.array([1.0, truth]), np.array([0.01, 0.01]))  # noqa: E731
    assert judge(both, Context()).verdict is verdict


def finding(claim_id, p_value, verdict, kind=Kind.STATISTICAL):
    return Finding(claim_id, (Evidence(kind, verdict, "", data={P_VALUE: p_value}),), ())


def settled(*p_values, checks=10):
    found = {f"a.{i}": finding(f"a.{i}", p, UNDECIDED) for i, p in enumerate(p_values)}
    after = settle(found, Context(error_budget=1e-6, statistical_checks=checks))
    return [item.evidence[0].verdict is REFUTED for item in after.values()]


def test_holm_steps_down():
    assert settled(0.9e-7, 1.05e-7, 0.5) == [True, True, False]
    assert settled(1.05e-7, 0.9e-7) == [True, True]
    assert settled(1.05e-7, 1.1e-7) == [False, False]
    assert settled(0.9e-6, checks=1) == [True]
    assert settled(*[1e-9] * 9, 0.9e-6) == [True] * 10


def test_holm_leaves_other_evidence_alone():
    found = {"a.x": finding("a.x", 0.0, HOLDS, kind=Kind.EXACT)}
    assert settle(found, Context()) == found
