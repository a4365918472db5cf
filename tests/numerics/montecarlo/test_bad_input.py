"""Bad input is refused, with the argument's name; a failing function is located."""

import numpy as np
import pytest

from numerics import Overlaps, Task, estimate_risk
from numerics.montecarlo import (
    AttentionWeights,
    BayesFromPosterior,
    Definition,
    Expectation,
    InvalidObservations,
    Scores,
    SobolPoints,
    Vectors,
    estimate,
    replay,
)

TASK = Task(d=6, L=3)
OVERLAPS = Overlaps(kappa=0.5, nu=0.3)
QUANTITY = Scores(OVERLAPS, 0.5, TASK)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, ValueError, "must be given"),
        ({"relative_error": 0}, ValueError, "relative_error"),
        ({"relative_error": -1e-3}, ValueError, "relative_error"),
        ({"relative_error": float("nan")}, ValueError, "relative_error"),
        ({"relative_error": "small"}, TypeError, "relative_error"),
        ({"absolute_error": 0.0}, ValueError, "absolute_error"),
        ({"samples": 0}, ValueError, "samples"),
        ({"samples": -5}, ValueError, "samples"),
        ({"samples": 2.5}, TypeError, "samples"),
        ({"samples": "many"}, TypeError, "samples"),
        ({"samples": True}, TypeError, "samples"),
        ({"samples": 1, "points": "antithetic"}, ValueError, "samples"),
        ({"samples": 63, "points": "sobol"}, ValueError, "samples"),
        ({"samples": 100, "points": "halton"}, ValueError, "points"),
        ({"seconds": 0}, ValueError, "seconds"),
        ({"samples": 100, "seed": -1}, ValueError, "seed"),
        ({"samples": 100, "seed": None}, TypeError, "seed"),
        ({"samples": 100, "level": 1.0}, ValueError, "level"),
        ({"samples": 100, "level": 0}, ValueError, "level"),
        ({"samples": 100, "chunk": 0}, ValueError, "chunk"),
        ({"samples": 100, "executor": 4}, TypeError, "executor"),
        ({"samples": 100, "estimator": "guess"}, ValueError, "estimator"),
        ({"samples": 100, "workers": 4}, TypeError, "workers"),
    ],
)
def test_options(options, error, message):
    with pytest.raises(error, match=message):
        estimate_risk(OVERLAPS, 0.5, TASK, **options)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Scores(0.5, 0.5, TASK), TypeError, "o must be Overlaps"),
        (lambda: Scores(OVERLAPS, 0.5, 400), TypeError, "task must be a Task"),
        (lambda: Scores(OVERLAPS, 0.0, TASK), ValueError, "lam"),
        (lambda: Scores(OVERLAPS, [0.1, 0.2], TASK), TypeError, "lam"),
        (lambda: Definition(Overlaps(kappa=[0, 1], nu=0), 0.5, TASK), ValueError, "scalars"),
        (lambda: Definition(OVERLAPS, 0.5, Task(d=1, L=1)), ValueError, "d must be >= 2"),
        (lambda: Vectors(OVERLAPS, 0.5, Task(d=10**6, L=10)), ValueError, "L d must be at most"),
        (lambda: BayesFromPosterior(Task(d=1, L=1)), ValueError, "d "),
        (lambda: SobolPoints(100), ValueError, "power of 2"),
        (lambda: Expectation(3, TASK), TypeError, "function"),
        (lambda: Expectation(max, 3), TypeError, "task"),
        (lambda: Expectation(max, TASK, 3), TypeError, "overlaps"),
        (lambda: Expectation(max, Task(d=4, L=10**8)), ValueError, "L must be at most"),
        (lambda: Expectation(max, TASK, value_shape=(-1,)), ValueError, "value_shape"),
        (lambda: AttentionWeights(OVERLAPS, 0.5, TASK, (float("nan"),)), ValueError, "at"),
    ],
)
def test_quantities(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_what_is_no_quantity():
    with pytest.raises(TypeError, match="quantity must be a Quantity"):
        estimate(3.0, samples=10)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda tokens, y: y[:-1], r"must return shape \(.*\), got"),
        (lambda tokens, y: tokens.k_star, "must return shape"),
        (lambda tokens, y: 1.0, "must return shape"),
        (lambda tokens, y: np.where(y > 1, np.nan, y), "finite numbers, got .*nan.* at index"),
        (lambda tokens, y: np.where(y > 1, -np.inf, y), "got .*inf"),
        (lambda tokens, y: y.astype(str), "dtype"),
    ],
)
def test_a_function_that_returns_nonsense_is_located(function, message):
    quantity = Expectation(function, TASK)
    with pytest.raises(InvalidObservations, match=message) as caught:
        estimate(quantity, samples=50_000, seed=11)
    assert "block 0" in str(caught.value)
    assert "seed 11" in str(caught.value)
    with pytest.raises(InvalidObservations, match=message):
        replay(quantity, seed=11, block=0)


def test_a_function_that_raises_is_located():
    def fails(tokens, y):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no") as caught:
        estimate(Expectation(fails, TASK), samples=10, seed=11)
    assert any("seed 11" in note for note in caught.value.__notes__)
