"""Exact inequalities: what the judge proves, what it refutes, and what it leaves open."""

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Eq, Ge, Gt, Le, Poly, Symbol, exp, sqrt

from proofs_check.claim import Context, Verdict
from proofs_check.judges.exact import Step
from proofs_check.judges.positive import Argument, Positive, sign_of_polynomial, violation, wide_points
from proofs_check.steps import equal, grows_from_zero, limit, nonnegative, positive, value
from theory.special import erf_variance

x = Symbol("x", positive=True)
y = Symbol("y", positive=True)
real = Symbol("z", real=True)
n = Symbol("n", integer=True, positive=True)


@pytest.mark.parametrize(
    "relation",
    [
        Gt(x**2 + x, 0),
        Gt(x**3 - x + 1, 0),
        Ge((x - y) ** 2, 0),
        Ge(n - 1, 0),
        Gt(x / (1 + x), x / (2 + x)),
        Le(exp(-x) * x / (1 + x), exp(-x)),
        Gt(1 / sqrt(1 + 4 * x**2), 0),
    ],
)
def test_true_inequalities_are_proved(relation):
    found = Positive()(relation, Context())
    assert found.verdict is Verdict.HOLDS, found


@pytest.mark.parametrize("relation", [Gt(x, 1), Ge(exp(-x), x), Gt(x * y, x + y), Ge(n - 2, 0), Gt(0, x)])
def test_false_inequalities_are_refuted_with_a_point(relation):
    found = Positive()(relation, Context())
    assert found.verdict is Verdict.REFUTED
    point = {
        symbol: sympy.Rational(found.data["counterexample"][str(symbol)]) for symbol in relation.free_symbols
    }
    assert not relation.subs(point)


def test_what_vanishes_somewhere_is_not_proved_positive():
    assert Positive()(Gt((x - y) ** 2, 0), Context()).verdict is Verdict.UNDECIDED
    assert Positive()(Gt(x**2 - 2 * x + 1, 0), Context()).verdict is Verdict.UNDECIDED


def test_an_inequality_is_needed():
    with pytest.raises(TypeError, match="must be a SymPy relation"):
        Positive()(x, Context())


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=5))
def test_the_sign_of_a_polynomial_is_never_wrong(coefficients):
    polynomial = Poly(coefficients, x)
    sign = sign_of_polynomial(polynomial)
    values = [polynomial.eval(sympy.Rational(k, 7)) for k in range(1, 40)]
    if sign == 1:
        assert min(values) > 0
    if sign == 0:
        assert min(values) >= 0


def test_a_failed_argument_refutes_nothing():
    argument = Argument(lambda subject, context: [Step("wrong turn", False)])
    assert argument(Gt(x + 1, x), Context()).verdict is Verdict.UNDECIDED
    assert argument(Gt(x, x + 1), Context()).verdict is Verdict.REFUTED


def test_equalities_may_stand_among_the_relations():
    assert violation(Eq(x + 1, x + 2, evaluate=False), 0) is not None
    assert violation(Eq((x + 1) ** 2, x**2 + 2 * x + 1, evaluate=False), 0) is None


def test_wide_points_keep_to_domains_and_assumptions():
    points = wide_points([x, n, real], 50, 3, {x: (1, 2)})
    assert all(1 < point[x] < 2 and point[n] >= 1 and point[n].is_Integer for point in points)
    assert any(point[n] == 1 for point in points)
    assert max(abs(point[real]) for point in points) > 10


def test_steps():
    assert equal("", x + x, 2 * x).ok
    assert equal("", x, 2 * x).ok is False
    assert positive("", 1 + x).ok
    assert positive("", x - 1).ok is None
    assert positive("", sympy.Integer(0)).ok is False
    assert nonnegative("", sympy.Integer(0)).ok
    assert value("", sympy.cos(x), x, 0, 1).ok
    assert limit("", x * exp(-x), x, sympy.oo, 0).ok
    assert limit("", x, x, sympy.oo, 0).ok is False


def test_taylor():
    assert all(step.ok for step in grows_from_zero("", exp(x) - 1 - x, x, order=2))
    assert not all(step.ok for step in grows_from_zero("", exp(x) - 1 - 2 * x, x, order=2))


def test_rounding_is_no_counterexample():
    t = Symbol("t", positive=True)
    variance = erf_variance(t, sympy.Integer(1)).definition()
    assert violation(Ge(variance, 0), 0, {t: (19, 20)}) is None
    assert violation(Ge(-variance, 0), 0, {t: (1, 2)}) is not None
