"""Coverage of the confidence intervals, measured over many seeds for every estimator."""

import numpy as np
import pytest
from scipy import integrate, special

from numerics import Overlaps, Task, excess_risk
from numerics.generated import kernels
from numerics.montecarlo import (
    AttentionPredictor,
    AttentionWeights,
    BayesFromConfusion,
    BayesFromPosterior,
    Definition,
    LinearPredictor,
    NullPredictor,
    RiskGradient,
    Scores,
    SobolPoints,
    ThreeScores,
    Vectors,
    estimate,
    predictor_risk,
)
from numerics.montecarlo.estimate import DOUBTFUL
from numerics.montecarlo.stopping import student_quantile

REPETITIONS = 10_000
OVERLAPS = Overlaps(kappa=0.6, nu=0.3, theta=0.5, eta=0.2, rho=0.5)
LAM = 0.8
TASK = Task(d=4, L=3, gamma=0.7, epsilon=0.2)
PAIR = Task(d=4, L=2, gamma=1.0)


def gradient():
    constants = kernels.partial_derivatives_constants(LAM, TASK.signal, TASK.gamma, TASK.L)
    return kernels.partial_derivatives(*map(float, OVERLAPS.stack()), constants)[3]


def bayes_risk():
    """For two tokens and gamma = 1 an integral over the log-odds."""
    m = PAIR.signal

    def integrand(g):
        p = special.expit(m * (m + np.sqrt(2) * g))
        return 2 * p * (1 - p) * np.exp(-(g**2) / 2) / np.sqrt(2 * np.pi)

    return integrate.quad(integrand, -12, 12, epsabs=1e-13)[0]


def null_and_linear_risks():
    signal, noise = TASK.gamma**2, TASK.epsilon**2
    return noise + signal, noise + signal - signal**2 / (signal + TASK.L - 1)


NULL, LINEAR = null_and_linear_risks()
EXCESS = float(excess_risk(OVERLAPS, LAM, TASK))
BAYES = bayes_risk()
ATTENTION = predictor_risk(AttentionPredictor(LAM), TASK, OVERLAPS)
BELOW_HALF = float(special.ndtr((special.erfinv(0.5) / LAM - TASK.signal * 0.6) / TASK.gamma))
SCORES = Scores(OVERLAPS, LAM, TASK)
PLAIN = {"control_variates": False}

CASES = {
    "vectors": (Vectors(OVERLAPS, LAM, TASK), EXCESS, {"samples": 1000}),
    "definition": (Definition(OVERLAPS, LAM, TASK), EXCESS, {"samples": 1000}),
    "scores": (SCORES, EXCESS, {"samples": 1000, **PLAIN}),
    "scores, control variates": (SCORES, EXCESS, {"samples": 1000}),
    "scores, antithetic": (SCORES, EXCESS, {"samples": 2000, "points": "antithetic", **PLAIN}),
    "scores, Sobol": (SCORES, EXCESS, {"samples": 32 * 64, "points": SobolPoints(64)}),
    "scores, relative error": (SCORES, EXCESS, {"relative_error": 0.02, **PLAIN}),
    "scores, absolute error": (SCORES, EXCESS, {"absolute_error": 0.02, **PLAIN}),
    "three scores": (ThreeScores(OVERLAPS, LAM, TASK), EXCESS, {"samples": 1000}),
    "gradient": (RiskGradient(OVERLAPS, LAM, TASK), gradient(), {"samples": 1000, **PLAIN}),
    "Bayes, posterior": (BayesFromPosterior(PAIR), BAYES, {"samples": 1000}),
    "Bayes, confusion": (BayesFromConfusion(PAIR), BAYES, {"samples": 1000}),
    "null risk": (predictor_risk(NullPredictor(), TASK), NULL, {"samples": 1000}),
    "linear risk": (predictor_risk(LinearPredictor(TASK), TASK), LINEAR, {"samples": 1000}),
    "attention risk": (ATTENTION, EXCESS + TASK.epsilon**2, {"samples": 1000}),
    "weights": (AttentionWeights(OVERLAPS, LAM, TASK, (0.5,)), BELOW_HALF, {"samples": 1000}),
}


def covered(quantity, value, options, seed):
    estimated = estimate(quantity, seed=seed, **options)
    low, high = (np.ravel(bound) for bound in estimated.interval)
    entry = 3 if isinstance(quantity, RiskGradient) else 0
    return low[entry] <= value <= high[entry]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", CASES)
def test_nominal_95_per_cent_intervals_cover_94_to_96_per_cent(name):
    coverage = np.mean([covered(*CASES[name], seed) for seed in range(REPETITIONS)])
    print(f"{name}: {coverage:.2%}")
    assert 0.94 <= coverage <= 0.96


@pytest.mark.parametrize("name", CASES)
def test_intervals_cover_in_a_short_run(name):
    """A thousandth of the measurement above, to see that each case works: 10 intervals, at least 6 cover."""
    assert sum(covered(*CASES[name], seed) for seed in range(10)) >= 6


def test_doubtful_skewness_costs_about_a_point_of_coverage():
    """Means of n exponential numbers have skewness 2 / sqrt(n)."""
    n = round((2 / DOUBTFUL) ** 2)
    draws = np.random.default_rng(0).standard_exponential((40_000, n))
    errors = draws.std(axis=1, ddof=1) / np.sqrt(n) * student_quantile(0.95, n)
    coverage = np.mean(np.abs(draws.mean(axis=1) - 1) <= errors)
    assert 0.935 < coverage < 0.948
