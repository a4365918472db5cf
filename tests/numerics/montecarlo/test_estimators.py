"""Every estimator against an independent value: a closed form, another estimator, or derivatives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

from numerics import Overlaps, Task, estimate_risk, excess_risk, flow_velocity
from numerics.montecarlo import (
    AttentionPredictor,
    AttentionWeights,
    BayesFromConfusion,
    BayesFromPosterior,
    BayesPredictor,
    Definition,
    LinearPredictor,
    NullPredictor,
    PosteriorWeights,
    RiskGradient,
    Scores,
    ThreeScores,
    Vectors,
    estimate,
    predictor_risk,
)

TASK = Task(d=6, L=3, gamma=0.8, epsilon=0.3)
OVERLAPS = Overlaps(kappa=0.5, nu=0.3, theta=0.2, eta=0.4, rho=0.25)
LAM = 0.7


def score(estimated, value):
    return (estimated.value - value) / estimated.standard_error


@pytest.mark.parametrize("points", ["random", "antithetic", "sobol"])
@pytest.mark.parametrize("quantity", [Vectors, Definition, Scores, ThreeScores])
def test_risk_agrees_with_the_closed_form(quantity, points):
    estimated = estimate(quantity(OVERLAPS, LAM, TASK), samples=50_000, points=points, seed=1)
    assert abs(score(estimated, excess_risk(OVERLAPS, LAM, TASK))) < 5


@pytest.mark.parametrize("L", [1, 2])
@pytest.mark.parametrize("quantity", [Definition, Scores, ThreeScores])
def test_few_tokens(quantity, L):
    task = Task(d=6, L=L)
    estimated = estimate(quantity(OVERLAPS, LAM, task), samples=50_000, seed=2)
    assert abs(score(estimated, excess_risk(OVERLAPS, LAM, task))) < 5


@settings(derandomize=True, max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    d=st.integers(2, 10**6),
    L=st.integers(1, 30),
    gamma=st.floats(0.3, 3),
    lam=st.floats(0.05, 3),
)
def test_sampling_agrees_with_the_closed_form_at_random_parameters(seed, d, L, gamma, lam):
    task = Task(d=d, L=L, gamma=gamma)
    o = Overlaps.random(4, task, np.random.default_rng(seed))
    estimated = estimate_risk(o, lam, task, samples=20_000, seed=seed)
    rounding = 1e-13 * estimated.value
    error = np.abs(estimated.value - excess_risk(o, lam, task))
    assert (error < 5 * estimated.standard_error + rounding).all()


def test_an_array_of_overlaps_shares_random_numbers():
    o = Overlaps(kappa=[[0.1, 0.5], [0.5, 1.0]], nu=0.5)
    estimated = estimate_risk(o, LAM, TASK, samples=20_000)
    assert estimated.value.shape == (2, 2)
    assert estimated.value[0, 1] == estimated.value[1, 0]
    assert (np.abs(score(estimated, excess_risk(o, LAM, TASK))) < 5).all()


def test_gradient_is_the_derivative_of_the_closed_form():
    points, step = OVERLAPS.stack(), 1e-5

    def moved(h):
        return excess_risk(Overlaps.unchecked(points + h), LAM, TASK)

    slopes = [(moved(h) - moved(-h)) / (2 * step) for h in step * np.eye(5)]
    estimated = estimate(RiskGradient(OVERLAPS, LAM, TASK), samples=100_000)
    assert (np.abs(score(estimated, slopes)) < 5).all()


def test_gradient_gives_the_flow_on_the_manifold():
    o = Overlaps(kappa=0.4, nu=0.6)
    velocity = flow_velocity(o, LAM, TASK)
    slope = estimate(RiskGradient(o, LAM, TASK), samples=100_000)
    for index, overlap, rate in ((0, 0.4, velocity.kappa), (1, 0.6, velocity.nu)):
        error = -(1 - overlap**2) * slope.value[index] - rate
        assert abs(error) < 5 * (1 - overlap**2) * slope.standard_error[index]


@pytest.mark.parametrize(
    "task", [TASK, Task(d=2, L=2), Task(d=5, L=40, gamma=1.0), Task(d=12, L=4, gamma=1.7)]
)
def test_bayes_estimators_agree_with_the_definition(task):
    direct = estimate(predictor_risk(BayesPredictor(task), task), samples=100_000, seed=3)
    confusion = estimate(BayesFromConfusion(task), samples=100_000, seed=4)
    posterior = estimate(BayesFromPosterior(task), samples=100_000, seed=5)
    for one, other, shift in ((confusion, posterior, 0), (direct, posterior, task.epsilon**2)):
        error = one.value - other.value - shift
        assert abs(error) < 5 * np.hypot(one.standard_error, other.standard_error)


def test_bayes_risk_too_rare_to_be_drawn():
    estimated = estimate(BayesFromConfusion(Task(d=400, L=10)), samples=50_000)
    assert 1e-40 < estimated.value < 3e-40
    assert estimated.standard_error < 0.02 * estimated.value
    assert estimate(BayesFromPosterior(Task(d=400, L=10)), samples=1000).value == 0


def test_bayes_risk_of_one_token_is_zero():
    assert estimate(BayesFromConfusion(Task(d=4, L=1)), samples=100).value == 0
    assert estimate(BayesFromPosterior(Task(d=4, L=1)), samples=100).value == 0


def test_linear_null_and_attention_predictors():
    signal, noise = TASK.gamma**2, TASK.epsilon**2
    known = {
        NullPredictor(): noise + signal,
        LinearPredictor(TASK): noise + signal - signal**2 / (signal + TASK.L - 1),
        AttentionPredictor(LAM): noise + excess_risk(OVERLAPS, LAM, TASK),
    }
    for predictor, value in known.items():
        estimated = estimate(predictor_risk(predictor, TASK, OVERLAPS), samples=100_000, seed=7)
        assert abs(score(estimated, value)) < 5


def test_attention_weights_against_their_distribution_function():
    at = (-0.5, 0.2, 0.7)
    estimated = estimate(AttentionWeights(OVERLAPS, LAM, TASK, at), samples=100_000)
    levels = special.erfinv(at) / LAM
    mean = TASK.signal * float(OVERLAPS.kappa)
    exact = special.ndtr([(levels - mean) / TASK.gamma, levels])
    assert (np.abs(score(estimated, exact)) < 5).all()


def test_posterior_weights_increase_from_zero_to_one():
    estimated = estimate(PosteriorWeights(TASK, (0.0, 0.3, 0.9, 1.0)), samples=10_000)
    assert (np.diff(estimated.value) >= 0).all()
    assert (estimated.value[0], estimated.value[-1]) == (0, 1)


def test_huge_parameters_are_fine():
    task = Task(d=10**12, L=1000, gamma=1e-6)
    o = Overlaps(kappa=0.5, nu=0.5)
    for lam in (1e-12, 1e3):
        estimated = estimate_risk(o, lam, task, samples=20_000)
        assert np.isfinite(estimated.value)
        error = abs(estimated.value - excess_risk(o, lam, task))
        assert error < 5 * estimated.standard_error + 1e-9 * estimated.value
