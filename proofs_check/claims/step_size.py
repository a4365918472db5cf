"""A step size that is small enough: curvature of the risk on M, descent, preserved order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import sympy
from sympy import Expr, Le, Lt, Rational, S, Symbol, atan, cos, erf, exp, pi, sin, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.claims.manifold import ADMISSIBLE
from proofs_check.judges.exact import Step, Steps
from proofs_check.judges.positive import Argument
from proofs_check.steps import equal, nonnegative, positive
from theory import curvature, planar, stability
from theory.composite import a, b, in_parameters
from theory.convergence import HUMP, curvature_bounds, largest_step_size
from theory.planar import gate_slope, phi, psi
from theory.symbols import L, gamma, kappa, lam, m, nu

x = Symbol("x", positive=True)


def hump_relations(bound: Expr) -> tuple[Expr, ...]:
    return Le(x * gate_slope(x), bound), Le(x * gate_slope(x), 2 / sqrt(pi) * x), Lt(bound, S.Half)


def hump_steps(relations: tuple[Expr, ...], _: Context) -> Iterator[Step]:
    y = Symbol("y", nonnegative=True)
    slope = sympy.diff(x * gate_slope(x), x)
    yield equal(
        "x erf'(x) rises up to 1 / sqrt 2 and then falls", slope, 2 / sqrt(pi) * exp(-(x**2)) * (1 - 2 * x**2)
    )
    at_top = (x * gate_slope(x)).subs(x, 1 / sqrt(2))
    yield equal("its value at the top", at_top, relations[0].rhs)
    yield positive("8 < pi e, so it is less than 1/2", pi * exp(1) - 8)
    yield nonnegative("e^(-y) <= 1", 1 - 1 / (1 + y))


def curvature_steps(bounds: tuple[Expr, ...], _: Context) -> Iterator[Step]:
    """Rows of the Hessian: |entry| + |off-diagonal entry| is at most the bound; compared at a grid first."""
    for bound in bounds:
        worst = _largest_excess(bound)
        yield Step("no point of a grid exceeds the bound", worst <= 0, f"largest excess {worst:.3g}")
        if worst > 0:
            return
    hump, gap, inner, slope, c2 = symbols("P D E1 E0 c2", real=True)
    y = planar.in_angles(kappa)
    jacobian = planar.jacobian()
    values = {
        hump: a * y * gate_slope(a * y),
        gap: planar.in_angles(nu) - erf(b * y),
        inner: gate_slope(b * y),
        slope: gate_slope(a * y),
        c2: cos(phi) ** 2,
    }
    first = -2 * gamma**2 * (hump * gap * (1 + 2 * a**2 * c2) + a * b * slope * inner * c2)
    yield equal("first diagonal entry", jacobian[0, 0], first.subs(values))
    yield equal(
        "off-diagonal entry", jacobian[0, 1], 2 * gamma**2 * a * slope.subs(values) * cos(phi) * cos(psi)
    )
    yield equal(
        "second diagonal entry", jacobian[1, 1], -2 * gamma**2 * planar.in_angles(nu * erf(a * kappa))
    )
    # |D| <= 2; 0 < E0, E1 <= 2 / sqrt pi; |P| <= 1/2 and <= 2 a / sqrt pi; |erf y| <= 1 and <= 2 y / sqrt pi
    top, off, steep = 4 / pi * a * b, 2 / sqrt(pi) * a, 2 / sqrt(pi) * a
    lower = {b: a * x / (1 + x)}
    by_hump = 2 * gamma**2 * (2 * (S.Half + 2 * a**2 * S.Half) + top + off)
    by_slope = 2 * gamma**2 * (2 * (steep + 2 * a**2 * S.Half) + top + off)
    for name, row, bound in (("large", by_hump, bounds[0]), ("small", by_slope, bounds[1])):
        yield nonnegative(f"first row, bound for {name} a", (bound - row).subs(lower))
        yield equal("which it approaches as a' does a", bound, row.subs(b, a))
    for name, row, bound in (("large", S.One + off, bounds[0]), ("small", steep + off, bounds[1])):
        yield nonnegative(f"second row, bound for {name} a", bound - 2 * gamma**2 * row)


def _largest_excess(bound: Expr) -> float:
    """Largest norm of the Hessian minus the bound over a grid, at gamma = 1 and with a' = a."""
    matrix = sympy.lambdify((phi, psi, a), planar.jacobian().subs({gamma: 1, b: a}), "mpmath")
    limit_ = sympy.lambdify(a, bound.subs(gamma, 1), "mpmath")
    angles = [n * 0.17 for n in range(10)]
    excess = []
    for slope, at_phi, at_psi in product((0.05, 1.0, 20.0), angles, angles):
        entries = matrix(at_phi, -at_psi, slope)
        mean, half = (entries[0, 0] + entries[1, 1]) / 2, (entries[0, 0] - entries[1, 1]) / 2
        excess.append(abs(mean) + (half**2 + entries[0, 1] ** 2) ** 0.5 - limit_(slope))
    return float(max(excess))


def descent_steps(multiple: Expr, _: Context) -> Iterator[Step]:
    """For a function with |Hessian| <= K and the step -arctan(s g) in each coordinate, s = multiple / K."""
    k, z = symbols("K z", positive=True)
    s = multiple / k
    yield positive("arctan z < z: their difference grows from 0", sympy.together(sympy.diff(z - atan(z), z)))
    turn = Symbol("t", positive=True)  # arctan(s |g|), less than s |g|
    rest = symbols("r", positive=True)  # s |g| - t
    slope = (turn + rest) / s
    taylor = -slope * turn + k / 2 * turn**2
    gain = slope * turn * (1 - s * k / 2)
    yield nonnegative("the change is at most -(1 - s K / 2) |g| arctan(s |g|)", sympy.expand(-gain - taylor))
    yield nonnegative("1 - s K / 2 is not negative", 1 - s * k / 2)


def order_steps(multiple: Expr, _: Context) -> Iterator[Step]:
    """Derivative of the step for s = multiple / K: D (D^-1 - s H) with D = diag(1 / (1 + (s g)^2)), |H| <= "
    "K."""
    k, h, g = symbols("K h g", positive=True)
    s = multiple / k
    diagonal = 1 - s * (k - h) / (1 + (s * g) ** 2)  # H_ii = K - h at most K
    yield nonnegative("diagonal entries are positive", sympy.factor(diagonal.subs(h, 0)))
    yield positive("and grow as H_ii falls", sympy.diff(diagonal, h))
    yield nonnegative("D^-1 - s H has no eigenvalue below 1 - s K", 1 - s * k)


# --- anywhere on the spheres -----------------------------------------------------------------------------


def geodesic_steps(bound: Expr, _: Context) -> Iterator[Step]:
    """Second derivative of the prediction along a geodesic, term by term; compared with the optimum's Hessian."""
    for point in ((1, 1, S.One / 10, 1), (S.One / 10, 14, S.One / 2, 10)):
        excess = _optimum_curvature(*point) - bound.subs(dict(zip((lam, m, gamma, L), point, strict=True)))
        yield Step(f"not exceeded at the optimum for {point}", bool(excess.evalf() < 0), str(excess.evalf(4)))
        if excess.evalf() >= 0:
            return
    time, alpha, beta = symbols("t alpha beta", real=True)
    score, turn, value_, bend = symbols("U U_1 V V_1", real=True)
    u = score * cos(alpha * time) + turn * sin(alpha * time)
    v = value_ * cos(beta * time) + bend * sin(beta * time)
    first, second = (sympy.diff(erf(lam * u) * v, time, order).subs(time, 0) for order in (1, 2))
    gate = gate_slope(lam * score)
    yield equal(
        "first derivative", first, alpha * lam * gate * turn * value_ + beta * erf(lam * score) * bend
    )
    terms = (
        -2 * alpha**2 * lam**2 * (lam * score * gate) * turn**2 * value_,
        -(alpha**2) * (lam * score * gate) * value_,
        2 * alpha * beta * lam * gate * turn * bend,
        -(beta**2) * erf(lam * score) * value_,
    )
    yield equal("second derivative", second, sum(terms))
    slope = sympy.diff(gate_slope(x), x)
    yield equal("|erf''(x)| = 2 x erf'(x), which the hump bounds", -slope, 2 * x * gate_slope(x))
    yield from _grouped(bound)


def _norms() -> tuple[Expr, Expr, Expr]:
    """P, Q and A: what Hoelder and Minkowski leave of sums over the tokens, with the largest erf' and |erf''|."""

    def power(n: int) -> Expr:
        """Sum over the tokens of (|E X| + scale (E G^2n)^(1/2n))^n."""
        moment = sympy.integrate(x ** (2 * n) * exp(-(x**2) / 2), (x, 0, sympy.oo)) * sqrt(2 / pi)
        deviation = moment ** Rational(1, 2 * n)
        return (m + gamma * deviation) ** n + (L - 1) * deviation**n

    return gate_slope(S.Zero) * lam * power(2), power(1), 2 * HUMP * lam**2 * power(3)


def _grouped(bound: Expr) -> Iterator[Step]:
    """With alpha^2 + beta^2 = 1 the bounds of the terms add up to the claimed one."""
    p, q, a = symbols("P Q A", positive=True)
    alpha, beta = symbols("alpha beta", positive=True)
    unit = (alpha**2 + beta**2) * (p**2 + q**2) - (alpha * p + beta * q) ** 2
    yield equal("Cauchy-Schwarz for the first derivative", unit, (alpha * q - beta * p) ** 2)
    rest = (alpha**2 + beta**2) * (a + p + q) - alpha**2 * (a + q / 2) - 2 * alpha * beta * p - beta**2 * q
    squares = beta**2 * a + alpha**2 * q / 2 + p * (alpha - beta) ** 2
    yield equal("and a sum of squares for the second", rest, squares)
    claimed = 2 * (p**2 + q**2) + 2 * (gamma + q) * (a + p + q)
    sizes = dict(zip((p, q, a), _norms(), strict=True))
    yield equal("which gives the bound", bound, claimed.subs(sizes, simultaneous=True))


def _optimum_curvature(strength: Expr, length: Expr, noise: Expr, tokens: int) -> Expr:
    """The curvature of the risk at the optimum when v turns in the plane of k* and v*."""
    values = {lam: strength, m: length, gamma: noise, L: tokens}
    return in_parameters(stability.block()[1, 1]).subs(values)


def claims() -> list[Claim]:
    return [
        Claim(
            id="step-size.hump",
            statement="For $x > 0$, $x\\, erf'(x) \\le \\sqrt{2 / (\\pi e)} < 1/2$ and $x\\, erf'(x) \\le 2 "
            "x / \\sqrt\\pi$.",
            subject=lambda: hump_relations(HUMP),
            source="this toolkit",
            judges=(Argument(hump_steps, {x: ("1/10", 2)}),),
            mutants=(Mutant("one third", lambda: hump_relations(S.One / 3)),),
            variables=(Variable("x", "positive"),),
        ),
        Claim(
            id="step-size.curvature",
            statement="The operator norm of the risk's Hessian in the angles is everywhere on $M$ at most "
            "$\\Lambda = 2 \\gamma^2 "
            "(\\min(1 + \\frac{2 a}{\\sqrt\\pi}, \\frac{6 a}{\\sqrt\\pi}) + (2 + \\frac{4}{\\pi}) a^2)$.",
            subject=curvature_bounds,
            source="this toolkit",
            judges=(Steps(curvature_steps),),
            mutants=(
                Mutant("a third of the first", lambda: (curvature_bounds()[0] / 3, curvature_bounds()[1])),
                Mutant("a quarter of the second", lambda: (curvature_bounds()[0], curvature_bounds()[1] / 4)),
            ),
            variables=(Variable("a", "positive"), Variable("gamma", "positive")),
            depends_on=("manifold.planar-flow", "step-size.hump"),
            derivation="Row sums of absolute values (Gershgorin), with $|x\\, erf'(x)|$ bounded by the hump "
            "or by $2x / \\sqrt\\pi$.",
        ),
        Claim(
            id="step-size.descent",
            statement="On $M$ a step of projected gradient descent of size $s < 2 / \\Lambda$ decreases the "
            "risk by at least "
            "$(1 - s \\Lambda / 2) \\sum |g_i| \\arctan(s |g_i|)$, $g$ the gradient in the two angles: "
            "strictly, unless it is at an equilibrium.",
            subject=lambda: S(2),
            source="this toolkit",
            judges=(Steps(descent_steps),),
            mutants=(Mutant("3 / Lambda", lambda: S(3)),),
            formula=lambda: 2 / sympy.Min(*curvature_bounds()),
            depends_on=("step-size.curvature", "manifold.angles"),
            derivation="Taylor's formula: $R(x + h) \\le R(x) + g h + \\Lambda |h|^2 / 2$ with $h_i = "
            "-\\arctan(s g_i)$, and "
            "$\\arctan(s |g_i|) \\le s |g_i|$.",
        ),
        Claim(
            id="step-size.order",
            statement="For $s < 1 / \\Lambda$ a step of projected gradient descent is in the angles a local "
            "diffeomorphism whose derivative has positive "
            "diagonal and non-negative off-diagonal entries on $|\\phi|, |\\psi| \\le \\pi/2$: it maps this "
            "square to itself, one to one on "
            "ordered pairs, and preserves the order of the plane.",
            subject=lambda: largest_step_size() * sympy.Min(*curvature_bounds()),
            source="this toolkit",
            judges=(Steps(order_steps),),
            mutants=(Mutant("2 / Lambda", lambda: S(2)),),
            formula=largest_step_size,
            depends_on=("step-size.curvature", "manifold.angles", "manifold.cooperative"),
            derivation="The derivative of $x_i - \\arctan(s g_i)$ is $\\delta_{ij} - s H_{ij} / (1 + s^2 "
            "g_i^2)$, and $H_{12} \\le 0$. On "
            "the boundary of the square the corresponding $g_i$ is 0.",
        ),
        Claim(
            id="step-size.anywhere",
            statement="Anywhere on the two spheres a step of projected gradient descent of size $s < 2 / K$ "
            "decreases the risk strictly, unless it "
            "is at a critical point, with $K = 2 (P^2 + Q^2) + 2 (\\gamma + Q)(A + P + Q)$, $P = "
            "\\frac{2}{\\sqrt\\pi} \\lambda ((m + 3^{1/4} \\gamma)^2 + "
            r"(L - 1) 3^{1/2})$, $Q = m + \gamma + L - 1$, $A = \sqrt{8 / (\pi e)} \lambda^2 ((m + 15^{1/6} "
            r"\gamma)^3 + (L - 1) 15^{1/2})$.",
            subject=curvature.curvature_bound,
            source="this toolkit",
            judges=(Steps(geodesic_steps),),
            mutants=(
                Mutant("a twentieth", lambda: curvature.curvature_bound() / 20),
                Mutant("without A", lambda: curvature.curvature_bound() - curvature.bending_score()),
                Mutant("a generous one", lambda: curvature.curvature_bound() + lam),
            ),
            variables=ADMISSIBLE,
            depends_on=("step-size.hump", "stability.partials"),
            derivation="A step turns $k$ and $v$ along geodesics by arctangents, as on $M$. Along them the "
            "excess risk $E (W - T)^2$ has the second "
            r"derivative $2 E T'^2 - 2 E (W - T) T''$; $|erf'| \le 2 / \sqrt\pi$ and $|x\, erf'(x)| \le "
            r"\sqrt{2 / (\pi e)} < 1/2$ bound the gate, Hoelder's "
            "inequality the products of projections, and Minkowski's their sums. The bound is generous: 16 "
            "times the largest curvature at the "
            r"optimum for $d = 400$, $L = 10$, $\lambda = 0.1$.",
        ),
    ]
