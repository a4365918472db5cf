"""The role-swapped predictor: where it is, its risk, when it beats the oracle, and when it is as good as Bayes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from sympy import (
    Eq,
    Expr,
    Ge,
    Le,
    Matrix,
    Rational,
    S,
    Symbol,
    asin,
    cos,
    oo,
    pi,
    sin,
    sqrt,
    symbols,
)

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.claims.manifold import ADMISSIBLE
from proofs_check.judges.exact import Identity, Step, Steps
from proofs_check.judges.positive import Argument
from proofs_check.steps import equal, limit, nonnegative, positive
from theory import swapped
from theory.composite import a, in_parameters, u
from theory.special import zeta
from theory.symbols import eta, gamma, lam, m, theta

p, q, r = symbols("p q r", positive=True)
SHARE = {u: p / (1 + p)}
"""0 < u < 1; p is 2 lam^2 gamma^2."""

ZETA = (
    "zeta(0, g) = (2 / pi) asin(2 g^2 / (1 + 2 g^2))",
    lambda e: sympy.expand(
        e.replace(lambda f: isinstance(f, zeta) and f.args[0] == 0, lambda f: zeta_at_zero(f.args[1]))
    ),
)


def zeta_at_zero(g: Expr) -> Expr:
    return 2 / pi * asin(2 * g**2 / (1 + 2 * g**2))


# --- the manifold of swapped roles -----------------------------------------------------------------------


def risk_is(informative: Expr) -> Eq:
    return Eq(swapped.excess_risk_on_manifold(), in_parameters(informative) + swapped.noise(), evaluate=False)


best = Symbol("b", positive=True)
"""The best theta."""

WITHIN = {(0, 0): "saddle", (best, 1): "sink", (1, 1): "saddle", (-1, 1): "source"}
BEYOND = {(0, 0): "saddle", (1, 1): "sink", (-1, 1): "source"}


def equilibria_steps(types: Mapping[tuple[Expr, Expr], str], _: Context) -> Iterator[Step]:
    """All zeros of theta' = C (1 - theta^2) (b eta - theta), eta' = C b (1 - eta^2) theta with C, b > 0, b != 1."""
    scale = 2 * swapped.power * m**2
    model = {theta: (1 - theta**2) * (best * eta - theta), eta: best * (1 - eta**2) * theta}
    velocity = swapped.velocity()
    for of in (theta, eta):
        yield equal(f"rate of {of}", velocity[of], scale * model[of].subs(best, swapped.best_theta()))
    within = (best, 1) in types
    size = p / (1 + p) if within else 1 + p
    on_edge = {S.One, -S.One} | ({best} if within else set())
    expected = {(at, S.One) for at in on_edge} | {(S.Zero, S.Zero)}
    solved = set(sympy.solve(model[theta].subs(eta, 1), theta)) - (set() if within else {best})
    yield Step("theta' = 0 on the edge eta = 1", solved == on_edge, str(solved))
    yield Step("inside, eta' = 0 needs theta = 0 and then theta' = 0 needs eta = 0", _origin_only(model))
    found = {(sympy.sympify(x), sympy.sympify(y)) for x, y in types}
    yield Step("the list is complete up to the sign of both", found == expected, str(found))
    jacobian = Matrix(list(model.values())).jacobian([theta, eta])
    for (x, y), name in types.items():
        at = jacobian.subs({theta: x, eta: y}).subs(best, size)
        sign = {"saddle": 0, "sink": -1, "source": 1}[name]
        yield positive(f"determinant at ({x}, {y})", at.det() if sign else -at.det())
        if sign:
            yield positive(f"trace at ({x}, {y})", sign * at.trace())


def _origin_only(model: Mapping[Expr, Expr]) -> bool:
    inner = sympy.cancel(model[eta] / (1 - eta**2))
    return sympy.solve(inner, theta) == [0] and sympy.solve(model[theta].subs(theta, 0), eta) == [0]


def theta_steps(limit_at_zero: Expr, _: Context) -> Iterator[Step]:
    """The best theta falls as lambda grows, from oo to 2 gamma / sqrt(pi d)."""
    value = swapped.best_theta()
    yield equal(
        "the risk has no slope there", swapped.informative_risk().diff(theta).subs({eta: 1, theta: value}), 0
    )
    curvature = swapped.informative_risk().diff(theta, 2)
    yield positive("and is convex in theta", curvature.subs(SHARE))
    yield equal("closed form", value, gamma * sqrt(pi * u / 2) / (m * asin(u)))
    x = Symbol("x", positive=True)
    falls = sympy.diff(sqrt(u) / asin(u), u) * 2 * sqrt(u) * asin(u) ** 2
    yield equal("slope of sqrt(u) / asin u", falls, asin(u) - 2 * u / sqrt(1 - u**2))
    slope = (
        sympy.diff(2 * x / sqrt(1 - x**2) - asin(x), x).subs(x, sin(r)).subs(sqrt(1 - sin(r) ** 2), cos(r))
    )
    yield equal(
        "2 u / sqrt(1 - u^2) - asin u grows from 0", sympy.simplify(slope * cos(r) ** 3), 2 - cos(r) ** 2
    )
    yield limit("for small lambda", in_parameters(value) * lam * m, lam, 0, limit_at_zero, side="+")
    yield limit("for large lambda", in_parameters(value) * m, lam, oo, gamma * sqrt(2 / pi))


def risk_at(partial: Expr) -> tuple[Eq, ...]:
    """Risk at the best theta, and at theta = 1, in units of gamma^2 and without the noise tokens."""
    at_best = swapped.informative_risk().subs({eta: 1, theta: swapped.best_theta()}) / gamma**2
    at_one = swapped.informative_risk().subs({eta: 1, theta: 1}) / gamma**2
    in_a = {m: a * gamma * sqrt(2 / u)}
    loss = swapped.ratio() * (1 - 1 / swapped.best_theta()) ** 2
    return (
        Eq(at_best, partial, evaluate=False),
        Eq(at_one.subs(in_a), swapped.complete_swap_risk(), evaluate=False),
        Eq(at_one, partial + loss, evaluate=False),
    )


# --- bounds and the limit --------------------------------------------------------------------------------


def bound_relations(scale: Expr = S.One) -> tuple[Expr, ...]:
    low, high = (in_parameters(bound) for bound in swapped.bounds())
    risk = in_parameters(gamma**2 * swapped.partial_swap_risk()) + swapped.noise()
    return Ge(risk, low), Le(risk, scale * high)


def bound_steps(_: tuple[Expr, ...], __: Context) -> Iterator[Step]:
    """With u = sin t: 1 - sin t / t <= t^2 / 6, sin t >= (2/pi) t and asin u >= u."""
    t = Symbol("t", positive=True)
    yield equal(
        "third derivative of sin t - t + t^3 / 6", sympy.diff(sin(t) - t + t**3 / 6, t, 3), 1 - cos(t)
    )
    for order in range(3):
        start = sympy.diff(sin(t) - t + t**3 / 6, t, order).subs(t, 0)
        yield equal(f"its derivative of order {order} vanishes at 0", start, 0)
    above_chord = sin(t) - 2 / pi * t
    yield equal("sin t - (2/pi) t is concave on (0, pi/2)", sympy.diff(above_chord, t, 2), -sin(t))
    for end in (S.Zero, pi / 2):
        yield equal(f"and 0 at t = {end}", above_chord.subs(t, end), 0)
    steep = sympy.diff(asin(u), u).subs(SHARE) ** 2 - 1
    yield positive("asin u - u grows from 0", sympy.factor(steep))
    share = Rational(1, 12) * pi + 2 / pi
    yield positive(
        "1 - sin t / t + (2/pi) t <= (pi/12 + 2/pi) t for t <= pi/2, less than t <= (pi/2) sin t", 1 - share
    )
    unbounded = in_parameters(u)
    yield nonnegative("u <= 2 lambda^2 gamma^2", sympy.factor(2 * lam**2 * gamma**2 - unbounded))
    yield equal(
        "so the upper bound is (pi/2) gamma^2 2 lambda^2 gamma^2",
        pi / 2 * gamma**2 * 2 * lam**2 * gamma**2,
        pi * gamma**4 * lam**2,
    )


def limit_steps(threshold: Expr, _: Context) -> Iterator[Step]:
    """Each of the three non-negative parts of the risk vanishes under its own condition."""
    x = Symbol("x", positive=True)
    yield limit("1 - u / asin u vanishes with u", 1 - swapped.ratio(), u, 0, 0, side="+")
    yield limit("so does (2/pi) asin u", swapped.power, u, 0, 0, side="+")
    yield limit("and u / asin u tends to 1", swapped.ratio(), u, 0, 1, side="+")
    scaled = in_parameters(swapped.best_theta()).subs(m, x / lam)
    yield limit("best theta with lambda m = x", scaled, lam, 0, sqrt(pi) / (2 * x), side="+")
    yield equal("it is 1 at the threshold of lambda^2 d = 2 x^2", sqrt(pi) / (2 * sqrt(threshold / 2)), 1)
    yield limit(
        "the best risk over lambda^2",
        in_parameters(swapped.partial_swap_risk()) / lam**2,
        lam,
        0,
        4 * gamma**2 / pi,
        side="+",
    )


# --- claims ----------------------------------------------------------------------------------------------


def claims() -> list[Claim]:
    return [*on_the_manifold(), *as_good_as_bayes()]


def on_the_manifold() -> list[Claim]:
    return [
        Claim(
            id="swapped.risk-on-manifold",
            statement="Where $\\kappa = \\nu = \\rho = 0$ the excess risk is $\\gamma^2 - 2 \\gamma^2 g m "
            "\\theta \\eta + z (\\gamma^2 + m^2 \\theta^2) + (L - 1) "
            "\\zeta(0, \\lambda)$ with $g = \\sqrt{2 u / \\pi} / \\gamma$, $z = \\frac{2}{\\pi} asin(u)$, "
            "$u = 2 \\lambda^2 \\gamma^2 / "
            "(1 + 2 \\lambda^2 \\gamma^2)$.",
            subject=lambda: risk_is(swapped.informative_risk()),
            source="this toolkit",
            judges=(Identity(simplifiers=(ZETA, ("simplify", sympy.simplify))),),
            mutants=(
                Mutant("eta for theta", lambda: risk_is(swapped.informative_risk().subs(theta, eta))),
                Mutant("no variance", lambda: risk_is(swapped.informative_risk() - swapped.power * gamma**2)),
            ),
            variables=(*ADMISSIBLE, Variable("theta", "[-1, 1]"), Variable("eta", "[-1, 1]")),
            formula=swapped.informative_risk,
            depends_on=("risk.five-overlaps", "gaussian.zeta-at-zero", "manifold.flow-invariant"),
        ),
        Claim(
            id="swapped.equilibria",
            statement="On this invariant manifold the flow has, for $b = \\gamma \\sqrt{\\pi u / 2} / (m\\, "
            "asin\\, u) < 1$, the sinks $(\\theta, \\eta) = "
            "\\pm (b, 1)$, the saddles $(0, 0)$ and $\\pm (1, 1)$, the sources $\\pm (-1, 1)$, and no other "
            "equilibrium.",
            subject=lambda: WITHIN,
            source="this toolkit",
            judges=(Steps(equilibria_steps),),
            mutants=(
                Mutant("(1, 1) a sink", lambda: {**WITHIN, (1, 1): "sink"}),
                Mutant(
                    "no saddle at 0",
                    lambda: {point: name for point, name in WITHIN.items() if point != (0, 0)},
                ),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(list(swapped.velocity().values())),
            depends_on=("swapped.risk-on-manifold",),
        ),
        Claim(
            id="swapped.equilibria-complete",
            statement="For $b > 1$ the sinks are $\\pm (1, 1)$ (the roles swapped completely, $k = v^*$ and "
            "$v = k^*$), $(0, 0)$ is a saddle, "
            "$\\pm (-1, 1)$ are sources, and there is no other equilibrium.",
            subject=lambda: BEYOND,
            source="this toolkit",
            judges=(Steps(equilibria_steps),),
            mutants=(
                Mutant("(1, 1) a saddle", lambda: {**BEYOND, (1, 1): "saddle"}),
                Mutant("(-1, 1) a saddle", lambda: {**BEYOND, (-1, 1): "saddle"}),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(list(swapped.velocity().values())),
            depends_on=("swapped.risk-on-manifold",),
        ),
        Claim(
            id="swapped.theta",
            statement="The risk with $k = v^*$, $\\kappa = \\nu = \\rho = 0$ is quadratic in $\\theta$ with "
            "its minimum at $b = \\gamma \\sqrt{\\pi u / 2} / (m\\, "
            "asin\\, u)$, which falls as $\\lambda$ grows: like $\\frac{\\sqrt\\pi}{2} / (\\lambda m)$ for "
            "small $\\lambda$, to $2 \\gamma / \\sqrt{\\pi d}$ for large. "
            "So $b < 1$ above one value of $\\lambda$ if $d > 4 \\gamma^2 / \\pi$, and for no $\\lambda$ "
            "else.",
            subject=lambda: sqrt(pi) / 2,
            source="this toolkit",
            judges=(Steps(theta_steps),),
            mutants=(Mutant("1 / (lambda m)", lambda: S.One), Mutant("sqrt(pi)", lambda: sqrt(pi))),
            variables=ADMISSIBLE,
            formula=swapped.best_theta,
            depends_on=("swapped.risk-on-manifold",),
        ),
        Claim(
            id="swapped.risk",
            statement="Noise tokens apart the excess risk is $\\gamma^2 (1 - u / asin\\, u + "
            "\\frac{2}{\\pi} asin\\, u)$ at $\\theta = b$; at $\\theta = 1$ it is "
            "larger by $\\gamma^2 \\frac{u}{asin\\, u} (1 - 1/b)^2$.",
            subject=lambda: risk_at(swapped.partial_swap_risk()),
            source="this toolkit",
            judges=(Identity(),),
            mutants=(
                Mutant("u for asin u", lambda: risk_at(swapped.partial_swap_risk().subs(asin(u), u))),
                Mutant("without the variance", lambda: risk_at(1 - swapped.ratio())),
            ),
            variables=(Variable("u", "(0, 1)"), Variable("m", "positive"), Variable("gamma", "positive")),
            formula=lambda: gamma**2 * swapped.partial_swap_risk(),
            depends_on=("swapped.theta",),
        ),
    ]


def as_good_as_bayes() -> list[Claim]:
    return [
        Claim(
            id="swapped.bounds",
            statement="If $b \\le 1$ the role-swapped predictor's excess risk is between $\\frac{2}{\\pi} "
            "\\gamma^2 u + \\frac{4}{\\pi} (L - 1) \\lambda^2 / "
            "(1 + 2 \\lambda^2)$ and $\\pi \\gamma^4 \\lambda^2 + \\frac{4}{\\pi} (L - 1) \\lambda^2$.",
            subject=bound_relations,
            source="this toolkit",
            judges=(Argument(bound_steps, points=8),),
            mutants=(Mutant("a third of the upper bound", lambda: bound_relations(Rational(1, 3))),),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(swapped.bounds()),
            depends_on=("swapped.risk", "oracle.noise-bounds"),
            derivation="With $u = \\sin t$: $0 \\le 1 - u / t \\le t^2 / 6$ and $u \\le t \\le "
            "\\frac{\\pi}{2} u$.",
        ),
        Claim(
            id="swapped.limit",
            statement="At fixed $\\gamma$ the role-swapped predictor ($\\theta = \\min(b, 1)$) is "
            "asymptotically Bayes optimal, its excess risk tending to 0, "
            "if and only if $\\lambda \\to 0$, $\\lambda \\sqrt L \\to 0$ and $\\liminf \\lambda^2 d \\ge "
            "\\pi / 2$. Corollary 2 asks $\\lambda \\sqrt d \\to \\infty$ of the "
            "oracle; here $\\lambda = \\sqrt{\\pi / (2 d)}\\,(1 + o(1))$ suffices, with an excess risk of "
            "order $L / d$, without a logarithm.",
            subject=lambda: pi / 2,
            source="this toolkit",
            judges=(Steps(limit_steps),),
            mutants=(Mutant("threshold 1", lambda: S.One), Mutant("threshold pi", lambda: pi)),
            variables=(Variable("lambda^2 d", "positive", "its lower limit is compared with the threshold"),),
            depends_on=("swapped.bounds", "swapped.risk", "swapped.theta"),
            derivation="The excess is $\\gamma^2 (1 - u / asin\\, u) + \\gamma^2 \\frac{2}{\\pi} asin\\, u "
            "+ \\gamma^2 \\frac{u}{asin\\, u} (1 - 1/b)_+^2 + (L - 1) "
            "\\zeta(0, \\lambda)$, a sum of non-negative terms. The first two vanish if and only if $u$ "
            "does, the last if and only if $(L - 1) \\lambda^2$ "
            "does, the third then if and only if $\\limsup b \\le 1$, and $b \\lambda m \\to \\sqrt\\pi / "
            "2$.",
        ),
    ]
