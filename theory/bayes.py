"""The Bayes predictor: the posterior of the informative token's place, and bounds of its excess risk.

Given the tokens, the label is W_{J0} + noise with W_l = <X_l, v*>, so the Bayes predictor is the posterior
mean sum_l p_l W_l and its excess risk the mean posterior variance, a sum over pairs of tokens that may be
confused: E sum_{l < k} p_l p_k (W_l - W_k)^2.
"""

from __future__ import annotations

from collections.abc import Sequence

from sympy import Add, Expr, Symbol, exp, log, pi, sqrt

from theory.laws import INFORMATIVE, NOISE, Token
from theory.symbols import L, d, gamma, m

score = Symbol("u", real=True)
"""<X, k*> of a token."""

square = Symbol("q", positive=True)
"""|X|^2 of a token."""


def log_density(token: Token) -> Expr:
    """Log-density of a token's law N(length k*, scale^2 I_d) at X, from <X, k*> and |X|^2."""
    distance = square - 2 * token.length * score + token.length**2
    return -d * log(2 * pi) / 2 - d * log(token.scale) - distance / (2 * token.scale**2)


def log_ratio() -> Expr:
    """Log of the ratio of the two tokens' densities, informative over noise."""
    return log_density(INFORMATIVE) - log_density(NOISE)


def log_odds() -> Expr:
    """What of the log-ratio depends on the token; P(J0 = l | X) is its softmax over the tokens."""
    return m * score / gamma**2 + (1 - 1 / gamma**2) * square / 2


def log_odds_constant() -> Expr:
    """The rest of the log-ratio; the softmax is free of it."""
    return -d * log(gamma) - m**2 / (2 * gamma**2)


def posterior_mean(weights: Sequence[Expr], values: Sequence[Expr]) -> Expr:
    """sum_l p_l w_l."""
    return Add(*(p * w for p, w in zip(weights, values, strict=True)))


def posterior_variance(weights: Sequence[Expr], values: Sequence[Expr]) -> Expr:
    """sum_l p_l w_l^2 - (sum_l p_l w_l)^2."""
    return posterior_mean(weights, [w**2 for w in values]) - posterior_mean(weights, values) ** 2


def confusions(weights: Sequence[Expr], values: Sequence[Expr]) -> Expr:
    """sum_{l < k} p_l p_k (w_l - w_k)^2, the variance where the weights add up to 1."""
    pairs = [(i, j) for j in range(len(weights)) for i in range(j)]
    return Add(*(weights[i] * weights[j] * (values[i] - values[j]) ** 2 for i, j in pairs))


def affinity() -> Expr:
    """Bhattacharyya coefficient of the two tokens' laws: the root of the densities' product, integrated."""
    return sqrt(2 * gamma / (1 + gamma**2)) ** d * exp(-(m**2) / (4 * (1 + gamma**2)))


def confusion_variance() -> Expr:
    """Variance of <X, v*> under the law whose density is proportional to that root."""
    return 2 * gamma**2 / (1 + gamma**2)


def bound() -> Expr:
    """Upper bound of the Bayes predictor's excess risk.

    Of the L (L - 1) / 2 pairs each contributes at most affinity^2 E(W_1 - W_2)^2 / (2 L).
    """
    return L * (L - 1) / 2 * affinity() ** 2 * 2 * confusion_variance() / (2 * L)


def two_token_bounds() -> tuple[Expr, Expr]:
    """Lower and upper bound of the Bayes predictor's excess risk for L = 2 and gamma = 1."""
    upper = exp(-(m**2) / 4) / 2
    return upper / sqrt(1 + m**2 / 2), upper


def confusion_weight(s: Expr) -> Expr:
    """1 / (2 cosh(s / 2)): for L = 2, gamma = 1 the excess risk is exp(-m^2/4) E of it at s ~ N(0, 2 m^2)."""
    return 1 / (exp(s / 2) + exp(-s / 2))
