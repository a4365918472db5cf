"""The population risk in the five overlaps: Theorem 1, its decomposition and its symmetries."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from functools import cache

from sympy import Eq, Expr, Integer, Matrix, S, Symbol, asin, diff, erf, expand, pi, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.judges.exact import Identity, Step, Steps, is_zero
from theory.decomposition import (
    Decomposition,
    along_score,
    decomposition,
    hermite_coefficient,
    hermite_tail,
    residual_norm,
)
from theory.gaussian import F, V
from theory.laws import INFORMATIVE, NOISE, Token
from theory.risk import excess_risk, excess_risk_on_manifold, risk, second_moment
from theory.special import erf_variance, zeta
from theory.symbols import OVERLAPS, L, epsilon, eta, gamma, kappa, lam, m, nu, rho, theta
from theory.symbols import g as scale
from theory.symbols import t as location

PARAMETERS = (
    Variable("d", "integer >= 1, through m = sqrt(d/2)", "dimension"),
    Variable("L", "integer >= 1", "number of tokens"),
    Variable("gamma", "positive", "deviation of the informative token"),
    Variable("lambda", "positive", "inverse temperature of the attention"),
)
VARIABLES = (Variable("kappa, nu, theta, eta, rho", "admissible overlaps"), *PARAMETERS)


@cache
def written_out(expression: Expr) -> Expr:
    """Every function of the decomposition by its definition."""
    kinds = (hermite_tail, residual_norm, erf_variance)
    while expression.has(*kinds):
        expression = expression.replace(lambda e: isinstance(e, kinds), lambda e: e.definition())
    return expression


@cache
def by_conditioning(token: Token, label: int) -> tuple[Expr, Expr]:
    """First and second moment of label * W - F V for a token, by regression of V and W on the score U.

    With G = (U - E U) / sd(U): V = E V + c_V G + residual and W likewise, the residuals independent of G.
    """
    mean, covariance = token.scores
    deviation = sqrt(covariance[0, 0])
    slope = [covariance[0, i] / deviation for i in (1, 2)]
    spread = [[covariance[i, j] - slope[i - 1] * slope[j - 1] for j in (1, 2)] for i in (1, 2)]
    value, target = (mean[i] + slope[i - 1] * V for i in (1, 2))
    given = label * target - F * value
    residual = label * spread[1][1] - 2 * label * F * spread[0][1] + F**2 * spread[0][0]
    where = (lam * mean[0], lam * deviation)
    return along_score(expand(given), *where), along_score(expand(given**2 + residual), *where)


def risk_identity(claimed: Expr) -> Eq:
    """`claimed` against the risk assembled from the moments found by conditioning."""
    first, square = by_conditioning(INFORMATIVE, 1)
    noise_first, noise_square = by_conditioning(NOISE, 0)
    others = L - 1
    mean = first + others * noise_first
    variance = (square - first**2) + others * (noise_square - noise_first**2)
    return Eq(claimed, mean**2 + variance, evaluate=False)


def square_of_sum(moment: Expr, sizes: Sequence[int]) -> tuple[Eq, ...]:
    """`moment`, a polynomial in n of degree 2, against the expanded square of A + B_1 + ... + B_n."""
    a, a2, b, b2, n = symbols("a a2 b b2 n", real=True)
    identities = []
    for size in sizes:
        variables = symbols(f"A B1:{size + 1}", real=True)
        square = expand(sum(variables) ** 2)
        for x in variables:
            first, second = (a, a2) if x is variables[0] else (b, b2)
            square = square.subs(x**2, second).subs(x, first)
        identities.append(Eq(moment.subs(n, size), square, evaluate=False))
    return (*identities, Eq(diff(moment, n, 3), 0, evaluate=False))


def _moment() -> Expr:
    return second_moment(*symbols("a a2 b b2 n", real=True))


def oracle_formula(noise: Expr, mean_of: Expr) -> Expr:
    """The excess risk at (k*, v*)."""
    t, g = lam * m, lam * gamma
    return gamma**2 * (1 - 2 * mean_of + zeta(t, g)) + (L - 1) * noise


def squares_on_manifold(erf_at: Expr) -> Expr:
    """The excess risk on M as a sum of non-negative terms."""
    gate = (nu - erf_at) ** 2 + erf_variance(lam * m * kappa, lam * gamma)
    return gamma**2 * (1 - nu**2 + gate) + (L - 1) * 2 / pi * asin(2 * lam**2 / (1 + 2 * lam**2))


def sign_steps(terms: Decomposition, _: Context) -> Iterator[Step]:
    """Every term of the decomposition is non-negative on the admissible set.

    The orthogonal term is gamma^2 times the Gram form of (v* - e v) with k projected out; gate and noise are
    variances times 1 - rho^2, rho^2 and L - 1; the curvature is the mean square of what is left of (a + b G) F
    after regression on 1 and G.
    """
    e, h, c, mean = symbols("e h c mu", real=True)
    a, b = symbols("a b", real=True)
    norm = residual_norm(nu, eta, rho, h).definition().subs(erf(h), e)
    gram = Matrix([[1, nu, eta], [nu, 1, rho], [eta, rho, 1]])
    schur = gram[:2, :2] - gram[:2, 2] * gram[2, :2]
    form = (Matrix([[1, -e]]) * schur * Matrix([1, -e]))[0]
    yield Step("the residual norm is a Gram form with k projected out", is_zero(norm - form))
    product = expand((a + b * V) * F)
    moments = {
        mean: along_score(product, location, scale),
        c: along_score(expand(product * V), location, scale),
    }
    left = along_score(expand((product - mean - c * V) ** 2), location, scale).subs(moments)
    tail = hermite_tail(location, scale, a, b).definition()
    yield Step("the tail is the mean square of a regression's residual", is_zero(left - tail))
    orthogonal = gamma**2 * residual_norm(nu, eta, rho, lam * m * kappa / sqrt(1 + 2 * (lam * gamma) ** 2))
    gate = gamma**2 * (1 - rho**2) * erf_variance(lam * m * kappa, lam * gamma)
    curvature = hermite_tail(lam * m * kappa, lam * gamma, m * theta, gamma * rho)
    expected = {
        "orthogonal": orthogonal,
        "gate": gate,
        "curvature": curvature,
        "noise": _noise_by_regression(),
    }
    for name, value in expected.items():
        residual = written_out(getattr(terms, name)) - written_out(value)
        yield Step(
            f"the {name} term is such a norm or variance, times a non-negative factor", is_zero(residual)
        )
    yield Step(
        "bias and slope are real, and enter squared",
        terms.bias.is_extended_real and terms.slope.is_extended_real,
    )


def _noise_by_regression() -> Expr:
    """(L - 1) [(1 - rho^2) E F^2 + rho^2 Var(G F)] for F = erf(lam G)."""
    zero = Integer(0)
    square, product = along_score(F**2, zero, lam), along_score((V * F) ** 2, zero, lam)
    return (L - 1) * ((1 - rho**2) * square + rho**2 * (product - along_score(V * F, zero, lam) ** 2))


def tail_steps(coefficient: Expr, _: Context) -> Iterator[Step]:
    """Hermite coefficients of (a + b G) F from those of F: G He_n = He_{n+1} + n He_{n-1}.

    `coefficient` is the claimed f_2 of F = erf(t + g G).
    """
    a, b = symbols("a b", real=True)
    he_two = V**2 - 1
    yield Step(
        "f_2 is E[F He_2(G)] / 2", is_zero(along_score(expand(F * he_two), location, scale) / 2 - coefficient)
    )
    second = along_score(expand((a + b * V) * F * he_two), location, scale) / 2
    formula = a * coefficient + b * (hermite_coefficient(1) + 3 * hermite_coefficient(3))
    yield Step("order 2 of (a + b G) F is a f_2 + b (f_1 + 3 f_3)", is_zero(second - formula))


NEGATED = {overlap: -overlap for overlap in (kappa, nu, theta, eta)}
REFLECTED = {overlap: -overlap for overlap in (theta, eta, rho)}


def _symmetric(signs: dict[Expr, Expr]) -> Eq:
    return Eq(excess_risk().subs(signs, simultaneous=True), excess_risk(), evaluate=False)


JUDGE = Identity()


def claims() -> list[Claim]:
    """From the square of a sum to Theorem 1, the risk on M and the symmetries."""
    x = lam * m / sqrt(1 + 2 * lam**2 * gamma**2)
    zeta_zero = 2 / pi * asin(2 * lam**2 / (1 + 2 * lam**2))
    return [
        Claim(
            id="risk.square-of-sum",
            statement=r"For independent $A, B_1, ..., B_n$, the $B_l$ with one law: $E (A + B_1 + ... + B_n)^2 = "
            r"E A^2 + 2 n E A\, E B + n E B^2 + n (n - 1) (E B)^2$.",
            subject=lambda: square_of_sum(_moment(), (1, 2, 3)),
            source="proof of Theorem 1",
            judges=(JUDGE,),
            mutants=(
                Mutant(
                    "n^2 for n (n - 1)", lambda: square_of_sum(_moment() + Symbol("n", real=True), (1, 2, 3))
                ),
                Mutant(
                    "cross term once",
                    lambda: square_of_sum(_moment().subs(Symbol("a", real=True), 0), (1, 2, 3)),
                ),
            ),
            derivation="Both sides are polynomials of degree 2 in n, so agreement at n = 1, 2, 3 is agreement for all n.",
        ),
        Claim(
            id="risk.five-overlaps",
            statement=r"The excess risk $E (Y - T)^2 - \epsilon^2$ is the stated function of $\kappa, \nu, \theta, "
            r"\eta, \rho$: the Stein calculus and regression on the score give the same.",
            subject=lambda: risk_identity(excess_risk()),
            formula=excess_risk,
            source="Theorem 1",
            variables=VARIABLES,
            depends_on=(
                "risk.square-of-sum",
                "laws.informative",
                "laws.noise",
                "gaussian.stein",
                "gaussian.smoothing",
                "gaussian.zeta",
                "gaussian.zeta-derivative",
            ),
            judges=(JUDGE,),
            mutants=(
                Mutant("L for L - 1", lambda: risk_identity(excess_risk().subs(L, L + 1))),
                Mutant("gamma for gamma^2", lambda: risk_identity(excess_risk().subs(gamma, sqrt(gamma)))),
                Mutant("rho negated", lambda: risk_identity(excess_risk().subs(rho, -rho))),
                Mutant(
                    "eta and theta exchanged",
                    lambda: risk_identity(excess_risk().subs({eta: theta, theta: eta}, simultaneous=True)),
                ),
            ),
            derivation="The error is the label noise plus an informative part W - F V plus L - 1 independent noise parts "
            "-F V. Their moments come once by Stein's lemma in three variables, once by regression of V and W on U "
            "and one-dimensional moments; the two agree identically.",
        ),
        Claim(
            id="risk.label-noise",
            statement=r"The label noise adds its variance: $R = \epsilon^2 +$ excess risk, and the excess does not depend on $\epsilon$.",
            subject=lambda: (
                Eq(risk().diff(epsilon), 2 * epsilon),
                Eq(risk().subs(epsilon, 0), excess_risk()),
            ),
            source="section 3",
            variables=VARIABLES,
            depends_on=("risk.five-overlaps",),
            judges=(JUDGE,),
            mutants=(
                Mutant(
                    "epsilon for epsilon^2",
                    lambda: (Eq((risk() + epsilon).diff(epsilon), 2 * epsilon, evaluate=False),),
                ),
            ),
        ),
        Claim(
            id="risk.oracle",
            statement=r"At $k = k^*$, $v = v^*$ the excess risk is $\gamma^2 (1 - 2 erf(x) + \zeta(\lambda m, \lambda \gamma)) "
            r"+ (L - 1) \zeta(0, \lambda)$ with $x = \lambda m / \sqrt{1 + 2 \lambda^2 \gamma^2}$, $m = \sqrt{d/2}$.",
            subject=lambda: _oracle(oracle_formula(zeta_zero, erf(x))),
            source="Theorem 1",
            variables=PARAMETERS,
            depends_on=("risk.five-overlaps", "gaussian.zeta-at-zero"),
            judges=(JUDGE,),
            mutants=(
                Mutant("erf at lambda m", lambda: _oracle(oracle_formula(zeta_zero, erf(lam * m)))),
                Mutant("no noise tokens", lambda: _oracle(oracle_formula(S.Zero, erf(x)))),
                Mutant(
                    "m = sqrt(d)", lambda: _oracle(oracle_formula(zeta_zero, erf(x)).subs(m, sqrt(2) * m))
                ),
            ),
        ),
        Claim(
            id="risk.manifold",
            statement=r"On $M$ ($\theta = \eta = \rho = 0$) the excess risk is $\gamma^2 [(1 - \nu^2) + (\nu - erf(x))^2 + "
            r"Var\, erf(\lambda m \kappa + \lambda \gamma G)] + (L - 1) \zeta(0, \lambda)$, $x = \lambda m \kappa / "
            r"\sqrt{1 + 2 \lambda^2 \gamma^2}$: a sum of non-negative terms.",
            subject=lambda: _manifold(erf(x * kappa)),
            source="section 4",
            variables=VARIABLES,
            depends_on=("risk.five-overlaps", "gaussian.zeta-at-zero", "gaussian.variance"),
            judges=(JUDGE,),
            mutants=(
                Mutant("erf at lambda m kappa", lambda: _manifold(erf(lam * m * kappa))),
                Mutant("kappa^2 for kappa", lambda: _manifold(erf(x * kappa**2))),
                Mutant("the other sign", lambda: _manifold(-erf(x * kappa))),
            ),
        ),
        Claim(
            id="risk.decomposition",
            statement=r"Everywhere, the excess risk is bias$^2$ + slope$^2$ + orthogonal + gate + curvature + noise terms.",
            subject=lambda: _sum(decomposition().total()),
            formula=lambda: decomposition().total(),
            source="this toolkit",
            variables=VARIABLES,
            depends_on=("risk.five-overlaps",),
            judges=(JUDGE,),
            mutants=(
                Mutant(
                    "slope without its square", lambda: _sum(decomposition().total() + decomposition().slope)
                ),
                Mutant("no curvature", lambda: _sum(decomposition()._replace(curvature=S.Zero).total())),
                Mutant(
                    "rho^2 for 1 - rho^2",
                    lambda: _sum(decomposition()._replace(gate=decomposition().gate * rho**2).total()),
                ),
            ),
            derivation="Split the informative error by the score's standardised component G: a part along k, a function h(G), "
            "and a Gaussian part orthogonal to k; then h by regression on G. What is left over is a variance.",
        ),
        Claim(
            id="risk.nonnegative",
            statement=r"$R \geq \epsilon^2$ for all admissible overlaps, on $M$ in particular: each term of the decomposition is non-negative.",
            subject=decomposition,
            source="this toolkit",
            variables=VARIABLES,
            depends_on=("risk.decomposition", "risk.label-noise"),
            judges=(Steps(sign_steps),),
            mutants=(
                Mutant("a negated gate", lambda: decomposition()._replace(gate=-decomposition().gate)),
                Mutant(
                    "a noise term that is too small",
                    lambda: decomposition()._replace(noise=decomposition().noise - 1),
                ),
            ),
            derivation=inspect.cleandoc(sign_steps.__doc__ or ""),
        ),
        Claim(
            id="risk.hermite-tail",
            statement=r"The curvature term's Hermite coefficients are $a f_n + b (f_{n-1} + (n + 1) f_{n+1})$, with "
            r"$f_n = (g^n / n!)\, d^n/dt^n\, erf(t / \sqrt{1 + 2 g^2})$; order 2 is checked.",
            subject=lambda: hermite_coefficient(2),
            source="this toolkit",
            depends_on=("gaussian.smoothing", "gaussian.stein"),
            judges=(Steps(tail_steps),),
            mutants=(
                Mutant("no factorial", lambda: 2 * hermite_coefficient(2)),
                Mutant("the next coefficient", lambda: hermite_coefficient(3)),
            ),
            derivation=inspect.cleandoc(tail_steps.__doc__ or ""),
        ),
        Claim(
            id="risk.symmetry",
            statement=r"The risk is the same at $(-k, -v)$: $\kappa, \nu, \theta, \eta$ change sign and $\rho$ does not.",
            subject=lambda: _symmetric(NEGATED),
            source="section 4",
            variables=VARIABLES,
            depends_on=("risk.five-overlaps",),
            judges=(JUDGE,),
            mutants=(
                Mutant("(-k, v)", lambda: _symmetric({o: -o for o in (kappa, eta, rho)})),
                Mutant("all five change sign", lambda: _symmetric({o: -o for o in OVERLAPS})),
            ),
            derivation="erf is odd, so erf(lam <X, -k>) <X, -v> is the same function of X.",
        ),
        Claim(
            id="risk.reflection",
            statement=r"With $S$ the reflection along $v^*$ the risk is the same at $(S k, -S v)$: $\theta, \eta, \rho$ change "
            r"sign. $M$ is where it fixes the overlaps.",
            subject=lambda: _symmetric(REFLECTED),
            source="this toolkit",
            variables=VARIABLES,
            depends_on=("risk.five-overlaps",),
            judges=(JUDGE,),
            mutants=(
                Mutant("only theta and eta change sign", lambda: _symmetric({o: -o for o in (theta, eta)})),
                Mutant("only rho changes sign", lambda: _symmetric({rho: -rho})),
            ),
            derivation="S maps the tokens' law to itself and Y to -Y; T at (S k, -S v) of S X is -T at (k, v) of X.",
        ),
    ]


def _oracle(formula: Expr) -> Eq:
    at_oracle = excess_risk().subs({kappa: 1, nu: 1, theta: 0, eta: 0, rho: 0})
    closed = formula.replace(lambda e: isinstance(e, asin), lambda e: zeta(S.Zero, lam) * pi / 2)
    return Eq(at_oracle, closed, evaluate=False)


def _manifold(erf_at: Expr) -> Eq:
    squares = squares_on_manifold(erf_at).replace(
        lambda e: isinstance(e, asin), lambda e: zeta(S.Zero, lam) * pi / 2
    )
    return Eq(excess_risk_on_manifold(), written_out(squares), evaluate=False)


def _sum(total: Expr) -> Eq:
    return Eq(excess_risk(), written_out(total), evaluate=False)
