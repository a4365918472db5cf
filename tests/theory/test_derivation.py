"""theory/ derives: the calculus on cases known otherwise, and refusals."""

import pytest
from sympy import Rational, exp, log, symbols

from theory.gaussian import F, V, W, expectation
from theory.laws import INFORMATIVE, NOISE
from theory.risk import excess_risk
from theory.special import OwenT, erf_moment, erf_variance, zeta
from theory.symbols import OVERLAPS, gamma, rho


def test_moments_without_activation_are_those_of_the_law():
    mean, covariance = INFORMATIVE.scores
    assert expectation(V, INFORMATIVE.scores) == mean[1]
    assert (expectation(V * W, INFORMATIVE.scores) - covariance[1, 2]).expand() == 0
    assert expectation(W**2, INFORMATIVE.scores) == gamma**2
    assert expectation(V**4, NOISE.scores) == 3


@pytest.mark.parametrize("expression", [F**3, exp(V), log(V) * F])
def test_expectation_refuses_what_it_cannot_smooth(expression):
    with pytest.raises(ValueError, match="polynomial in V, W and F"):
        expectation(expression, NOISE.scores)


def test_excess_risk_depends_on_overlaps_and_parameters_only():
    names = {symbol.name for symbol in excess_risk().free_symbols}
    assert names == {o.name for o in OVERLAPS} | {"lambda", "m", "gamma", "L"}
    assert excess_risk().diff(rho, 3) == 0


def test_functions_are_even_and_evaluate():
    t, g = symbols("t g", positive=True)
    assert zeta(-t, g) == zeta(t, g)
    assert OwenT(-t, g) == OwenT(t, g)
    assert abs(OwenT(0, 1).evalf(30) - Rational(1, 8)) < Rational(1, 10**28)


@pytest.mark.parametrize(("function", "usual"), [(OwenT, 1), (zeta, 1), (erf_variance, 1), (erf_moment, 2)])
def test_the_usual_derivative_is_in_the_first_argument_that_has_one(function, usual):
    value = function(*symbols("x y", positive=True))
    assert value.fdiff() == value.fdiff(usual)
