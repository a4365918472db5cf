"""Convergence to the optimum on M (Theorem 5), of the flow and of projected gradient descent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from sympy import Expr, Matrix, S, Symbol, cos, eye, pi, sin, sqrt, tan

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.claims.manifold import ADMISSIBLE, EQUILIBRIA, TYPES
from proofs_check.judges.cited import Cited, Hypothesis
from proofs_check.judges.exact import Step, Steps
from proofs_check.steps import equal, positive
from theory import planar
from theory.composite import a, b
from theory.convergence import SADDLE, separatrix_slope, unstable_direction
from theory.descent import step_size
from theory.symbols import gamma, kappa, nu

Point = tuple[int, int]
SINKS = frozenset({(1, 1), (-1, -1)})
THEOREM_5 = "Theorem 5"

LASALLE = Cited(
    theorem="LaSalle's invariance principle: a bounded orbit on which a continuous function decreases "
    "strictly except at "
    "finitely many equilibria converges to one of them",
    reference="LaSalle, The Stability of Dynamical Systems, SIAM 1976, chapters 1 and 2 (maps and flows)",
    hypotheses=(
        Hypothesis("compact invariant set", claim="convergence.square"),
        Hypothesis("finitely many equilibria", claim="manifold.equilibria"),
        Hypothesis("the flow decreases the risk strictly", claim="manifold.lyapunov"),
        Hypothesis("a step of descent decreases the risk strictly", claim="step-size.descent"),
    ),
)

KAMKE = Cited(
    theorem="Kamke-Mueller theorem: the flow of a cooperative system on a convex set preserves the order of "
    "its points",
    reference="Smith, Monotone Dynamical Systems, AMS 1995, proposition 3.1.1",
    hypotheses=(
        Hypothesis("cooperative", claim="manifold.cooperative"),
        Hypothesis("convex invariant set", claim="convergence.square"),
    ),
)

CENTRE_STABLE = Cited(
    theorem="Centre-stable manifold theorem: orbits of a local diffeomorphism that converge to a fixed "
    "point whose derivative "
    "has an eigenvalue outside the unit circle start in a set of measure zero",
    reference="Shub, Global Stability of Dynamical Systems, Springer 1987, theorem III.7; "
    "Lee, Simchowitz, Jordan and Recht, COLT 2016",
    hypotheses=(
        Hypothesis("local diffeomorphism", claim="step-size.order"),
        Hypothesis("unstable eigenvalue at the saddle and the sources", claim="manifold.types"),
        Hypothesis("every orbit converges", claim="convergence.single-limit"),
    ),
)


# --- steps -----------------------------------------------------------------------------------------------


def square_steps(velocity: Mapping[Expr, Expr], _: Context) -> Iterator[Step]:
    """The edges are invariant, and on each the other overlap moves one way."""
    p = Symbol("p", positive=True)
    inside = p / (1 + p)
    edges = ((kappa, S.One, nu), (nu, S.One, kappa), (kappa, -S.One, nu), (nu, -S.One, kappa))
    for edge, side, other in edges:
        yield equal(f"{edge} = {side} is invariant", velocity[edge].subs(edge, side), 0)
        for value in (inside, S.Zero, -inside):
            along = _below_one(side * velocity[other].subs(edge, side).subs(other, value))
            yield positive(f"on {edge} = {side} the overlap {other} moves towards {side} from {value}", along)


def _below_one(expression: Expr) -> Expr:
    """erf of a positive argument written as q / (1 + q) with q positive."""
    q = Symbol("q", positive=True)
    return expression.replace(
        lambda e: isinstance(e, sympy.erf) and e.args[0].is_positive, lambda *_: q / (1 + q)
    )


def exceptional_steps(linearisation: Matrix, _: Context) -> Iterator[Step]:
    """Perron: positive off-diagonal entries and a negative determinant give a positive unstable direction."""
    yield equal(
        "the linearisation is that of the saddle", sum(linearisation - planar.linearisation(SADDLE)), 0
    )
    yield equal("symmetric, so right eigenvectors are left ones", linearisation[0, 1], linearisation[1, 0])
    yield positive("off-diagonal entries are positive", linearisation[0, 1])
    value, direction = unstable_direction()
    yield equal("first row of the eigenvalue equation", (linearisation * direction)[0], value * direction[0])
    yield equal("second row of the eigenvalue equation", (linearisation * direction)[1], value * direction[1])
    root = sqrt(b**2 + pi)
    yield equal(
        "the eigenvalue is a positive multiple of sqrt(a'^2 + pi) - a'",
        value,
        4 * a * gamma**2 / pi * (root - b),
    )
    yield equal("so is the first entry", direction[0], (root - b) / sqrt(pi))
    yield positive("of which the square root is the larger: the squares differ by pi", root**2 - b**2)
    yield positive("the second entry is positive", direction[1])


def separatrix_steps(slope: Expr, _: Context) -> Iterator[Step]:
    """An orbit that tends to the saddle between its axes must do so along the repelling root of the "
    "angle's rate."""
    w = Symbol("omega", real=True)
    towards = Matrix([cos(w), sin(w)])
    turning = (Matrix([[-sin(w), cos(w)]]) * planar.linearisation(SADDLE) * towards)[0]
    other = -1 / slope
    factored = -turning_scale() * (tan(w) - slope) * (tan(w) - other) * cos(w) ** 2
    yield equal("slope of the stable eigenvector", separatrix_slope(), slope)
    yield equal("rate of the angle near the saddle", turning, factored)
    yield positive("one root is negative", sympy.simplify(sqrt(b**2 + pi) ** 2 - b**2))
    yield positive(
        "the other is positive, so the negative one repels: the slope moves away from it", turning_scale()
    )


def turning_scale() -> Expr:
    return 4 * a * gamma**2 / sqrt(pi)


def limit_steps(limits: frozenset[Point], _: Context) -> Iterator[Step]:
    """Of the equilibria only the sinks can be limits from a set of starts that is not null."""
    found = frozenset(point for point in EQUILIBRIA if _contracts(point))
    yield Step(
        "the claimed limits are the sinks among the equilibria", limits == found, f"sinks: {sorted(found)}"
    )
    for point in sorted(EQUILIBRIA - found):
        yield Step(f"{point} is a {TYPES[point]}", TYPES[point] in ("source", "saddle"))


def descent_limit_steps(limits: frozenset[Point], context: Context) -> Iterator[Step]:
    """A step has the derivative 1 + s J: the same equilibria, eigenvectors and sinks for s |J| < 1."""
    angles = list(planar.ANGLES.values())
    for point in ((0, 0), (1, 1)):
        at = {angle: sympy.asin(value) for angle, value in zip(angles, point, strict=True)}
        derivative = planar.descent_step().jacobian(angles).subs(at)
        expected = eye(2) + step_size * planar.linearisation(tuple(map(S, point)))
        yield equal(f"derivative of a step at {point}", sum((derivative - expected).applyfunc(abs)), 0)
    yield from limit_steps(limits, context)


def _contracts(point: Point) -> bool:
    jacobian = planar.linearisation(tuple(map(S, point)))
    jacobian = jacobian.applyfunc(lambda entry: sympy.factor(_below_one(entry)))
    return bool(jacobian.is_diagonal() and all(jacobian[i, i].is_negative for i in (0, 1)))


# --- claims ----------------------------------------------------------------------------------------------


def claims() -> list[Claim]:
    return [*foundations(), *exceptional_set(), *theorem()]


def foundations() -> list[Claim]:
    return [
        Claim(
            id="convergence.square",
            statement="The square $|\\kappa|, |\\nu| \\le 1$ and each of its edges are invariant under the "
            "flow on $M$, and between the "
            "corners of the edge $\\kappa = \\pm 1$ or $\\nu = \\pm 1$ the other overlap moves towards the "
            "same sign: every point of the "
            "boundary but the sources $(1, -1)$, $(-1, 1)$ converges to a sink.",
            subject=planar.velocity,
            source="this toolkit",
            judges=(Steps(square_steps),),
            mutants=(
                Mutant("nu reversed", lambda: {**planar.velocity(), nu: -planar.velocity()[nu]}),
                Mutant(
                    "edge not invariant",
                    lambda: {**planar.velocity(), kappa: planar.velocity()[kappa] + kappa},
                ),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(
                [planar.velocity()[nu].subs(kappa, 1), planar.velocity()[kappa].subs(nu, 1)]
            ),
            depends_on=("manifold.planar-flow",),
        ),
        Claim(
            id="convergence.single-limit",
            statement="Every orbit on $M$, of the flow or of projected gradient descent with $s < 2 / "
            "\\Lambda$, converges to a "
            "single equilibrium.",
            subject=lambda: LASALLE.applied(),
            source="proof of Theorem 5",
            judges=(LASALLE,),
            mutants=(
                Mutant(
                    "no step-size bound",
                    lambda: LASALLE.applied(without="a step of descent decreases the risk strictly"),
                ),
                Mutant(
                    "equilibria not isolated", lambda: LASALLE.applied(without="finitely many equilibria")
                ),
            ),
            depends_on=LASALLE.requires,
            derivation="The limit set of a bounded orbit is connected (steps tend to 0 as the risk "
            "converges) and consists of "
            "equilibria, which are finitely many. In $R^d$, $k$ stays in the plane of $k_0, k^*$ and $v$ in "
            "that of $v_0, v^*$.",
        ),
        Claim(
            id="convergence.order",
            statement="The flow on $M$ preserves the order of the square: $\\kappa \\le \\tilde\\kappa$ and "
            "$\\nu \\le \\tilde\\nu$ at one "
            "time imply the same later.",
            subject=lambda: KAMKE.applied(),
            source="this toolkit",
            judges=(KAMKE,),
            mutants=(
                Mutant("not cooperative", lambda: KAMKE.applied(without="cooperative")),
                Mutant(
                    "the Lyapunov function instead", lambda: KAMKE.applied(cooperative="manifold.lyapunov")
                ),
            ),
            depends_on=KAMKE.requires,
        ),
    ]


def exceptional_set() -> list[Claim]:
    return [
        Claim(
            id="convergence.exceptional-set",
            statement="No two distinct points of the square with $\\kappa \\le \\tilde\\kappa$, $\\nu \\le "
            "\\tilde\\nu$ both converge to the saddle, "
            "neither under the flow nor under descent with $s < 1 / \\Lambda$. The starts that do are a "
            "decreasing curve "
            "through $(0, 0)$ from $(-1, 1)$ to $(1, -1)$, of measure zero; above it lies the basin of $(1, "
            "1)$, below it that of $(-1, -1)$.",
            subject=lambda: planar.linearisation(SADDLE),
            source="proof of Theorem 5",
            judges=(Steps(exceptional_steps),),
            mutants=(
                Mutant(
                    "competitive instead",
                    lambda: planar.linearisation(SADDLE).multiply_elementwise(Matrix([[1, -1], [-1, 1]])),
                ),
                Mutant("other coupling", lambda: planar.linearisation(SADDLE) + Matrix([[0, 1], [1, 0]])),
            ),
            variables=ADMISSIBLE,
            depends_on=(
                "manifold.types",
                "convergence.order",
                "convergence.square",
                "convergence.single-limit",
                "step-size.order",
            ),
            derivation="Let $\\delta \\ge 0$ be the difference of two ordered orbits that tend to the "
            "saddle. It solves a linear equation whose "
            "coefficients tend to the linearisation $J$, and stays non-negative. With the positive left "
            "eigenvector $w$ of the positive "
            "eigenvalue $\\mu$, $(w \\delta)' \\ge (\\mu - \\epsilon) w \\delta$ in the end, as $|\\delta|$ "
            "is at most a multiple of $w \\delta$: it grows "
            "unless $\\delta = 0$. For descent $\\delta_{n+1} = A_n \\delta_n$ with $A_n \\ge 0$ "
            "invertible, $A_n \\to 1 + s J$, likewise. So each line of "
            "direction $(1, 1)$ meets the set at most once: it is null by Fubini. On such a line the upper "
            "end converges to $(1, 1)$ and "
            "the lower to $(-1, -1)$; basins of sinks are open, so some point in between is in neither.",
        ),
        Claim(
            id="convergence.separatrix",
            statement="At the saddle the exceptional curve has the slope $d\\nu / d\\kappa = (a' - "
            "\\sqrt{a'^2 + \\pi}) / \\sqrt\\pi$, for the flow and "
            "for every step size $s < 1 / \\Lambda$ of descent.",
            subject=lambda: (b - sqrt(b**2 + pi)) / sqrt(pi),
            source="this toolkit",
            judges=(Steps(separatrix_steps),),
            mutants=(
                Mutant("slope -1", lambda: -S.One),
                Mutant("the unstable direction", lambda: (b + sqrt(b**2 + pi)) / sqrt(pi)),
            ),
            variables=(Variable("a'", "positive"),),
            depends_on=("convergence.exceptional-set",),
            derivation="An orbit that tends to the saddle stays between its axes ($\\kappa \\nu < 0$), "
            "since $(0, 0)$ itself is on the "
            "curve and no two points are ordered. Its direction $\\omega$ obeys $\\omega' = f(\\omega) + "
            "O(r)$, and between the axes $f$ has "
            "one zero, from which all others move away to an axis. So $\\omega$ tends to it.",
        ),
        Claim(
            id="convergence.stable-manifold",
            statement="The paper's route to measure zero: for $s < 1 / \\Lambda$ the centre-stable manifold "
            "theorem applies at the saddle and the sources.",
            subject=lambda: CENTRE_STABLE.applied(),
            source=THEOREM_5,
            judges=(CENTRE_STABLE,),
            mutants=(
                Mutant("any step size", lambda: CENTRE_STABLE.applied(without="local diffeomorphism")),
                Mutant(
                    "descent for diffeomorphism",
                    lambda: CENTRE_STABLE.applied(local_diffeomorphism="step-size.descent"),
                ),
            ),
            depends_on=CENTRE_STABLE.requires,
        ),
    ]


def theorem() -> list[Claim]:
    common = ("manifold.types", "convergence.single-limit", "convergence.exceptional-set")
    return [
        Claim(
            id="convergence.flow",
            statement="From every start on $M$ outside a null set of $(\\kappa_0, \\nu_0)$ - the "
            "exceptional curve - the gradient flow converges to "
            "$(k^*, v^*)$ or $(-k^*, -v^*)$, for all $d \\ge 2$, $L$, $\\gamma$ and $\\lambda$.",
            subject=lambda: SINKS,
            source=THEOREM_5,
            judges=(Steps(limit_steps),),
            mutants=(
                Mutant("to the optimum alone", lambda: SINKS - {(-1, -1)}),
                Mutant("to the sources too", lambda: SINKS | {(1, -1)}),
            ),
            variables=ADMISSIBLE,
            formula=lambda: Matrix(sorted(SINKS)),
            depends_on=common,
            derivation="Every orbit converges to an equilibrium; no orbit but itself to a source; those to "
            "the saddle start on a null "
            "curve. For $d \\ge 4$ the uniform law on $M$ gives $(\\kappa_0, \\nu_0)$ a density; for $d = "
            "3$, $M$ is the boundary of the square.",
        ),
        Claim(
            id="convergence.theorem",
            statement="Projected gradient descent on $M$ with any step size $s < 1 / \\Lambda$, $\\Lambda = "
            "2 \\gamma^2 (\\min(1 + \\frac{2 a}{\\sqrt\\pi}, "
            "\\frac{6 a}{\\sqrt\\pi}) + (2 + \\frac{4}{\\pi}) a^2)$, converges to $(k^*, v^*)$ or $(-k^*, "
            "-v^*)$ from every start outside a null set of "
            "$(\\kappa_0, \\nu_0)$, in the end at the rates of rates.sinks per unit of time $s$.",
            subject=lambda: SINKS,
            source=THEOREM_5,
            judges=(Steps(descent_limit_steps),),
            mutants=(
                Mutant("to the optimum alone", lambda: SINKS - {(-1, -1)}),
                Mutant("to the saddle too", lambda: SINKS | {(0, 0)}),
            ),
            variables=(*ADMISSIBLE, Variable(str(step_size), "positive", "step size")),
            formula=planar.descent_step,
            depends_on=(*common, "step-size.order", "manifold.descent-invariant", "rates.sinks"),
            derivation="Descent turns the angles by the arctangent of step size times velocity, so its "
            "equilibria are those of the flow and "
            "its derivative there is $1 + s J$. Convergence to an equilibrium needs $s < 2 / \\Lambda$; "
            "that the exceptional set "
            "is null needs $s < 1 / \\Lambda$.",
        ),
    ]
