"""A value counts as not zero only if that is certain, by ball arithmetic or by digits."""

import pytest
import sympy

from proofs_check.evaluate import nonzero_value
from theory.special import zeta
from theory.symbols import g, t

x = sympy.Symbol("x", real=True)
THIRD = sympy.Rational(1, 3)
WITHOUT_ENCLOSURE = sympy.besselj(0, 1)
FACTORS = pytest.mark.parametrize("factor", [sympy.Integer(1), WITHOUT_ENCLOSURE], ids=["balls", "digits"])


@FACTORS
@pytest.mark.parametrize(
    "zero",
    [
        (x + 1) ** 2 - x**2 - 2 * x - 1,
        sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1,
        (sympy.sqrt(2 * x) - sympy.sqrt(2) * sympy.sqrt(x)) * 10**20,
        sympy.erf(x) + sympy.erfc(x) - 1,
        sympy.Derivative(x**2, x) - 2 * x,
    ],
)
def test_zeros_are_not_taken_for_something_else(zero, factor):
    assert nonzero_value(factor * zero, {x: THIRD}) is None


@FACTORS
@pytest.mark.parametrize("small", [sympy.Rational(1, 10**30), -sympy.Rational(1, 10**9)])
def test_small_values_are_seen(small, factor):
    value = nonzero_value(factor * (sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1 + small), {x: THIRD})
    assert value * small > 0
    assert abs(value / (small * factor.evalf()) - 1) < 1e-10


@FACTORS
def test_what_rounding_swallows_decides_nothing(factor):
    """The difference is positive, but 1 - erf(300) is 0 to any usual number of digits."""
    difference = 1 - sympy.erf(x) - sympy.exp(-2 * x**2)
    assert nonzero_value(factor * difference, {x: sympy.Integer(300)}) is None


@FACTORS
@pytest.mark.parametrize("undefined", [1 / x, sympy.log(x), sympy.sqrt(x - 1) / x])
def test_undefined_values_count_as_none(undefined, factor):
    assert nonzero_value(factor * undefined, {x: sympy.Integer(0)}) is None


def test_functions_of_the_theory_have_enclosures():
    point = {t: THIRD, g: sympy.Rational(2)}
    assert nonzero_value(zeta(t, g) - zeta(t, g).closed_form(), point) is None
    assert nonzero_value(zeta(t, g) - zeta(t, g).closed_form() + sympy.Rational(1, 10**40), point) is not None
