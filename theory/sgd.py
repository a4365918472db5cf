"""One-pass SGD: the batch gradient's second moments, given the overlaps.

The gradient of (Y - T)^2 in k or v is a combination of the tokens, 2 (T - Y) sum_l c_l X_l, with c_l the
derivative of the summand T_l in the score U_l for k and in the value V_l for v. In a direction orthogonal to
k, v, k*, v* the tokens' components are independent of scores, values and label, so the two batch gradients'
components there have the covariance

    A = (4 / batch) E[(Y - T)^2 sum_l sigma_l^2 c_l c_l^T]    (2 x 2, over k and v).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

from sympy import Expr, Integer, Symbol, diff, erf, expand, sqrt, symbols

from theory.gaussian import F, V, W, expectation, stein
from theory.laws import INFORMATIVE, NOISE, Token
from theory.risk import INFORMATIVE_ERROR, NOISE_ERROR, second_moment
from theory.symbols import L, epsilon, lam

U = Symbol("U", real=True)
"""A token's score <X, k>."""

S = Symbol("S", real=True)
"""The activation's slope d erf(lam U) / dU at the token's score."""

G = Symbol("G", real=True)
"""The score's standardised value, (U - E U) / sd(U)."""

batch = Symbol("B", integer=True, positive=True)
"""Number of samples in a batch."""

OF = ("k", "v")
PAIRS = tuple(combinations_with_replacement(OF, 2))
"""(k, k), (k, v), (v, v)."""


@cache
def coefficients() -> dict[str, Expr]:
    """Coefficient of a token X in the gradients of its summand erf(lam <X, k>) <X, v> of the predictor."""
    summand = erf(lam * U) * V
    slope, value = diff(erf(lam * U), U), erf(lam * U)
    by = {"k": diff(summand, U), "v": diff(summand, V)}
    return {of: c.subs(slope, S).subs(value, F) for of, c in by.items()}


def given_score(expression: Expr, token: Token) -> Expr:
    """E[expression | U] of a polynomial in V, W, F and S, as a polynomial in F, S and the score's G.

    Given the score, V and W are jointly Gaussian: means linear in G, covariances those of the regression.
    """
    mean, covariance = token.scores
    slope = covariance[:, 0] / sqrt(covariance[0, 0])
    conditional = mean + slope * G, covariance - slope * slope.T
    powers = expression.as_poly(V, W)

    def constant(order: int) -> Expr:
        return Integer(order == 0)

    return sum((c * stein(i, j, constant, *conditional) for (i, j), c in powers.terms()), Integer(0))


class Moments:
    """E[e^n c_p c_q] of a token, n = 0, 1, 2, for its error e: symbols, each of them an integral over G."""

    def __init__(self, name: str, token: Token, error: Expr) -> None:
        self.token, self.error = token, error
        self.symbols = {(p, q, n): Symbol(f"{name}_{p}{q}{n}", real=True) for p, q in PAIRS for n in range(3)}

    def integrands(self) -> dict[Symbol, Expr]:
        """Each moment as the function of G, F and S whose mean over G ~ N(0, 1) it is."""
        c = coefficients()
        return {
            symbol: given_score(expand(self.error**n * c[p] * c[q]), self.token)
            for (p, q, n), symbol in self.symbols.items()
        }

    def weighted(self, pair: tuple[str, str], mean: Expr, square: Expr) -> Expr:
        """E[(e + r)^2 c_p c_q] for an independent r of the given first and second moment."""
        zeroth, first, second = (self.symbols[*pair, n] for n in range(3))
        return second + 2 * first * mean + zeroth * square


ABOUT_INFORMATIVE = Moments("a", INFORMATIVE, INFORMATIVE_ERROR)
ABOUT_NOISE = Moments("b", NOISE, NOISE_ERROR)

a1, a2, b1, b2 = symbols("a1 a2 b1 b2", real=True)
"""First and second moments of the informative and of a noise token's error."""


def error_moments() -> dict[Symbol, Expr]:
    """The closed forms of a1, a2, b1, b2."""
    informative = (expectation(INFORMATIVE_ERROR**n, INFORMATIVE.scores) for n in (1, 2))
    noise = (expectation(NOISE_ERROR**n, NOISE.scores) for n in (1, 2))
    return dict(zip((a1, a2, b1, b2), (*informative, *noise), strict=True))


@cache
def gradient_covariance() -> dict[tuple[str, str], Expr]:
    """A, in the moments' symbols: Y - T is the label noise plus the errors of independent tokens."""
    others, label = L - 1, epsilon**2
    result = {}
    for pair in PAIRS:
        informative = ABOUT_INFORMATIVE.weighted(
            pair, others * b1, label + second_moment(Integer(0), Integer(0), b1, b2, others)
        )
        noise = ABOUT_NOISE.weighted(
            pair, a1 + (others - 1) * b1, label + second_moment(a1, a2, b1, b2, others - 1)
        )
        total = INFORMATIVE.scale**2 * informative + others * NOISE.scale**2 * noise
        result[pair] = 4 / batch * total
    return result
