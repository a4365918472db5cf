"""How fast the optimum attracts on M, and what lambda and its schedule do to the rates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from sympy import (
    Eq,
    Expr,
    Gt,
    Le,
    Lt,
    Matrix,
    S,
    Symbol,
    erf,
    erfc,
    exp,
    oo,
    pi,
    sqrt,
    symbols,
)

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.claims.manifold import ADMISSIBLE
from proofs_check.judges.exact import Identity, Step, Steps
from proofs_check.judges.positive import Argument
from proofs_check.steps import equal, limit, positive
from theory import planar
from theory.composite import DEFINITIONS, a, b, in_parameters
from theory.convergence import (
    SINK,
    erfc_bounds,
    sink_rates,
    slow_exponent,
    slow_rate_bounds,
)
from theory.planar import gate_slope
from theory.symbols import gamma, kappa, lam, m, nu

x = Symbol("x", positive=True)
SLOPES = (Variable("a", "positive"), Variable("a'", "positive, less than a"))
SLOW, FAST = 4 * gamma**2 * a * gate_slope(a) * erfc(b), 4 * gamma**2 * erf(a)


# --- rates at the sinks ----------------------------------------------------------------------------------


def rates_are(slow: Expr, fast: Expr) -> tuple[Eq, ...]:
    """Rates from the velocity in the overlaps, and twice the eigenvalues of the linearisation in the "
    "angles."""
    claimed, found, angular = (slow, fast), sink_rates(), planar.linearisation(SINK)
    from_overlaps = (Eq(found[o], rate, evaluate=False) for o, rate in zip((kappa, nu), claimed, strict=True))
    from_angles = (Eq(-2 * angular[i, i], rate, evaluate=False) for i, rate in enumerate(claimed))
    return (*from_overlaps, *from_angles)


def erfc_inequalities(scale: Expr = S.One) -> tuple[Expr, ...]:
    low, high = erfc_bounds(x)
    return Gt(erfc(x), scale * low), Lt(erfc(x), high)


def erfc_steps(_: tuple[Expr, ...], __: Context) -> Iterator[Step]:
    """Each difference vanishes at the ends of (0, oo), and its derivative shows that it is positive "
    "between."""
    low, high = erfc_bounds(x)
    root = sqrt(x**2 + 2)
    yield limit("e^(-x^2) - erfc x vanishes at 0", high - erfc(x), x, 0, 0, side="+")
    yield limit("e^(-x^2) - erfc x vanishes at infinity", high - erfc(x), x, oo, 0)
    slope = 2 * exp(-(x**2)) * (1 / sqrt(pi) - x)
    yield equal(
        "it increases up to x = 1 / sqrt(pi) and then decreases", sympy.diff(high - erfc(x), x), slope
    )
    yield limit("erfc x minus the lower bound vanishes at infinity", erfc(x) - low, x, oo, 0)
    gap = (x**2 + 1 - x * root) / (root * (x + root))
    yield equal("its derivative", sympy.diff(erfc(x) - low, x), -2 / sqrt(pi) * exp(-(x**2)) * gap)
    yield equal("x^2 + 1 > x sqrt(x^2 + 2), as the squares differ by 1", (x**2 + 1) ** 2 - (x * root) ** 2, 1)


def slow_relations(exponent: Expr) -> tuple[Expr, ...]:
    low, high = slow_rate_bounds()
    return Eq(in_parameters(a**2 + b**2), exponent, evaluate=False), Gt(SLOW, low), Lt(SLOW, high)


def slow_steps(relations: tuple[Expr, ...], _: Context) -> Iterator[Step]:
    """The bounds of erfc times the positive rest, and the sum of the two exponents."""
    low, high = slow_rate_bounds()
    erfc_low, erfc_high = erfc_bounds(b)
    rest = 4 * gamma**2 * a * gate_slope(a)
    yield positive("the factor of erfc(a') is positive", rest)
    yield equal("the lower bound is this factor times that of erfc(a')", low, rest * erfc_low)
    yield equal("the upper bound is this factor times that of erfc(a')", high, rest * erfc_high)
    yield equal("the exponents add up", relations[0].lhs, relations[0].rhs)
    power = high * exp(a**2 + b**2)
    yield equal("apart from them the upper bound is linear in a", power, 8 * gamma**2 * a / sqrt(pi))
    yield limit(
        "for large lambda the exponent stays bounded", slow_exponent(), lam, oo, m**2 / (2 * gamma**2)
    )


# --- what lambda does ------------------------------------------------------------------------------------


def small_lambda_steps(slope: Expr, _: Context) -> Iterator[Step]:
    for name, rate in (("kappa", SLOW), ("nu", FAST)):
        yield limit(f"rate along {name} over lambda", in_parameters(rate) / lam, lam, 0, slope, side="+")


def scaled_steps(claimed: Expr, _: Context) -> Iterator[Step]:
    """lambda = x / m for m -> oo: a and a' tend to x."""
    for slope in (a, b):
        yield limit(f"limit of {slope}", DEFINITIONS[slope].subs(lam, x / m), m, oo, x)
    yield equal("the rate is continuous in a and a'", SLOW.subs({a: x, b: x}), claimed)
    yield limit("exponent over m^2 at fixed lambda", slow_exponent() / m**2, m, oo, _EXPONENT)


_EXPONENT = 2 * lam**2 / (1 + 4 * lam**2 * gamma**2)


def log_rate() -> Expr:
    """-d/dt log(1 - kappa) on M."""
    return in_parameters(planar.velocity()[kappa] / (1 - kappa))


def summable_relation(constant: Expr) -> Expr:
    return Le(log_rate(), constant * gamma**2 * m * lam / sqrt(pi))


def summable_steps(_: Expr, __: Context) -> Iterator[Step]:
    """Factor by factor: 1 + kappa <= 2, erf' <= 2 / sqrt(pi), nu - erf < 2 and a <= lambda m."""
    inner = nu - erf(b * kappa)
    slope = gate_slope(a * kappa)
    product_ = 2 * gamma**2 * a * slope * (1 + kappa) * inner
    yield equal("the rate is a product", log_rate(), in_parameters(product_))
    yield equal(
        "erf' is 2 / sqrt(pi) times a Gaussian, at most 1", slope, 2 / sqrt(pi) * exp(-((a * kappa) ** 2))
    )
    ratio = (lam * m / DEFINITIONS[a]) ** 2
    yield positive("(lambda m / a)^2 > 1", sympy.expand(ratio) - 1)
    yield equal("the bounds multiply to the constant", 2 * 2 / sqrt(pi) * 2 * 2, 16 / sqrt(pi))


def quadrant_steps(velocity: Mapping[Expr, Expr], _: Context) -> Iterator[Step]:
    """In the open quadrant nu rises at a rate bounded below by lambda, and kappa, once nu > erf(a')."""
    p, q, r = symbols("p q r", positive=True)
    inside = {kappa: p / (1 + p), nu: q / (1 + q)}
    fast = sympy.factor((velocity[nu] / (1 - nu)).subs(inside))
    yield positive("nu rises where kappa > 0", fast)
    yield positive("kappa rises where kappa = 0 < nu", velocity[kappa].subs({kappa: 0, nu: q}))
    above = (velocity[kappa] / (1 - kappa)).subs(nu, erf(b * kappa) + r).subs(kappa, p / (1 + p))
    yield positive("kappa rises where nu > erf(a' kappa)", sympy.factor(above))
    yield limit(
        "the rate of nu is linear in a small lambda",
        in_parameters(fast) / lam,
        lam,
        0,
        _fast_slope(p, q),
        "+",
    )
    for slope in (a, b):
        bound = m / (sqrt(2) * gamma)
        yield positive(f"{slope}^2 is bounded in lambda", sympy.factor(bound**2 - DEFINITIONS[slope] ** 2))


def _fast_slope(p: Expr, q: Expr) -> Expr:
    """2 gamma^2 (1 + nu) (2 / sqrt pi) m kappa."""
    return 2 * gamma**2 * (1 + q / (1 + q)) * 2 / sqrt(pi) * m * p / (1 + p)


# --- claims ----------------------------------------------------------------------------------------------


def claims() -> list[Claim]:
    return [*at_fixed_lambda(), *as_lambda_varies()]


def at_fixed_lambda() -> list[Claim]:
    return [
        Claim(
            id="rates.sinks",
            statement="Near the sink $(1, 1)$ of the flow on $M$, $1 - \\kappa$ and $1 - \\nu$ vanish "
            "exponentially at "
            "the rates $4 \\gamma^2 a\\, erf'(a) erfc(a')$ and $4 \\gamma^2 erf(a)$, the distances of $k$ "
            "from $k^*$ and "
            "of $v$ from $v^*$ at half of these; at $(-1, -1)$ likewise.",
            subject=lambda: rates_are(SLOW, FAST),
            source="this toolkit",
            judges=(Identity(),),
            mutants=(
                Mutant("half of them", lambda: rates_are(SLOW / 2, FAST / 2)),
                Mutant("a for a'", lambda: rates_are(SLOW.subs(b, a), FAST)),
                Mutant("exchanged", lambda: rates_are(FAST, SLOW)),
            ),
            variables=(*SLOPES, Variable("gamma", "positive")),
            formula=lambda: Matrix([SLOW, FAST]),
            depends_on=("manifold.types", "risk.symmetry"),
            derivation="From the velocity in the overlaps, and again from the linearisation in the angles, "
            "of which "
            "$1 - \\kappa$ is a quadratic function.",
        ),
        Claim(
            id="rates.erfc",
            statement="For $x > 0$: $\\frac{2}{\\sqrt\\pi} \\frac{e^{-x^2}}{x + \\sqrt{x^2 + 2}} < erfc(x) "
            "< e^{-x^2}$.",
            subject=erfc_inequalities,
            source="this toolkit",
            judges=(Argument(erfc_steps),),
            mutants=(Mutant("twice the lower bound", lambda: erfc_inequalities(S(2))),),
            variables=(Variable("x", "positive"),),
        ),
        Claim(
            id="rates.slow",
            statement="The rate along $\\kappa$ is $e^{-\\lambda^2 d / (1 + 4 \\lambda^2 \\gamma^2)}$ up to "
            "a factor between "
            "$\\frac{16}{\\pi} \\gamma^2 a / (a' + \\sqrt{a'^2 + 2})$ and $\\frac{8}{\\sqrt\\pi} \\gamma^2 "
            "a$: exponentially small in "
            "$\\lambda^2 d$, and for large $\\lambda$ in $d / (4 \\gamma^2)$.",
            subject=lambda: slow_relations(slow_exponent()),
            source="this toolkit",
            judges=(Argument(slow_steps),),
            mutants=(
                Mutant("half the exponent", lambda: slow_relations(slow_exponent() / 2)),
                Mutant("exponent lam^2 d", lambda: slow_relations(2 * lam**2 * m**2)),
            ),
            variables=(*SLOPES, *ADMISSIBLE),
            formula=slow_exponent,
            depends_on=("rates.sinks", "rates.erfc"),
        ),
    ]


def as_lambda_varies() -> list[Claim]:
    return [
        Claim(
            id="rates.small-lambda",
            statement="For $\\lambda \\to 0$ both rates at the sinks are $8 \\gamma^2 m \\lambda / "
            "\\sqrt\\pi$ to first order, so "
            "under steps of size $s$ with $\\lambda_n = \\lambda_0 / (1 + r n)$ the linearised $1 - "
            "\\kappa$ and $1 - \\nu$ "
            "vanish like $n^{-p}$, $p = 8 \\gamma^2 m s \\lambda_0 / (\\sqrt\\pi r)$: a decreasing "
            "$\\lambda$ replaces exponential "
            "slowness in $\\lambda^2 d$ by a power law.",
            subject=lambda: 8 * gamma**2 * m / sqrt(pi),
            source="this toolkit",
            judges=(Steps(small_lambda_steps),),
            mutants=(Mutant("half of it", lambda: 4 * gamma**2 * m / sqrt(pi)),),
            variables=ADMISSIBLE,
            depends_on=("rates.sinks",),
            derivation="The product of $1 - s \\lambda_n (c + O(\\lambda_n))$ is $n^{-s c \\lambda_0 / r}$ "
            "up to a factor that "
            "converges, since the $\\lambda_n^2$ are summable.",
        ),
        Claim(
            id="rates.matched-lambda",
            statement="With $\\lambda = x / m$ and $d \\to \\infty$ the rate along $\\kappa$ tends to $4 "
            "\\gamma^2 x\\, erf'(x) erfc(x)$: "
            "it does not vanish if $\\lambda$ is of order $1 / \\sqrt d$. At fixed $\\lambda$ its logarithm "
            "over $d$ tends to "
            "$-\\lambda^2 / (1 + 4 \\lambda^2 \\gamma^2)$.",
            subject=lambda: 4 * gamma**2 * x * gate_slope(x) * erfc(x),
            source="this toolkit",
            judges=(Steps(scaled_steps),),
            mutants=(Mutant("twice the rate", lambda: 8 * gamma**2 * x * gate_slope(x) * erfc(x)),),
            variables=(Variable("x", "positive", "lambda m"), Variable("gamma", "positive")),
            depends_on=("rates.slow",),
        ),
        Claim(
            id="rates.summable",
            statement="On $M$, $-\\frac{d}{dt} \\log(1 - \\kappa) \\le \\frac{16}{\\sqrt\\pi} \\gamma^2 m "
            "\\lambda$. So with a schedule of "
            "finite $\\int \\lambda\\, dt$ the flow stops short of the optimum: $1 - \\kappa \\ge (1 - "
            "\\kappa_0) \\exp(-\\frac{16}{\\sqrt\\pi} "
            "\\gamma^2 m \\int \\lambda\\, dt)$.",
            subject=lambda: summable_relation(S(16)),
            source="this toolkit",
            judges=(Argument(summable_steps, domain={kappa: (-1, 1), nu: (-1, 1)}, points=8),),
            mutants=(Mutant("constant 1", lambda: summable_relation(S.One)),),
            variables=(*ADMISSIBLE, Variable("kappa", "(-1, 1)"), Variable("nu", "(-1, 1)")),
            formula=lambda: Le(Symbol("-d/dt log(1 - kappa)"), 16 * gamma**2 * m * lam / sqrt(pi)),
            depends_on=("manifold.planar-flow",),
        ),
        Claim(
            id="rates.divergent",
            statement="With any bounded schedule of infinite $\\int \\lambda\\, dt$ the flow on $M$ "
            "converges to $(1, 1)$ from every "
            "start with $\\kappa_0, \\nu_0 > 0$.",
            subject=planar.velocity,
            source="this toolkit",
            judges=(Steps(quadrant_steps),),
            mutants=(
                Mutant("kappa pulls nu down", lambda: {**planar.velocity(), nu: -planar.velocity()[nu]}),
                Mutant(
                    "nu pulls kappa down", lambda: {**planar.velocity(), kappa: -planar.velocity()[kappa]}
                ),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(list(planar.velocity().values())),
            depends_on=("manifold.planar-flow", "rates.summable"),
            derivation="The quadrant is invariant and $\\nu$ rises in it. $\\kappa$ can fall only where "
            "$erf(a' \\kappa) > \\nu \\ge "
            "\\nu_0$, so it stays above a positive bound, as $a'$ is bounded. Hence $-\\frac{d}{dt} \\log(1 "
            "- \\nu)$ is at least a multiple "
            "of $\\lambda$ and $\\nu \\to 1$. Once $\\nu$ exceeds $erf(a')$ by a margin the same holds of "
            "$\\kappa$. By "
            "rates.summable the hypothesis is necessary.",
        ),
    ]
