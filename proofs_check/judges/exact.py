"""Exact evidence: computer algebra establishes an identity for every admissible value of its variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import sympy

from proofs_check.claim import Context, Evidence, Kind, Verdict
from proofs_check.evaluate import DIGITS, nonzero_value
from proofs_check.plain import plain
from proofs_check.points import Domain, random_points
from proofs_check.timing import OutOfTime, time_limit

Simplifier = tuple[str, Callable[[Any], Any]]
POINTS = 3

STANDARD: tuple[Simplifier, ...] = (
    ("carry out derivatives and integrals, expand", lambda residual: sympy.expand(residual.doit())),
    ("write erfc as 1 - erf, expand", lambda residual: sympy.expand(residual.rewrite(sympy.erf))),
    ("factor what is under roots", lambda residual: _factor_roots(residual)),
    ("write exponents in partial fractions", lambda residual: sympy.expand(_split_exponents(residual))),
    ("bring over a common denominator and cancel", lambda residual: sympy.cancel(sympy.together(residual))),
    ("simplify radicals and powers", lambda residual: sympy.radsimp(sympy.powsimp(sympy.expand(residual)))),
    ("simplify trigonometric functions", sympy.trigsimp),
    ("simplify", sympy.simplify),
)


@dataclass(frozen=True)
class Identity:
    """Proves lhs - rhs = 0 by a chain of simplifications, for an Eq or several.

    A false identity is refuted by its value at random rational points of the variables' domain, at 50 digits;
    this comes first since it is cheap. A difference that is zero there but is not brought to 0 is undecided.

    simplifiers: (name, function) pairs tried in turn, each on what the one before left.
    domain: open interval of a symbol where its assumptions don't say enough.
    seconds: time allowed for each part of the work on each identity.
    """

    simplifiers: tuple[Simplifier, ...] = STANDARD
    domain: Domain = field(default_factory=dict)
    seconds: float = 30.0
    kind: Kind = Kind.EXACT

    def __call__(self, subject: Any, context: Context) -> Evidence:
        equations = list(subject) if isinstance(subject, tuple | list) else [subject]
        residuals = [_residual(equation) for equation in equations]
        refuted = next(filter(None, (self._refute(residual, context.seed) for residual in residuals)), None)
        if refuted:
            return refuted
        found = [self._prove(residual) for residual in residuals]
        open_ = next((item for item in found if item.verdict is Verdict.UNDECIDED), None)
        if open_ or len(found) == 1:
            return open_ or found[0]
        route = tuple(f"({number}) {step}" for number, item in enumerate(found, 1) for step in item.route)
        return Evidence(self.kind, Verdict.HOLDS, f"each of {len(found)} differences reduces to 0", route)

    def _refute(self, residual: sympy.Expr, seed: int) -> Evidence | None:
        try:
            with time_limit(self.seconds):
                counterexample = _counterexample(residual, seed, self.domain)
        except OutOfTime:
            return None
        if not counterexample:
            return None
        point, value = counterexample
        where = ", ".join(f"{name} = {at}" for name, at in point.items()) or "every point"
        data = {"counterexample": point, "difference": value}
        detail = f"the two sides differ by {value} at {where}"
        return Evidence(self.kind, Verdict.REFUTED, detail, data=data)

    def _prove(self, residual: sympy.Expr) -> Evidence:
        route = ["take the difference of the two sides"]
        for name, simplifier in (("evaluate", lambda same: same), *self.simplifiers):
            try:
                with time_limit(self.seconds):
                    residual = simplifier(residual)
            except OutOfTime:
                route.append(f"{name}: given up after {self.seconds:g} s")
                continue
            if residual == 0:
                route.append(f"{name}: 0")
                return Evidence(
                    self.kind, Verdict.HOLDS, "the difference of the two sides reduces to 0", tuple(route)
                )
            route.append(f"{name}: {sympy.count_ops(residual)} operations left")
        detail = f"zero to {DIGITS} digits at {POINTS} random points, but not brought to 0 symbolically"
        return Evidence(self.kind, Verdict.UNDECIDED, detail, tuple(route))


@dataclass(frozen=True)
class Step:
    """One step of a proof: ok is None where the algebra could not tell."""

    name: str
    ok: bool | None
    detail: str = ""
    counterexample: Any = None


@dataclass(frozen=True)
class Steps:
    """Runs a proof written as a function from the subject and the context to its steps.

    All steps true: holds. Any false: refuted, with its counterexample. No step at all proves nothing.
    """

    function: Callable[[Any, Context], Iterable[Step]]
    kind: Kind = Kind.EXACT

    def __call__(self, subject: Any, context: Context) -> Evidence:
        steps = list(self.function(subject, context))
        route = tuple(f"{step.name}: {_outcome(step)}" for step in steps)
        wrong = next((step for step in steps if step.ok is False), None)
        open_ = next((step for step in steps if step.ok is None), None)
        if wrong:
            return Evidence(self.kind, Verdict.REFUTED, *_refutation(wrong, route))
        if open_ or not steps:
            detail = f"{open_.name} is open {open_.detail}".strip() if open_ else "the proof has no steps"
            return Evidence(self.kind, Verdict.UNDECIDED, detail, route)
        return Evidence(self.kind, Verdict.HOLDS, f"{len(steps)} steps, each established", route)


def is_zero(expression: Any, seed: int = 0, domain: Domain | None = None) -> bool | None:
    """Whether an expression is identically zero: True if proved, False if a point refutes it, else None.

    For the steps of a proof.

    >>> x = sympy.Symbol("x", real=True)
    >>> is_zero((x + 1) ** 2 - x**2 - 2 * x - 1), is_zero(sympy.sin(x) - x)
    (True, False)
    """
    found = Identity(domain=domain or {})(sympy.Eq(expression, 0, evaluate=False), Context(seed=seed))
    return {Verdict.HOLDS: True, Verdict.REFUTED: False}.get(found.verdict)


def _factor_roots(expression: sympy.Expr) -> sympy.Expr:
    """Factors under roots come out by their signs: sqrt(1 - x^2 / (1 + x)^2) = sqrt(1 + 2 x) / (1 + x)."""
    return expression.replace(
        lambda part: part.is_Pow and part.exp.is_Rational and not part.exp.is_Integer,
        lambda root: sympy.factor(sympy.together(root.base)) ** root.exp,
    )


def _split_exponents(expression: sympy.Expr) -> sympy.Expr:
    """exp(1 / (x (1 + x))) = exp(1 / x) / exp(1 / (1 + x)), so that exponentials of sums can cancel."""

    def split(exponent: sympy.Expr) -> sympy.Expr:
        exponent = sympy.together(exponent)
        poles = sympy.denom(exponent).free_symbols
        if not poles or not exponent.is_rational_function():
            return sympy.exp(exponent)
        return sympy.expand(sympy.exp(sympy.apart(exponent, min(poles, key=str))))

    return expression.replace(sympy.exp, split)


def _residual(equation: Any) -> sympy.Expr:
    if equation in (sympy.true, sympy.false):
        return sympy.S.Zero if equation == sympy.true else sympy.S.One
    if not isinstance(equation, sympy.Equality):
        raise TypeError(f"an identity must be a SymPy Eq, got {type(equation).__name__}")
    return equation.lhs - equation.rhs


def _counterexample(residual: sympy.Expr, seed: int, domain: Domain) -> tuple[dict[str, str], str] | None:
    for point in random_points(residual.free_symbols, POINTS, seed, domain):
        value = nonzero_value(residual, point)
        if value is not None:
            return {str(symbol): str(at) for symbol, at in point.items()}, str(value.n(6))
    return None


def _refutation(wrong: Step, route: tuple[str, ...]) -> tuple[str, tuple[str, ...], dict[str, Any]]:
    """Detail, route and data of a refutation."""
    detail = f"{wrong.name} is false {wrong.detail}".strip()
    if wrong.counterexample is None:
        return detail, route, {}
    return f"{detail}: {plain(wrong.counterexample)}", route, {"counterexample": wrong.counterexample}


def _outcome(step: Step) -> str:
    outcome = {True: "true", False: "FALSE", None: "open"}[step.ok]
    return f"{outcome} ({step.detail})" if step.detail else outcome
