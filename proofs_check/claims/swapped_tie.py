"""Oracle against role-swapped predictor: which one has the lower risk, and where they tie."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import sympy
from sympy import Eq, Expr, Rational, S, Symbol, asin, diff, erf, erfc, exp, pi, sin, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.judges.certified import Inequality
from proofs_check.judges.exact import STANDARD, Identity, Step, Steps
from proofs_check.steps import equal, positive
from theory import swapped
from theory.composite import DEFINITIONS, a, u
from theory.gate import variance_bounds
from theory.planar import gate_slope
from theory.risk import excess_risk
from theory.special import zeta
from theory.stability import OPTIMUM
from theory.symbols import eta, gamma, kappa, lam, m, nu, rho, theta

p = Symbol("p", positive=True)
SHARE = {u: p / (1 + p)}
angle = Symbol("t", positive=True)
"""asin u."""

PLANE = (Variable("a", "positive"), Variable("u", "(0, 1)"))


# --- two parameters --------------------------------------------------------------------------------------


def gap_is(expression: Expr) -> Eq:
    """Oracle minus complete swap, each from the risk of the five overlaps, in units of gamma^2."""
    swap = {kappa: 0, nu: 0, theta: 1, eta: 1, rho: 0}
    difference = (excess_risk().subs(OPTIMUM) - excess_risk().subs(swap)).doit() / gamma**2
    in_two = {m: a * sqrt(1 + p) / lam, gamma: sqrt(p / 2) / lam}
    return Eq(difference.subs(in_two), expression.subs(SHARE), evaluate=False)


def _simplified(expression: Expr) -> Expr:
    expression = expression.replace(zeta, lambda *args: zeta(*map(sympy.simplify, args)))
    return sympy.simplify(
        expression.replace(
            lambda f: isinstance(f, zeta) and f.args[0] == 0,
            lambda f: 2 / pi * asin(sympy.simplify(2 * f.args[1] ** 2 / (1 + 2 * f.args[1] ** 2))),
        )
    )


SIMPLIFIED = ("zeta(0, g) = (2 / pi) asin(2 g^2 / (1 + 2 g^2)), simplify", _simplified)


# --- the pattern of signs --------------------------------------------------------------------------------


@cache
def oracle_derivative() -> Expr:
    """Slope in a of the oracle's risk at the informative token, in p for u."""
    return sympy.simplify(diff(_simplified(swapped.oracle_gap(S.Zero).subs(SHARE)), a))


def pattern_steps(slope: Expr, _: Context) -> Iterator[Step]:
    """Slope in a of the gap to the complete swap: it is convex, then concave, and starts at 0 downwards."""
    x, q = symbols("x q", positive=True)
    tail, ratio = swapped.share, swapped.ratio()
    oracle_slope = -2 * gate_slope(a) * erfc(tail * a)
    yield equal("slope of the oracle's risk in a, negative", oracle_derivative(), oracle_slope.subs(SHARE))
    yield equal(
        "slope of the gap", oracle_slope - diff(swapped.complete_swap_risk(), a), 4 / sqrt(pi) * slope
    )
    yield equal("it is 0 at a = 0", slope.subs(a, 0), 0)
    start = diff(slope, a).subs(a, 0)
    yield equal("where it falls at the rate", start, 2 / sqrt(pi) * (tail - 1 / ratio))
    yield positive("which is negative: a'/a < 1 and u < asin u", 1 - tail.subs(SHARE) ** 2)
    bend = 2 * (1 - 2 * a**2) * erfc(q * a) - 4 * q * a / sqrt(pi) * (2 + q**2) * exp(-(q**2) * a**2)
    yield equal("its second derivative", diff(slope, a, 2), (exp(-(a**2)) * bend).subs(q, tail))
    yield positive(
        "negative for 2 a^2 >= 1", -bend.subs(a, sqrt((1 + x) / 2)).subs(erfc(q * sqrt((1 + x) / 2)), p)
    )
    log_ratio = sympy.log(a) - q**2 * a**2 - sympy.log(1 - 2 * a**2) - sympy.log(erfc(q * a))
    hazard = 2 * q / sqrt(pi) * exp(-(q**2) * a**2) / erfc(q * a)
    growth = 1 / a - 2 * q**2 * a + 4 * a / (1 - 2 * a**2) + hazard
    yield equal("else the log of the ratio of its two terms has the slope", diff(log_ratio, a), growth)
    inside = {a: sqrt(x / (1 + x) / 2), q: p / (1 + p)}
    yield positive(
        "positive, so they cross once", sympy.factor((4 * a / (1 - 2 * a**2) - 2 * q**2 * a).subs(inside))
    )


def gap_slope() -> Expr:
    """Slope in a of oracle minus complete swap, over 4 / sqrt(pi)."""
    return 1 - exp(-(a**2)) * erfc(swapped.share * a) - 2 / sqrt(pi) * a / swapped.ratio()


# --- where the swap wins ---------------------------------------------------------------------------------


def lower_gap(at: Expr) -> Expr:
    """A lower bound of oracle minus complete swap at a = at, without quotients that are 0 / 0 at u = 0.

    The variance of the gate is at least (2/pi) asin(u) exp(-2 a^2), and asin(u) / u <= 1 + u^2 / 5 for u <= 2/5.
    """
    swap = 1 - 4 / sqrt(pi) * at + 4 / pi * at**2 * (1 + u**2 / 5)
    return erfc(at) ** 2 - swap - 2 / pi * u * (1 + u**2 / 5) * (1 - exp(-2 * at**2))


def upper_gap() -> Expr:
    """An upper bound of oracle minus complete swap, with u = sin t.

    The variance of the gate is at most (2/pi) asin(u) exp(-2 a^2 / (1 + u)).
    """
    variance = 2 / pi * angle * exp(-2 * a**2 / (1 + sin(angle)))
    swap = 1 + 2 / pi * angle - 4 / sqrt(pi) * a + 4 / pi * a**2 * angle / sin(angle)
    return erfc(a) ** 2 + variance - swap


def upper_gap_near_zero() -> Expr:
    """A polynomial bound of it in a, over a^2.

    By erf(a) >= (2 / sqrt pi)(a - a^3/3) and exp(-y) <= 1 - y + y^2/2.
    """
    y = 2 * a**2 / (1 + sin(angle))
    low = 2 / sqrt(pi) * (a - a**3 / 3)
    variance = 2 / pi * angle * (1 - y + y**2 / 2)
    swap = 1 + 2 / pi * angle - 4 / sqrt(pi) * a + 4 / pi * a**2 * angle / sin(angle)
    return sympy.expand(sympy.expand((1 - low) ** 2 + variance - swap) / a**2)


def upper_gap_beyond() -> Expr:
    """An upper bound of oracle minus best swap where theta = 1 stops being best, at a = (sqrt(pi) / 2) u / asin u."""
    tie = sqrt(pi) / 2 * sin(angle) / angle
    variance = 2 / pi * angle * exp(-2 * tie**2 / (1 + sin(angle)))
    return erfc(tie) ** 2 + variance - (1 + 2 / pi * angle - sin(angle) / angle)


def bounds_steps(claimed: tuple[Expr, Expr], _: Context) -> Iterator[Step]:
    """The elementary inequalities that the bounds of the gap use."""
    x = Symbol("x", positive=True)
    low, high = claimed
    falls = 1 - 1 / (1 - x**2) / (1 + Rational(3, 5) * x**2) ** 2  # squared slopes of asin x <= x + x^3 / 5
    yield positive(
        "asin x < x + x^3 / 5 for x < 2/5", sympy.factor(falls.subs(x, Rational(2, 5) * p / (1 + p)))
    )
    yield equal(
        "erf is above its cubic: the difference of slopes",
        diff(erf(x) - low, x),
        2 / sqrt(pi) * (exp(-(x**2)) - 1 + x**2),
    )
    yield positive("which grows from 0 in y = x^2, as exp(-y) < 1", 1 - 1 / (1 + p))
    for order in range(2):
        yield equal(
            f"exp(-y) below its quadratic at 0, order {order}", diff(high - exp(-x), x, order).subs(x, 0), 0
        )
    yield positive(
        "its second derivative 1 - exp(-y) is positive, as exp(y) > 1",
        sympy.factor(diff(high - exp(-x), x, 2) * exp(x)).subs(exp(x), 1 + p),
    )


# --- an example ------------------------------------------------------------------------------------------

near, root, beyond = symbols("x_0 x_1 x_2", positive=True)
"""lambda sqrt(d) where theta = 1 is best, from there to the tie, and beyond the tie."""


def along_ray(gap: Expr, scaled: Expr) -> Expr:
    """The gap at d = 400, gamma^2 = 1/2 as a function of lambda sqrt(d)."""
    values = {gamma: 1 / sqrt(2), m: sqrt(S(200)), lam: scaled / 20}
    return gap.subs({of: DEFINITIONS[of].subs(values) for of in (a, u)}, simultaneous=True)


def between(swap: Expr) -> tuple[Expr, Expr]:
    """Oracle minus a swap with the gate's variance at its lower and upper bound."""
    low, high = (erfc(a) ** 2 + bound - swap for bound in variance_bounds())
    return low, high


def example(below: Expr = S.One) -> tuple[Expr, ...]:
    """Complete swap before best theta < 1 is reached, best swap from there on, oracle beyond the tie."""
    complete = between(swapped.complete_swap_risk())[0]
    low, high = between(swapped.partial_swap_risk())
    reached = a - sqrt(pi) / 2 * swapped.ratio()  # positive where the best theta is less than 1
    ties = below * along_ray(complete, near), below * along_ray(low, root), -along_ray(high, beyond)
    return along_ray(reached, root), *ties


# --- claims ----------------------------------------------------------------------------------------------

x = Symbol("x", positive=True)
first, second = symbols("u_1 u_2", positive=True)
small, large = symbols("a_1 a_2", positive=True)


def claims() -> list[Claim]:
    return [*shape(), *windows()]


def shape() -> list[Claim]:
    return [
        Claim(
            id="swapped.two-parameters",
            statement="Oracle and role-swapped predictor have the same risk from the noise tokens, and the "
            "difference of their excess risks "
            "over $\\gamma^2$ depends on $(d, L, \\gamma, \\lambda)$ through $a = \\lambda m / \\sqrt{1 + 2 "
            "\\lambda^2 \\gamma^2}$ and $u = 2 \\lambda^2 \\gamma^2 / "
            "(1 + 2 \\lambda^2 \\gamma^2)$ alone: they tie on a curve in the plane of $(a, u)$, whatever "
            "$L$.",
            subject=lambda: gap_is(swapped.oracle_gap(swapped.complete_swap_risk())),
            source="this toolkit",
            judges=(Identity(simplifiers=(SIMPLIFIED, *STANDARD)),),
            mutants=(
                Mutant(
                    "best theta for theta = 1",
                    lambda: gap_is(swapped.oracle_gap(swapped.partial_swap_risk())),
                ),
            ),
            variables=PLANE,
            formula=lambda: swapped.oracle_gap(swapped.complete_swap_risk()),
            depends_on=("risk.oracle", "swapped.risk"),
        ),
        Claim(
            id="swapped.tie-pattern",
            statement="At every $u$ the role-swapped predictor beats the oracle on an interval $a_1(u) < a "
            "< a_2(u)$ with $a_1 > 0$, or nowhere.",
            subject=gap_slope,
            source="this toolkit",
            judges=(Steps(pattern_steps),),
            mutants=(
                Mutant("other tail", lambda: gap_slope().subs(swapped.share, 1)),
                Mutant("no mean", lambda: gap_slope() + a),
            ),
            variables=PLANE,
            depends_on=("swapped.two-parameters", "gaussian.zeta-derivative", "swapped.risk"),
            derivation="Oracle minus swap is 0 at $a = 0$. While $\\theta = 1$ is best its slope is a "
            "function that is 0 at 0, falls, and is convex, then "
            "concave: negative, then perhaps positive, then negative again. Once $b < 1$ the swap's risk "
            "does not depend on $a$ and the "
            "oracle's falls to less than it. So the difference is negative, then perhaps positive, then "
            "negative.",
        ),
        Claim(
            id="swapped.elementary",
            statement="$asin\\, x \\le x + x^3 / 5$ on $[0, 2/5]$; $erf(x) \\ge \\frac{2}{\\sqrt\\pi} (x - "
            "x^3 / 3)$ and $e^{-x} \\le 1 - x + x^2 / 2$ for $x \\ge 0$.",
            subject=lambda: (2 / sqrt(pi) * (x - x**3 / 3), 1 - x + x**2 / 2),
            source="this toolkit",
            judges=(Steps(bounds_steps),),
            mutants=(
                Mutant("no cubic term", lambda: (2 / sqrt(pi) * x, 1 - x + x**2 / 2)),
                Mutant("no quadratic term", lambda: (2 / sqrt(pi) * (x - x**3 / 3), 1 - x)),
            ),
            variables=(Variable("x", "non-negative"),),
        ),
    ]


def windows() -> list[Claim]:
    arcs = ("0.2013", "1.571")
    return [
        Claim(
            id="swapped.wins",
            statement="For every $u \\le 0.15$ the role-swapped predictor beats the oracle in some interval "
            "of $a$: at $a = 0.7$ for $u \\le 0.09$ and at "
            "$a = 0.58$ for $0.09 \\le u \\le 0.15$, with $k = v^*$, $v = k^*$.",
            subject=lambda: (
                lower_gap(Rational(7, 10)).subs(u, first),
                lower_gap(Rational(29, 50)).subs(u, second),
            ),
            source="this toolkit",
            judges=(Inequality({first: (0, "0.09"), second: ("0.09", "0.15")}),),
            mutants=(
                Mutant("at a = 2", lambda: (lower_gap(S(2)).subs(u, first),)),
                Mutant("the oracle wins", lambda: (-lower_gap(Rational(7, 10)).subs(u, first),)),
            ),
            variables=(Variable("u_1", "[0, 0.09]"), Variable("u_2", "[0.09, 0.15]")),
            depends_on=("swapped.tie-pattern", "swapped.elementary", "gate.variance-bounds"),
        ),
        Claim(
            id="swapped.loses",
            statement="For $u \\ge 0.2$ the oracle beats the role-swapped predictor for all $a > 0$.",
            subject=lambda: (
                -upper_gap_near_zero().subs(a, small),
                -upper_gap().subs(a, large),
                -upper_gap_beyond(),
            ),
            source="this toolkit",
            judges=(Inequality({small: (0, "0.4"), large: ("0.4", "0.9"), angle: arcs}),),
            mutants=(
                Mutant("twice the noise in the gate", lambda: (-upper_gap_beyond() - 2 / pi * angle,)),
                Mutant("the swap wins", lambda: (upper_gap().subs(a, large),)),
            ),
            variables=(
                Variable("a_1", "[0, 0.4]"),
                Variable("a_2", "[0.4, 0.9]"),
                Variable("t", "[0.2013, 1.571]", "asin u"),
            ),
            depends_on=("swapped.tie-pattern", "swapped.elementary", "gate.variance-bounds"),
            derivation="Up to $a = \\frac{\\sqrt\\pi}{2} u / asin\\, u$, less than 0.9, the swap with "
            "$\\theta = 1$ is best; beyond, the difference falls.",
        ),
        Claim(
            id="swapped.tie-example",
            statement="For $d = 400$, $\\gamma^2 = 1/2$ and any $L$ the role-swapped predictor has the "
            "lower risk for $0.1 \\le \\lambda \\sqrt d \\le 1.814$, the oracle "
            "for $1.815 \\le \\lambda \\sqrt d \\le 20$.",
            subject=example,
            source="this toolkit",
            judges=(Inequality({near: ("0.1", "1.3"), root: ("1.3", "1.814"), beyond: ("1.815", "20")}),),
            mutants=(Mutant("the oracle wins below", lambda: example(-S.One)),),
            variables=(
                Variable("x_0", "[0.1, 1.3]"),
                Variable("x_1", "[1.3, 1.814]"),
                Variable("x_2", "[1.815, 20]"),
            ),
            formula=lambda: swapped.oracle_gap(swapped.partial_swap_risk()),
            depends_on=("swapped.two-parameters", "swapped.theta", "gate.variance-bounds"),
        ),
    ]
