"""When the role-swapped predictor is a strict local minimum of the risk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from sympy import Eq, Expr, Integer, Matrix, Rational, S, Symbol, asin, cos, pi, sin, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.claims.manifold import ADMISSIBLE
from proofs_check.claims.swapped import SHARE, ZETA
from proofs_check.judges.certified import Inequality
from proofs_check.judges.exact import STANDARD, Identity, Step, Steps
from proofs_check.steps import equal, limit, nonnegative, positive
from theory import swapped
from theory import swapped_stability as stability
from theory.composite import in_parameters, noise_share, noise_slope, u
from theory.flow import partial_derivatives
from theory.risk import excess_risk
from theory.symbols import L, d, eta, gamma, kappa, lam, m, rho, theta
from theory.symmetry import SWAPPED_MANIFOLD
from theory.tangent import PARTIALS, second

others = Symbol("l", nonnegative=True, integer=True)
p, q, s, v = symbols("p q s v", positive=True)


# --- the Hessian -----------------------------------------------------------------------------------------


def partials_are(seconds: Mapping[tuple[Expr, Expr], Expr]) -> tuple[Eq, ...]:
    slopes = partial_derivatives(excess_risk())
    at = {**SWAPPED_MANIFOLD, eta: S.One}
    return tuple(
        Eq(slopes[first].diff(then).subs(at).doit(), in_parameters(value), evaluate=False)
        for (first, then), value in seconds.items()
        if (first in SWAPPED_MANIFOLD) == (then in SWAPPED_MANIFOLD)
    )


def changed(pair: tuple[Expr, Expr]) -> dict[tuple[Expr, Expr], Expr]:
    return {pair: stability.second_partials()[pair] * Rational(9, 10)}


def directions_steps(zero_modes: Expr, _: Context) -> Iterator[Step]:
    """In the frame (k*, v*, f, e): moves of k along k*, f, e and of v along v*, within span(k*, f), and e."""
    hessian = stability.hessian(stability.tangent_point()).subs(PARTIALS[theta], 0)
    block, single = (0, 1, 3), (2, 4, 5)
    coupled = [(i, j) for i in block for j in single] + [(2, 4), (2, 5), (4, 5)]
    left = {pair: hessian[pair] for pair in coupled if hessian[pair] != 0}
    yield Step("the rest is diagonal and not coupled with the block", not left, str(left or ""))
    yield equal("k along e: -R_eta", hessian[2, 2], -PARTIALS[eta])
    at_best = stability.evaluated(-PARTIALS[eta], swapped.best_theta())
    yield positive("which is positive", at_best.subs(SHARE))
    yield equal("v within span(k*, f)", hessian[4, 4], (1 - theta**2) * second(theta, theta))
    yield equal("v along e: 0, the predictor's rotations about k*, v*", hessian[5, 5], 0)
    yield equal("such e have d - 3 dimensions", zero_modes, d - 3)


def minimum_steps(signs: tuple[int, int], _: Context) -> Iterator[Step]:
    """The coefficient of nu^2 and B are positive, so the 3x3 block is positive if and only if A B > C^2."""
    pivot = stability.overlap_form()[2, 2]
    yield equal("coefficient of nu^2", pivot, -PARTIALS[eta] / (1 - theta**2))
    value = stability.evaluated(pivot, theta).subs(theta, p / (1 + p)).subs(u, q / (1 + q))
    yield positive("it is positive for 0 < theta < 1", signs[0] * value)
    for length, which in ((Integer(1), "without"), (others + 2, "with")):
        form = stability.partial_form().B.subs(L, length).subs(SHARE)
        yield positive(f"B {which} noise tokens", signs[1] * form)


# --- the complete swap -----------------------------------------------------------------------------------

y, ratio, tail, tokens = symbols("y r sigma N", positive=True)
"""g m, u / asin u, sqrt((1 - u) / (1 + u)) and c (L - 1) / (gamma^2 g), with g the gate's response."""


def lettered(expression: Expr) -> Expr:
    """In these letters with gamma = 1 in the end: every coefficient of the form is a multiple of gamma^2."""
    g = sqrt(2 * u / pi) / gamma
    values = {noise_slope: tokens * gamma**2 * g / others, m: y / g, L: others + 1}
    expression = expression.subs(values, simultaneous=True).subs(asin(u), u / ratio)
    return sympy.expand(sympy.expand(expression / gamma**2).subs(sqrt(1 - u), tail * sqrt(1 + u)))


def own_margin() -> tuple[Expr, Expr, Expr]:
    """Claimed coefficients of (A B - C^2) / (4 gamma^4) at the powers of N, at w = 1/2."""
    k = 2 / pi * u
    spare = 1 - y / ratio
    curvature = y**2 / k * ((k + y**2) * tail + u * y)
    quadratic = y**2 * tail * k + 3 * y * k + spare * y * k + y**3 * (u - y * (1 - tail))
    linear = 2 * y**2 * k * tail + 6 * y * k + 2 * y * k * spare + 2 * y**3 * (1 - y * tail + spare)
    constant = y**2 * (
        core(y) + 2 * tail**2 * k + 6 * k * tail / y + spare * (curvature / y + 2 * k * tail / y)
    )
    return constant, linear, quadratic


def core(at: Expr) -> Expr:
    """The part of the constant coefficient whose sign is not plain; concave in y."""
    return (
        -2 * tail**2 * at**2
        + 2 * tail * at * (2 - u)
        - (1 - u) ** 2
        + (1 - at / ratio) * (1 + 2 * u + 4 * at * tail)
    )


def complete_steps(largest: Expr, _: Context) -> Iterator[Step]:
    """A B - C^2 over 4 gamma^4 is a polynomial in N and 2 w - 1 with positive coefficients if g m <= u / asin u."""
    at_bound = (2 / sqrt(1 + 4 * largest**2)) - 1
    yield nonnegative("2 w - 1 at the largest lambda", at_bound)
    if at_bound.is_negative:
        return
    form = stability.complete_form()
    a, c, b = (lettered(part) / 2 for part in form)
    margin = sympy.expand(a * b - c**2)
    extra = sympy.expand(a * tokens**2 * 2 * u / pi / others) * (2 * noise_share - 1)
    own = sympy.Poly(sympy.expand(margin - extra), tokens)
    for power, claimed in enumerate(own_margin()):
        yield equal(f"coefficient of N^{power}", own.coeff_monomial(tokens**power), claimed)
    # 0 < sigma < 1, u = (1 - sigma^2) / (1 + sigma^2), r = 1 - rest, y = v r with 0 < v < 1
    shares = {tail: 1 / (1 + p), ratio: 1 / (1 + q)}
    within = {y: ratio * s / (1 + s)}
    share_ = (1 - tail**2) / (1 + tail**2)
    constant, linear, quadratic = own_margin()
    plain = constant - y**2 * core(y)
    for name, part in (("A", a.subs(tokens, 0)), ("N^2", quadratic), ("N", linear), ("rest of 1", plain)):
        yield positive(f"{name} is positive", sympy.factor(part.subs(within).subs(u, share_).subs(shares)))
    yield equal("the core is its chord plus a concave rest", _above_chord(), 0)
    yield positive("at y = 0 the core is 4 u - u^2 > 0", sympy.factor(core(S.Zero).subs(u, p / (1 + p))))
    yield from edge_steps()


def _above_chord() -> Expr:
    """core(v r) - (1 - v) core(0) - v core(r) - (2 sigma^2 r^2 + 4 sigma r) v (1 - v)."""
    chord = (1 - v) * core(S.Zero) + v * core(ratio)
    return sympy.expand(core(v * ratio) - chord - (2 * tail**2 * ratio**2 + 4 * tail * ratio) * v * (1 - v))


def edge_steps() -> Iterator[Step]:
    """At y = r: with r >= cos(asin u) = sigma (1 + u), r <= 1 and sigma cos(asin u) = 1 - u."""
    t = Symbol("t", positive=True)
    yield positive(
        "sin t - t cos t grows from 0 on (0, pi/2)", sympy.diff(sin(t) - t * cos(t), t).subs(sin(t), p)
    )
    edge = core(ratio)
    cosine = tail * (1 + u)
    yield equal("the core at y = r", edge, 2 * ratio * tail * (2 - u - ratio * tail) - (1 - u) ** 2)
    least = 2 * cosine * tail * (2 - u - tail) - (1 - u) ** 2
    share_ = (1 - tail**2) / (1 + tail**2)
    yield positive("its least value", sympy.factor(least.subs(u, share_).subs(tail, 1 / (1 + p))))
    yield positive(
        "2 - u - sigma > 0, so r may be replaced by its bounds",
        sympy.factor((2 - u - tail).subs(u, share_).subs(tail, 1 / (1 + p))),
    )


# --- any dimension, and an example -----------------------------------------------------------------------


def by_dimension() -> tuple[Expr, Expr, Expr]:
    """(A0, A2, C1) with A = A0 + A2 m^2 and C = C1 m."""
    form = stability.partial_form()
    a = sympy.Poly(form.A, m)
    return a.coeff_monomial(1), a.coeff_monomial(m**2), sympy.expand(form.C / m)


def dimension_steps(limit_over_square: Expr, _: Context) -> Iterator[Step]:
    """A and C as polynomials in m, and the sign of B A2 - C1^2 for small lambda."""
    form = stability.partial_form()
    a0, a2, c1 = by_dimension()
    yield equal("A = A0 + A2 m^2", form.A, a0 + a2 * m**2)
    yield equal("A0 = 8 gamma^2 u / asin u", a0, 8 * gamma**2 * swapped.ratio())
    yield Step("C1 and B do not depend on m", not (c1 * form.B).has(m))
    rest = in_parameters(form.B * a2 - c1**2).subs(L, others + 1)
    yield limit("(B A2 - C1^2) over lambda^2", rest / lam**2, lam, 0, limit_over_square, side="+")
    yield positive("the limit is positive", limit_over_square.subs(others, others + 1))


strong, weak = symbols("lambda_1 lambda_2", positive=True)


def example_margins() -> tuple[Expr, Expr]:
    """A B - C^2 at d = 400, L = 10, gamma^2 = 1/2, where it is claimed positive and where negative."""
    form = stability.partial_form()
    margin = form.A * form.B - form.C**2
    values = {L: 10, gamma: 1 / sqrt(2), m: sqrt(S(200))}
    return tuple(
        sign * in_parameters(margin).subs(values).subs(lam, at) for sign, at in ((1, weak), (-1, strong))
    )


# --- claims ----------------------------------------------------------------------------------------------


def claims() -> list[Claim]:
    return [*hessian_claims(), *partial_claims(), *complete_claims()]


def hessian_claims() -> list[Claim]:
    return [
        Claim(
            id="swapped.partials",
            statement="At $\\kappa = \\nu = \\rho = 0$, $\\eta = 1$ and any $\\theta$ the risk's second "
            "partial derivatives have the stated closed forms.",
            subject=lambda: partials_are(stability.second_partials()),
            source="this toolkit",
            judges=(Identity(simplifiers=(ZETA, *STANDARD)),),
            mutants=(
                Mutant("R_kappa_kappa", lambda: partials_are(changed((kappa, kappa)))),
                Mutant("R_kappa_rho", lambda: partials_are(changed((kappa, rho)))),
                Mutant("R_rho_rho", lambda: partials_are(changed((rho, rho)))),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(list(stability.second_partials().values())),
            depends_on=(
                "risk.five-overlaps",
                "risk.symmetry",
                "gaussian.zeta-derivative",
                "gaussian.zeta-at-zero",
            ),
            derivation="Those of one of $\\kappa, \\nu, \\rho$ and one of $\\theta, \\eta$ vanish by "
            "symmetry.",
        ),
        Claim(
            id="swapped.directions",
            statement="At the role-swapped point with $\\theta = b < 1$, $v = b k^* + \\sqrt{1 - b^2} f$, "
            "the Hessian has the eigenvalue $2 \\gamma^2 g m b > 0$ "
            "with multiplicity $d - 3$ (moves of $k$), $2 z m^2 (1 - b^2) > 0$ once, 0 with multiplicity $d "
            "- 3$ - the predictors form a sphere, one for "
            "each $f$ - and a 3x3 block.",
            subject=lambda: d - 3,
            source="this toolkit",
            judges=(Steps(directions_steps),),
            mutants=(Mutant("d - 2 zero modes", lambda: d - 2),),
            variables=ADMISSIBLE,
            formula=lambda: stability.overlap_form(),
            depends_on=("swapped.partials", "swapped.equilibria", "manifold.no-slope"),
        ),
    ]


def partial_claims() -> list[Claim]:
    return [
        Claim(
            id="swapped.minimum",
            statement="With $b < 1$ the block is positive if and only if $A B > C^2$: then the role-swapped "
            "point is a strict local minimum of the risk as "
            "a function of the overlaps (in $R^d$: up to the choice of $f$), and if $A B < C^2$ it is none.",
            subject=lambda: (1, 1),
            source="this toolkit",
            judges=(Steps(minimum_steps),),
            mutants=(Mutant("concave in nu", lambda: (-1, 1)), Mutant("B negative", lambda: (1, -1))),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(list(stability.partial_form())),
            depends_on=("swapped.directions",),
        ),
        Claim(
            id="swapped.minimum-dimension",
            statement="$A = A_0 + A_2 d / 2$ with $A_0 = 8 \\gamma^2 u / asin\\, u$ and $C = C_1 \\sqrt{d / "
            "2}$, where $A_2, C_1, B$ do not depend on $d$. So it is a strict "
            "minimum for all $d$ (with $b < 1$) if $C_1^2 \\le B A_2$, which holds for all small $\\lambda$ "
            "as $(B A_2 - C_1^2) / \\lambda^2 \\to "
            "\\frac{16}{\\pi} (L - 1 + \\gamma^4)$, and else for $d < 2 A_0 B / (C_1^2 - B A_2)$.",
            subject=lambda: 16 / pi * (others + gamma**4),
            source="this toolkit",
            judges=(Steps(dimension_steps),),
            mutants=(
                Mutant("gamma^2", lambda: 16 / pi * (others + gamma**2)),
                Mutant("negative", lambda: -16 / pi * (others + gamma**4)),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(by_dimension()),
            depends_on=("swapped.minimum",),
        ),
        Claim(
            id="swapped.minimum-example",
            statement="For $d = 400$, $L = 10$, $\\gamma^2 = 1/2$ the role-swapped point is a strict local "
            "minimum for $0.07 \\le \\lambda \\le 0.91$ and none for "
            "$0.93 \\le \\lambda \\le 5$.",
            subject=example_margins,
            source="this toolkit",
            judges=(Inequality({weak: ("0.07", "0.91"), strong: ("0.93", "5")}),),
            mutants=(Mutant("a minimum at large lambda", lambda: (-example_margins()[1],)),),
            variables=(Variable("lambda_1", "[0.93, 5]"), Variable("lambda_2", "[0.07, 0.91]")),
            formula=lambda: Matrix(list(stability.partial_form())),
            depends_on=("swapped.minimum",),
        ),
    ]


def complete_claims() -> list[Claim]:
    return [
        Claim(
            id="swapped.complete-minimum",
            statement="If $b > 1$ and $\\lambda \\le \\sqrt 3 / 2$ (or $L = 1$), the complete swap $k = "
            "v^*$, $v = k^*$ is a strict local minimum of the risk, for all "
            "$d$, $L$ and $\\gamma$.",
            subject=lambda: sqrt(3) / 2,
            source="this toolkit",
            judges=(Steps(complete_steps),),
            mutants=(Mutant("lambda up to 1", lambda: S.One),),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(list(stability.complete_form())),
            depends_on=("swapped.partials", "swapped.equilibria-complete", "manifold.no-slope"),
            derivation="Moves orthogonal to $k^*, v^*$ have the curvatures $2 \\gamma^2 g m$ and $2 "
            "\\gamma^2 g m - 2 z m^2$, positive as $b > 1$. The block in $\\kappa, \\rho$ is "
            "positive: $A > 0$, and $A B - C^2$ is a polynomial in $c (L - 1) / (\\gamma^2 g)$ and $2 w - "
            "1$ with positive coefficients.",
        ),
    ]
