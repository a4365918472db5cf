"""SGD on the overlaps against SGD in R^d, in law, and its independence of how runs are computed."""

import math

import numpy as np
import pytest
from scipy import stats

from numerics import InverseTimeDecay, Overlaps, Task, full_dimension, stochastic_gradient_descent
from numerics.iteration import NonFiniteError
from numerics.overlaps import NAMES

TASK = Task(d=80, L=10, epsilon=0.1)


def states(dataset):
    """Overlaps (run, step, 5)."""
    return np.stack([dataset[name].values for name in NAMES], axis=-1)


def plain(vectors, task, lam, step_size, batch_size, checkpoints, rng, chunk=2000):
    """States (checkpoint, run, 5) of SGD in R^d, some runs at a time to spare memory."""
    parts = []
    for first in range(0, len(vectors.k), chunk):
        rows = slice(first, first + chunk)
        some, part = vectors._replace(k=vectors.k[rows], v=vectors.v[rows]), []
        for n in range(1, checkpoints[-1] + 1):
            some = full_dimension.sgd_step(some, lam, step_size, task, batch_size, rng)
            if n in checkpoints:
                part.append(some.overlaps.stack().T)
        parts.append(part)
    return np.concatenate(parts, axis=1)


def same_start(runs, task, rng):
    one = full_dimension.random_vectors(1, task, rng)
    return one._replace(k=np.repeat(one.k, runs, axis=0), v=np.repeat(one.v, runs, axis=0))


def statistics_of(x):
    """Rows: the overlaps, and combinations that see their joint law."""
    rng = np.random.default_rng(0)
    return np.concatenate([x.T, rng.standard_normal((5, 5)) @ x.T, [x[:, 0] * x[:, 1], x[:, 2] * x[:, 4]]])


LAW = [
    pytest.param(Task(d=6, L=3, gamma=0.9, epsilon=0.3), 0.8, 0.1, 2, id="d=6"),
    pytest.param(Task(d=7, L=1, gamma=0.5), 2.0, 0.3, 1, id="one token"),
    pytest.param(Task(d=40, L=4, epsilon=0.1), 0.4, 0.03, 3, id="d=40"),
]


@pytest.mark.parametrize(("task", "lam", "step_size", "batch_size"), LAW)
def test_law_is_that_in_full_dimension(task, lam, step_size, batch_size):
    assert_same_law(task, lam, step_size, batch_size, runs=4000)


def assert_same_law(task, lam, step_size, batch_size, runs):
    """Means, variances and a Kolmogorov-Smirnov test at three steps.

    12 statistics at 3 steps, three tests each, at 1e-8: the error probability is below 2e-6 a law. With 4000
    runs a side a shift of a mean by 0.13 standard deviations is found with probability 1/2.
    """
    checkpoints = (1, 5, 20)
    rng = np.random.default_rng(17)
    start = same_start(runs, task, rng)
    expected = plain(start, task, lam, step_size, batch_size, checkpoints, rng)
    dataset = stochastic_gradient_descent(
        start.overlaps,
        lam,
        task,
        step_size=step_size,
        steps=20,
        batch_size=batch_size,
        record_every=1,
        seed=3,
    )
    found = states(dataset)[:, checkpoints].transpose(1, 0, 2)
    for n, a, b in zip(checkpoints, found, expected, strict=True):
        for i, (x, y) in enumerate(zip(statistics_of(a), statistics_of(b), strict=True)):
            spread = np.square([x - x.mean(), y - y.mean()])
            assert stats.ttest_ind(x, y, equal_var=False).pvalue > 1e-8, f"mean of statistic {i}, step {n}"
            assert stats.ttest_ind(*spread, equal_var=False).pvalue > 1e-8, f"variance of {i}, step {n}"
            assert stats.ks_2samp(x, y).pvalue > 1e-8, f"law of statistic {i}, step {n}"


@pytest.mark.slow
def test_law_at_the_settings_of_the_paper():
    """As above with 20,000 runs at d = 80: a shift of a mean by 0.06 standard deviations is found."""
    assert_same_law(TASK, 2.0, 1e-2, 5, runs=20_000)


def sgd(start, **changes):
    settings = {"step_size": 1e-2, "steps": 40, "batch_size": 5, "record_every": 10, "seed": 1} | changes
    return stochastic_gradient_descent(start, InverseTimeDecay(2.0, 1e-4), TASK, **settings)


START = Overlaps.random(6, TASK, np.random.default_rng(0))


def test_a_run_does_not_depend_on_the_others_nor_on_the_workers():
    together = sgd(START, workers=3)
    np.testing.assert_array_equal(states(together), states(sgd(START, workers=1)))
    some = sgd(START[[4, 1]], runs=[4, 1])
    np.testing.assert_array_equal(some.run, [4, 1])
    np.testing.assert_array_equal(states(some), states(together)[[4, 1]])
    sparse = sgd(START, record_every=None)
    np.testing.assert_array_equal(states(sparse)[:, -1], states(together)[:, -1])


def test_seeds_and_runs_are_independent():
    same = START[[0, 0]]
    assert not np.array_equal(*states(sgd(same)))
    assert not np.array_equal(states(sgd(same)), states(sgd(same, seed=2)))


def test_long_runs_do_not_depend_on_blocks():
    fine = sgd(START[:1], steps=20_000, record_every=100)
    coarse = sgd(START[:1], steps=20_000, record_every=20_000)
    np.testing.assert_array_equal(states(fine)[:, -1], states(coarse)[:, -1])


@pytest.mark.parametrize("d", [80, 10**9])
def test_states_are_admissible(d):
    dataset = stochastic_gradient_descent(
        START,
        1 / math.sqrt(d),
        Task(d=d, L=10),
        step_size=0.1 / d,
        steps=2000,
        batch_size=5,
        record_every=100,
    )
    Overlaps(*(dataset[name] for name in NAMES))


@pytest.mark.parametrize(
    "start", [(1, 1, 0, 0, 0), (0, 0.6, 0.8, 1, 0.6), (0.6, 0.8, 0.6, 0.8, 1), (0, 0, 1, -1, 0)]
)
def test_degenerate_starts_have_the_law_of_full_dimension(start):
    """k and v in span(k*, v*), once k = v: directions of the frame are missing. Error probability 5e-7."""
    kappa, nu, theta, eta, _ = start
    task, runs = Task(d=8, L=3), 4000
    rng = np.random.default_rng(2)
    truth = full_dimension.random_vectors(1, task, rng)
    k = kappa * truth.k_star + eta * truth.v_star
    v = theta * truth.k_star + nu * truth.v_star
    vectors = truth._replace(k=np.repeat(k[None], runs, axis=0), v=np.repeat(v[None], runs, axis=0))
    expected = plain(vectors, task, 0.7, 0.1, 2, (1,), rng)[0]
    dataset = stochastic_gradient_descent(
        vectors.overlaps, 0.7, task, step_size=0.1, steps=1, batch_size=2, record_every=1
    )
    for x, y in zip(statistics_of(states(dataset)[:, 1]), statistics_of(expected), strict=True):
        assert stats.ks_2samp(x, y).pvalue > 1e-8


def test_attributes_hold_every_parameter_and_the_seed():
    expected = {"d": 80, "L": 10, "epsilon": 0.1, "batch_size": 5, "seed": 1, "steps": 40, "record_every": 10}
    attrs = sgd(START).attrs
    assert attrs.items() >= expected.items()
    assert attrs["lam"] == "InverseTimeDecay(start=2.0, rate=0.0001)"


def test_a_step_that_is_not_finite_reports_where_and_from_what():
    with pytest.raises(NonFiniteError, match=r"step_size=1e\+300 .* in step 3 of run 7; the state before"):
        sgd(START[0], runs=[7], step_size=lambda n: np.where(n < 3, 1e-2, 1e300))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"batch_size": 0}, ValueError, "batch_size must be >= 1"),
        ({"batch_size": 2.5}, TypeError, "batch_size must be an integer"),
        ({"seed": -1}, ValueError, "seed must be >= 0"),
        ({"workers": 0}, ValueError, "workers must be >= 1"),
        ({"runs": [0, 1]}, ValueError, "runs must hold one integer a run, 6 in all, got 2"),
        ({"record_every": 7}, ValueError, "record_every must divide steps=40, got 7"),
    ],
)
def test_bad_arguments(changes, error, message):
    with pytest.raises(error, match=message):
        sgd(START, **changes)


def test_small_dimensions_are_refused():
    with pytest.raises(ValueError, match=r"d \(for stochastic_gradient_descent\) must be >= 6, got 5"):
        stochastic_gradient_descent(START, 1, Task(d=5, L=2), step_size=1, steps=1, batch_size=1)
