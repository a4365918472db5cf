"""The gate erf(lam U) of the informative token at k = k*: its variance between elementary bounds."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Expr, Ge, Le, Symbol, asin, atan, exp, pi, sqrt

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.judges.exact import Step
from proofs_check.judges.positive import Argument
from proofs_check.steps import equal, positive
from theory import gate
from theory.composite import a, u
from theory.special import OwenT

p, q = sympy.symbols("p q", positive=True)


def relations(low: Expr, high: Expr) -> tuple[Expr, ...]:
    return Ge(gate.variance(), low), Le(gate.variance(), high)


def steps(_: tuple[Expr, ...], __: Context) -> Iterator[Step]:
    """The exponential lies between its values at the ends of the interval of integration."""
    x = Symbol("x", positive=True)
    share = sqrt((1 - u) / (1 + u))
    integrand = 8 * OwenT.integrand(sqrt(2) * a, x)
    yield equal("what is integrated", integrand, 4 / pi * exp(-(a**2) * (1 + x**2)) / (1 + x**2))
    falls = -sympy.diff(exp(-(a**2) * (1 + x**2)), x)
    yield positive("the exponential falls", falls)
    yield equal("its exponent at the lower end", 1 + share**2, 2 / (1 + u))
    rest = pi / 4 - atan(share)
    unit = {u: p / (1 + p)}
    slopes = (sympy.diff(e, u).subs(unit) for e in (rest, asin(u) / 2))
    yield equal("the rest has the integral asin(u) / 2: same slope", *slopes)
    yield equal("and same value at u = 0", rest.subs(u, 0), 0)
    low, high = gate.variance_bounds()
    yield equal("the lower bound", low, 4 / pi * asin(u) / 2 * exp(-2 * a**2))
    yield equal("the upper bound", high, 4 / pi * asin(u) / 2 * exp(-(a**2) * (1 + share**2)))


def claims() -> list[Claim]:
    return [
        Claim(
            id="gate.variance-bounds",
            statement=r"With $t = \lambda m$, $g = \lambda \gamma$, $Var\, erf(t + g G)$ is between "
            r"$\frac{2}{\pi} asin(u) e^{-2 a^2}$ and "
            r"$\frac{2}{\pi} asin(u) e^{-2 a^2 / (1 + u)}$.",
            subject=lambda: relations(*gate.variance_bounds()),
            source="this toolkit",
            judges=(Argument(steps, domain={u: (0, 1), a: (0, 2)}, points=6),),
            mutants=(
                Mutant("exchanged", lambda: relations(*reversed(gate.variance_bounds()))),
                Mutant(
                    "u for asin u",
                    lambda: relations(
                        *(bound.subs(asin(u), u) for bound in reversed(gate.variance_bounds()))
                    ),
                ),
            ),
            variables=(Variable("a", "positive"), Variable("u", "(0, 1)")),
            formula=lambda: sympy.Matrix(gate.variance_bounds()),
            depends_on=("gaussian.variance",),
        )
    ]
