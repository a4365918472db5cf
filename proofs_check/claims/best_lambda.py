"""The best lambda: it exists, is unique, and its excess risk is of order L log(d / L) / d."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import sympy
from sympy import (
    Eq,
    Expr,
    Gt,
    Integer,
    Lt,
    Poly,
    Rational,
    erf,
    erfc,
    exp,
    log,
    oo,
    sqrt,
    symbols,
)

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.claims.oracle import VARIABLES
from proofs_check.judges.exact import Identity, Step, Steps
from proofs_check.judges.positive import Argument, Positive, sign_of_polynomial
from proofs_check.steps import equal, limit, nonnegative, positive, value
from theory import best_lambda, oracle
from theory.best_lambda import argument, erfcx, gain, leak, w
from theory.special import OwenT, zeta
from theory.symbols import L, d, gamma, in_dimension, lam, m

x, y = symbols("x y", positive=True)


def slope(power: int = 4) -> Eq:
    """The derivative of the excess risk; the mutant has another power of gamma."""
    claimed = best_lambda.slope().subs(gamma**4, gamma**power)
    return Eq(oracle.excess_risk().diff(lam), claimed, evaluate=False)


def mills(factor: Any = 1) -> tuple[Any, ...]:
    """Both bounds; the mutants scale erfcx."""
    lower, upper = best_lambda.mills_bounds(x)
    return Lt(lower, factor * erfcx(x)), Lt(factor * erfcx(x), upper)


def prove_mills(subject: Any, context: Context) -> Iterator[Step]:
    """Times exp(-x^2), each difference of the sides vanishes for x -> oo and has a negative derivative."""
    for relation in subject:
        difference = sympy.expand((relation.gts - relation.lts) * exp(-(x**2)))
        yield limit("the difference vanishes for x -> oo", difference, x, oo, 0)
        yield positive("it decreases", sympy.simplify(-difference.diff(x)))


def crossing(leakage: Expr | None = None, gained: Expr | None = None) -> tuple[Expr, Expr]:
    """Gain and leak."""
    return gain() if gained is None else gained, leak() if leakage is None else leakage


def monotone(subject: tuple[Expr, Expr]) -> list[Any]:
    """The gain decreases, leak / gain increases."""
    gained, leaked = (sympy.expand_log(log(part), force=True).diff(w) for part in subject)
    return [Lt(gained, 0), Gt(leaked, gained)]


def prove_crossing(subject: tuple[Expr, Expr], context: Context) -> Iterator[Step]:
    """With e = x erfcx'(x) / erfcx(x) at x = b, between -1 and 0 by Mills' bounds, w d log gain / dw is e B + D with
    rational B and D: it lies between D and D - B. Both are negative, and d log leak / dw exceeds either."""
    gained, leaked = subject
    b = argument()
    B = sympy.simplify(w * log(b).diff(w))
    D = sympy.simplify(w * sympy.expand_log(log(gained / erfcx(b)), force=True).diff(w))
    rational = not D.has(erf, erfc, exp)
    yield Step("gain / erfcx(b) is algebraic", rational)
    falls = {"e = 0": -D, "e = -1": B - D}
    rise = in_dimension(sympy.simplify(w * sympy.expand_log(log(leaked), force=True).diff(w)))
    for name, fall in falls.items():
        yield positive(f"the gain falls, {name}", sympy.factor(fall))
        yield _rises(f"leak / gain rises, {name}", (rise + fall).subs(d, 1))
    yield nonnegative("and the more so the larger d", sympy.factor(rise.diff(d)))


def _rises(name: str, expression: Expr) -> Step:
    """A rational function of w and gamma^2 = y is positive: the coefficients in w are, by Sturm's theorem.

    Where the one of w^2 is not, 4 w^3 - 4 w^2 + 1 > 0 is taken out.
    """
    numerator, denominator = sympy.fraction(sympy.factor(expression.subs(gamma, sqrt(y))))
    spare = Poly(4 * w**3 - 4 * w**2 + 1, w)
    whole = Poly(numerator, w)
    for polynomial in (whole, whole - spare):
        coefficients = [Poly(c, y) for c in polynomial.all_coeffs()]
        if all(c.is_zero or sign_of_polynomial(c) == 1 for c in coefficients):
            ok = sign_of_polynomial(spare) == 1 and sign_of_polynomial(Poly(denominator, w, y)) == 1
            return Step(name, ok or None, "the coefficients in lambda^2 are positive (Sturm)")
    return Step(name, None)


def prove_unique(subject: tuple[Expr, Expr, Expr], context: Context) -> Iterator[Step]:
    """The slope has the sign of [(L - 1) leak + gamma^4] / gain - 1, which increases. It is negative for small
    lambda, where the gain is unbounded and the leak is not, and positive for large ones, where the gain
    vanishes."""
    gained, leaked, constant = subject
    b, root = argument(), gained / erfcx(argument())
    for name, to, tends in (("0", Integer(0), oo), ("oo", oo, Integer(0))):
        yield limit(f"lambda -> {name}: b vanishes", b, w, to, 0, side="+")
        yield limit(f"lambda -> {name}: gain / erfcx(b)", root, w, to, tends, side="+")
    yield value("erfcx(0) = 1", erfcx(x), x, 0, 1)
    yield limit("the leak is finite for lambda -> 0", leaked, w, 0, 1, side="+")
    yield positive("the leak is positive", leaked)
    yield positive("the constant is positive", constant)


def ends(end: Any = None) -> tuple[Any, Any]:
    """The excess risk for lambda -> 0 and for lambda -> oo."""
    return gamma**2, 2 * gamma**2 * erfc(m / (sqrt(2) * gamma)) + L - 1 if end is None else end


def prove_ends(subject: Any, context: Context) -> Iterator[Step]:
    """The excess risk is a continuous function of three arguments, through erf and Owen's T, which have limits."""
    h, a, b = symbols("h a b", nonnegative=True)
    form = gamma**2 * (2 - 2 * erf(h) - 8 * OwenT(sqrt(2) * h, a)) + (L - 1) * (1 - 8 * OwenT(0, b))
    arguments = {
        h: lam * m / sqrt(1 + 2 * (lam * gamma) ** 2),
        a: 1 / sqrt(1 + 4 * (lam * gamma) ** 2),
        b: 1 / sqrt(1 + 4 * lam**2),
    }
    closed = oracle.excess_risk().replace(zeta, lambda *z: zeta(*z).closed_form())
    yield equal("the excess risk as a function of h, a, b", sympy.expand(closed - form.subs(arguments)), 0)
    ends_of = {
        "0": (Integer(0), {h: Integer(0), a: Integer(1), b: Integer(1)}, subject[0]),
        "oo": (oo, {h: m / (sqrt(2) * gamma), a: Integer(0), b: Integer(0)}, subject[1]),
    }
    for name, (to, limits, claimed) in ends_of.items():
        for symbol, tends in limits.items():
            yield limit(f"lambda -> {name}: {symbol}", arguments[symbol], lam, to, tends, side="+")
        there = form.subs(limits).replace(OwenT, lambda *z: OwenT(*z).as_integral().doit())
        yield equal(f"lambda -> {name}: the excess risk", there, claimed)


def beyond(inverse: Any) -> Gt:
    """The setting d = 400, L = 10, gamma^2 = 1/2: the lower bound at lambda = 1/inverse exceeds gamma^2."""
    setting = {m: sqrt(200), L: 10, gamma: 1 / sqrt(2), lam: 1 / Integer(inverse)}
    return Gt(oracle.lower_bound().subs(setting), sympy.S.Half, evaluate=False)


def claims() -> list[Claim]:
    """The slope, its one zero, and where the oracle beats the prediction 0."""
    return [_slope(), _mills(), _crossing(), _unique(), _null(), _worse_than_null()]


def _slope() -> Claim:
    return Claim(
        id="best-lambda.slope",
        statement=r"The derivative of the oracle's excess risk in $\lambda$ is a positive function times "
        r"$(L - 1)\, leak + \gamma^4 - gain$, with elementary leak, and gain a multiple of $e^{b^2} erfc(b)$, "
        r"$b = \lambda m/\sqrt{(1 + 2\lambda^2\gamma^2)(1 + 4\lambda^2\gamma^2)}$.",
        subject=slope,
        formula=best_lambda.slope,
        source="this toolkit",
        judges=(Identity(),),
        mutants=(
            Mutant("gamma^3 for gamma^4", lambda: slope(3)),
            Mutant("gamma^5 for gamma^4", lambda: slope(5)),
        ),
        variables=VARIABLES,
        depends_on=("risk.oracle", "gaussian.zeta-derivative"),
    )


def _mills() -> Claim:
    return Claim(
        id="best-lambda.mills",
        statement=r"For $x > 0$, $e^{x^2} erfc(x)$ lies strictly between $2x/(\sqrt{\pi}(1 + 2x^2))$ and "
        r"$1/(\sqrt{\pi} x)$. So $x$ times its logarithmic derivative lies between $-1$ and $0$.",
        subject=mills,
        source="Mills' ratio",
        judges=(Argument(prove_mills),),
        mutants=(
            Mutant("a third more", lambda: mills(Rational(4, 3))),
            Mutant("a third less", lambda: mills(Rational(2, 3))),
        ),
        variables=(Variable("x", "> 0"),),
        derivation=inspect.cleandoc(prove_mills.__doc__ or ""),
    )


def _crossing() -> Claim:
    return Claim(
        id="best-lambda.single-crossing",
        statement=r"For $d \geq 1$ and all $\gamma$: as $\lambda$ increases the gain strictly decreases, and leak / gain "
        r"strictly increases.",
        subject=crossing,
        formula=lambda: (gain(), leak()),
        source="this toolkit",
        judges=(Argument(prove_crossing, {m: ("0.71", 9)}, monotone, points=16),),
        mutants=(
            Mutant("gain times lambda^2", lambda: crossing(gained=w * gain())),
            Mutant("leak over 1 + lambda^4", lambda: crossing(leakage=leak() / (1 + w**2) ** 2)),
        ),
        variables=VARIABLES,
        depends_on=("best-lambda.mills",),
        derivation=inspect.cleandoc(prove_crossing.__doc__ or ""),
    )


def _unique() -> Claim:
    return Claim(
        id="best-lambda.unique",
        statement=r"For all $d, L \geq 1$ and $\gamma > 0$ there is exactly one best $\lambda$ in $(0, \infty)$: below it "
        r"the oracle's excess risk strictly decreases with $\lambda$, above it it strictly increases.",
        subject=lambda: (gain(), leak(), gamma**4),
        formula=best_lambda.bracket,
        source="this toolkit",
        judges=(Steps(prove_unique),),
        mutants=(
            Mutant("a bounded gain", lambda: (gain() * sqrt(w), leak(), gamma**4)),
            Mutant("the other sign of gamma^4", lambda: (gain(), leak(), -(gamma**4))),
        ),
        variables=VARIABLES,
        depends_on=("best-lambda.slope", "best-lambda.single-crossing"),
        derivation=inspect.cleandoc(prove_unique.__doc__ or ""),
    )


def _null() -> Claim:
    return Claim(
        id="best-lambda.null",
        statement=r"The oracle's excess risk is $\gamma^2$, that of predicting 0, for $\lambda \to 0$, and "
        r"$2\gamma^2 erfc(m/(\sqrt{2}\gamma)) + L - 1$ for $\lambda \to \infty$. So the oracle beats the prediction 0 "
        r"exactly for $\lambda$ below a threshold, which is finite if and only if the latter exceeds $\gamma^2$ (as it "
        r"does if $L > 1 + \gamma^2$).",
        subject=ends,
        source="this toolkit",
        judges=(Steps(prove_ends),),
        mutants=(
            Mutant("no noise tokens", lambda: ends(2 * gamma**2 * erfc(m / (sqrt(2) * gamma)))),
            Mutant("nothing is missed", lambda: ends(L - 1)),
        ),
        variables=VARIABLES,
        depends_on=("risk.oracle", "best-lambda.unique"),
        derivation=inspect.cleandoc(prove_ends.__doc__ or ""),
    )


def _worse_than_null() -> Claim:
    return Claim(
        id="best-lambda.worse-than-null",
        statement=r"The oracle is not always better than predicting 0: for $d = 400$, $L = 10$, $\gamma^2 = 1/2$ and "
        r"$\lambda = 1$ its excess risk exceeds $\gamma^2$.",
        subject=lambda: beyond(1),
        source="this toolkit",
        judges=(Positive(),),
        mutants=(Mutant("lambda = 1/10", lambda: beyond(10)),),
        depends_on=("corollary.lower-bound",),
    )
