"""Confidence intervals for accuracies on templated sentences, which share their words."""

from __future__ import annotations

import numpy as np
from scipy import stats

from numerics.probe.sentences import ABSENT, SentenceSet

LEVEL = 0.95
RESAMPLES = 2000
BLOCK = 250
"""Resamples at a time: bounds the memory, whatever the number of sentences."""


def intervals(
    sentences: SentenceSet, right: np.ndarray, seed: int, resamples: int = RESAMPLES
) -> tuple[np.ndarray, np.ndarray]:
    """Intervals for the means of `right` over a set, as wide as the choice of its words makes them.

    right: (n, ...) numbers in [0, 1], how right each sentence was. Returns lower and upper ends, each (...,).

    Sentences that share a word err together, so they are not independent. Each resample therefore draws, for
    every slot, random weights of its words (flat Dirichlet; of the deciding words within each polarity), and
    weighs a sentence by the product of its words' weights: the Bayesian form of the pigeonhole bootstrap
    for crossed random effects (Owen, 2007). Both labels keep the weight 1/2.

    Where all sentences are right, or all wrong, resampling sees no variance; an interval is therefore never
    narrower than the exact binomial one for as many independent sentences. It still can't exclude a word
    unlike all that the set has.
    """
    flat = right.reshape(len(right), -1).astype(np.float64)
    rng = np.random.default_rng(seed)
    blocks = [min(BLOCK, resamples - done) for done in range(0, resamples, BLOCK)]
    means = np.concatenate([_weights(sentences, block, rng) @ flat for block in blocks])
    tail = (1 - LEVEL) / 2
    lower, upper = np.quantile(means, [tail, 1 - tail], axis=0)
    exact_lower, exact_upper = exact_interval(flat.sum(axis=0), len(flat))
    ends = np.minimum(lower, exact_lower), np.maximum(upper, exact_upper)
    below, above = (np.clip(end, 0, 1).reshape(right.shape[1:]) for end in ends)
    return below, above


def exact_interval(successes: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Clopper-Pearson interval of level LEVEL for a proportion; successes need not be whole.

    >>> [float(end.round(3)) for end in exact_interval(np.array(10), 10)]
    [0.692, 1.0]
    """
    tail = (1 - LEVEL) / 2
    lower = stats.beta.ppf(tail, np.maximum(successes, 1e-300), n - successes + 1)
    upper = stats.beta.isf(tail, successes + 1, np.maximum(n - successes, 1e-300))
    return np.where(successes > 0, lower, 0.0), np.where(successes < n, upper, 1.0)


def _weights(sentences: SentenceSet, resamples: int, rng: np.random.Generator) -> np.ndarray:
    """(resamples, n) weights of the sentences that sum to 1/2 over each label."""
    weights = np.ones((resamples, len(sentences)))
    for column in sentences.fillers.T:
        drawn = rng.standard_exponential((resamples, column.max(initial=0) + 1))
        weights *= np.where(column == ABSENT, 1.0, drawn[:, column])
    for sign in (1, -1):
        side = sentences.labels == sign
        weights[:, side] /= 2 * weights[:, side].sum(axis=1, keepdims=True)
    return weights
