"""Which token decides: read from the attention of [CLS], or by a linear probe on the states of the tokens."""

from __future__ import annotations

import numpy as np

from numerics.probe.linear import LinearProbe, fit_linear

OTHERS = 3
"""Tokens that do not decide, for each that does, in the training of the linear locator."""


def located(scores: np.ndarray, words: np.ndarray, deciding: np.ndarray) -> np.ndarray:
    """(m,) bool: does the deciding word hold the highest of the scores that the words of the text have?

    scores: (m, tokens, ...) numbers, larger where the token seems to decide; words and deciding (m, tokens)
    masks. Trailing axes are kept: (m, ...).
    """
    expand = (...,) + (None,) * (scores.ndim - 2)
    best = np.where(words[expand], scores, -np.inf).argmax(axis=1, keepdims=True)
    mask = np.broadcast_to(deciding[expand], scores.shape)
    return np.take_along_axis(mask, best, axis=1)[:, 0]


def chance(words: np.ndarray, deciding: np.ndarray) -> np.ndarray:
    """(m,) probability of hitting the deciding word by guessing among the tokens of the text."""
    return deciding.sum(axis=1) / words.sum(axis=1)


def fit_locator(
    states: np.ndarray, words: np.ndarray, deciding: np.ndarray, penalty: float, rng: np.random.Generator
) -> LinearProbe:
    """A linear probe that tells deciding tokens from the others; its score ranks the tokens of a sentence.

    states: (m, tokens, dimension); words and deciding: (m, tokens) masks. It learns from every deciding token
    and from OTHERS others of the same sentence on average, drawn at random.
    """
    others = np.argwhere(words & ~deciding)
    drawn = rng.choice(len(others), min(OTHERS * len(states), len(others)), replace=False)
    index = np.concatenate([np.argwhere(deciding), others[drawn]])
    labels = np.where(deciding[tuple(index.T)], 1, -1)
    return fit_linear(states[tuple(index.T)], labels, penalty)
