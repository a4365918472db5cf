"""The projections' law against tokens drawn whole."""

import numpy as np
import pytest

from numerics import Overlaps, Task
from numerics.montecarlo.laws import TokenLaw
from numerics.montecarlo.source import RandomSource
from numerics.montecarlo.vectors import Vectors

ROWS = 100_000
OVERLAPS = Overlaps(kappa=0.5, nu=-0.3, theta=0.2, eta=0.4, rho=0.6)


def projections(task, seed=1):
    source = RandomSource(np.random.default_rng(seed), ROWS)
    location = source.location(task.L)
    return TokenLaw(task, OVERLAPS, norm=True).draw(source, location, task.L)


def drawn_whole(task, seed=2):
    rng = np.random.default_rng(seed)
    directions = Vectors(OVERLAPS, 1.0, task)._directions()
    x = rng.standard_normal((ROWS, task.L, task.d))
    location = rng.integers(task.L, size=ROWS)
    x[np.arange(ROWS), location] *= task.gamma
    x[np.arange(ROWS), location] += task.signal * directions[2]
    return location, [x @ direction for direction in directions], (x**2).sum(axis=2)


@pytest.mark.parametrize("d", [4, 5, 9])
def test_moments_agree_with_tokens_drawn_whole(d):
    task = Task(d=d, L=2, gamma=0.6)
    tokens = projections(task)
    location, parts, norms = drawn_whole(task)
    for where in (0, 1):  # the informative token, then the other one
        mine = [p[np.arange(ROWS), tokens.location ^ where] for p in _columns(tokens)]
        whole = [p[np.arange(ROWS), location ^ where] for p in (*parts, norms)]
        for a, b in zip(mine, whole, strict=True):
            assert abs(a.mean() - b.mean()) < 6 * np.sqrt((a.var() + b.var()) / ROWS)
        assert np.allclose(np.corrcoef(mine), np.corrcoef(whole), atol=6 / np.sqrt(ROWS) * 1.5)


def _columns(tokens):
    return tokens.k, tokens.v, tokens.k_star, tokens.v_star, tokens.squared_norm


def test_vectors_have_the_overlaps():
    k, v, k_star, v_star = Vectors(OVERLAPS, 1.0, Task(d=6, L=2))._directions()
    got = [k @ k_star, v @ v_star, v @ k_star, k @ v_star, k @ v]
    assert np.allclose(got, OVERLAPS.stack(), atol=1e-14)
    assert np.allclose([k @ k, v @ v], 1, atol=1e-14)


def test_small_dimensions_have_room_or_say_so():
    assert TokenLaw(Task(d=2, L=1), Overlaps(kappa=1, nu=1)).columns == 2
    with pytest.raises(ValueError, match="d must be larger"):
        TokenLaw(Task(d=2, L=1), OVERLAPS)
    with pytest.raises(ValueError, match="d must be larger"):
        TokenLaw(Task(d=3, L=1), OVERLAPS)
    with pytest.raises(ValueError, match="d must be >= 2"):
        TokenLaw(Task(d=1, L=1))


def test_squared_norm_in_two_dimensions_has_no_rest():
    source = RandomSource(np.random.default_rng(0), 5)
    tokens = TokenLaw(Task(d=2, L=3), norm=True).draw(source, source.location(3), 3)
    assert np.allclose(tokens.squared_norm, tokens.k_star**2 + tokens.v_star**2)
