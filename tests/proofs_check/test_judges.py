"""Each judge accepts what is true, refutes what is false, and says when it cannot tell."""

import mpmath
import numpy as np
import pytest
import sympy

from proofs_check.claim import Context, Kind, Verdict
from proofs_check.judges import cited, exact, numerical, statistical
from proofs_check.timing import OutOfTime, time_limit

HOLDS, REFUTED, UNDECIDED = Verdict.HOLDS, Verdict.REFUTED, Verdict.UNDECIDED
CONTEXT = Context()
x, y = sympy.symbols("x y", real=True)
t, s = sympy.symbols("t s", positive=True)
n = sympy.Symbol("n", integer=True, positive=True)
erf, sqrt = sympy.erf, sympy.sqrt


def forever(residual=None):
    while True:
        pass


def eq(left, right):
    return sympy.Eq(left, right, evaluate=False)


@pytest.mark.parametrize(
    "identity",
    [
        eq((x + y) ** 2, x**2 + 2 * x * y + y**2),
        eq(sympy.sin(x) ** 2 + sympy.cos(x) ** 2, 1),
        eq(sympy.erfc(x), 1 - erf(x)),
        eq(1 / (1 + x**2) - 1 / (2 + x**2), 1 / ((1 + x**2) * (2 + x**2))),
        eq(sqrt(t**2 * s), t * sqrt(s)),
        eq(
            sympy.Derivative(erf(x / sqrt(1 + 2 * t)), x, 2) / 4 * 2,
            2 * erf(x / sqrt(1 + 2 * t)).diff(x, 2) / 4,
        ),
        eq(sympy.Integral(x**2, (x, 0, t)), t**3 / 3),
        eq((n + 1) * sympy.factorial(n), sympy.factorial(n + 1)),
        eq(sympy.sqrt(2) * sympy.sqrt(3), sympy.sqrt(6)),
        (eq(x, x), eq((x + 1) * (x - 1), x**2 - 1)),
        sympy.true,
    ],
)
def test_true_identities_are_proved_with_their_route(identity):
    found = exact.Identity()(identity, CONTEXT)
    assert found.verdict is HOLDS, found
    assert found.kind is Kind.EXACT
    assert found.route[-1].endswith(": 0")


@pytest.mark.parametrize(
    "identity",
    [
        eq((x + y) ** 2, x**2 + y**2),
        eq(sympy.sin(x) ** 2 + sympy.cos(x) ** 2, 1 + sympy.Rational(1, 10**30)),
        eq(erf(x), erf(-x)),
        eq(sqrt(1 + t) * 10**40, sqrt(1 + t) * 10**40 + 1),
        eq(sympy.sqrt(2), sympy.Rational(14142, 10000)),
        (eq(x, x), eq(x, -x)),
        sympy.false,
    ],
)
def test_false_identities_are_refuted(identity):
    found = exact.Identity()(identity, CONTEXT)
    assert found.verdict is REFUTED, found
    assert "differ by" in found.detail


def test_counterexample_lies_in_the_domain():
    found = exact.Identity(domain={x: ("1/3", "1/2")})(eq(x, t), CONTEXT)
    point = {name: sympy.Rational(at) for name, at in found.data["counterexample"].items()}
    assert sympy.Rational(1, 3) < point["x"] < sympy.Rational(1, 2)
    assert point["t"] > 0


def test_domain_and_assumptions_decide_what_is_true():
    assert exact.Identity()(eq(sympy.Abs(x), x), CONTEXT).verdict is REFUTED
    assert exact.Identity()(eq(sympy.Abs(t), t), CONTEXT).verdict is HOLDS


def test_zero_without_a_proof_is_undecided():
    hard = eq(
        sympy.gamma(t) * sympy.gamma(t + sympy.Rational(1, 2)),
        2 ** (1 - 2 * t) * sqrt(sympy.pi) * sympy.gamma(2 * t),
    )
    found = exact.Identity(simplifiers=())(hard, CONTEXT)
    assert found.verdict is UNDECIDED
    assert "50 digits" in found.detail


def test_slow_simplification_is_given_up():
    slow = (("wait", forever), ("expand", sympy.expand))
    found = exact.Identity(simplifiers=slow, seconds=0.2)(eq((x + 1) ** 2, x**2 + 2 * x + 1), CONTEXT)
    assert found.verdict is HOLDS
    assert "wait: given up after 0.2 s" in found.route


def test_only_equations_are_identities():
    with pytest.raises(TypeError, match="must be a SymPy Eq, got StrictGreaterThan"):
        exact.Identity()(x > 0, CONTEXT)


def test_time_limit_lets_what_is_quick_pass():
    with time_limit(60):
        pass
    with pytest.raises(OutOfTime), time_limit(0.05):
        forever()


def steps(*outcomes):
    return exact.Steps(
        lambda subject, context: [exact.Step(f"step {i}", ok) for i, ok in enumerate(outcomes)]
    )


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([True, True], HOLDS),
        ([True, None], UNDECIDED),
        ([None, False], REFUTED),
        ([], UNDECIDED),
    ],
)
def test_steps(outcomes, verdict):
    found = steps(*outcomes)(None, CONTEXT)
    assert found.verdict is verdict
    assert len(found.route) == len(outcomes)


def test_false_step_carries_its_counterexample():
    judge = exact.Steps(lambda subject, context: [exact.Step("sign", False, "at 3", counterexample={"x": 3})])
    found = judge(None, CONTEXT)
    assert found.detail == "sign is false at 3: {'x': 3}"
    assert found.data == {"counterexample": {"x": 3}}


@pytest.mark.parametrize(
    "function", [lambda a: a**2, lambda a: np.float64(a) ** 2, lambda a: mpmath.mpf(a) ** 2]
)
def test_numerical_agreement(function):
    judge = numerical.Agreement(lambda a: sympy.Float(a, 40) ** 2, [0.5, 1.25, -3.0], tolerance=1e-15)
    found = judge(function, CONTEXT)
    assert found.verdict is HOLDS
    assert found.data["points"] == 3


def test_numerical_disagreement_names_the_worst_point():
    judge = numerical.Agreement(lambda a: a**2, lambda context: [1.0, 2.0, 3.0], tolerance=1e-3)
    found = judge(lambda a: a**2 * (1.01 if a == 2.0 else 1), CONTEXT)
    assert found.verdict is REFUTED
    assert found.data["worst_point"] == 2.0
    assert found.data["worst_relative_error"] == pytest.approx(0.01)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), [1.0, 2.0], []])
def test_non_finite_or_misshapen_values_are_refuted(wrong):
    judge = numerical.Agreement(lambda a: 1.0, [0], tolerance=1e-3)
    assert judge(lambda a: wrong, CONTEXT).verdict is REFUTED


def test_numerical_arrays_zeros_and_no_points():
    judge = numerical.Agreement(lambda a: np.array([[a, 0.0]]), [1.0], tolerance=1e-12, absolute=1e-15)
    assert judge(lambda a: np.array([a, 1e-16]), CONTEXT).verdict is HOLDS
    assert judge(lambda a: np.array([a, 1e-14]), CONTEXT).verdict is REFUTED
    assert numerical.Agreement(lambda a: a, [], 1e-3)(lambda a: a, CONTEXT).verdict is UNDECIDED


def test_numerical_joint_errors_are_relative_to_the_largest_value():
    judge = numerical.Agreement(lambda a: np.array([2 * a, 0.0]), [1.0], tolerance=1e-3, joint=True)
    assert judge(lambda a: np.array([2.0, 1.9e-3]), CONTEXT).verdict is HOLDS
    assert judge(lambda a: np.array([2.0, 2.1e-3]), CONTEXT).verdict is REFUTED


def uniform_mean(seed, samples):
    draws = np.random.default_rng(seed).random(samples)
    return float(draws.mean()), float(draws.std() / samples**0.5)


@pytest.mark.parametrize(("claimed", "verdict"), [(0.5, HOLDS), (lambda: 0.5, HOLDS), (0.51, REFUTED)])
def test_statistical_agreement(claimed, verdict):
    found = statistical.Agreement(uniform_mean, samples=400_000)(claimed, CONTEXT)
    assert found.verdict is verdict
    assert found.kind is Kind.STATISTICAL


def test_statistical_judge_that_would_miss_one_per_cent_is_undecided():
    assert statistical.Agreement(uniform_mean, samples=1000)(0.5, CONTEXT).verdict is UNDECIDED


def test_an_estimate_that_is_not_a_number_refutes():
    def broken(seed, samples):
        return np.array([1.0, np.nan]), np.array([1e-4, np.nan])

    assert statistical.Agreement(broken, samples=10)(np.ones(2), CONTEXT).verdict is REFUTED
    assert statistical.Positive(samples=10)(broken, CONTEXT).verdict is REFUTED


def test_surprise_is_repeated_with_a_fresh_seed_and_more_samples():
    calls = []

    def unlucky_once(seed, samples):
        calls.append((seed, samples))
        return (1.001 if len(calls) == 1 else 1.0), 1e-4

    assert statistical.Agreement(unlucky_once, samples=10)(1.0, CONTEXT).verdict is HOLDS
    assert calls == [(CONTEXT.seed, 10), (CONTEXT.seed + 1, 160)]


def test_what_leaves_no_doubt_is_not_repeated():
    calls = []

    def far_off(seed, samples):
        calls.append(samples)
        return 2.0, 1e-4

    assert statistical.Agreement(far_off, samples=10)(1.0, CONTEXT).verdict is REFUTED
    assert calls == [10]


def test_more_checks_share_the_error_budget():
    judge = statistical.Agreement(lambda seed, samples: (1.0 + 4.2e-4, 1e-4), samples=1)
    assert judge(1.0, Context(statistical_checks=1)).verdict is REFUTED
    assert judge(1.0, Context(statistical_checks=100)).verdict is UNDECIDED


THEOREM = cited.Cited(
    "LaSalle's invariance principle",
    "Khalil, Nonlinear Systems, Theorem 4.4",
    (
        cited.Hypothesis("the set is compact", claim="a.compact"),
        cited.Hypothesis("the function does not increase", test=lambda rate: rate <= 0),
    ),
)


def test_cited_theorem_applies_if_its_hypotheses_are_met():
    found = THEOREM({"the set is compact": "a.compact", "the function does not increase": -1}, CONTEXT)
    assert found.verdict is HOLDS
    assert found.kind is Kind.CITED
    assert THEOREM.requires == ("a.compact",)


@pytest.mark.parametrize(
    "subject",
    [
        {},
        {"the set is compact": "a.compact"},
        {"the set is compact": "a.other", "the function does not increase": -1},
        {"the set is compact": "a.compact", "the function does not increase": 1},
    ],
)
def test_cited_theorem_does_not_apply_otherwise(subject):
    assert THEOREM(subject, CONTEXT).verdict is REFUTED


def test_citation_without_checkable_hypotheses_is_an_error():
    with pytest.raises(ValueError, match="without a hypothesis"):
        cited.Cited("Theorem", "Book", ())
    with pytest.raises(ValueError, match="either a claim or a test"):
        cited.Hypothesis("compact")
