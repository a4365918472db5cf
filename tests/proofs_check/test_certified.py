"""Ball arithmetic proves true inequalities, and finds certified points where false ones fail."""

from fractions import Fraction

import pytest
import sympy
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from proofs_check.arb import FUNCTIONS, ball, compile_arb, integer_power
from proofs_check.claim import Context, Kind, Verdict
from proofs_check.judges.certified import Inequality

x, y = sympy.symbols("x y", real=True)
UNIT = {x: (-1, 1), y: (-1, 1)}
TINY = sympy.Rational(1, 10**9)


def judge(relation, box, budget=20_000, thorough=False):
    return Inequality(box, budget)(relation, Context(thorough=thorough))


@pytest.mark.parametrize(
    ("relation", "box"),
    [
        (
            sympy.Gt(sympy.erf(x), 0.8 * x, evaluate=False).subs(0.8, sympy.Rational(4, 5)),
            {x: ("0.01", "0.9")},
        ),
        (sympy.Ge((x - y) ** 2 + sympy.Rational(1, 100), 0, evaluate=False), UNIT),
        (sympy.Lt(sympy.sin(x), x), {x: ("1/10", 3)}),
        (sympy.Ge(x * y, 0), {x: (1, 2), y: (0, 1)}),
        (1 - sympy.cos(x) - sympy.Rational(499, 1000) * x**2, {x: ("1e-6", "0.01")}),
        (sympy.sqrt(2 + x) - x**3 / 8 - sympy.Rational(1, 2), {x: (-1, 1)}),
        ((sympy.exp(x) - x, sympy.exp(y) - y), UNIT),
        (sympy.true, {x: (0, 1)}),
    ],
)
def test_true_inequalities_are_proved(relation, box):
    found = judge(relation, box)
    assert found.verdict is Verdict.HOLDS, found.detail
    assert found.kind is Kind.CERTIFIED
    assert f"x in [{sympy.Rational(str(box[x][0]))}" in found.detail


@pytest.mark.parametrize(
    ("relation", "box"),
    [
        (sympy.Gt(sympy.erf(x), sympy.Rational(6, 5) * x), {x: ("0.01", "0.9")}),
        (sympy.Ge((x - y) ** 2 - TINY, 0, evaluate=False), UNIT),
        (x * y, {x: (1, 2), y: (0, 1)}),
        (sympy.Gt(x**2, 0, evaluate=False), {x: (-1, 1)}),
        ((sympy.exp(x) - x, sympy.exp(y) - 3), UNIT),
        (sympy.Gt(1 - x, TINY), {x: (0, 1)}),
        (sympy.false, {x: (0, 1)}),
    ],
)
def test_false_inequalities_are_refuted_at_a_point(relation, box):
    found = judge(relation, box)
    assert found.verdict is Verdict.REFUTED, found.detail
    point = {symbol: sympy.Rational(found.data["counterexample"].get(str(symbol), 0)) for symbol in box}
    for symbol, value in point.items():
        assert sympy.Rational(str(box[symbol][0])) <= value <= sympy.Rational(str(box[symbol][1]))


def test_equality_inside_the_box_resists_and_the_cell_is_named():
    found = judge(sympy.Ge(x**2 - 2 * x * y + y**2, 0), UNIT, budget=300)
    assert found.verdict is Verdict.UNDECIDED
    assert "resists" in found.detail


def test_thorough_runs_examine_more_cells():
    tight = sympy.Ge(x**2 - 2 * x * y + y**2 + sympy.Rational(1, 1000), 0)
    assert judge(tight, UNIT, budget=300).verdict is Verdict.UNDECIDED
    assert judge(tight, UNIT, budget=300, thorough=True).verdict is Verdict.HOLDS


def test_undefined_values_are_never_proved():
    assert judge(sympy.sqrt(x) + 1, {x: (-1, 1)}, budget=200).verdict is Verdict.UNDECIDED
    assert judge(2 + 1 / x**2, {x: (-1, 1)}, budget=200).verdict is Verdict.UNDECIDED


def test_bad_boxes_and_subjects():
    with pytest.raises(TypeError, match="the box says nothing of y"):
        judge(x + y, {x: (0, 1)})
    with pytest.raises(TypeError, match=r"must be exact.*0\.1"):
        judge(x, {x: (0.1, 1)})
    with pytest.raises(ValueError, match="from low to high"):
        judge(x, {x: (2, 1)})
    with pytest.raises(TypeError, match="must be a SymPy relation"):
        judge("x > 0", {x: (0, 1)})
    with pytest.raises(TypeError, match="no enclosure is known for f"):
        judge(sympy.Function("f")(x), {x: (0, 1)})
    with pytest.raises(TypeError, match=r"no enclosure is known for 0\.5"):
        judge(x + 0.5, {x: (0, 1)})


SAFE = {sympy.gamma: 3, sympy.loggamma: 3, sympy.log: 3, sympy.asin: 0, sympy.acos: 0}


@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f not in (sympy.Min, sympy.Max)])
@given(st.integers(-90, 90), st.integers(1, 300))
def test_every_function_of_the_table_encloses_its_sympy_namesake(function, first, second):
    arguments = [sympy.Rational(first, 100) + SAFE.get(function, 0), sympy.Rational(second, 100)]
    arguments = arguments[: min(function.nargs)]
    variables = [x, y][: len(arguments)]
    balls = [ball(Fraction(at.p, at.q), Fraction(at.p, at.q)) for at in arguments]
    (enclosure,) = compile_arb([function(*variables)], variables)(balls)
    exact = function(*arguments).evalf(30)
    assert (enclosure + arb(0, 1e-14)).contains(arb(str(exact)))


def test_minimum_and_maximum():
    program = compile_arb([sympy.Min(x, y), sympy.Max(x, y)], [x, y])
    assert [float(value) for value in program([arb(1), arb(2)])] == [1.0, 2.0]


@given(st.integers(-300, 300), st.integers(0, 200), st.integers(0, 100), st.integers(-4, 6))
def test_powers_enclose_every_point_of_the_ball(low, width, share, n):
    interval = Fraction(low, 100), Fraction(low + width, 100)
    point = interval[0] + Fraction(width * share, 10_000)
    enclosure = integer_power(ball(*interval), n)
    if n < 0 and interval[0] <= 0 <= interval[1]:
        assert not enclosure.is_finite()
    else:
        exact = point**n
        assert enclosure.is_finite()
        assert enclosure.overlaps(ball(exact, exact))
