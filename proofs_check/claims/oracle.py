"""The oracle's excess risk between explicit bounds, for every d, L, gamma and lambda."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Eq, Expr, Integral, Le, Symbol, atan, erf, erfc, exp, integrate, log, oo, pi, sqrt

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.judges.exact import Step, Steps
from proofs_check.judges.positive import Argument
from proofs_check.steps import equal, grows_from_zero, limit, nonnegative, positive, value
from theory import oracle
from theory.oracle import a, b, decay, miss, miss_at_zero, miss_integrand, weight
from theory.special import OwenT, zeta
from theory.symbols import L, g, gamma, lam, m

t = Symbol("t", positive=True)
VARIABLES = (
    Variable("m", "> 0", "signal strength, sqrt(d/2)"),
    Variable("L", "integer >= 1", "number of tokens"),
    Variable("gamma", "> 0", "standard deviation of the informative token"),
    Variable("lambda", "> 0", "inverse temperature of the attention"),
)
SMOOTHING = (
    Variable("t", "> 0", "lambda m in the oracle's risk"),
    Variable("g", "> 0", "lambda gamma in the oracle's risk"),
)
TYPICAL = {lam: ("1/100", 1), m: (1, 20), gamma: ("1/10", 2)}
"""Where counterexamples are looked for: elsewhere one of the two losses hides the other."""
HALF = sympy.Rational(1, 2)


def laplace(factor: Any = 1) -> Eq:
    """The miss as an integral over how far two copies of the smoothing variable exceed the threshold."""
    return Eq(miss(t), Integral(factor * miss_integrand(t), (a, 0, oo), (b, 0, oo)), evaluate=False)


def prove_laplace(subject: Any, context: Context) -> Iterator[Step]:
    """Write both factors erfc(u) of the miss as integrals over a and b and take the expectation first (Fubini;
    everything is positive). The closed form has the same derivative in t and the same limit at infinity."""
    u = Symbol("u", real=True)
    closed, integrand = subject.lhs, subject.rhs.function
    tail = integrate(2 / sqrt(pi) * exp(-((u + a) ** 2)), (a, 0, oo))
    yield equal("erfc(u) integrates 2 exp(-(u + a)^2) / sqrt(pi) over a > 0", tail, erfc(u))
    yield positive("the integrand is positive", integrand)
    yield equal("the two sides have one derivative in t", edge(integrand), closed.diff(t))
    yield from tilted(integrand)
    h = t / sqrt(1 + 2 * g**2)
    owen = OwenT(sqrt(2) * h, 1 / sqrt(1 + 4 * g**2))
    closed = closed.replace(zeta, lambda *z: zeta(*z).closed_form())
    yield equal(
        "the closed form is 2 erfc(h) - 8 T, with h a multiple of t", 2 - 2 * erf(h) - 8 * owen, closed
    )
    yield positive(
        "T integrates a positive function, so the form is at most 2 erfc(h)", OwenT.integrand(h, a)
    )
    yield limit("which vanishes for t -> oo, as the integral does", 2 - 2 * erf(h), t, oo, 0)


def edge(integrand: Expr) -> Expr:
    """d/dt of the integral of a symmetric function of t + a and t + b: minus twice that over an edge."""
    return -2 * integrate(integrand.subs(a, 0).expand(), (b, 0, oo))


def tilted(integrand: Expr) -> Iterator[Step]:
    """The integrand is exp(-c t^2) times a weight free of t times exp(-c t (a + b))."""
    tilt = exp(-decay() * t * (t + a + b))
    name = "the integrand is exp(-c t^2) exp(-c t (a + b)) times its value at t = 0"
    yield equal(name, integrand / (weight() * tilt), 1)


def miss_bounds(rate: Any = 2, slope: Any = 1) -> tuple[Any, ...]:
    """Both bounds; the mutants have another rate than 2, or another slope of the tangent."""
    lower, upper = oracle.miss_bounds(t)
    change = exp((2 - rate) * t**2 / (1 + 4 * g**2))
    return Le(upper * (lower / upper) ** slope * change, miss(t)), Le(miss(t), upper * change)


def prove_miss_bounds(subject: Any, context: Context) -> Iterator[Step]:
    """exp(c t^2) miss is the Laplace transform of a positive measure in t, so it decreases and its logarithm is
    convex, above its tangent at t = 0."""
    lower, upper = subject[0].lts, subject[1].gts
    scaled = exp(decay() * t**2)
    yield from tilted(miss_integrand(t))
    yield positive("the weight is positive", weight())
    yield nonnegative("exp(-c t (a + b)) decreases in t", decay() * (a + b))
    at_zero = miss(t).subs(t, 0).subs(zeta(0, g), oracle.noise().subs(lam, g))
    yield equal("the upper bound is an equality at t = 0", upper.subs(t, 0), at_zero)
    yield equal("exp(c t^2) times the upper bound is free of t", (upper * scaled).diff(t), 0)
    yield convex_logarithm()
    yield equal("the lower bound's logarithm plus c t^2 is linear", log(lower * scaled).diff(t, 2), 0)
    yield equal("with the same value at 0", lower.subs(t, 0), upper.subs(t, 0))
    slope = (miss(t).diff(t) / upper).subs(t, 0)
    yield equal("and the same slope at 0", log(lower * scaled).diff(t).subs(t, 0), slope)


def convex_logarithm() -> Step:
    """(log M)'' of a Laplace transform M with moments M0, M1, M2 is the variance of a probability law."""
    zeroth, first, second = sympy.symbols("M0 M1 M2", positive=True)
    mean, x = first / zeroth, Symbol("x", real=True)
    coefficients = sympy.Poly((x - mean) ** 2, x).all_coeffs()
    variance = sum(c * M for c, M in zip(coefficients, (second, first, zeroth), strict=True)) / zeroth
    return equal("(log M)'' = M''/M - (M'/M)^2 is a variance", variance, second / zeroth - mean**2)


def tail_bounds(factor: Any = 1) -> tuple[Any, ...]:
    """Both bounds; the mutants have a multiple of the upper one."""
    lower, upper = oracle.miss_tail_bounds(t)
    return Le(lower, miss(t)), Le(miss(t), factor * upper)


def prove_tail_bounds(subject: Any, context: Context) -> Iterator[Step]:
    """The weight is its value at a = b = 0 times exp(-Q) with a quadratic form Q, and 1 - Q <= exp(-Q) <= 1."""
    lower, upper = subject[0].lts, subject[1].gts
    at_origin = weight().subs({a: 0, b: 0})
    form = ((a**2 + b**2) + 2 * g**2 * (a - b) ** 2) / (1 + 4 * g**2)
    yield from tilted(miss_integrand(t))
    yield equal("weight(a, b) = weight(0, 0) exp(-Q)", weight() / (at_origin * exp(-form)), 1)
    yield nonnegative("Q >= 0", form)
    x = Symbol("x", positive=True)
    yield from grows_from_zero("exp(-x) - 1 + x", exp(-x) - 1 + x, x, order=2)
    for name, factor, sought in (("1", sympy.Integer(1), upper), ("1 - Q", 1 - form, lower)):
        integrand = sympy.expand(factor) * exp(-x * a) * exp(-x * b)
        transform = integrate(integrate(integrand, (a, 0, oo)), (b, 0, oo)).subs(x, decay() * t)
        claimed = sought * exp(decay() * t**2) / at_origin
        yield equal(f"{name} in place of exp(-Q) integrates to the bound", transform, claimed)


def noise_bounds(factor: Any = 4) -> tuple[Any, ...]:
    """Both bounds, with another factor in place of 4 in the mutants."""
    lower, upper = oracle.noise_bounds()
    return Le(lower * factor / 4, oracle.noise()), Le(oracle.noise(), upper * factor / 4)


def prove_noise_bounds(subject: Any, context: Context) -> Iterator[Step]:
    """The differences vanish at 0 and grow: r = sqrt(1 + 4 lambda^2) makes their derivatives rational."""
    r = 1 + Symbol("v", positive=True)
    for relation in subject:
        difference = relation.gts - relation.lts
        yield from grows_from_zero(sympy.sstr(relation), difference, lam, (sqrt(r**2 - 1) / 2, r))


def bound(rate: Any = 1, tokens: Any = L) -> Le:
    """The explicit bound; the mutants multiply the exponent or change the number of tokens."""
    upper = oracle.bound().replace(exp, lambda z: exp(rate * z)).subs(L, tokens)
    return Le(oracle.excess_risk(), upper)


def prove_bound(subject: Any, context: Context) -> Iterator[Step]:
    """Add the two upper bounds; miss(0, g) is at most 2."""
    arc = 4 / pi * atan(1 / sqrt(1 + 4 * g**2))
    yield equal("2 - miss(0, g) is an arc: derivative", (2 - miss_at_zero()).diff(g), arc.diff(g))
    yield value("2 - miss(0, g) is an arc: value", 2 - miss_at_zero() - arc, g, 0, 0)
    yield positive("the arc is positive", arc)
    upper = 2 * oracle.miss_bounds(lam * m, lam * gamma)[1] / miss_at_zero(lam * gamma)
    yield nonnegative("there are L - 1 >= 0 noise tokens", L - 1)
    total = gamma**2 * upper + (L - 1) * oracle.noise_bounds()[1]
    slack = sympy.expand(subject.gts - total)
    yield nonnegative("the subject's bound is at least the sum of the two", slack)


def claims() -> list[Claim]:
    """From the miss as a Laplace transform to the bound."""
    return [_laplace(), _miss_bounds(), _miss_tail(), _noise_bounds(), _bound()]


def _laplace() -> Claim:
    return Claim(
        id="oracle.laplace",
        statement=r"For $t > 0$, $E(1 - erf(t + gG))^2$ is the integral over $a, b > 0$ of a positive function "
        r"$e^{-ct^2} w(a, b) e^{-ct(a + b)}$ with $c = 2/(1 + 4g^2)$: but for a Gaussian factor, a Laplace "
        r"transform.",
        subject=laplace,
        source="this toolkit",
        judges=(Steps(prove_laplace),),
        mutants=(Mutant("half of it", lambda: laplace(HALF)),),
        variables=SMOOTHING,
        depends_on=("gaussian.smoothing", "gaussian.zeta"),
        derivation=inspect.cleandoc(prove_laplace.__doc__ or ""),
    )


def _miss_bounds() -> Claim:
    return Claim(
        id="oracle.miss-bounds",
        statement=r"For $t > 0$ and $A = 1 + \zeta(0, g)$, $E(1 - erf(t + gG))^2$ is at most "
        r"$A e^{-2t^2/(1 + 4g^2)}$ and at least this times $e^{-4t/(A\sqrt{\pi(1 + 2g^2)})}$.",
        subject=miss_bounds,
        source="this toolkit",
        judges=(Argument(prove_miss_bounds),),
        mutants=(
            Mutant("a faster decay", lambda: miss_bounds(rate=3)),
            Mutant("a slower decay", lambda: miss_bounds(rate=1)),
            Mutant("half the slope", lambda: miss_bounds(slope=HALF)),
        ),
        variables=SMOOTHING,
        depends_on=("oracle.laplace", "gaussian.zeta-at-zero"),
        derivation=inspect.cleandoc(prove_miss_bounds.__doc__ or ""),
    )


def _miss_tail() -> Claim:
    return Claim(
        id="oracle.miss-tail",
        statement=r"For $t > 0$, $E(1 - erf(t + gG))^2$ is at most "
        r"$(1 + 4g^2)^{3/2} e^{-2t^2/(1 + 4g^2)} / (\pi t^2)$ and at least this times "
        r"$1 - (1 + g^2)(1 + 4g^2)/t^2$: the ratio of the bounds tends to 1 for $t \to \infty$.",
        subject=tail_bounds,
        source="this toolkit",
        judges=(Argument(prove_tail_bounds, points=12),),
        mutants=(Mutant("half the upper bound", lambda: tail_bounds(HALF)),),
        variables=SMOOTHING,
        depends_on=("oracle.laplace",),
        derivation=inspect.cleandoc(prove_tail_bounds.__doc__ or ""),
    )


def _noise_bounds() -> Claim:
    return Claim(
        id="oracle.noise-bounds",
        statement=r"$\zeta(0, \lambda)$ lies between $\frac{4}{\pi} \lambda^2/(1 + 2\lambda^2)$ and "
        r"$\frac{4}{\pi} \lambda^2$.",
        subject=noise_bounds,
        source="this toolkit",
        judges=(Argument(prove_noise_bounds),),
        mutants=(Mutant("3 for 4", lambda: noise_bounds(3)), Mutant("5 for 4", lambda: noise_bounds(5))),
        variables=VARIABLES[3:],
        depends_on=("gaussian.zeta-at-zero",),
        derivation=inspect.cleandoc(prove_noise_bounds.__doc__ or ""),
    )


def _bound() -> Claim:
    return Claim(
        id="oracle.bound",
        statement=r"For all $d, L, \gamma, \lambda$ the oracle's excess risk is at most "
        r"$2\gamma^2 e^{-\lambda^2 d/(1 + 4\lambda^2\gamma^2)} + \frac{4}{\pi}(L - 1)\lambda^2$.",
        subject=bound,
        source="this toolkit",
        judges=(Argument(prove_bound, TYPICAL),),
        mutants=(
            Mutant("twice the exponent", lambda: bound(rate=2)),
            Mutant("no noise tokens", lambda: bound(tokens=1)),
        ),
        variables=VARIABLES,
        depends_on=("risk.oracle", "oracle.miss-bounds", "oracle.noise-bounds"),
        derivation=inspect.cleandoc(prove_bound.__doc__ or ""),
    )
