"""Exact evidence for inequalities: algebra shows a sign for every admissible value of the variables."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import sympy

from proofs_check.claim import Context, Evidence, Kind, Verdict
from proofs_check.evaluate import nonzero_value
from proofs_check.judges.exact import Step, Steps
from proofs_check.points import Domain, random_points

POINTS = 32
DECADES = 2


@dataclass(frozen=True)
class Positive:
    """Proves f > g or f >= g, or several, for all values that the assumptions of their symbols admit.

    An inequality is refuted if it fails at one of some random rational points of widely different sizes.
    It holds if SymPy deduces the sign from the assumptions, or if numerator and denominator of the difference
    are polynomials of one sign (see `sign_of_polynomial`). Otherwise it is undecided.
    """

    domain: Domain = field(default_factory=dict)
    kind: Kind = Kind.EXACT

    def __call__(self, subject: Any, context: Context) -> Evidence:
        def steps(relations: Any, context: Context) -> Iterator[Step]:
            for relation in _relations(relations):
                difference, strict = _difference(relation)
                route = positive_route(difference, strict)
                yield Step(sympy.sstr(relation), True if route else None, route)

        return Argument(steps, self.domain)(subject, context)


@dataclass(frozen=True)
class Argument:
    """Proves relations by an argument: a function from the subject and the context to steps, as for `Steps`.

    Before that each relation among the subject's (f > g, f >= g, Eq) is tried at random points and refuted
    if it fails at one. An argument with a false step only fails to prove: the relations are undecided.

    domain: intervals to look for counterexamples in.
    relations: how to read the relations off the subject, if it is more than a relation or a tuple of them.
    """

    steps: Callable[[Any, Context], Iterable[Step]]
    domain: Domain = field(default_factory=dict)
    relations: Callable[[Any], Iterable[Any]] = lambda subject: _relations(subject)
    points: int = POINTS
    kind: Kind = Kind.EXACT

    def __call__(self, subject: Any, context: Context) -> Evidence:
        for relation in self.relations(subject):
            counterexample = violation(relation, context.seed, self.domain, self.points)
            if counterexample is not None:
                where = ", ".join(f"{name} = {at}" for name, at in counterexample.items()) or "every point"
                data = {"counterexample": counterexample}
                return Evidence(
                    self.kind, Verdict.REFUTED, f"{sympy.sstr(relation)} fails at {where}", data=data
                )
        found = Steps(self.steps, kind=self.kind)(subject, context)
        if found.verdict is Verdict.REFUTED:
            return replace(found, verdict=Verdict.UNDECIDED, detail=f"the argument fails: {found.detail}")
        return found


def is_positive(expression: Any, *, strict: bool = True) -> bool | None:
    """Whether an expression is positive (or non-negative) for all admissible values: True, or None if open.

    For the steps of a proof.

    >>> x = sympy.Symbol("x", positive=True)
    >>> is_positive(x**3 - x + 1), is_positive(x - 1)
    (True, None)
    """
    return True if positive_route(sympy.sympify(expression), strict) else None


def positive_route(difference: sympy.Expr, strict: bool = True) -> str:
    """How the sign is established, in words; empty if it is not."""
    if difference.is_positive or (not strict and difference.is_nonnegative):
        return "by the signs of its terms"
    numerator, denominator = sympy.fraction(sympy.together(difference))
    for top, bottom in ((numerator, denominator), (-numerator, -denominator)):
        if _positive_factors(bottom, True) and _positive_factors(top, strict):
            return "numerator and denominator are products of positive factors"
    return ""


def violation(
    relation: Any, seed: int, domain: Domain | None = None, points: int = POINTS
) -> dict[str, str] | None:
    """A point at which the relation certainly fails, or None."""
    if relation in (sympy.true, sympy.false):
        return None if relation == sympy.true else {}
    if not isinstance(relation, sympy.core.relational.Relational):
        raise TypeError(f"the subject must be a SymPy relation, got {type(relation).__name__}")
    difference = relation.lhs - relation.rhs
    for point in wide_points(difference.free_symbols, points, seed, domain or {}):
        if _fails(relation, nonzero_value(difference, point)):
            return {str(symbol): str(at) for symbol, at in point.items()}
    return None


def wide_points(
    symbols: Iterable[sympy.Symbol], count: int, seed: int, domain: Domain
) -> list[dict[sympy.Symbol, sympy.Rational]]:
    """Random points as of `random_points`, each unbounded variable scaled by a random power of ten.

    Positive integers are 1 in a third of the points: there, what they count is missing.
    """
    scale = random.Random(seed)
    points = random_points(symbols, count, seed, domain)
    for point in points:
        for symbol in sorted(set(point) - set(domain), key=str):
            power = scale.randint(-DECADES, DECADES)
            if not symbol.is_integer:
                point[symbol] *= sympy.Integer(10) ** power
            elif symbol.is_positive:
                point[symbol] = point[symbol] * sympy.Integer(10) ** power if power >= 0 else sympy.S.One
    return points


def sign_of_polynomial(polynomial: sympy.Poly) -> int | None:
    """1 if a polynomial is positive, 0 if it is non-negative, where its symbols satisfy their assumptions.

    It is, if every term is; a polynomial in one positive variable also if Sturm's theorem finds no root on
    the half line and it is positive at 1. None where neither tells.
    """
    terms = [coefficient * _monomial(polynomial, powers) for powers, coefficient in polynomial.terms()]
    if all(term.is_nonnegative for term in terms):
        return int(any(term.is_positive for term in terms))
    if len(polynomial.gens) == 1 and polynomial.gens[0].is_positive and polynomial.domain.is_Exact:
        if not polynomial.domain.is_Numerical or polynomial.eval(0) < 0:
            return None
        without_zero = sympy.Poly(polynomial.terms_gcd()[1], *polynomial.gens)
        if without_zero.eval(1) > 0 and without_zero.count_roots(0, None) == 0:
            return 1
    return None


def _positive_factors(product: sympy.Expr, strict: bool) -> bool:
    """Whether every factor is positive, even powers and what has known sign apart."""
    constant, factors = _factors(product)
    if not sympy.sympify(constant).is_positive:
        return False
    return all(_positive_factor(factor, power, strict) for factor, power in factors)


def _factors(product: sympy.Expr) -> tuple[sympy.Expr, list[tuple[sympy.Expr, int]]]:
    """Constant and factors of a polynomial; the expression itself where SymPy factors none."""
    if product.is_polynomial():
        with suppress(sympy.PolynomialError):  # it stumbles over powers of pi
            return sympy.factor_list(product)
    return sympy.S.One, [(product, 1)]


def _positive_factor(factor: sympy.Expr, power: int, strict: bool) -> bool:
    if factor.is_positive or (not strict and (factor.is_nonnegative or power % 2 == 0)):
        return True
    if not factor.free_symbols or not factor.is_polynomial():
        return False
    sign = sign_of_polynomial(sympy.Poly(factor, *sorted(factor.free_symbols, key=str)))
    return sign is not None and (sign == 1 or not strict)


def _monomial(polynomial: sympy.Poly, powers: tuple[int, ...]) -> sympy.Expr:
    return sympy.Mul(*(gen**power for gen, power in zip(polynomial.gens, powers, strict=True)))


def _relations(subject: Any) -> list[Any]:
    return list(subject) if isinstance(subject, tuple | list | sympy.Tuple) else [subject]


def _difference(relation: Any) -> tuple[sympy.Expr, bool]:
    if relation in (sympy.true, sympy.false):
        return sympy.Integer(1 if relation == sympy.true else -1), True
    if not isinstance(relation, sympy.core.relational._Inequality):
        raise TypeError(f"an inequality must be a SymPy relation, got {type(relation).__name__}")
    return relation.gts - relation.lts, isinstance(relation, sympy.StrictGreaterThan | sympy.StrictLessThan)


def _fails(relation: Any, difference: sympy.Expr | None) -> bool:
    """Whether sides that differ by this certainly break the relation."""
    if difference is None:
        return False
    if isinstance(relation, sympy.Equality):
        return bool(difference != 0)
    above = isinstance(relation, sympy.GreaterThan | sympy.StrictGreaterThan)
    return bool(difference < 0 if above else difference > 0)
