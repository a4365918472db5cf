"""Corollary 2: when the oracle's excess risk vanishes, and which hypotheses that needs."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy import Expr, Ge, Integer, Le, Rational, Symbol, erf, erfc, exp, oo, pi, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant
from proofs_check.claims.oracle import TYPICAL, VARIABLES
from proofs_check.judges.exact import Step, Steps
from proofs_check.judges.positive import Argument
from proofs_check.steps import equal, limit, nonnegative, positive
from theory import oracle, sequences
from theory.sequences import Sequence
from theory.special import erf_variance, zeta
from theory.symbols import L, d, gamma, in_dimension, lam, m

PAPER = "Corollary 2"
HERE = "this toolkit"
p, extra, less = symbols("p extra less", positive=True)
largest = gamma + extra
leakage = 1 / (1 + less)
others = Symbol("others", integer=True, nonnegative=True)


def sufficient(rate: Any = 1, factor: Any = 4) -> tuple[Any, ...]:
    """The bound's terms at lam sqrt(d) = p, lam sqrt(L) = r <= 1, gamma <= Gamma, and terms in p, r, Gamma."""
    focused, leaked = (
        term.subs(m, p / (sqrt(2) * lam)).subs(lam, leakage / sqrt(L)).subs(L, 1 + others)
        for term in oracle.bound_terms()
    )
    claimed = 2 * largest**2 * exp(-rate * p**2 / (1 + 4 * largest**2)), factor / pi * leakage**2
    return Le(focused, claimed[0]), Le(leaked, claimed[1])


def prove_sufficient(subject: Any, context: Context) -> Iterator[Step]:
    """Each exponent and factor of the bound is largest at gamma = Gamma and lam = r; then p -> oo and r -> 0."""
    focused, leaked = subject
    (small,), (large,) = (side.atoms(exp) for side in focused.args)
    yield nonnegative("the exponent is larger", sympy.factor(large.args[0] - small.args[0]))
    yield nonnegative("so is the factor", sympy.expand(focused.gts / large - focused.lts / small))
    yield nonnegative("(L - 1) lam^2 <= r^2", sympy.factor(leaked.gts - leaked.lts))
    yield limit("the first term vanishes for p -> oo", focused.gts, p, oo, 0)
    yield limit("the second term vanishes for r -> 0", leaked.gts, less, oo, 0)


def lower(slope: Any = 1) -> Ge:
    """The lower bound; in the mutant erfc decays more slowly."""
    return Ge(oracle.excess_risk(), oracle.lower_bound().replace(erfc, lambda x: erfc(slope * x)))


def prove_lower(subject: Any, context: Context) -> Iterator[Step]:
    """The miss is (1 - E erf)^2 plus a variance, and the noise has its own lower bound."""
    t, g = lam * m, lam * gamma
    mean = erf(t / sqrt(1 + 2 * g**2))
    miss = oracle.excess_risk().subs(L, 1)
    variance = erf_variance(t, g).definition()
    yield equal("the miss is a square and a variance", miss, gamma**2 * ((1 - mean) ** 2 + variance))
    noise = oracle.excess_risk() - miss
    yield equal("a noise token adds zeta(0, lam)", noise, (L - 1) * zeta(Integer(0), lam))
    yield nonnegative("there are L - 1 >= 0 of them", L - 1)
    claimed = gamma**2 * (1 - mean) ** 2 + (L - 1) * oracle.noise_bounds()[0]
    yield equal("their sum without the variance is the subject's bound", subject.rhs, claimed)


def necessary(factor: Any = 2) -> tuple[Any, ...]:
    """L lam^2 (1 - 2 c) <= 2 c for L >= 2, where 4 c / pi is the lower bound of the noise tokens' part."""
    tokens = 2 + others
    c = (pi / 4 * (L - 1) * oracle.noise_bounds()[0]).subs(L, tokens)
    return (Le(tokens * lam**2 * (1 - 2 * c), factor * c),)


def prove_necessary(subject: Any, context: Context) -> Iterator[Step]:
    """Both parts of the lower bound vanish with the excess risk e: c <= pi e / 4 and erfc(x) <= sqrt(e) / gamma."""
    for relation in subject:
        yield nonnegative("the inequality", sympy.factor(relation.gts - relation.lts))
    c, y = symbols("c y", positive=True)
    yield limit("so L lam^2 <= 2 c / (1 - 2 c) vanishes with c", 2 * c / (1 - 2 * c), c, 0, 0, side="+")
    x = lam * m / sqrt(1 + 2 * (lam * gamma) ** 2)
    yield nonnegative("x <= lam m = lam sqrt(d) / sqrt 2", (lam * m) ** 2 - x**2)
    yield positive("erfc decreases, so where it vanishes x tends to infinity", -erfc(y).diff(y))


def alone(rate: Any = 1) -> Le:
    """With one token: the upper bound in x, which vanishes exactly if the lower bound does."""
    x = lam * m / sqrt(1 + 2 * (lam * gamma) ** 2)
    return Le(oracle.excess_risk().subs(L, 1), 2 * gamma**2 * exp(-rate * x**2))


def prove_alone(subject: Any, context: Context) -> Iterator[Step]:
    """The bound's exponent lambda^2 d / (1 + 4 lambda^2 gamma^2) is at least x^2, and 1/x^2 is a sum."""
    (large,) = subject.gts.atoms(exp)
    (bound,) = oracle.bound_terms()[0].atoms(exp)
    yield nonnegative("the exponent is larger", sympy.factor(large.args[0] - bound.args[0]))
    yield equal("the factor is the same", subject.gts / large, oracle.bound_terms()[0] / bound)
    squares = 2 / (lam**2 * d) + 4 * gamma**2 / d
    yield equal("1/x^2 = 2/(lam^2 d) + 4 gamma^2/d", -1 / in_dimension(large.args[0]), squares)


@dataclass(frozen=True)
class Limits:
    """A sequence, and the limits of lam sqrt(d), of lam sqrt(L) and of a bound of the excess risk along it."""

    sequence: Sequence
    focus: Any
    leakage: Any
    bound: Expr
    excess: Any


def prove_limits(subject: Limits, context: Context) -> Iterator[Step]:
    """The three limits."""
    sequence = subject.sequence
    yield limit("lam sqrt(d)", sequence.focus, sequences.n, oo, subject.focus)
    yield limit("lam sqrt(L)", sequence.leakage, sequences.n, oo, subject.leakage)
    yield limit("bound of the excess risk", sequence.along(subject.bound), sequences.n, oo, subject.excess)


def claims() -> list[Claim]:
    """Corollary 2, its converse, and a sequence for each hypothesis."""
    return [_sufficient(), _lower_bound(), _necessary(), _one_token(), *_sequences()]


def _sufficient() -> Claim:
    return Claim(
        id="corollary.sufficient",
        statement=r"If $\gamma \leq \Gamma$ and $\lambda \sqrt{L} = r \leq 1$ then the oracle's excess risk is at most "
        r"$2\Gamma^2 e^{-\lambda^2 d/(1 + 4\Gamma^2)} + \frac{4}{\pi} r^2$. So it vanishes along every sequence with "
        r"bounded $\gamma$, $\lambda\sqrt{d} \to \infty$ and $\lambda\sqrt{L} \to 0$, whatever $L$ does.",
        subject=sufficient,
        source=PAPER,
        judges=(Argument(prove_sufficient),),
        mutants=(
            Mutant("five times the exponent", lambda: sufficient(rate=5)),
            Mutant("half of the noise", lambda: sufficient(factor=2)),
        ),
        variables=VARIABLES,
        depends_on=("oracle.bound",),
        derivation=inspect.cleandoc(prove_sufficient.__doc__ or ""),
    )


def _lower_bound() -> Claim:
    return Claim(
        id="corollary.lower-bound",
        statement=r"For all $d, L, \gamma, \lambda$ the oracle's excess risk is at least "
        r"$\gamma^2 erfc(x)^2 + \frac{4}{\pi} (L - 1) \lambda^2/(1 + 2\lambda^2)$, "
        r"$x = \lambda \sqrt{d/2}/\sqrt{1 + 2\lambda^2\gamma^2}$.",
        subject=lower,
        source=HERE,
        judges=(Argument(prove_lower, TYPICAL),),
        mutants=(Mutant("erfc(x/2)", lambda: lower(slope=sympy.S.Half)),),
        variables=VARIABLES,
        depends_on=("risk.oracle", "gaussian.variance", "oracle.noise-bounds"),
        derivation=inspect.cleandoc(prove_lower.__doc__ or ""),
    )


def _necessary() -> Claim:
    return Claim(
        id="corollary.necessary",
        statement=r"Conversely, for fixed $\gamma$ and $L \geq 2$: an excess risk $e < 2/\pi$ of the oracle implies "
        r"$L\lambda^2 \leq 2c/(1 - 2c)$ with $c = \pi e/4$, and $erfc(\lambda\sqrt{d/2}) \leq \sqrt{e}/\gamma$. So it "
        r"vanishes only if $\lambda\sqrt{d} \to \infty$ and $\lambda\sqrt{L} \to 0$; hence only if $d/L \to \infty$.",
        subject=necessary,
        source=HERE,
        judges=(Argument(prove_necessary),),
        mutants=(Mutant("half of it", lambda: necessary(factor=1)),),
        variables=VARIABLES,
        depends_on=("corollary.lower-bound",),
        derivation=inspect.cleandoc(prove_necessary.__doc__ or ""),
    )


def _one_token() -> Claim:
    return Claim(
        id="corollary.one-token",
        statement=r"With one token, $L = 1$, the oracle's excess risk lies between $\gamma^2 erfc(x)^2$ and "
        r"$2\gamma^2 e^{-x^2}$, where $1/x^2 = 2/(\lambda^2 d) + 4\gamma^2/d$: for fixed $\gamma$ it vanishes if and only "
        r"if $\lambda\sqrt{d} \to \infty$ and $d \to \infty$.",
        subject=alone,
        source=HERE,
        judges=(Argument(prove_alone, TYPICAL),),
        mutants=(Mutant("four times the exponent", lambda: alone(rate=4)),),
        variables=VARIABLES,
        depends_on=("oracle.bound", "corollary.lower-bound"),
        derivation=inspect.cleandoc(prove_alone.__doc__ or ""),
    )


def _sequences() -> list[Claim]:
    upper, below = oracle.bound(), oracle.lower_bound()
    return [
        _sequence(
            "slow-attention",
            r"$\lambda\sqrt{d} \to \infty$ cannot be spared in Corollary 2: with $L = 2$ and $\lambda = 1/\sqrt{d}$, "
            r"$\lambda\sqrt{L} \to 0$ but the excess risk stays above $\gamma^2 erfc(1/\sqrt{2})^2$ in the limit.",
            Limits(sequences.SLOW, 1, 0, below, gamma**2 * erfc(1 / sqrt(2)) ** 2),
            ("lam = d^(-1/4)", replace(sequences.SLOW, lam=sequences.n ** Rational(-1, 4))),
        ),
        _sequence(
            "leaky-attention",
            r"$\lambda\sqrt{L} \to 0$ cannot be spared in Corollary 2: with $d = L^2$ and $\lambda = 1/\sqrt{L}$, "
            r"$\lambda\sqrt{d} \to \infty$ but the excess risk stays above $4/\pi$ in the limit.",
            Limits(sequences.LEAKY, oo, 1, below, 4 / pi),
            ("lam = L^(-3/4)", replace(sequences.LEAKY, lam=sequences.n ** Rational(-3, 4))),
        ),
        _sequence(
            "unbounded-gamma",
            r"Corollary 2 needs a bounded $\gamma$: with $L = 2$, $\lambda = d^{-1/4}$ and $\gamma = \sqrt{d/2}$ both its "
            r"conditions hold, but the excess risk tends to infinity.",
            Limits(sequences.WIDE, oo, 0, below, oo),
            ("gamma = 1", replace(sequences.WIDE, gamma=Integer(1))),
        ),
        _sequence(
            "vanishing-gamma",
            r"If $\gamma \to 0$, $\lambda\sqrt{d} \to \infty$ is not necessary: with $L = 2$, $\lambda = 1/\sqrt{d}$ and "
            r"$\gamma = 1/d$ the excess risk vanishes (as that of predicting 0 does).",
            Limits(sequences.NARROW, 1, 0, upper, 0),
            ("gamma fixed", replace(sequences.NARROW, gamma=gamma)),
        ),
        _sequence(
            "one-token-fixed-lambda",
            r"With $L = 1$, $\lambda\sqrt{L} \to 0$ is not necessary: with $\lambda = 1$ the excess risk vanishes for "
            r"$d \to \infty$.",
            Limits(sequences.ALONE, oo, 1, upper, 0),
            ("L = 2", replace(sequences.ALONE, L=Integer(2))),
        ),
        _sequence(
            "one-token-fixed-dimension",
            r"With $L = 1$, $\lambda\sqrt{d} \to \infty$ does not suffice: for $d = 2$ and $\lambda \to \infty$ the excess "
            r"risk stays above $\gamma^2 erfc(1/(\sqrt{2}\gamma))^2$ in the limit.",
            Limits(sequences.HOT, oo, oo, below, gamma**2 * erfc(1 / (sqrt(2) * gamma)) ** 2),
            ("d grows", replace(sequences.HOT, d=sequences.n)),
        ),
    ]


def _sequence(name: str, statement: str, limits: Limits, other: tuple[str, Sequence]) -> Claim:
    elsewhere = replace(limits, sequence=other[1])
    return Claim(
        id=f"corollary.{name}",
        statement=statement,
        subject=lambda: limits,
        formula=lambda: limits.sequence.along(limits.bound),
        source=HERE,
        judges=(Steps(prove_limits),),
        mutants=(
            Mutant(other[0], lambda: elsewhere),
            Mutant("another limit", lambda: replace(limits, excess=1 / (1 + limits.excess))),
        ),
        depends_on=("oracle.bound" if limits.excess == 0 else "corollary.lower-bound",),
    )
