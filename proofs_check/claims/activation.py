"""Other activations: which claims survive for an odd, bounded, increasing activation, and what each uses."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import sympy
from scipy import integrate, special
from sympy import Eq, Expr, Gt, Integer, Le, Rational, Symbol, erf, erfc, oo, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant
from proofs_check.claims.oracle import VARIABLES
from proofs_check.judges.exact import Identity, Step, Steps
from proofs_check.judges.numerical import Agreement
from proofs_check.judges.positive import Argument, Positive
from proofs_check.steps import equal, limit, nonnegative, positive
from theory import activation, oracle
from theory.activation import mean, square, upper_tail
from theory.gaussian import SMOOTHED, smoothed_derivative
from theory.laws import INFORMATIVE, NOISE, Token
from theory.risk import excess_risk, second_moment
from theory.symbols import OVERLAPS, L, eta, gamma, kappa, lam, m, nu, rho, theta
from theory.symbols import g as scale
from theory.symbols import t as location

HERE = "this toolkit"
ANY = "For every absolutely continuous activation $f$ with moments"
HALF, ZERO = Rational(1, 2), Integer(0)
ON_M = {theta: 0, eta: 0, rho: 0}
t, g, h, c = symbols("t g h c", positive=True)


def for_erf(expression: Expr) -> Expr:
    """An expression in the smoothed powers of an unspecified activation, for erf."""
    at = {location: lam * m * kappa, scale: lam * gamma}
    smooth = {f(kappa): SMOOTHED[p].subs(at, simultaneous=True) for p, f in ((1, mean), (2, square))}
    noise = {
        activation.at_noise(p, n): smoothed_derivative(p, n, Integer(0), Integer(1))
        for p, n in ((1, 0), (1, 1), (2, 0), (2, 2))
    }
    return expression.subs(smooth).doit().subs(noise)


def specialised(extra: Expr = ZERO) -> Eq:
    """The general risk for erf against Theorem 1."""
    return Eq(for_erf(activation.general() + extra), excess_risk(), evaluate=False)


def no_slope(extra: Expr = ZERO) -> tuple[Eq, ...]:
    """Derivatives in theta, eta, rho on M, of the general risk."""
    risk = activation.general() + extra
    slopes = [risk.diff(overlap).subs(ON_M).doit() for overlap in (theta, eta, rho)]
    return tuple(Eq(slope, 0, evaluate=False) for slope in slopes)


def planar(extra: Expr = ZERO) -> tuple[Eq, ...]:
    """The flow on M, and its rates at the sink (1, 1)."""
    S1, S2, N = mean(kappa), square(kappa), activation.at_noise(2, 0)
    risk = gamma**2 * (1 - 2 * nu * S1 + S2) + (L - 1) * N + extra
    along_kappa, along_nu = activation.velocity()
    sink = {kappa: 1, nu: 1}
    first, second = (S.diff(kappa).subs(kappa, 1) for S in (S1, S2))
    return (
        Eq(activation.on_manifold(), risk, evaluate=False),
        Eq(
            along_kappa.diff(kappa).subs(sink).doit(),
            -2 * gamma**2 * (2 * first - second).doit(),
            evaluate=False,
        ),
        Eq(along_nu.diff(nu).subs(sink).doit(), -4 * gamma**2 * mean(1), evaluate=False),
    )


def equilibria(largest: Any = 1) -> Gt:
    """1 - f > 0 for every value f of an activation with |f| < largest."""
    return Gt(1 - largest * (1 - h) / (1 + h), 0, evaluate=False)


def prove_equilibria(subject: Any, context: Context) -> Iterator[Step]:
    """nu' vanishes where nu^2 = 1 or E f = 0. As f is odd and increasing, E f has the sign of kappa; at kappa = 0,
    E f f' = 0 too, so kappa' vanishes there only if nu = 0. At nu = 1, kappa' is (1 - kappa^2) times the mean of
    2 gamma^2 lam m f' (1 - f), which is positive: f' >= 0 is not 0 everywhere. Likewise at nu = -1."""
    f = Symbol("f", real=True)
    for nu_ in (1, -1):
        yield equal(
            f"2 nu f - f^2 has the derivative 2 f' (nu - f), nu = {nu_}",
            (2 * nu_ * f - f**2).diff(f),
            2 * (nu_ - f),
        )
    along_kappa, along_nu = activation.velocity()
    slopes = 2 * nu * mean(kappa).diff(kappa) - square(kappa).diff(kappa)
    yield _same(
        "kappa' is (1 - kappa^2) gamma^2 times its mean's", along_kappa, gamma**2 * (1 - kappa**2) * slopes
    )
    yield _same("nu' is 2 gamma^2 (1 - nu^2) E f", along_nu, 2 * gamma**2 * (1 - nu**2) * mean(kappa))
    yield positive("1 - f > 0 (f written as (1 - h) / (1 + h)), and 1 + f > 0 by symmetry", subject.lhs)


def _same(name: str, left: Expr, right: Expr) -> Step:
    """Two expressions in functions of which nothing is known agree term by term."""
    return Step(name, True if sympy.expand(left - right) == 0 else None)


def too_large(factor: Any = 2) -> tuple[Any, ...]:
    """The slope of the risk along kappa at nu = 1 for factor times erf: negative at 0, positive at 1."""
    slope = 2 * factor * mean(kappa).diff(kappa) - factor**2 * square(kappa).diff(kappa)
    rises = for_erf(slope).subs({lam: 1, m: 2, gamma: Rational(1, 2)})
    return Gt(rises.subs(kappa, 0), 0, evaluate=False), Gt(-rises.subs(kappa, 1), 0, evaluate=False)


def general_bound(factor: Any = 1) -> Le:
    """The general bound of the miss, for erf."""
    return Le(oracle.miss(t, g), factor * ((1 - erf(t / 2)) ** 2 + 4 * upper_tail(t / (2 * g))))


def prove_general_bound(subject: Any, context: Context) -> Iterator[Step]:
    """Where u = t + g G >= t/2, 0 <= 1 - f(u) <= 1 - f(t/2); elsewhere (1 - f)^2 <= 4. And |f(u)| <= C |u|, C the
    largest |f(u) / u|, finite since f is C^1 with f(0) = 0 and bounded: E f(lam G)^2 <= C^2 lam^2."""
    half, C = symbols("s C", positive=True)
    yield equal("the subject's bound", subject.gts, (1 - erf(t / 2)) ** 2 + 2 * erfc(t / (2 * sqrt(2) * g)))
    yield limit("the first vanishes where f(t/2) -> 1", (1 - half) ** 2, half, 1, 0, side="-")
    tail = upper_tail(t / (2 * g)).subs({t: lam * m, g: lam * gamma}, simultaneous=True)
    yield equal("the tail is free of lam", tail.diff(lam), 0)
    yield limit("and vanishes for d -> oo", tail, m, oo, 0)
    yield limit("(L - 1) C^2 lam^2 vanishes with L lam^2", C**2 * half, half, 0, 0, side="+")


def clipped(claimed: Any = 1) -> tuple[Expr, Expr, Expr]:
    """d times the bounds of what the clipped-linear oracle loses at lam = (1 + c) / m, and the second's value."""
    margin = (1 - 1 / (1 + c)) * m / gamma
    missed, leaked = gamma**2 * 4 * upper_tail(margin), (L - 1) * ((1 + c) / m) ** 2
    return 2 * m**2 * missed, 2 * m**2 * leaked, claimed * 2 * (L - 1) * (1 + c) ** 2


def prove_clipped(subject: tuple[Expr, Expr, Expr], context: Context) -> Iterator[Step]:
    """f(lam u) = 1 for u >= m / (1 + c), and f(lam u)^2 <= lam^2 u^2; here lam = (1 + c) / m."""
    missed, leaked, claimed = subject
    yield equal("lam sqrt(d) is fixed", ((1 + c) / m * sqrt(2 * m**2)).diff(m), 0)
    yield nonnegative("the margin is positive", 1 - 1 / (1 + c))
    yield limit("d times the loss at the informative token", missed, m, oo, 0)
    yield equal("d times the loss at the noise tokens", leaked, claimed)


def step_activation(at: Expr | None = None) -> Eq:
    """Excess risk of the activation that is 1 above the threshold and 0 below, from the risk on M."""
    cut = activation.threshold() if at is None else at
    found, wrong = upper_tail((cut - m) / gamma), upper_tail(cut)
    values = {mean(kappa): found, square(kappa): found, activation.at_noise(2, 0): wrong, nu: 1}
    claimed = (gamma**2 + L - 1) * upper_tail(m / (1 + gamma))
    return Eq(activation.on_manifold().subs(values), claimed, evaluate=False)


Point = tuple[str, dict[Expr, Any]]
ACTIVATIONS: dict[str, tuple[Callable[[float], float], tuple[float, ...]]] = {
    "tanh": (math.tanh, (0.0,)),
    "clipped": (lambda x: max(-1.0, min(1.0, x)), (-1.0, 1.0)),
}
"""Each activation, and where it bends."""

PLACES = {"tanh": (0.9, 0.8, 0.1, -0.2, 0.05), "clipped": (-0.3, 0.5, 0.4, 0.3, 0.2)}
POINTS: list[Point] = [
    (name, {**dict(zip(OVERLAPS, place, strict=True)), lam: x, m: 3.0, gamma: 0.7, L: 4})
    for name, place in PLACES.items()
    for x in (0.4, 1.5)
]
REACH = 10.0


def gaussian_mean(point: Point, of: Callable[[float], float], centre: float, deviation: float) -> float:
    """E of(G) by quadrature that is split where the activation at lam (centre + deviation G) bends."""
    name, values = point
    bends = [(b / values[lam] - centre) / deviation for b in ACTIVATIONS[name][1]]
    inside = [b for b in bends if abs(b) < REACH]

    def integrand(y: float) -> float:
        return of(y) * math.exp(-y * y / 2) / math.sqrt(2 * math.pi)

    return float(integrate.quad(integrand, -REACH, REACH, points=[0.0, *inside], epsabs=1e-13, limit=200)[0])


def score(token: Token, values: dict[Expr, Any]) -> tuple[float, float]:
    """Mean and standard deviation of a token's score."""
    centre, covariance = token.scores
    return float(centre.subs(values)[0]), math.sqrt(float(covariance.subs(values)[0, 0]))


def by_formula(point: Point, flip: int = 1) -> float:
    """The general risk, with E of the n-th derivative as E f He_n(G) / deviation^n."""
    name, values = point
    f, x = ACTIVATIONS[name][0], values[lam]

    def smoothed(token: Token) -> activation.Smoothed:
        centre, deviation = score(token, values)

        def value(power: int, order: int) -> Expr:
            def of(y: float) -> float:
                return f(x * (centre + deviation * y)) ** power * float(special.eval_hermitenorm(order, y))

            return sympy.Float(flip**order * gaussian_mean(point, of, centre, deviation) / deviation**order)

        return value

    return float(activation.excess_risk(smoothed(INFORMATIVE), smoothed(NOISE)).subs(values))


def by_definition(point: Point) -> float:
    """The risk from its definition: given the score, V and W are normal, by regression."""
    name, values = point
    f, x = ACTIVATIONS[name][0], values[lam]

    def moments(token: Token, label: int) -> list[float]:
        centre, deviation = score(token, values)
        means = [float(entry) for entry in token.scores[0].subs(values)]
        cov = token.scores[1].subs(values).tolist()
        slopes = [float(cov[0][i]) / deviation for i in (1, 2)]
        left = [[float(cov[i][j]) - slopes[i - 1] * slopes[j - 1] for j in (1, 2)] for i in (1, 2)]

        def error(y: float) -> float:
            return label * (means[2] + slopes[1] * y) - f(x * (centre + deviation * y)) * (
                means[1] + slopes[0] * y
            )

        def spread(y: float) -> float:
            weight = f(x * (centre + deviation * y))
            return label * left[1][1] - 2 * label * weight * left[0][1] + weight**2 * left[0][0]

        first = gaussian_mean(point, error, centre, deviation)
        return [first, gaussian_mean(point, lambda y: error(y) ** 2 + spread(y), centre, deviation)]

    (a1, a2), (b1, b2) = moments(INFORMATIVE, 1), moments(NOISE, 0)
    return float(second_moment(a1, a2, b1, b2, values[L] - 1))


def claims() -> list[Claim]:
    """What survives, then what does not."""
    return [
        Claim(
            id="activation.risk",
            statement=rf"{ANY} the excess risk is one function of the five overlaps, of $S_1, S_2$, the means of $f$ and $f^2$ "
            r"at the informative token as functions of $\kappa$, and of constants of $f$; for erf it is Theorem 1.",
            subject=specialised,
            formula=activation.general,
            source=HERE,
            judges=(Identity(),),
            mutants=(Mutant("an additional term", lambda: specialised(rho**2)),),
            depends_on=("gaussian.stein", "risk.five-overlaps"),
            derivation="Stein's lemma takes V and W away; derivatives of f^p in the score are derivatives in kappa, over m.",
        ),
        Claim(
            id="activation.manifold",
            statement=rf"{ANY}, odd or not, the risk has no slope in $\theta, \eta, \rho$ on $M$: $M$ is invariant.",
            subject=no_slope,
            source=HERE,
            judges=(Identity(),),
            mutants=(
                Mutant("a slope in rho", lambda: no_slope(rho)),
                Mutant("a slope in theta", lambda: no_slope(theta + eta**2)),
            ),
            depends_on=("activation.risk",),
        ),
        Claim(
            id="activation.planar",
            statement=rf"{ANY} the risk on $M$ is $\gamma^2(1 - 2\nu S_1(\kappa) + S_2(\kappa)) + (L - 1) E f(\lambda G)^2$, and "
            r"the flow's rates at $(1, 1)$ are $2\gamma^2 (2 S_1'(1) - S_2'(1))$ along $\kappa$ and $4\gamma^2 S_1(1)$ along $\nu$.",
            subject=planar,
            formula=activation.on_manifold,
            source=HERE,
            judges=(Identity(),),
            mutants=(Mutant("an additional term", lambda: planar(nu**2)),),
            depends_on=("activation.risk",),
        ),
        Claim(
            id="activation.equilibria",
            statement=r"For odd, increasing $f$ with $|f| < 1$ (or $\leq 1$, and not the sign function) the equilibria on $M$ are "
            r"those of erf: $(0, 0)$, $(\pm 1, \pm 1)$; the argument of Theorem 5 goes through.",
            subject=equilibria,
            source=HERE,
            judges=(Argument(prove_equilibria),),
            mutants=(Mutant("|f| < 2", lambda: equilibria(2)),),
            depends_on=("activation.planar",),
            derivation=inspect.cleandoc(prove_equilibria.__doc__ or ""),
        ),
        Claim(
            id="activation.bounded-by-one",
            statement=r"The bound 1 is needed: for $f = 2\, erf$, $\lambda = 1$, $m = 2$, $\gamma = 1/2$ the flow on $\nu = 1$ has "
            r"another equilibrium with $0 < \kappa < 1$.",
            subject=too_large,
            source=HERE,
            judges=(Positive(),),
            mutants=(Mutant("erf itself", lambda: too_large(1)),),
            depends_on=("activation.planar", "gaussian.zeta-derivative"),
        ),
        Claim(
            id="activation.corollary",
            statement=r"Corollary 2 survives for every odd, increasing $C^1$ activation with limit 1: with $C = \max |f(u)/u|$ the "
            r"excess risk at $k^*, v^*$ is at most $\gamma^2 [(1 - f(\lambda m/2))^2 + 2 erfc(m/(2\sqrt{2}\gamma))] + "
            r"(L - 1) C^2 \lambda^2$.",
            subject=general_bound,
            source=HERE,
            judges=(Argument(prove_general_bound, {t: ("1/10", 5), g: ("1/10", 3)}),),
            mutants=(Mutant("a quarter", lambda: general_bound(Rational(1, 4))),),
            variables=VARIABLES,
            depends_on=("activation.planar", "oracle.laplace"),
            derivation=inspect.cleandoc(prove_general_bound.__doc__ or ""),
        ),
        Claim(
            id="activation.clipped",
            statement=r"Its converse does not survive: for the clipped-linear activation and $\lambda = (1 + c)/m$, $c > 0$, "
            r"$\lambda\sqrt{d}$ is fixed, and $d$ times the excess risk is bounded, by $2 (1 + c)^2 (L - 1)$ in the limit. That "
            r"erf never reaches 1 costs it the factor $\log d$.",
            subject=clipped,
            source=HERE,
            judges=(Steps(prove_clipped),),
            mutants=(Mutant("half of it", lambda: clipped(HALF)),),
            variables=VARIABLES,
            depends_on=("activation.planar", "best-lambda.floor"),
            derivation=inspect.cleandoc(prove_clipped.__doc__ or ""),
        ),
        Claim(
            id="activation.step",
            statement=r"A step, which is not odd, does better: 1 for scores above $m/(1 + \gamma)$ and 0 below has the excess risk "
            r"$(\gamma^2 + L - 1) P(G > m/(1 + \gamma))$, exponentially small in $d$ as the Bayes risk is.",
            subject=step_activation,
            source=HERE,
            judges=(Identity(),),
            mutants=(Mutant("cut at m/2", lambda: step_activation(m / 2)),),
            variables=VARIABLES,
            derivation="Given the scores the values are centred and independent of them on M, so only the probabilities of the "
            "two errors count.",
        ),
        Claim(
            id="activation.quadrature",
            statement=r"For tanh and the clipped-linear activation, off $M$ too, the general risk with its means by quadrature is "
            r"the risk from the definition.",
            subject=lambda: by_formula,
            source=HERE,
            judges=(
                Agreement(by_definition, POINTS, 1e-10, description="regression on the score, quadrature"),
            ),
            mutants=(Mutant("odd derivatives negated", lambda: lambda point: by_formula(point, -1)),),
            depends_on=("activation.risk",),
        ),
    ]
