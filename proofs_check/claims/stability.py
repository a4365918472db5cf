"""Stability of the optimum off M: the Hessian in the tangent space, and when it is a strict local minimum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import sympy
from sympy import Eq, Expr, Integer, Matrix, Rational, S, Symbol, erf, oo, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.claims.manifold import ADMISSIBLE
from proofs_check.judges.certified import Inequality
from proofs_check.judges.exact import Identity, Step, Steps
from proofs_check.steps import equal, limit, nonnegative, positive
from theory import stability
from theory.composite import DEFINITIONS, a, b, in_parameters, noise_share, noise_slope, u
from theory.flow import gradient_flow, partial_derivatives
from theory.gate import variance_bounds
from theory.planar import gate_slope
from theory.risk import excess_risk
from theory.special import zeta
from theory.stability import OPTIMUM
from theory.symbols import OVERLAPS, L, d, eta, gamma, kappa, lam, m, nu, rho, theta
from theory.tangent import PARTIALS, second

others = Symbol("l", positive=True, integer=True)
"""The number L - 1 of noise tokens, if there are any."""


# --- the Hessian -----------------------------------------------------------------------------------------


def partials_are(first: Mapping[Expr, Expr], seconds: Mapping[tuple[Expr, Expr], Expr]) -> tuple[Eq, ...]:
    """Closed forms of the partial derivatives at the optimum against derivatives of the risk."""
    slopes = partial_derivatives(excess_risk())
    return tuple(
        Eq(slopes[o].subs(OPTIMUM), in_parameters(value), evaluate=False) for o, value in first.items()
    ) + tuple(
        Eq(slopes[p].diff(q).subs(OPTIMUM).doit(), in_parameters(value), evaluate=False)
        for (p, q), value in seconds.items()
    )


def doubled(pair: tuple[Expr, Expr]) -> dict[tuple[Expr, Expr], Expr]:
    seconds = stability.second_partials()
    return {pair: 2 * seconds[pair] + 1}


def block_from_flow(extra: Expr = S.Zero) -> tuple[Eq, ...]:
    """Minus the linearised flow of (eta, theta), with rho = eta + theta to first order, against the Hessian."""
    rates = gradient_flow(PARTIALS)
    tied = {kappa: 1, nu: 1, rho: eta + theta + extra * eta}
    slopes = {o: _expanded(PARTIALS[o]) for o in OVERLAPS}
    hessian = stability.tangent_point().hessian().extract([0, 2], [0, 2])
    at = {eta: 0, theta: 0, PARTIALS[theta]: 0, PARTIALS[eta]: 0, PARTIALS[rho]: 0}
    equations = []
    for i, row in enumerate((eta, theta)):
        moved = rates[row].subs({PARTIALS[o]: slope for o, slope in slopes.items()}, simultaneous=True)
        moved = moved.subs(tied)
        equations += [
            Eq(-moved.diff(column).subs(at), hessian[i, j].subs(at), evaluate=False)
            for j, column in enumerate((eta, theta))
        ]
    return tuple(equations)


def _expanded(slope: Symbol) -> Expr:
    """A partial derivative near the optimum, to first order in theta, eta and rho."""
    of = next(o for o in OVERLAPS if PARTIALS[o] == slope)
    if of in (kappa, nu):
        return slope
    return slope + sum(second(of, q) * q for q in (theta, eta, rho))


def directions_steps(multiplicity: Expr, _: Context) -> Iterator[Step]:
    """In a frame with one more vector e the Hessian splits; every e orthogonal to k*, v* does the same."""
    hessian = stability.tangent_point().hessian().subs({PARTIALS[o]: 0 for o in (theta, eta, rho)})
    coupled = ((0, 1), (0, 3), (2, 1), (2, 3), (1, 3))
    left = {pair: hessian[pair] for pair in coupled if hessian[pair] != 0}
    yield Step("moves along e are not coupled with each other or the block", not left, str(left or ""))
    p = Symbol("p", positive=True)
    along_k, along_v = stability.orthogonal_eigenvalues()
    yield equal("k moves along e at the curvature -R_kappa", hessian[1, 1], -PARTIALS[kappa])
    yield equal("v moves along e at the curvature -R_nu", hessian[3, 3], -PARTIALS[nu])
    yield positive("the first is positive as erf(a') < 1", along_k.subs(erf(b), p / (1 + p)))
    yield positive("the second is positive", along_v)
    yield equal(
        "such e have d - 2 dimensions: the sphere's tangent space less one", multiplicity, (d - 1) - 1
    )


# --- the condition ---------------------------------------------------------------------------------------

mean, inner, variance, slope, inner_slope = symbols("E W V T J", positive=True)
"""erf(a), erf(a') < erf(a), zeta - erf(a)^2, a erf'(a) and a' erf'(a'), to argue with."""


def lettered(expression: Expr) -> Expr:
    """In these letters, with L - 1 = others and m^2 = 2 a^2 gamma^2 / u."""
    atoms = {
        gate_slope(a): slope / a,
        gate_slope(b): inner_slope / b,
        erf(a): mean,
        erf(b): inner,
        zeta(lam * m, lam * gamma): mean**2 + variance,
        L: others + 1,
    }
    return sympy.expand(expression.subs(atoms, simultaneous=True))


def by_tokens() -> tuple[Expr, Expr, Expr]:
    """Coefficients of D h - N^2 at the powers 0, 1, 2 of the number of noise tokens."""
    margin = sympy.Poly(lettered(stability.margin()), others)
    return tuple(margin.coeff_monomial(others**n) for n in range(3))


def sign_steps(claimed: tuple[int, int], _: Context) -> Iterator[Step]:
    """D and h are sums of positive terms: the form's sign is that of its determinant."""
    p, q = symbols("p q", positive=True)
    more = Symbol("n", nonnegative=True, integer=True)
    below = {erf(b): p / (1 + p), zeta(lam * m, lam * gamma): q}
    diagonal = [stability.swap_form()[i].subs(below, simultaneous=True) for i in (0, 2)]
    names = ("D, the curvature in theta at fixed rho", "h, the curvature in rho at fixed theta")
    for name, sign, entry in zip(names, claimed, diagonal, strict=True):
        for length, which in ((more + 2, "with"), (Integer(1), "without")):
            yield positive(f"{name}, {which} noise tokens", sign * entry.subs(L, length))


def safe_steps(largest: Expr, _: Context) -> Iterator[Step]:
    """D h - N^2 = Q0 + Q1 l + Q2 l^2 with l = L - 1, and each coefficient is positive (Q1 for lam <= sqrt(3)/2)."""
    at_bound = (2 * DEFINITIONS[noise_share] - 1).subs(lam, largest)
    yield nonnegative("2 w - 1 at the largest lambda", at_bound)
    if at_bound.is_negative:
        return
    constant, linear, quadratic = by_tokens()
    gate = 2 * gamma**2 * slope
    curvature = gate * (3 - inner) + 2 * gamma**2 * mean + 2 * m**2 * (mean**2 + variance)
    x, p, q = symbols("x p q", positive=True)
    below_one = {inner: p / (1 + p), mean: p / (1 + p) + q}
    # l^2
    leading = 2 * noise_slope**2 * (curvature - 2 * m**2 * mean**2)
    yield equal("Q2", quadratic, leading)
    yield positive("Q2 > 0, as erf(a') < 1", sympy.expand(leading.subs(inner, p / (1 + p))))
    # l
    excess = curvature - 2 * m**2 * mean * (3 * inner - 2 - u)
    first = 2 * noise_slope * gate / m * excess
    second_ = 2 * noise_slope**2 * curvature * (2 * noise_share - 1)
    yield equal("Q1 in two parts", linear, first + second_)
    yield positive("the first is positive, as erf(a') < erf(a) < 1", sympy.factor(excess.subs(below_one)))
    at_most = (2 * DEFINITIONS[noise_share] - 1).subs(lam, largest * x / (1 + x))
    yield positive("the second is for lambda below the bound", sympy.simplify(_rationalised(at_most)))
    # 1
    own = gate * ((1 - inner) * (1 + 2 * u) + u * inner_slope / a**2)
    yield equal("Q0", constant, curvature * own - (gate * (3 * inner - 2 - u)) ** 2)
    yield from constant_steps(curvature, own, gate)


def constant_steps(curvature: Expr, own: Expr, gate: Expr) -> Iterator[Step]:
    """Q0 > 0: with erf(a) >= a erf'(a) and m^2 u = 2 a^2 gamma^2, in two cases."""
    x, p, q, r = symbols("x p q r", positive=True)
    yield positive("erf(x) - x erf'(x) grows from 0", sympy.diff(erf(x) - x * gate_slope(x), x))
    tied = {m: a * gamma * sqrt(2 / u)}
    least = gate * (4 - inner) * (1 - inner) * (1 + 2 * u) + 4 * gamma**2 * mean**2 * inner_slope
    above = {inner: p / (1 + p), mean: slope + q}
    yield positive(
        "D h is at least the least of each",
        sympy.factor(sympy.expand((curvature * own / gate).subs(tied) - least / 1).subs(above)),
    )
    rest = least - gate * (3 * inner - 2 - u) ** 2
    share_ = u * (4 - 4 * inner + 2 * inner**2 - u)
    yield equal(
        "Q0 over a factor",
        rest,
        gate * (inner * (7 - 8 * inner) + share_) + 4 * gamma**2 * mean**2 * inner_slope,
    )
    unit = {u: r / (1 + r)}
    yield positive(
        "the part with u is positive for u < 1", sympy.factor(share_.subs(inner, p / (1 + p)).subs(unit))
    )
    small = {inner: Rational(7, 8) * p / (1 + p)}
    yield positive("case erf(a') < 7/8", sympy.factor((inner * (7 - 8 * inner)).subs(small)))
    yield positive("else a' > 1 / sqrt 2", Rational(7, 8) - erf(1 / sqrt(2)))
    falls = -sympy.diff(x * gate_slope(x), x).subs(x, 1 / sqrt(2) + p)
    yield positive("where x erf'(x) falls, so a' erf'(a') > a erf'(a)", sympy.factor(falls))
    large = (inner * (7 - 8 * inner) + 2 * mean**2).subs({mean: inner + q}).subs(inner, p / (1 + p))
    yield positive("and Q0 > 0 from erf(a) > erf(a')", sympy.factor(large))


def _rationalised(difference: Expr) -> Expr:
    """2 w - 1 times the positive 2 w + 1, for w = 1 / sqrt(...)."""
    root = (difference + 1) / 2
    return sympy.factor(4 * root**2 - 1)


# --- high dimension, and the example ---------------------------------------------------------------------


def high_dimension_steps(claimed: Expr, _: Context) -> Iterator[Step]:
    """For m -> oo all terms but the claimed ones vanish, since erfc(a') does so exponentially."""
    saturated = {mean: 1, inner: 1, variance: 0, slope: 0, inner_slope: 0}
    left = lettered(stability.margin()).subs(saturated)
    yield equal("D h - N^2 with saturated gate", left, 4 * noise_slope**2 * others * claimed)
    rate = Symbol("c", positive=True)
    for name, term in (
        ("1 - erf", 1 - erf(rate * m)),
        ("x erf'(x)", rate * m * gate_slope(rate * m)),
    ):
        yield limit(f"m^4 times {name} vanishes for m -> oo", m**4 * term, m, oo, 0)
    spread = variance_bounds()[1].subs(a, rate * m)
    yield limit("so does m^4 times zeta - erf(a)^2, by its upper bound", m**4 * spread, m, oo, 0)


example, unstable_example = symbols("lambda_1 lambda_2", positive=True)


@cache
def at_example(expression: Expr, strength: Expr, length: int = 10, dimension: int = 400) -> Expr:
    """As a function of lambda = strength for gamma^2 = 1/2."""
    values = {L: length, gamma: 1 / sqrt(2), m: sqrt(Rational(dimension, 2)), lam: strength}
    return in_parameters(expression).subs(values)


def between(strength: Expr) -> tuple[Expr, Expr]:
    """D h - N^2, which grows with zeta, at the lower and upper bound of zeta."""
    argument = zeta(lam * m, lam * gamma)
    bounds = (stability.margin().subs(argument, erf(a) ** 2 + bound) for bound in variance_bounds())
    low, high = (at_example(bound, strength) for bound in bounds)
    return low, high


@cache
def largest_rate(strength: Expr) -> Expr:
    """The larger eigenvalue of minus the block for d = 400, L = 10, gamma^2 = 1/2."""
    block = stability.block()
    half = at_example(block.trace() / 2, strength)
    det = at_example(stability.margin(), strength)
    return -det / (half + sqrt(half**2 - det))


def brackets(low: str, high: str) -> tuple[Expr, ...]:
    """The two eigenvalues of the example to three digits."""
    bound = Rational("0.0005")
    first, second_ = largest_rate(example), largest_rate(unstable_example)
    return tuple(
        bound**2 - (value - Rational(claimed)) ** 2 for value, claimed in ((first, low), (second_, high))
    )


# --- claims ----------------------------------------------------------------------------------------------


def claims() -> list[Claim]:
    return [*hessian_claims(), *condition_claims(), *example_claims()]


def hessian_claims() -> list[Claim]:
    wrong = stability.first_partials()
    return [
        Claim(
            id="stability.partials",
            statement="At the optimum the risk's first partial derivatives and the second ones in $\\theta, "
            "\\eta, \\rho$ have the stated "
            "closed forms in $a$, $a'$, $u = 2 \\lambda^2 \\gamma^2 / (1 + 2 \\lambda^2 \\gamma^2)$, $c = 2 "
            "\\lambda / "
            "\\sqrt{\\pi (1 + 2 \\lambda^2)}$, $w = 1 / \\sqrt{1 + 4 \\lambda^2}$ and $\\zeta$.",
            subject=lambda: partials_are(stability.first_partials(), stability.second_partials()),
            source="this toolkit",
            judges=(Identity(),),
            mutants=(
                Mutant("R_rho_rho", lambda: partials_are({}, doubled((rho, rho)))),
                Mutant("R_theta_rho", lambda: partials_are({}, doubled((theta, rho)))),
                Mutant("R_kappa without a'", lambda: partials_are({kappa: wrong[kappa].subs(b, 0)}, {})),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(list(stability.second_partials().values())),
            depends_on=("risk.five-overlaps", "gaussian.zeta-derivative"),
        ),
        Claim(
            id="stability.directions",
            statement="The Hessian of the risk at the optimum on the product of the two unit spheres has "
            "the eigenvalue "
            "$2 \\gamma^2 a\\, erf'(a) erfc(a') > 0$ with multiplicity $d - 2$ (moves of $k$), $2 \\gamma^2 "
            "erf(a) > 0$ with "
            "multiplicity $d - 2$ (moves of $v$), and a 2x2 block in $\\eta, \\theta$.",
            subject=lambda: d - 2,
            source="this toolkit",
            judges=(Steps(directions_steps),),
            mutants=(Mutant("multiplicity d - 1", lambda: d - 1),),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(list(stability.orthogonal_eigenvalues())),
            depends_on=("stability.partials", "manifold.no-slope"),
        ),
        Claim(
            id="stability.block",
            statement="Minus the block is the linearisation of the flow of $(\\eta, \\theta)$ at the "
            "optimum with $\\rho = \\eta + \\theta$ "
            "to first order.",
            subject=block_from_flow,
            source="this toolkit",
            judges=(Identity(),),
            mutants=(Mutant("rho = 2 eta + theta", lambda: block_from_flow(S.One)),),
            formula=lambda: stability.tangent_point().hessian().extract([0, 2], [0, 2]),
            depends_on=("manifold.closure",),
            derivation="Once by second derivatives along curves on the spheres, once by the overlaps' flow.",
        ),
    ]


def condition_claims() -> list[Claim]:
    base = ("stability.directions", "stability.block")
    return [
        Claim(
            id="stability.condition",
            statement="The block's form is $D \\theta^2 + 2 N \\theta \\rho + h \\rho^2$ with $D, h > 0$ "
            "for all parameters. So the optimum is a strict "
            "local minimum of the risk if $D h > N^2$, and none if $D h < N^2$.",
            subject=lambda: (1, 1),
            source="this toolkit",
            judges=(Steps(sign_steps),),
            mutants=(Mutant("D negative", lambda: (-1, 1)), Mutant("h negative", lambda: (1, -1))),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(list(stability.swap_form())),
            depends_on=base,
        ),
        Claim(
            id="stability.safe-lambda",
            statement="For $\\lambda \\le \\sqrt 3 / 2$, or for $L = 1$, the optimum is a strict local "
            "minimum of the risk, for all $d$, $\\gamma$ "
            "and $L$; for any $\\lambda$ it is one for all large $L$.",
            subject=lambda: stability.SAFE_LAM,
            source="this toolkit",
            judges=(Steps(safe_steps),),
            mutants=(
                Mutant("lambda up to 1", lambda: S.One),
                Mutant("lambda up to 0.87", lambda: Rational(87, 100)),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(by_tokens()),
            depends_on=("stability.condition", "gate.variance-bounds"),
            derivation="$D h - N^2$ is a quadratic polynomial in $L - 1$. Its constant and leading "
            "coefficients are positive, and the "
            "linear one is if $w = 1 / \\sqrt{1 + 4 \\lambda^2} \\ge 1/2$.",
        ),
        Claim(
            id="stability.high-dimension",
            statement="Up to terms exponentially small in $d$, $D h - N^2$ is $4 c^2 (L - 1) (\\gamma^2 (L "
            "- 2 + 2 w) - \\frac{d}{2} (1 - 2 w))$: for "
            "$\\lambda > \\sqrt 3 / 2$ and $L \\ge 2$ the optimum is no local minimum once $d$ exceeds about "
            "$2 \\gamma^2 (L - 2 + 2 w) / (1 - 2 w)$, so the bound $\\sqrt 3 / 2$ is sharp.",
            subject=lambda: _saturated_margin(),
            source="this toolkit",
            judges=(Steps(high_dimension_steps),),
            mutants=(
                Mutant("no gamma", lambda: _saturated_margin().subs(gamma, 1)),
                Mutant("w for 2 w", lambda: _saturated_margin().subs(noise_share, noise_share / 2)),
            ),
            variables=ADMISSIBLE,
            formula=lambda: _saturated_margin(),
            depends_on=("stability.condition", "gate.variance-bounds"),
        ),
    ]


def _saturated_margin() -> Expr:
    return gamma**2 * (others - 1 + 2 * noise_share) + m**2 * (2 * noise_share - 1)


def example_claims() -> list[Claim]:
    point = {example: ("1/10", "1/10"), unstable_example: ("9/10", "9/10")}
    return [
        Claim(
            id="stability.example",
            statement="For $d = 400$, $L = 10$, $\\gamma^2 = 1/2$ the larger eigenvalue of the linearised "
            "flow in the block is $-0.206$ at "
            "$\\lambda = 0.1$ and $+0.021$ at $\\lambda = 0.9$, to three decimals.",
            subject=lambda: brackets("-0.206", "0.021"),
            source="this toolkit",
            judges=(Inequality(point),),
            mutants=(
                Mutant("stable at 0.9", lambda: brackets("-0.206", "-0.021")),
                Mutant("-0.207", lambda: brackets("-0.207", "0.021")),
            ),
            formula=stability.block,
            depends_on=("stability.block", "stability.partials"),
        ),
        Claim(
            id="stability.unstable",
            statement="That the optimum is always a local minimum is false: for $d = 400$, $L = 10$, "
            "$\\gamma^2 = 1/2$ it is one for "
            "$\\lambda \\le 0.89$ and none for $0.9 \\le \\lambda \\le 3$.",
            subject=lambda: (
                between(example)[0],
                -between(unstable_example)[1],
            ),
            source="this toolkit",
            judges=(Inequality({example: ("0.866", "0.89"), unstable_example: ("0.9", "3")}),),
            mutants=(Mutant("stable up to 3", lambda: (between(unstable_example)[0],)),),
            variables=(Variable("lambda_1", "[0.866, 0.89]"), Variable("lambda_2", "[0.9, 3]")),
            formula=lambda: Matrix(list(stability.swap_form())),
            depends_on=("stability.condition", "gate.variance-bounds"),
        ),
    ]
