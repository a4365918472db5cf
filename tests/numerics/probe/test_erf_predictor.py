"""The erf predictor: its gradients, what its training finds on the theory's own data, what it ignores."""

import numpy as np
import pytest
from scipy.special import erf

from numerics.probe.erf_predictor import gradients, train_erf_predictor
from numerics.probe.location import chance, located


def contrast(n, rng, d=32, L=6):
    """Tokens of which one carries the mark k* and the label along v*, another only a false label along v*."""
    k, v = np.eye(d)[:2]
    labels, false = rng.choice([-1, 1], (2, n))
    deciding, other = np.argsort(rng.random((n, L)), axis=1)[:, :2].T
    tokens = rng.standard_normal((n, L, d))
    tokens[np.arange(n), deciding] += 5 * k + 4 * labels[:, None] * v
    tokens[np.arange(n), other] += 4 * false[:, None] * v
    return tokens.astype(np.float32), labels, np.arange(L) == deciding[:, None]


def mean_squared_error(X, y, k, v, lam):
    return np.mean((y - np.sum(erf(lam * (X @ k)) * (X @ v), axis=1)) ** 2)


def test_gradients_are_those_of_the_mean_squared_error():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((7, 5, 6)), rng.standard_normal(7)
    k, v = rng.standard_normal((2, 3, 6))
    found, h = gradients(X, y, k, v, 0.4), 1e-6
    for run in range(3):
        for i, step in enumerate(h * np.eye(6)):
            in_k = [mean_squared_error(X, y, k[run] + s * step, v[run], 0.4) for s in (1, -1)]
            in_v = [mean_squared_error(X, y, k[run], v[run] + s * step, 0.4) for s in (1, -1)]
            assert found[0][run, i] == pytest.approx((in_k[0] - in_k[1]) / (2 * h), abs=1e-7)
            assert found[1][run, i] == pytest.approx((in_v[0] - in_v[1]) / (2 * h), abs=1e-7)


def test_training_tells_the_marked_token_from_one_with_a_false_label():
    """What adds up all tokens alike can't do better than 3/4 here."""
    rng = np.random.default_rng(1)
    tokens, labels, deciding = contrast(3000, rng)
    predictor = train_erf_predictor(tokens, np.ones_like(deciding), labels, rng)
    fresh, labels, deciding = contrast(1000, rng)
    every = np.ones_like(deciding)
    assert np.mean(predictor.predict(fresh, every) == labels) > 0.95
    assert located(np.abs(predictor.contributions(fresh, every)), every, deciding).mean() > 0.9


def test_what_is_no_word_does_not_count():
    rng = np.random.default_rng(2)
    tokens = rng.standard_normal((200, 6, 8)).astype(np.float32)
    words = rng.random((200, 6)) < 0.7
    words[:, 0] = True
    labels = np.where(tokens[:, 0, 0] > 0, 1, -1)
    changed = np.where(words[..., None], tokens, 1e6).astype(np.float32)
    first, second = (
        train_erf_predictor(x, words, labels, np.random.default_rng(0)) for x in (tokens, changed)
    )
    np.testing.assert_array_equal(first.k, second.k)
    np.testing.assert_array_equal(first.predict(tokens, words), second.predict(changed, words))
    assert (second.contributions(changed, words)[~words] == 0).all()


def test_the_best_start_is_kept_and_one_seed_gives_one_result():
    tokens, labels, deciding = contrast(500, np.random.default_rng(3))
    every = np.ones_like(deciding)
    first, again = (train_erf_predictor(tokens, every, labels, np.random.default_rng(5)) for _ in range(2))
    np.testing.assert_array_equal(first.v, again.v)
    terms = first.contributions(tokens, every).sum(axis=1)
    assert first.risks.min() == pytest.approx(np.mean((terms - labels) ** 2), rel=1e-5)


def test_the_location_is_right_where_the_deciding_word_scores_highest():
    words = np.array([[False, True, True, True], [False, True, True, False]])
    deciding = np.array([[False, False, True, True], [False, True, False, False]])
    scores = np.array([[9.0, 1.0, 0.0, 2.0], [9.0, 1.0, 3.0, 7.0]])
    assert located(scores, words, deciding).tolist() == [True, False]
    both = np.stack([scores, -scores], axis=-1)
    assert located(both, words, deciding).tolist() == [[True, True], [False, True]]
    assert chance(words, deciding).tolist() == [2 / 3, 1 / 2]
