"""Bayes: the posterior of the informative place, softmax attention, and the least possible risk."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Add, Eq, Expr, Gt, Integer, Symbol, exp, log, oo, pi, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant, Variable
from proofs_check.claims.oracle import VARIABLES
from proofs_check.judges.exact import Identity, Step, Steps
from proofs_check.judges.positive import Positive
from proofs_check.steps import equal, grows_from_zero, limit, nonnegative, positive
from theory import bayes, best_lambda
from theory.bayes import confusions, log_odds, posterior_mean, posterior_variance, score, square
from theory.exponential import exponential_moment
from theory.symbols import L, d, epsilon, gamma, m

PARAMETERS = (
    Variable("d", "integer >= 1", "dimension"),
    Variable("m", "> 0", "signal strength, sqrt(d/2)"),
    Variable("L", "integer >= 1", "number of tokens"),
    Variable("gamma", "> 0", "standard deviation of the informative token"),
)
TOKENS = 3
p = symbols(f"p1:{TOKENS}", positive=True)
p = (*p, 1 - sum(p))
w = symbols(f"w1:{TOKENS + 1}", real=True)
x, mu = symbols("x mu", real=True)


def log_ratio(odds: Expr | None = None) -> Eq:
    """The densities' ratio against its two parts."""
    claimed = (log_odds() if odds is None else odds) + bayes.log_odds_constant()
    return Eq(bayes.log_ratio(), claimed, evaluate=False)


def posterior(odds: Expr | None = None) -> tuple[Eq, ...]:
    """What the likelihood ratio is times exp(log-odds) is free of the token; Bayes' formula for three tokens."""
    odds = log_odds() if odds is None else odds
    constant = bayes.log_ratio() - odds
    tokens = [
        {score: Symbol(f"u{j}", real=True), square: Symbol(f"q{j}", positive=True)} for j in range(TOKENS)
    ]
    ratios = [exp(bayes.log_ratio().subs(token).expand()) for token in tokens]
    softmax = [exp(odds.subs(token).expand()) for token in tokens]
    by_bayes = ratios[0] / L / Add(*(ratio / L for ratio in ratios))
    return (
        Eq(constant.diff(score), 0, evaluate=False),
        Eq(constant.diff(square), 0, evaluate=False),
        Eq(by_bayes, softmax[0] / Add(*softmax), evaluate=False),
    )


def prediction(mean: Expr | None = None) -> Eq:
    """E[(Y - f)^2 | X] for any prediction f against noise, posterior variance and squared distance to the mean."""
    f = Symbol("f", real=True)
    given = sum(weight * (epsilon**2 + (value - f) ** 2) for weight, value in zip(p, w, strict=True))
    centre = posterior_mean(p, w) if mean is None else mean
    return Eq(given, epsilon**2 + posterior_variance(p, w) + (f - centre) ** 2, evaluate=False)


def at_gamma_one(key: Expr = m) -> tuple[Eq, ...]:
    """The log-odds at gamma = 1 against key <X, k*>; at no other gamma are they free of |X|^2."""
    without = sympy.Poly(log_odds(), square).coeff_monomial(square)
    others = sympy.solve(without, gamma)
    return (
        Eq(log_odds().subs(gamma, 1), key * score, evaluate=False),
        Eq(Integer(len(others)), 1, evaluate=False),
        Eq(others[0], 1, evaluate=False),
    )


def affinity(spread: Expr | None = None) -> tuple[Expr, Expr]:
    """The Bhattacharyya coefficient and the variance of the law between."""
    return bayes.affinity(), bayes.confusion_variance() if spread is None else spread


def prove_affinity(subject: Any, context: Context) -> Iterator[Step]:
    """The densities are products over d coordinates, and only the one along k* has a mean."""
    coefficient, spread = subject
    root = exp(-((x - mu) ** 2) / (4 * gamma**2) - x**2 / 4) / sqrt(2 * pi * gamma)
    squares = ((x - mu) ** 2 / gamma**2 + x**2) / 2 + log(2 * pi * gamma)
    yield equal("the root of the product of two normal densities", root / exp(-squares / 2), 1)
    whole = sympy.integrate(root.expand(), (x, -oo, oo))
    along = sqrt(2 * gamma / (1 + gamma**2)) * exp(-(mu**2) / (4 * (1 + gamma**2)))
    yield equal("its integral", whole / along, 1)
    product = along.subs(mu, m) * along.subs(mu, 0) ** (d - 1)
    yield equal("the product over the coordinates", sympy.powsimp(coefficient / product), 1)
    second = sympy.integrate((x**2 * root.subs(mu, 0)).expand(), (x, -oo, oo))
    yield equal("the variance in other directions than k*", second / whole.subs(mu, 0), spread)


def bound(rate: Any = 1) -> Expr:
    """The bound in closed form; the mutants have another exponent."""
    base = 2 * gamma / (1 + gamma**2)
    return (L - 1) * gamma**2 / (1 + gamma**2) * base**d * exp(-rate * d / (4 * (1 + gamma**2)))


def prove_bound(subject: Expr, context: Context) -> Iterator[Step]:
    """Under pure noise, with r_l the likelihood ratio of token l and R their sum, X has the density R / L and the
    posterior is r_l / R. Each pair of tokens contributes E[r_1 r_2 (W_1 - W_2)^2 / (L R)]."""
    yield equal("the variance as a sum over pairs", posterior_variance(p, w), confusions(p, w))
    r1, r2, more = symbols("r1 r2 more", positive=True)
    yield equal("R >= r_1 + r_2 >= 2 sqrt(r_1 r_2)", r1**2 + r2**2 - 2 * r1 * r2, (r1 - r2) ** 2)
    total = 2 * r1 * r2 + more
    by_root = r1 * r2 / (2 * L)
    pair = total / L * (r1**2 / total) * (r2**2 / total)
    yield nonnegative("r_1 r_2 / (L R) <= sqrt(r_1 r_2) / (2 L)", sympy.factor(by_root - pair))
    pairs = L * (L - 1) / 2 * bayes.affinity() ** 2 * 2 * bayes.confusion_variance() / (2 * L)
    yield equal("all pairs, with E(W_1 - W_2)^2 twice the variance", bayes.bound(), pairs)
    ratio = sympy.powsimp(sympy.expand_power_base(bayes.bound().subs(m, sqrt(d / 2)) / subject, force=True))
    yield equal("the closed form", sympy.simplify(ratio), 1)


def two_tokens(narrow: Any = 2) -> tuple[Expr, Expr]:
    """Both bounds; the mutants have another variance in the lower one."""
    lower, upper = bayes.two_token_bounds()
    return lower.subs(sqrt(1 + m**2 / 2), sqrt(1 + m**2 / narrow)), upper


def prove_two_tokens(subject: tuple[Expr, Expr], context: Context) -> Iterator[Step]:
    """With r_l = exp(m u_l - m^2/2), E[r_1 r_2 / (r_1 + r_2)] factors: u_1 + u_2 and s = m (u_1 - u_2) are
    independent. Then exp(-y^2/2) <= 1/cosh(y) <= 1."""
    lower, upper = subject
    u1, u2, g = symbols("u1 u2 G", real=True)
    r1, r2 = (exp(m * u - m**2 / 2) for u in (u1, u2))
    half = exp(m * (u1 + u2) / 2 - m**2 / 2)
    together = half * bayes.confusion_weight(m * (u1 - u2))
    yield equal("the two factors", sympy.simplify(r1 * r2 / (r1 + r2) / together), 1)
    yield equal(
        "u_1 + u_2 and u_1 - u_2 are uncorrelated", sympy.Matrix([1, 1]).dot(sympy.Matrix([1, -1])), 0
    )
    first = exponential_moment((half.args[0]).subs({u1: sqrt(2) * g, u2: 0}), g)
    yield equal("E of the first, u_1 + u_2 = sqrt 2 G", first, exp(-(m**2) / 4))
    y = Symbol("y", positive=True)
    twice = 2 * sympy.cosh(y).rewrite(exp)
    yield equal("the second is 1/(2 cosh(s/2))", bayes.confusion_weight(2 * y) * twice, 1)
    yield from grows_from_zero("cosh(y) >= 1", sympy.cosh(y) - 1, y)
    yield equal("upper bound", first / 2, upper)
    yield from grows_from_zero("y^2/2 - log cosh(y)", y**2 / 2 - log(sympy.cosh(y)), y, order=2)
    gauss = exponential_moment(-((sqrt(2) * m * g / 2) ** 2) / 2, g)
    yield equal("lower bound, s = sqrt 2 m G", first * gauss / 2, lower)


def gap(rate: Any = None) -> Expr:
    """A rate with which the Bayes bound vanishes in d."""
    return log((1 + gamma**2) / (2 * gamma)) + 1 / (4 * (1 + gamma**2)) if rate is None else rate


def prove_gap(subject: Expr, context: Context) -> Iterator[Step]:
    """The least excess risk of the oracle is at least a multiple of 1/d, the Bayes bound exponentially small."""
    base = (1 + gamma**2) / (2 * gamma)
    yield nonnegative("(1 + gamma^2) / (2 gamma) >= 1", sympy.factor(base - 1))
    yield positive("1 / (4 (1 + gamma^2)) > 0", 1 / (4 * (1 + gamma**2)))
    bayes_bound = (L - 1) * gamma**2 / (1 + gamma**2) * exp(-d * subject)
    yield equal("the Bayes bound", sympy.simplify(bound() / bayes_bound), 1)
    h, dimension = symbols("h D", positive=True)
    oracle_floor = best_lambda.floor(Integer(1))[1].subs(d, dimension)
    yield positive(
        "the other floor is free of d", best_lambda.floor(Integer(1))[0].replace(sympy.erfc, _positive)
    )
    ratio = oracle_floor / (L - 1) * exp(h * dimension)
    yield limit("oracle over Bayes", ratio, dimension, oo, oo)


def _positive(_: Expr) -> Expr:
    return Symbol("E", positive=True)


def revealed(informative: int = 1) -> Eq:
    """Posterior variance with three tokens against that after one noise token K is told, and what K explains.

    K is uniform on the tokens other than J0.
    """
    mean, total = posterior_mean(p, w), Integer(0)
    for k in range(TOKENS):
        told = Add(*(q for j, q in enumerate(p) if j != k)) / 2
        left = [q / 2 / told for j, q in enumerate(p) if j != k]
        values = [v for j, v in enumerate(w) if j != k]
        spread = (posterior_mean(left, values) - mean) ** 2
        total += told * (posterior_variance(left, values) + informative * spread)
    return Eq(posterior_variance(p, w), total, evaluate=False)


def harder(gamma_far: int = 3) -> Gt:
    """Lower bound at gamma = 1 against the upper bound at a larger gamma, for d = 8, L = 2."""
    here = bayes.two_token_bounds()[0].subs(m, 2)
    return Gt(here, bound().subs({L: 2, d: 8, gamma: Integer(gamma_far)}), evaluate=False)


def claims() -> list[Claim]:
    """From the densities to the Bayes predictor, then what is known of its risk."""
    return [
        _log_odds(),
        _posterior(),
        _prediction(),
        _softmax(),
        _affinity(),
        _bound(),
        _two_tokens(),
        _gap(),
        _tokens(),
        _gamma(),
    ]


def _log_odds() -> Claim:
    return Claim(
        id="bayes.log-odds",
        statement=r"The logarithm of the ratio of a token's densities, informative over noise, is "
        r"$m \langle X, k^* \rangle/\gamma^2 + (1 - 1/\gamma^2) |X|^2/2$ plus a constant.",
        subject=log_ratio,
        source="section 3",
        judges=(Identity(),),
        mutants=(
            Mutant("gamma for gamma^2", lambda: log_ratio(log_odds().subs(gamma, sqrt(gamma)))),
            Mutant("no norm", lambda: log_ratio(log_odds().subs(square, 0))),
        ),
        variables=PARAMETERS,
    )


def _posterior() -> Claim:
    return Claim(
        id="bayes.posterior",
        statement=r"For every $L$, $P(J_0 = l | X)$ is the softmax over $l$ of "
        r"$m \langle X_l, k^* \rangle/\gamma^2 + (1 - 1/\gamma^2) |X_l|^2/2$.",
        subject=posterior,
        source="section 3",
        judges=(Identity(),),
        mutants=(Mutant("half the log-odds", lambda: posterior(log_odds() / 2)),),
        variables=PARAMETERS,
        depends_on=("bayes.log-odds",),
        derivation="By Bayes' formula with the uniform prior 1/L: a factor of the likelihood ratios that is free of the "
        "token cancels, for any number of tokens.",
    )


def _prediction() -> Claim:
    return Claim(
        id="bayes.predictor",
        statement=r"The posterior mean $\sum_l P(J_0 = l | X) \langle X_l, v^* \rangle$ has the least risk of all "
        r"predictors: that of a predictor $f$ exceeds it by $E(f - \mathrm{mean})^2$. The Bayes predictor's excess risk is "
        r"the mean posterior variance; the null, linear and attention predictors have no smaller one.",
        subject=prediction,
        source="section 3",
        judges=(Identity(),),
        mutants=(
            Mutant("the first value", lambda: prediction(w[0])),
            Mutant("the plain mean", lambda: prediction(sum(w) / TOKENS)),
        ),
        depends_on=("bayes.posterior",),
        derivation="E[(Y - f)^2 | X] in the posterior weights, shown for three tokens: all are alike, and so are all pairs.",
    )


def _softmax() -> Claim:
    return Claim(
        id="bayes.softmax",
        statement=r"At $\gamma = 1$ the Bayes predictor is softmax attention $\sum_l softmax_l(\langle X, k \rangle) "
        r"\langle X_l, v^* \rangle$ with $k = \sqrt{d/2}\, k^*$. At no other $\gamma$ is it softmax attention of a linear "
        r"score: the log-odds contain $|X_l|^2$.",
        subject=at_gamma_one,
        source="this toolkit",
        judges=(Identity(),),
        mutants=(Mutant("k = d k*", lambda: at_gamma_one(m**2)),),
        variables=PARAMETERS,
        depends_on=("bayes.posterior", "bayes.predictor"),
    )


def _affinity() -> Claim:
    return Claim(
        id="bayes.affinity",
        statement=r"The Bhattacharyya coefficient of the two tokens' laws is $c = (2\gamma/(1 + \gamma^2))^{d/2} "
        r"e^{-m^2/(4(1 + \gamma^2))}$; under the law between them $\langle X, v^* \rangle$ has variance "
        r"$2\gamma^2/(1 + \gamma^2)$.",
        subject=affinity,
        source="this toolkit",
        judges=(Steps(prove_affinity),),
        mutants=(Mutant("gamma for the variance", lambda: affinity(gamma)),),
        variables=PARAMETERS,
        derivation=inspect.cleandoc(prove_affinity.__doc__ or ""),
    )


def _bound() -> Claim:
    return Claim(
        id="bayes.bound",
        statement=r"For all $d, L, \gamma$ the Bayes predictor's excess risk is at most $(L - 1) \frac{\gamma^2}{1 + \gamma^2} "
        r"(\frac{2\gamma}{1 + \gamma^2})^d e^{-d/(4(1 + \gamma^2))}$: exponentially small in $d$.",
        subject=bound,
        source="this toolkit",
        judges=(Steps(prove_bound),),
        mutants=(Mutant("twice the exponent", lambda: bound(2)),),
        variables=VARIABLES[1:3],
        depends_on=("bayes.predictor", "bayes.affinity"),
        derivation=inspect.cleandoc(prove_bound.__doc__ or ""),
    )


def _two_tokens() -> Claim:
    return Claim(
        id="bayes.two-tokens",
        statement=r"For $L = 2$, $\gamma = 1$ the Bayes excess risk is $e^{-d/8} E[1/(2 \cosh(\sqrt{d} G/2))]$, between "
        r"$\frac{1}{2} e^{-d/8}/\sqrt{1 + d/4}$ and $\frac{1}{2} e^{-d/8}$: the bound for all $L$ has the right exponent.",
        subject=two_tokens,
        source="this toolkit",
        judges=(Steps(prove_two_tokens),),
        mutants=(Mutant("a larger lower bound", lambda: two_tokens(4)),),
        variables=PARAMETERS[:2],
        depends_on=("bayes.predictor", "bayes.log-odds"),
        derivation=inspect.cleandoc(prove_two_tokens.__doc__ or ""),
    )


def _gap() -> Claim:
    return Claim(
        id="bayes.gap",
        statement=r"Corollary 2 is a statement on differences, not on ratios: for fixed $L \geq 2$ and $\gamma$, the oracle's "
        r"excess risk at its best $\lambda$ divided by the Bayes predictor's tends to infinity with $d$, exponentially.",
        subject=gap,
        source="this toolkit",
        judges=(Steps(prove_gap),),
        mutants=(Mutant("without the mean's part", lambda: gap(log((1 + gamma**2) / (2 * gamma)))),),
        variables=VARIABLES[1:3],
        depends_on=("bayes.bound", "best-lambda.floor"),
        derivation=inspect.cleandoc(prove_gap.__doc__ or ""),
    )


def _tokens() -> Claim:
    return Claim(
        id="bayes.tokens",
        statement=r"The Bayes excess risk does not decrease when a token is added: given which of $L + 1$ tokens is a certain "
        r"noise token, what is left is the task with $L$, and the posterior variance is on average smaller.",
        subject=revealed,
        source="this toolkit",
        judges=(Identity(),),
        mutants=(Mutant("nothing is explained", lambda: revealed(0)),),
        depends_on=("bayes.predictor",),
        derivation="K is uniform on the noise tokens. Given K the others are a task with one token less and X_K is "
        "independent of it. By the law of total variance, written out for three tokens, the variance exceeds the mean "
        "of the variances given K by the variance of the means.",
    )


def _gamma() -> Claim:
    return Claim(
        id="bayes.gamma",
        statement=r"The Bayes excess risk is not monotone in $\gamma$, although the oracle's is: for $d = 8$, $L = 2$ it is "
        r"smaller at $\gamma = 3$ than at $\gamma = 1$ (and it vanishes for $\gamma \to 0$).",
        subject=harder,
        source="this toolkit",
        judges=(Positive(),),
        mutants=(Mutant("gamma = 1", lambda: harder(1)),),
        depends_on=("bayes.bound", "bayes.two-tokens"),
    )
