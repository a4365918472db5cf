"""Monte Carlo: every estimator is unbiased"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from sympy import Eq, Expr, IndexedBase, Integer, Matrix, Sum, diff, erf, expand, log, prod, sqrt, symbols

from numerics.montecarlo import bayes as sampled
from numerics.montecarlo import conditional as given
from numerics.overlaps import residual_gram
from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.judges.exact import Identity, Step, Steps, is_zero
from theory.bayes import log_odds_constant
from theory.laws import GRAM, INFORMATIVE, NOISE, Token
from theory.symbols import OVERLAPS, L, d, eta, gamma, in_dimension, kappa, lam, m, nu, rho, theta

SOURCE = "this toolkit"
SYMBOLIC = SimpleNamespace(kappa=kappa, nu=nu, theta=theta, eta=eta, rho=rho)
z, f, s1, s2 = symbols("z f s1 s2", real=True)
n = L - 1

Function = Callable[..., Any]


def regression(token: Token) -> tuple[Matrix, Matrix]:
    """Mean and covariance of (V, W) given the score U = E U + sd(U) z, by the joint law of theory."""
    mean, covariance = token.scores
    slope = covariance[1:, 0] / sqrt(covariance[0, 0])
    return mean[1:, 0] + slope * z, covariance[1:, 1:] - slope * slope.T


def scores_proof(function: Function, _: Context) -> Iterator[Step]:
    """The conditional second moment of W - f V - sum_l f_l V_l from the laws, against `function`."""
    mean, covariance = regression(INFORMATIVE)
    direction = Matrix([-f, 1])
    noise_mean, noise_covariance = regression(NOISE)
    l, count = symbols("l n", integer=True, positive=True)
    u, w = IndexedBase("u"), IndexedBase("f")
    weighted = {s1: Sum(w[l] * u[l], (l, 1, count)), s2: Sum(w[l] ** 2, (l, 1, count))}
    total = Sum(w[l] * noise_mean[0].subs(z, u[l]), (l, 1, count))
    spread = Sum(w[l] ** 2 * noise_covariance[0, 0], (l, 1, count))
    linear = (total - rho * weighted[s1]).simplify()
    square = (spread - (1 - rho**2) * weighted[s2]).simplify()
    yield Step("given the scores sum f_l V_l has mean rho s1", is_zero(linear))
    yield Step("and, the tokens being independent, variance (1 - rho^2) s2", is_zero(square))
    centre = direction.dot(mean) - rho * s1
    variance = direction.dot(covariance * direction) + (1 - rho**2) * s2
    difference = centre**2 + variance - function(z, f, s1, s2, SYMBOLIC, m, gamma)
    yield Step("mean^2 + variance of the error is the estimator", is_zero(difference))


def three_scores_proof(function: Function, _: Context) -> Iterator[Step]:
    """Both estimators' means over the noise tokens, in terms of one noise token's moments."""
    b1, b2, b3 = symbols("b1 b2 b3", real=True)
    u, fu, w, fw = symbols("u f_u w f_w", real=True)
    one_token = {(1, 1): b1, (2, 2): b2, (0, 2): b3, (0, 0): Integer(1)}
    three = function(z, f, (u, fu), (w, fw), SYMBOLIC, m, gamma, L)
    terms = expand(three).as_poly(u, fu, w, fw).terms()
    mean = sum(c * one_token[i, j] * one_token[k, l] for (i, j, k, l), c in terms)
    of_sums = {(0, 0): Integer(1), (1, 0): n * b1, (2, 0): n * b2 + n * (n - 1) * b1**2, (0, 1): n * b3}
    all_tokens = expand(given.excess_given_scores(z, f, s1, s2, SYMBOLIC, m, gamma)).as_poly(s1, s2).terms()
    expected = sum(c * of_sums[powers] for powers, c in all_tokens)
    yield Step("the same mean over the noise tokens for every L", is_zero(mean - expected))


def gradient_subject(function: Function) -> tuple[Eq, ...]:
    """The estimator of the gradient against the derivative of the estimator."""
    weight = erf(lam * (m * kappa + gamma * z))
    sample = given.excess_given_scores(z, weight, s1, s2, SYMBOLIC, m, gamma)
    parts = function(z, weight, diff(weight, kappa), s1, s2, SYMBOLIC, m, gamma)
    return tuple(
        Eq(part, diff(sample, overlap), evaluate=False) for part, overlap in zip(parts, OVERLAPS, strict=True)
    )


def controls_subject(function: Function) -> tuple[Eq, ...]:
    """Expectations of the control variates: moments of z, and of sums of powers of n standard normals."""
    second, fourth = symbols("S2 S4", real=True)
    normal = {0: 1, 1: 0, 2: 1, 3: 0, 4: 3}
    sums = {(0, 0): 1, (1, 0): n, (0, 1): 3 * n, (2, 0): n**2 + 2 * n}

    def mean(variate: Expr) -> Expr:
        terms = expand(variate).as_poly(z, second, fourth).terms()
        return sum((c * normal[i] * sums[j, k] for (i, j, k), c in terms), Integer(0))

    return tuple(Eq(mean(v), 0, evaluate=False) for v in function(z, second, fourth, n))


def frame_subject(gram: Function) -> tuple[Eq, ...]:
    """Inner products of k = kappa k* + eta v* + a, v = theta k* + nu v* + b from the Gram matrix of a, b."""
    kk, vv, kv = gram(SYMBOLIC)
    products = (kappa**2 + eta**2 + kk, theta**2 + nu**2 + vv, kappa * theta + eta * nu + kv)
    return tuple(
        Eq(p, q, evaluate=False) for p, q in zip(products, (GRAM[0, 0], GRAM[1, 1], GRAM[0, 1]), strict=True)
    )


x, rest = symbols("x q", real=True)
"""A token's projection on k* and its squared length outside it."""


def log_density(mean: Expr, variance: Expr) -> Expr:
    """log density of N(mean k*, variance I_d), without the factors of 2 pi."""
    return -((x - mean) ** 2 + rest) / (2 * variance) - d / 2 * log(variance)


def odds_subject(function: Function) -> Eq:
    """The log-likelihood ratio against `function` and its constant."""
    ratio = log_density(m, gamma**2) - log_density(Integer(0), Integer(1))
    claimed = function(x, x**2 + rest, m, gamma) + log_odds_constant()
    return Eq(in_dimension(ratio - claimed), 0, evaluate=False)


def posterior_proof(function: Function, _: Context) -> Iterator[Step]:
    """The posterior variance of W_J, averaged over the W_l: independent, of mean 0 and variance h_l.

    Cross terms W_l W_j average to 0 one by one, so what holds for a few tokens holds for any number.
    """
    for size in (1, 2, 3, 4):
        odds, h, w = (symbols(f"{name}1:{size + 1}", positive=True) for name in ("r", "h", "w"))
        total = sum(odds)
        p = [r / total for r in odds]
        variance = sum(a * b**2 for a, b in zip(p, w, strict=True))
        variance -= sum(a * b for a, b in zip(p, w, strict=True)) ** 2
        average = sum(c * prod(_moments(h, powers)) for powers, c in expand(variance).as_poly(*w).terms())
        first, second = (sum(r**k * b for r, b in zip(odds, h, strict=True)) for k in (1, 2))
        yield Step(f"{size} tokens", is_zero(average - function(total, first, second)))


def _moments(variances: Sequence[Expr], powers: Sequence[int]) -> list[Any]:
    return [{0: 1, 1: 0, 2: variance}[power] for variance, power in zip(variances, powers, strict=True)]


def confusion_proof(law: Function, _: Context) -> Iterator[Step]:
    """The change of measure of BayesFromConfusion."""
    half = (log_density(Integer(0), Integer(1)) + log_density(m, gamma**2)) / 2
    mean, variance = law(m, gamma)
    gap = half - log_density(mean, variance) - sampled.log_bhattacharyya(d, gamma, log)
    yield Step("sqrt(p0 p1) is c times the sampled density", is_zero(in_dimension(gap)))
    for size in (2, 3, 4):
        r, h = (symbols(f"{name}1:{size + 1}", positive=True) for name in "rh")
        total = sum(r)
        average = sum(a / total * (1 - a / total) * b for a, b in zip(r, h, strict=True)) * total / size
        pairs = sum(r[i] * r[j] * h[i] for i in range(size) for j in range(size) if i != j) / (size * total)
        yield Step(
            f"the posterior variance is a sum over ordered pairs, {size} tokens", is_zero(average - pairs)
        )
    p1, p2, r1, r2, c = symbols("p1 p2 r1 r2 c", positive=True)
    sampled_density = (p1 * sqrt(r1) / c) * (p2 * sqrt(r2) / c)
    yield Step(
        "two tokens' change of measure leaves the weight c^2 sqrt(r1 r2)",
        is_zero(p1 * p2 * r1 * r2 - sampled_density * c**2 * sqrt(r1 * r2)),
    )


EXACT = Identity()
VARIABLES = (
    Variable("z", "real", "the informative token's score is m kappa + gamma z"),
    Variable("f", "in [-1, 1]", "its attention weight erf(lambda U)"),
    Variable("s1, s2", "real", "sums of f U and of f^2 over the noise tokens"),
)


def _changed(function: Function, change: Callable[[Any], Any]) -> Callable[[], Function]:
    return lambda: lambda *arguments: change(function(*arguments))


def claims() -> list[Claim]:
    """Unbiasedness, for all admissible parameters and with the very functions that the estimators call."""
    scores: Function = given.excess_given_scores
    three: Function = given.excess_given_three_scores
    return [
        Claim(
            id="montecarlo.scores",
            statement=r"Given the scores $U_l$ of all tokens, $E[(Y - T)^2] - \epsilon^2$ is what the estimator from "
            r"scores averages, so that it is unbiased for the excess risk.",
            subject=lambda: scores,
            formula=lambda: scores(z, f, s1, s2, SYMBOLIC, m, gamma),
            source=SOURCE,
            variables=VARIABLES,
            depends_on=("laws.informative", "laws.noise"),
            judges=(Steps(scores_proof),),
            mutants=(
                Mutant("noise values with variance 1", lambda: lambda *a: scores(*a) + rho**2 * s2),
                Mutant("noise mean forgotten", lambda: lambda z, f, s1, *a: scores(z, f, 0 * s1, *a)),
                Mutant("gamma for gamma^2", lambda: lambda *a: scores(*a[:-1], sqrt(gamma))),
            ),
        ),
        Claim(
            id="montecarlo.three-scores",
            statement=r"For every $L$ the estimator from one informative and two noise tokens has the mean of the "
            r"estimator from all $L$ tokens.",
            subject=lambda: three,
            source=SOURCE,
            variables=VARIABLES,
            depends_on=("montecarlo.scores",),
            judges=(Steps(three_scores_proof),),
            mutants=(
                Mutant("L noise tokens", lambda: lambda *a: three(*a[:-1], L + 1)),
                Mutant("one token squared for two", lambda: lambda *a: three(*a[:3], a[2], *a[4:])),
            ),
        ),
        Claim(
            id="montecarlo.gradient",
            statement="The estimator of the gradient is the derivative of the estimator from scores in each of the five "
            "overlaps at fixed normals; as erf and its derivative are bounded, its mean is the gradient.",
            subject=lambda: gradient_subject(given.gradient_given_scores),
            source=SOURCE,
            variables=VARIABLES,
            depends_on=("montecarlo.scores",),
            judges=(EXACT,),
            mutants=(
                Mutant("twice", lambda: gradient_subject(_changed(given.gradient_given_scores, _doubled)())),
                Mutant(
                    "weight's slope forgotten",
                    lambda: gradient_subject(
                        lambda z, f, slope, *a: given.gradient_given_scores(z, f, 0 * slope, *a)
                    ),
                ),
            ),
        ),
        Claim(
            id="montecarlo.controls",
            statement="The control variates of the estimators from scores have mean 0 for every number of tokens.",
            subject=lambda: controls_subject(given.zero_mean),
            source=SOURCE,
            variables=VARIABLES[:1],
            judges=(EXACT,),
            mutants=(
                Mutant(
                    "one token more",
                    lambda: controls_subject(lambda z, a, b, n: given.zero_mean(z, a, b, n + 1)),
                ),
                Mutant(
                    "fourth power for third",
                    lambda: controls_subject(lambda z, a, b, n: (*given.zero_mean(z, a, b, n)[:2], z**4)),
                ),
            ),
        ),
        Claim(
            id="montecarlo.frame",
            statement=r"Vectors $k = \kappa k^* + \eta v^* + a$ and $v = \theta k^* + \nu v^* + b$ with $a$, $b$ orthogonal "
            r"to $k^*$, $v^*$ have unit length and the five overlaps when the sampled tokens' frame has the Gram "
            r"matrix of $a$, $b$ that the sampler uses.",
            subject=lambda: frame_subject(residual_gram),
            source=SOURCE,
            depends_on=("laws.gram",),
            judges=(EXACT,),
            mutants=(
                Mutant("rho not reduced", lambda: frame_subject(lambda o: (*residual_gram(o)[:2], o.rho))),
                Mutant("a and b exchanged", lambda: frame_subject(_changed(residual_gram, _swapped)())),
            ),
        ),
        Claim(
            id="montecarlo.odds",
            statement=r"The log-likelihood ratio of informative to noise token is $m \langle X, k^*\rangle / \gamma^2 + "
            r"(1 - 1/\gamma^2) |X|^2 / 2$ and a constant.",
            subject=lambda: odds_subject(sampled.log_odds),
            source="design of the task",
            judges=(EXACT,),
            mutants=(
                Mutant(
                    "gamma for gamma^2",
                    lambda: odds_subject(lambda k, q, m, g: sampled.log_odds(k, q, m, sqrt(g))),
                ),
                Mutant("without the norm", lambda: odds_subject(lambda k, q, m, g: m * k / g**2)),
            ),
        ),
        Claim(
            id="montecarlo.posterior",
            statement=r"Given all $\langle X_l, k^*\rangle$ and $|X_l|$, the variance of $\langle X_{J_0}, v^*\rangle$ "
            r"under the posterior $p$ is $\sum_l p_l (1 - p_l) h_l$ with $h_l = E \langle X_l, v^*\rangle^2$.",
            subject=lambda: sampled.posterior_variance,
            source=SOURCE,
            depends_on=("montecarlo.odds",),
            judges=(Steps(posterior_proof),),
            mutants=(
                Mutant("without the mean's square", lambda: lambda total, first, second: first / total),
                Mutant("first power", lambda: lambda total, first, second: (first - second) / total),
            ),
        ),
        Claim(
            id="montecarlo.confusion",
            statement=r"Drawing two tokens from the density proportional to $\sqrt{p_0 p_1}$, weighted by the Bhattacharyya "
            r"coefficient, gives the mean of the posterior variance.",
            subject=lambda: sampled.confusion_law,
            formula=lambda: sampled.log_bhattacharyya(d, gamma, log),
            source=SOURCE,
            depends_on=("montecarlo.posterior",),
            judges=(Steps(confusion_proof),),
            mutants=(
                Mutant("mean m / 2", lambda: lambda m, g: (m / 2, sampled.confusion_law(m, g)[1])),
                Mutant("variance gamma", lambda: lambda m, g: (sampled.confusion_law(m, g)[0], g)),
            ),
        ),
    ]


def _doubled(values: Sequence[Any]) -> list[Any]:
    return [2 * value for value in values]


def _swapped(gram: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
    return gram[1], gram[0], gram[2]
