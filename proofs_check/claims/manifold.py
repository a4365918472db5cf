"""The manifold M: invariance, the planar flow on it, its equilibria and the Lyapunov function."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from sympy import Eq, Expr, Integer, Matrix, S, Symbol, cos, erf, sin, symbols

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.judges.exact import Identity, Step, Steps
from proofs_check.steps import equal, limit, positive
from theory import planar
from theory.composite import a, b, in_parameters
from theory.descent import descent_map, step_size
from theory.flow import gradient_flow, partial_derivatives
from theory.frame import COORDINATES, FREE
from theory.planar import ANGLES, phi, psi
from theory.risk import excess_risk, excess_risk_on_manifold
from theory.symbols import OVERLAPS, eta, gamma, kappa, nu, rho, theta
from theory.symmetry import MANIFOLD, SWAPPED_MANIFOLD
from theory.tangent import PARTIALS

ADMISSIBLE = (
    Variable("m", "positive", "sqrt(d/2)"),
    Variable("lambda", "positive"),
    Variable("gamma", "positive"),
    Variable("L", "integer, at least 1"),
)


def equations(left: Mapping[Expr, Expr], right: Mapping[Expr, Expr]) -> tuple[Eq, ...]:
    """left[key] = right[key] for every key of the right side."""
    return tuple(Eq(left[key], value, evaluate=False) for key, value in right.items())


# --- symmetry and invariance -----------------------------------------------------------------------------


def without_slope(manifold: Mapping[Expr, Expr], overlaps: frozenset[Expr] | None = None) -> tuple[Eq, ...]:
    """The partial derivatives in the overlaps that a manifold sets to 0 vanish on it."""
    partials = partial_derivatives(excess_risk())
    return tuple(
        Eq(partials[overlap].subs(manifold).doit(), 0, evaluate=False) for overlap in overlaps or manifold
    )


def vanishing(manifold: Mapping[Expr, Expr]) -> dict[Expr, Expr]:
    """Partial derivatives of a function that has no slope along the overlaps that a manifold sets to 0."""
    return {overlap: manifold.get(overlap, PARTIALS[overlap]) for overlap in OVERLAPS}


def stays(after: Mapping[Expr, Expr], manifold: Mapping[Expr, Expr]) -> tuple[Eq, ...]:
    """After a move from the manifold, or as rates on it, the overlaps that it sets to 0 are 0."""
    return tuple(Eq(after[overlap].subs(manifold), 0, evaluate=False) for overlap in manifold)


def flow_in_coordinates(tangent: bool = True) -> tuple[Expr, ...]:
    """Rates of the overlaps by the chain rule in coordinates of R^4 minus those from the Gram matrix."""
    k, v, k_star, v_star = (COORDINATES[i, :] for i in range(4))
    slopes = PARTIALS
    moves = {
        "k": -(slopes[kappa] * k_star + slopes[eta] * v_star + slopes[rho] * v),
        "v": -(slopes[theta] * k_star + slopes[nu] * v_star + slopes[rho] * k),
    }
    if tangent:
        moves = {of: move - move.dot(at) * at for (of, move), at in zip(moves.items(), (k, v), strict=True)}
    speed = Matrix([*moves["k"], *moves["v"]])
    overlaps = dict(
        zip(OVERLAPS, (k.dot(k_star), v.dot(v_star), v.dot(k_star), k.dot(v_star), k.dot(v)), strict=True)
    )
    flow = gradient_flow(slopes)
    return tuple(
        Matrix([[value.diff(x) for x in FREE]]).dot(speed) - flow[overlap].subs(rho, k.dot(v))
        for overlap, value in overlaps.items()
    )


def closure_steps(differences: tuple[Expr, ...], _: Context) -> Iterator[Step]:
    """Each difference is in the ideal of |k|^2 = |v|^2 = 1, so it vanishes for unit vectors; else it does "
    "not."""
    spheres = [COORDINATES[i, :].dot(COORDINATES[i, :]) - 1 for i in (0, 1)]
    for overlap, difference in zip(OVERLAPS, differences, strict=True):
        remainder = sympy.reduced(sympy.expand(difference), spheres, *reversed(FREE))[1]
        yield Step(f"both routes give the same rate of {overlap}", remainder == 0, f"remainder {remainder}")


# --- the planar flow -------------------------------------------------------------------------------------


def planar_flow(closed: Mapping[Expr, Expr]) -> tuple[Eq, ...]:
    """The flow of the risk on M against a closed form of it."""
    partials = {overlap: excess_risk_on_manifold().diff(overlap) for overlap in (kappa, nu)}
    flow = gradient_flow({**vanishing(MANIFOLD), **partials})
    return equations(
        {overlap: flow[overlap].subs(MANIFOLD) for overlap in (kappa, nu)},
        {overlap: in_parameters(rate) for overlap, rate in closed.items()},
    )


def without_inner_gate() -> dict[Expr, Expr]:
    """A velocity in which the second moment of the gate is taken for the square of its mean."""
    return {overlap: rate.subs(b, a) for overlap, rate in planar.velocity().items()}


def turned(step: Matrix) -> tuple[Eq, ...]:
    """A step of gradient descent on M, from the Gram matrix, against one of the angles."""
    slopes = {o: -rate / (1 - o**2) for o, rate in planar.velocity().items()}
    after = descent_map({**vanishing(MANIFOLD), **slopes})
    return tuple(
        Eq(
            planar.in_angles(after[overlap].subs(MANIFOLD)).subs(_COSINE),
            sympy.expand_trig(sin(angle)).subs(_COSINE),
            evaluate=False,
        )
        for overlap, angle in zip((kappa, nu), step, strict=True)
    )


_COSINE = {cos(angle) ** 2: 1 - sin(angle) ** 2 for angle in ANGLES.values()}


def decrease(rate: Expr) -> Eq:
    """The time derivative of the risk along the flow on M."""
    risk = excess_risk_on_manifold()
    along = sum(risk.diff(o) * in_parameters(velocity) for o, velocity in planar.velocity().items())
    return Eq(along, in_parameters(rate), evaluate=False)


def minus_speed_squared() -> Expr:
    """In the angles the flow is a gradient flow: the risk falls by the squared speed."""
    return -sum((velocity**2 / (1 - o**2) for o, velocity in planar.velocity().items()), S.Zero)


# --- equilibria ------------------------------------------------------------------------------------------

y = Symbol("y", real=True)
EQUILIBRIA = frozenset({(0, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)})
TYPES = {(0, 0): "saddle", (1, 1): "sink", (-1, -1): "sink", (1, -1): "source", (-1, 1): "source"}


def equilibria_steps(claimed: frozenset[tuple[int, int]], _: Context) -> Iterator[Step]:
    """Factor by factor: nu' = 0 on kappa = 0 or nu = +-1, and kappa' = 0 there at the five points only."""
    velocity = planar.velocity()
    yield positive("erf is strictly increasing", planar.gate_slope(y))
    yield limit("erf tends to 1, so |erf| < 1 and erf vanishes at 0 only", erf(y), y, sympy.oo, 1)
    along_kappa = 2 * gamma**2 * a * planar.gate_slope(a * kappa)
    yield positive("the first factor of kappa' is positive", along_kappa)
    yield equal(
        "kappa' is it times two factors",
        velocity[kappa],
        along_kappa * (1 - kappa**2) * (nu - erf(b * kappa)),
    )
    yield equal(
        "nu' is the product of two factors", velocity[nu], 2 * gamma**2 * (1 - nu**2) * erf(a * kappa)
    )
    yield equal("on kappa = 0 the second factor of kappa' is nu", (nu - erf(b * kappa)).subs(kappa, 0), nu)
    for point in sorted(claimed):
        at = dict(zip((kappa, nu), map(Integer, point), strict=True))
        rates = [rate.subs(at) for rate in velocity.values()]
        yield Step(f"the velocity vanishes at {point}", rates == [0, 0], str(rates))
    found = planar.equilibria()
    differ = f"found {sorted(found)}" if found != claimed else ""
    yield Step("the factors' zeros are these points and no others", not differ, differ)


def type_steps(types: Mapping[tuple[int, int], str], _: Context) -> Iterator[Step]:
    """Signs of trace and determinant of the symmetric linearisation in the angles, with erf(a'), erf(a) < "
    "1."""
    p, q = symbols("p q", positive=True)
    for point, name in types.items():
        jacobian = planar.linearisation(tuple(map(Integer, point)))
        yield equal(f"the Jacobian at {point} is symmetric", jacobian[0, 1], jacobian[1, 0])
        jacobian = jacobian.subs({erf(b): p / (1 + p), erf(a): q / (1 + q)})
        sign = {"saddle": 0, "sink": -1, "source": 1}[name]
        determinant = jacobian.det()
        yield positive(f"determinant at {point}", determinant if sign else -determinant)
        if sign:
            yield positive(f"trace at {point} as of a {name}", sign * jacobian.trace())


def order_steps(velocity: Matrix, _: Context) -> Iterator[Step]:
    """Off-diagonal entries of the Jacobian are products of cosines and positive factors."""
    jacobian = velocity.jacobian([phi, psi])
    x, z = symbols("x z", positive=True)
    yield equal("the Jacobian is symmetric", jacobian[0, 1], jacobian[1, 0])
    inside = jacobian[0, 1].subs({cos(phi): x, cos(psi): z})
    yield positive("the off-diagonal entry is positive where both cosines are", inside)


# --- claims ----------------------------------------------------------------------------------------------


def claims() -> list[Claim]:
    return [*invariance(), *flow(), *equilibrium_claims()]


def invariance() -> list[Claim]:
    return [
        Claim(
            id="manifold.no-slope",
            statement="On $M$ ($\\theta = \\eta = \\rho = 0$) the partial derivatives of the risk in "
            "$\\theta, \\eta, "
            "\\rho$ vanish; where $\\kappa = \\nu = \\rho = 0$ those in $\\kappa, \\nu, \\rho$ do.",
            subject=lambda: without_slope(MANIFOLD) + without_slope(SWAPPED_MANIFOLD),
            source="this toolkit",
            judges=(Identity(),),
            mutants=(
                Mutant("the slope in kappa too", lambda: without_slope(MANIFOLD, frozenset({kappa}))),
                Mutant("M without rho = 0", lambda: without_slope({theta: S.Zero, eta: S.Zero})),
            ),
            variables=ADMISSIBLE,
            formula=lambda: (Eq(PARTIALS[rho], 0, evaluate=False),),
            depends_on=("risk.five-overlaps", "risk.reflection", "risk.symmetry"),
            derivation="A function that is even along the overlaps which a symmetry flips has no slope "
            "along them "
            "where they vanish.",
        ),
        Claim(
            id="manifold.closure",
            statement="Under the gradient flow of any function of the five overlaps on the two spheres, "
            "with the "
            "Riemannian gradient (the part of the Euclidean one tangent to the sphere), the overlaps obey a "
            "closed "
            "system: their rates are polynomials in the overlaps and the partial derivatives.",
            subject=flow_in_coordinates,
            source="this toolkit",
            judges=(Steps(closure_steps),),
            mutants=(Mutant("Euclidean gradient", lambda: flow_in_coordinates(tangent=False)),),
            variables=tuple(Variable(str(x), "real", "a coordinate of k or v") for x in FREE),
            formula=lambda: tuple(gradient_flow(PARTIALS).values()),
            derivation="Every vector lies in the span of $k, v, k^*, v^*$, so every inner product is one of "
            "their "
            "Gram matrix. Checked against coordinates in $R^4$, modulo $|k| = |v| = 1$.",
        ),
        Claim(
            id="manifold.flow-invariant",
            statement="The gradient flow on the spheres of every $C^2$ function without slope across $M$ "
            "leaves "
            "$M$ invariant, that of the risk among them; likewise the manifold $\\kappa = \\nu = \\rho = 0$.",
            subject=lambda: (
                stays(gradient_flow(vanishing(MANIFOLD)), MANIFOLD)
                + stays(gradient_flow(vanishing(SWAPPED_MANIFOLD)), SWAPPED_MANIFOLD)
            ),
            source="invariance of the manifold",
            judges=(Identity(),),
            mutants=(
                Mutant(
                    "a slope in rho",
                    lambda: stays(gradient_flow({**vanishing(MANIFOLD), rho: PARTIALS[rho]}), MANIFOLD),
                ),
                Mutant("any function", lambda: stays(gradient_flow(PARTIALS), MANIFOLD)),
            ),
            depends_on=("manifold.no-slope", "manifold.closure"),
            derivation="The rates of the overlaps that vanish on $M$ vanish there, so the solution of the "
            "flow "
            "restricted to $M$ is one of the whole flow, and solutions are unique.",
        ),
        Claim(
            id="manifold.descent-invariant",
            statement="Every step of projected gradient descent from a point of $M$ ends on $M$, whatever "
            "the step "
            "size and the $\\lambda$ of that step; likewise for $\\kappa = \\nu = \\rho = 0$.",
            subject=lambda: (
                stays(descent_map(vanishing(MANIFOLD)), MANIFOLD)
                + stays(descent_map(vanishing(SWAPPED_MANIFOLD)), SWAPPED_MANIFOLD)
            ),
            source="invariance of the manifold",
            judges=(Identity(),),
            mutants=(
                Mutant(
                    "a slope in theta",
                    lambda: stays(descent_map({**vanishing(MANIFOLD), theta: PARTIALS[theta]}), MANIFOLD),
                ),
            ),
            variables=(Variable(str(step_size), "positive", "step size"),),
            formula=lambda: Matrix([descent_map(vanishing(MANIFOLD))[o].subs(MANIFOLD) for o in (kappa, nu)]),
            depends_on=("manifold.no-slope", "manifold.closure"),
            derivation="On $M$ the gradient in $k$ is in the span of $k$ and $k^*$, the one in $v$ in that "
            "of $v$ "
            "and $v^*$, and these two planes are orthogonal.",
        ),
    ]


def flow() -> list[Claim]:
    return [
        Claim(
            id="manifold.planar-flow",
            statement="On $M$ the flow is the planar system $\\kappa' = 2 \\gamma^2 a\\, erf'(a \\kappa) (1 "
            "- \\kappa^2) "
            "(\\nu - erf(a' \\kappa))$, $\\nu' = 2 \\gamma^2 (1 - \\nu^2) erf(a \\kappa)$ with "
            "$a = \\lambda m / \\sqrt{1 + 2 \\lambda^2 \\gamma^2}$, $a' = a / \\sqrt{1 + 4 \\lambda^2 "
            "\\gamma^2}$.",
            subject=lambda: planar_flow(planar.velocity()),
            source="gradient flow on the manifold",
            judges=(Identity(),),
            mutants=(
                Mutant("a for a'", lambda: planar_flow(without_inner_gate())),
                Mutant(
                    "twice as fast", lambda: planar_flow({o: 2 * r for o, r in planar.velocity().items()})
                ),
            ),
            variables=(*ADMISSIBLE, Variable("kappa", "[-1, 1]"), Variable("nu", "[-1, 1]")),
            formula=lambda: Matrix(list(planar.velocity().values())),
            depends_on=("manifold.flow-invariant", "risk.manifold", "gaussian.zeta-derivative"),
        ),
        Claim(
            id="manifold.angles",
            statement="With $\\kappa = \\sin\\phi$, $\\nu = \\sin\\psi$ a step of projected gradient "
            "descent on $M$ "
            "turns each angle by the arctangent of the step size times its velocity under the flow.",
            subject=lambda: turned(planar.descent_step()),
            source="this toolkit",
            judges=(Identity(),),
            mutants=(
                Mutant(
                    "turns by the step size times the velocity",
                    lambda: turned(Matrix([phi, psi]) + step_size * planar.angular_velocity()),
                ),
            ),
            variables=(Variable(str(step_size), "positive", "step size"),),
            formula=planar.descent_step,
            depends_on=("manifold.descent-invariant", "manifold.planar-flow"),
        ),
        Claim(
            id="manifold.lyapunov",
            statement="Along the flow on $M$ the risk decreases at the rate $\\phi'^2 + \\psi'^2 = "
            "\\kappa'^2 / "
            "(1 - \\kappa^2) + \\nu'^2 / (1 - \\nu^2)$: it is a strict Lyapunov function, constant at "
            "equilibria only.",
            subject=lambda: decrease(minus_speed_squared()),
            source="this toolkit",
            judges=(Identity(),),
            mutants=(Mutant("half of it", lambda: decrease(minus_speed_squared() / 2)),),
            variables=(*ADMISSIBLE, Variable("kappa", "(-1, 1)"), Variable("nu", "(-1, 1)")),
            formula=lambda: minus_speed_squared(),
            depends_on=("manifold.planar-flow",),
            derivation="The speeds of the two angles vanish together at equilibria only.",
        ),
    ]


def equilibrium_claims() -> list[Claim]:
    return [
        Claim(
            id="manifold.equilibria",
            statement="For all $d, L, \\gamma, \\lambda$ the equilibria of the planar flow in $[-1, 1]^2$ "
            "are $(0, 0)$, "
            "$(1, 1)$, $(-1, -1)$, $(1, -1)$, $(-1, 1)$ and nothing else.",
            subject=lambda: EQUILIBRIA,
            source="this toolkit",
            judges=(Steps(equilibria_steps),),
            mutants=(
                Mutant("no saddle", lambda: EQUILIBRIA - {(0, 0)}),
                Mutant("one more", lambda: EQUILIBRIA | {(1, 0)}),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(sorted(EQUILIBRIA)),
            depends_on=("manifold.planar-flow",),
            derivation="$\\nu' = 0$ needs $\\nu = \\pm 1$ or $erf(a \\kappa) = 0$. In the first case $\\nu "
            "- erf(a' \\kappa)$ "
            "is not 0 as $|erf| < 1$, so $\\kappa = \\pm 1$; in the second $\\kappa = 0$ and $\\nu = "
            "erf(0)$.",
        ),
        Claim(
            id="manifold.types",
            statement="For all $d, L, \\gamma, \\lambda$: $(0, 0)$ is a hyperbolic saddle, $(1, 1)$ and "
            "$(-1, -1)$ are "
            "hyperbolic sinks, $(1, -1)$ and $(-1, 1)$ hyperbolic sources of the flow in the angles.",
            subject=lambda: TYPES,
            source="this toolkit",
            judges=(Steps(type_steps),),
            mutants=(
                Mutant("(1, -1) a sink", lambda: {**TYPES, (1, -1): "sink"}),
                Mutant("(0, 0) a sink", lambda: {**TYPES, (0, 0): "sink"}),
                Mutant("(1, 1) a saddle", lambda: {**TYPES, (1, 1): "saddle"}),
            ),
            variables=ADMISSIBLE,
            formula=lambda: tuple(
                planar.linearisation(point) for point in ((S.Zero, S.Zero), (S.One, S.One))
            ),
            depends_on=("manifold.equilibria",),
        ),
        Claim(
            id="manifold.cooperative",
            statement="In the open square $|\\phi|, |\\psi| < \\pi/2$ each angle's velocity increases with "
            "the other "
            "angle: the flow on $M$ is a cooperative system.",
            subject=planar.angular_velocity,
            source="this toolkit",
            judges=(Steps(order_steps),),
            mutants=(
                Mutant(
                    "kappa pulls nu down",
                    lambda: sympy.diag(1, -1) * planar.angular_velocity(),
                ),
                Mutant("both the other way round", lambda: -planar.angular_velocity()),
            ),
            variables=ADMISSIBLE,
            formula=lambda: planar.jacobian()[0, 1],
            depends_on=("manifold.planar-flow",),
        ),
    ]
