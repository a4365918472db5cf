"""SGD in high dimension: the gradients' covariance by sampling, the limit against SGD."""

import math

import numpy as np
import pytest
from scipy.special import erf

from numerics import InverseTimeDecay, Overlaps, Task, gradient_flow, stochastic_gradient_descent
from numerics.frame import vectors
from numerics.high_dimension import high_dimensional_limit, outside_covariance
from numerics.limit_kernel import token_moments
from numerics.overlaps import NAMES
from numerics.special import erf_variance

TASK = Task(d=8, L=4, gamma=0.8, epsilon=0.2)
START = Overlaps(kappa=0.03, nu=0.2, theta=-0.5, eta=-0.1, rho=-0.3)


def states(dataset):
    """Overlaps (5, run, time)."""
    return np.stack([dataset[name].values for name in NAMES])


def sampled_covariance(o, lam, task, samples, rng):
    """Means (3,) and standard errors of the products kk, kv, vv, from tokens in four dimensions."""
    coordinates = vectors(o)
    tokens = rng.standard_normal((samples, task.L, 4))
    scale = np.where(np.arange(task.L) == 0, task.gamma, 1.0)
    tokens *= scale[:, None]
    tokens[:, 0, 0] += task.signal
    scores, values = tokens @ coordinates[:4], tokens @ coordinates[4:]
    errors = np.sum(erf(lam * scores) * values, axis=1) - tokens[:, 0, 1]
    errors += task.epsilon * rng.standard_normal(samples)
    slope = 2 / math.sqrt(math.pi) * lam * np.exp(-((lam * scores) ** 2))
    k = 2 * errors[:, None] * slope * values * scale
    v = 2 * errors[:, None] * erf(lam * scores) * scale
    products = np.stack([np.sum(p * q, axis=1) for p, q in ((k, k), (k, v), (v, v))])
    return products.mean(axis=1), products.std(axis=1) / math.sqrt(samples)


@pytest.mark.parametrize(
    ("task", "lam", "o"),
    [
        (TASK, 0.5, START),
        (Task(d=2, L=1, gamma=1.3), 3.0, START),
        (Task(d=50, L=6, gamma=0.5, epsilon=1.0), 0.1, Overlaps(0.8, 0.7, 0.2, -0.1, 0.3)),
    ],
)
def test_covariance_is_that_of_sampled_gradients(task, lam, o):
    """Within 5.5 standard errors: error probability below 4e-7 a case; differences of 10 % are found."""
    mean, error = sampled_covariance(o, lam, task, 400_000, np.random.default_rng(1))
    found = outside_covariance(o, lam, task, batch_size=3)
    np.testing.assert_array_less(np.abs(3 * found[[0, 0, 1], [0, 1, 1]] - mean), 5.5 * error)
    assert (error[[0, 2]] < 0.013 * mean[[0, 2]]).all()
    assert np.linalg.eigvalsh(found).min() >= 0


@pytest.mark.parametrize("lam", [1e-3, 0.5, 20.0])
def test_moments_that_have_a_closed_form(lam):
    """E F^2 = erf(h)^2 + the variance, E F G S and E F^2 of noise."""
    o = np.array([0.3, 0.2, -0.5, -0.1, 0.4])
    m, gamma = 2.0, 0.8
    moments = token_moments(o, lam, m, gamma, True)
    h = lam * m * o[0] / math.sqrt(1 + 2 * (lam * gamma) ** 2)
    square = math.erf(h) ** 2 + erf_variance(lam * m * o[0], lam * gamma)
    assert moments[6] == pytest.approx(square, rel=1e-12)
    assert token_moments(o, lam, m, gamma, False)[6] == pytest.approx(erf_variance(0.0, lam), rel=1e-12)


def test_without_noise_it_is_the_gradient_flow():
    """Terms of second order in the rate vanish with it, at the same time in units of the flow."""
    flow = states(gradient_flow(START, 0.5, TASK, t_end=1.0, times=[0.5, 1.0]))
    errors = []
    for rate in (1e-3, 1e-4):
        limit = high_dimensional_limit(
            START, 0.5, TASK, rate=rate, batch_size=2, t_end=1 / rate, times=[0.5 / rate, 1 / rate]
        )
        errors.append(np.abs(states(limit) - flow).max())
    assert errors[0] < 0.02
    assert 8 < errors[0] / errors[1] < 12


@pytest.mark.parametrize(
    "dimensions",
    [(500, 8000), pytest.param((1000, 64_000), marks=pytest.mark.slow)],
    ids=["quick", "thorough"],
)
def test_sgd_approaches_the_limit_like_one_over_the_root_of_the_dimension(dimensions):
    rate, t_end, runs = 0.3, 4.0, 16
    times = np.linspace(0, t_end, 9)
    limit = high_dimensional_limit(START, 0.5, TASK, rate=rate, batch_size=2, t_end=t_end, times=times)
    copies = Overlaps.unchecked(np.repeat(START.stack()[:, None], runs, axis=1))
    errors = []
    for dimension in dimensions:
        settings = {"step_size": rate / dimension, "steps": int(t_end * dimension)}
        sgd = stochastic_gradient_descent(
            copies,
            0.5,
            TASK,
            batch_size=2,
            record_every=dimension // 2,
            ambient=dimension,
            seed=2,
            **settings,
        )
        errors.append(np.sqrt(np.mean((states(sgd) - states(limit)) ** 2)))
    exponent = np.log(errors[0] / errors[1]) / np.log(dimensions[1] / dimensions[0])
    assert 0.4 < exponent < 0.6
    assert errors[1] < 1.0 / np.sqrt(dimensions[1])


def test_noise_matters_in_the_limit():
    """SGD does not reach the optimum at a fixed rate: a floor of the order of the rate is left."""
    ends = [
        high_dimensional_limit(Overlaps(1, 1), 0.5, TASK, rate=rate, batch_size=2, t_end=40 / rate).nu.values[
            0, -1
        ]
        for rate in (0.02, 0.04)
    ]
    assert 1 - ends[0] > 1e-3
    assert 1.5 < (1 - ends[1]) / (1 - ends[0]) < 2.5


def test_overlaps_stay_admissible_and_lam_may_change():
    start = Overlaps.random(3, Task(d=20, L=4), np.random.default_rng(0))
    lam = InverseTimeDecay(1.0, 0.2)
    dataset = high_dimensional_limit(start, lam, TASK, rate=0.3, batch_size=1, t_end=20.0)
    Overlaps(*states(dataset))
    np.testing.assert_allclose(dataset.lam, lam(dataset.time))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rate": 0}, "rate must be a finite number > 0"),
        ({"batch_size": 0}, "batch_size must be >= 1"),
        ({"t_end": -1}, "t_end must be"),
        ({"times": [0, 2]}, "times must be a row of times"),
        ({"lam": 0}, "lam must be"),
    ],
)
def test_bad_arguments(changes, message):
    with pytest.raises(ValueError, match=message):
        high_dimensional_limit(
            START, task=TASK, **({"lam": 0.5, "rate": 0.1, "batch_size": 1, "t_end": 1.0} | changes)
        )


def test_ambient_dimension_must_have_room():
    settings = {"step_size": 0.1, "steps": 1, "batch_size": 1}
    with pytest.raises(ValueError, match="ambient must be >= 6, got 5"):
        stochastic_gradient_descent(START, 0.5, Task(d=400, L=2), ambient=5, **settings)
    dataset = stochastic_gradient_descent(START, 0.5, Task(d=2, L=2), ambient=6, **settings)
    assert dataset.attrs["ambient"] == 6
