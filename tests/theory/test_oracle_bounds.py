"""The oracle's excess risk over wide ranges: bounds, monotonicity, scaling, the best lambda, orderings."""

import math

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from numerics import Overlaps, Task, excess_risk
from theory import bayes, best_lambda, linear, oracle
from theory.symbols import L, d, gamma, lam, m

ORACLE = Overlaps(kappa=1, nu=1)
SLACK = 1 + 1e-9


def compiled(expression):
    return sympy.lambdify((d, L, gamma, lam), expression.subs(m, sympy.sqrt(d / 2)), ["scipy", "numpy"])


UPPER, LOWER = compiled(oracle.bound()), compiled(oracle.lower_bound())
MISS_LOWER, MISS_UPPER = (compiled(b) for b in oracle.miss_bounds(lam * m, lam * gamma))
CEILING = compiled(best_lambda.ceiling())
LINEAR, ATTENTION, BIASED = (
    compiled(e) for e in (linear.linear()[1], linear.attention()[1], linear.biased_attention()[1])
)
BAYES = compiled(bayes.bound())

log_uniform = st.floats(-3, 3).map(lambda x: 10.0**x)
parameters = st.tuples(st.integers(1, 10**6), st.integers(1, 10**4), log_uniform, log_uniform)


def risk(dimension, tokens, scale, heat):
    return float(excess_risk(ORACLE, heat, Task(d=dimension, L=tokens, gamma=scale)))


def best(dimension, tokens, scale):
    """Least excess risk and its lambda; the risk falls and then rises, so a bracketed search finds it."""
    found = optimize.minimize_scalar(
        lambda x: risk(dimension, tokens, scale, math.exp(x)), bounds=(-25, 12), method="bounded"
    )
    return found.fun, math.exp(found.x)


@given(parameters)
def test_explicit_bounds(at):
    assert LOWER(*at) <= risk(*at) * SLACK
    assert risk(*at) <= UPPER(*at) * SLACK


@given(parameters)
def test_bounds_of_the_miss(at):
    dimension, _, scale, heat = at
    miss = risk(dimension, 1, scale, heat) / scale**2
    assert MISS_LOWER(*at) <= miss * SLACK
    assert miss <= MISS_UPPER(*at) * SLACK


@given(parameters, st.floats(1.01, 3))
def test_monotone_in_tokens_gamma_and_dimension(at, factor):
    dimension, tokens, scale, heat = at
    here = risk(*at)
    assert risk(dimension, tokens + 1, scale, heat) >= here
    assert risk(dimension, tokens, scale * factor, heat) * SLACK >= here
    assert risk(dimension + 1, tokens, scale, heat) <= here * SLACK


@given(parameters, st.integers(2, 30))
def test_scaling_of_the_informative_token(at, factor):
    dimension, _, scale, heat = at
    scaled = risk(dimension * factor**2, 1, scale * factor, heat / factor) / factor**2
    assert scaled == pytest.approx(risk(dimension, 1, scale, heat), rel=1e-9, abs=1e-300)


@given(parameters)
@settings(max_examples=25)
def test_the_risk_falls_and_then_rises(at):
    dimension, tokens, scale, _ = at
    task = Task(d=dimension, L=tokens, gamma=scale)
    values = excess_risk(ORACLE, np.geomspace(1e-6, 1e4, 60), task)
    steps = np.diff(values)
    directions = np.sign(steps[np.abs(steps) > 1e-11 * values[1:]])
    assert np.all(np.diff(directions) >= 0)


@given(parameters)
@settings(max_examples=25)
def test_orderings(at):
    dimension, tokens, scale, _ = at
    least, _ = best(dimension, tokens, scale)
    assert least <= scale**2 * SLACK
    assert LINEAR(*at) <= scale**2 * SLACK
    if tokens > 1:
        assert BIASED(*at) <= min(LINEAR(*at), ATTENTION(*at)) * SLACK
        if 4 * scale**2 * math.log1p(scale**2 * dimension / (tokens - 1)) ** 2 < 700 * dimension:
            assert least <= CEILING(*at) * SLACK


@given(st.integers(2, 200), st.integers(0, 4))
def test_bayes_bound_is_no_less_than_the_exact_lower_bound(dimension, more):
    below = bayes.two_token_bounds()[0].subs(m, sympy.sqrt(sympy.Rational(dimension, 2)))
    assert float(below) <= BAYES(dimension, 2 + more, 1.0, 1.0) * SLACK


@pytest.mark.parametrize("tokens", [2, 10, 1000])
def test_rate_of_the_best_lambda(tokens):
    dimension, scale = 10**14, 1.0
    n = scale**2 * dimension / (tokens - 1)
    focus = math.log(n / 2) - math.log(math.log(n))
    least, heat = best(dimension, tokens, scale)
    assert heat**2 * dimension == pytest.approx(focus, rel=0.05)
    assert least == pytest.approx(4 / math.pi * (tokens - 1) / dimension * (focus + 1), rel=0.02)


def test_best_lambda_of_one_token():
    dimension, scale = 10**4, 3.0
    expected = math.sqrt(dimension) / (4 * scale**2 * 0.43276)
    found = optimize.minimize_scalar(
        lambda x: math.log(risk(dimension, 1, scale, math.exp(x))),
        bounds=(math.log(expected / 10), math.log(expected * 10)),
        method="bounded",
    )
    assert math.exp(found.x) == pytest.approx(expected, rel=0.02)


@given(st.integers(1, 10**6), st.integers(1, 10**4), st.floats(1e-3, 1), st.floats(1e-4, 1))
def test_corollary(dimension, tokens, scale, leakage):
    heat = leakage / math.sqrt(tokens)
    bound = 2 * math.exp(-(heat**2) * dimension / 5) + 4 / math.pi * leakage**2
    assert risk(dimension, tokens, scale, heat) <= bound * SLACK
