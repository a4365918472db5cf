"""Intervals: against exact laws, against simulated coverage, and where all is right."""

import numpy as np
import pytest
from scipy import stats

from numerics.probe.resampling import exact_interval, intervals
from numerics.probe.sentences import ABSENT, SentenceSet


def sentence_set(labels, *columns):
    n = len(labels)
    return SentenceSet(
        name="simulated",
        texts=("",) * n,
        labels=np.asarray(labels),
        spans=np.zeros((n, 2), dtype=int),
        fillers=np.stack(columns, axis=1),
        slots=tuple(f"slot {i}" for i in range(len(columns))),
    )


def crossed(words, repeats):
    """`words` deciding words of each polarity, each in `repeats` sentences."""
    label_words = np.repeat(np.arange(2 * words), repeats)
    return np.where(label_words < words, 1, -1), label_words


def test_two_words_of_each_polarity_have_the_quantiles_of_a_mean_of_two_uniforms():
    """One of two words right: the polarity's accuracy is uniform, the mean of both triangular."""
    labels, label_words = crossed(2, 200)
    right = label_words % 2 == 0
    lower, upper = intervals(sentence_set(labels, label_words), right, seed=0, resamples=40_000)
    assert [lower, upper] == pytest.approx(stats.triang(0.5).ppf([0.025, 0.975]), abs=0.005)


def test_a_slot_that_does_not_matter_does_not_widen_the_interval_of_the_words():
    labels, label_words = crossed(6, 90)
    other = np.tile(np.arange(9), 2 * 6 * 10)
    absent = np.full_like(other, ABSENT)
    right = label_words % 3 > 0
    alone = np.subtract(*intervals(sentence_set(labels, label_words), right, seed=0))
    beside = np.subtract(*intervals(sentence_set(labels, other, absent, label_words), right, seed=0))
    assert beside == pytest.approx(alone, rel=0.05)


@pytest.mark.parametrize("spread", [0.0, 0.8, 2.0])
def test_intervals_cover_the_mean_over_all_words_that_there_could_be(spread):
    """Crossed random effects on the logit scale; the target is the mean over fresh words, by quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    widths = spread * np.array([1.0, 0.4, 0.2])
    target = weights @ (1 / (1 + np.exp(-1.5 - np.linalg.norm(widths) * nodes))) / weights.sum()
    rng = np.random.default_rng(0)
    runs, covered, naive = 150, 0, 0
    for run in range(runs):
        n = 600
        labels = np.tile([1, -1], n // 2)
        columns = [rng.integers(8, size=n), rng.integers(5, size=n)]
        label_words = rng.integers(10, size=n) + 10 * (labels < 0)
        columns = [columns[0], columns[1], label_words]
        effects = [rng.standard_normal(20) * width for width in (widths[1], widths[2], widths[0])]
        logit = 1.5 + sum(effect[column] for effect, column in zip(effects, columns, strict=True))
        right = rng.random(n) < 1 / (1 + np.exp(-logit))
        lower, upper = intervals(sentence_set(labels, *columns), right, seed=run, resamples=400)
        covered += lower <= target <= upper
        low, high = exact_interval(right.sum(), n)
        naive += low <= target <= high
    assert covered >= 0.9 * runs
    if spread == 2.0:
        assert naive < 0.7 * runs


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_where_all_agree_the_interval_is_the_exact_binomial_one(value):
    labels, label_words = crossed(4, 25)
    lower, upper = intervals(sentence_set(labels, label_words), np.full(200, value), seed=0)
    edge = 1 - 0.025 ** (1 / 200)
    assert [lower, upper] == pytest.approx([0, edge] if value == 0 else [1 - edge, 1])


def test_many_columns_at_once_are_each_as_alone():
    labels, label_words = crossed(5, 30)
    right = np.random.default_rng(1).random((300, 2, 3)) < 0.7
    lower, upper = intervals(sentence_set(labels, label_words), right, seed=4)
    assert lower.shape == upper.shape == (2, 3)
    alone = intervals(sentence_set(labels, label_words), right[:, 1, 2], seed=4)
    np.testing.assert_allclose([lower[1, 2], upper[1, 2]], alone, rtol=1e-12)
    assert (lower < right.mean(axis=0)).all()
    assert (upper > right.mean(axis=0)).all()


def test_the_exact_interval_agrees_with_the_binomial_test():
    for successes in (0, 3, 57, 60):
        expected = stats.binomtest(successes, 60).proportion_ci(0.95, method="exact")
        found = exact_interval(np.array(successes), 60)
        assert found == pytest.approx((expected.low, expected.high), rel=1e-9)
