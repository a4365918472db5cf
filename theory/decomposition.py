"""The excess risk as a sum of non-negative terms: full relative accuracy in floating point.

Let G be the informative token's standardised component along k. Given G, the informative error W - F V has
a part h(G) = gamma eta G - (m theta + gamma rho G) F along k and a Gaussian part in the orthogonal complement
of k. Bias, variances and the orthogonal Hermite components of h add up:

    excess = bias^2 + gamma^2 |v*' - E[F] v'|^2 + gamma^2 |v'|^2 Var F
             + Cov(h, G)^2 + (rest of Var h) + (L - 1) Var(noise token),

where v*', v' are the components of v*, v orthogonal to k. That the sum is the excess risk is a claim.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from sympy import Expr, Function, Integer, Matrix, diff, erf, expand, factorial, sqrt

from theory.gaussian import SMOOTHED, F, V, expectation
from theory.laws import INFORMATIVE, NOISE
from theory.risk import INFORMATIVE_ERROR, NOISE_ERROR
from theory.special import erf_variance
from theory.symbols import L, eta, gamma, kappa, lam, m, nu, rho, theta
from theory.symbols import g as scale
from theory.symbols import t as location

G = V
"""The standardised component along k, the only Gaussian besides the score."""


def along_score(expression: Expr, t: Expr, g: Expr) -> Expr:
    """E[expression] for a polynomial in G ~ N(0, 1) and F = erf(t + g G)."""
    covariance = Matrix([[(g / lam) ** 2, g / lam, 0], [g / lam, 1, 0], [0, 0, 1]])
    return expectation(expression, (Matrix([t / lam, 0, 0]), covariance))


class hermite_tail(Function):
    """hermite_tail(t, g, a, b): variance of (a + b G) erf(t + g G) that no affine function of G explains.

    It is sum_{n >= 2} n! (a f_n + b (f_{n-1} + (n + 1) f_{n+1}))^2 with the Hermite coefficients
    f_n = (g^n / n!) d^n/dt^n erf(t / sqrt(1 + 2 g^2)) of erf(t + g G).
    """

    nargs = 4

    def definition(self) -> Expr:
        """Var[(a + b G) F] - Cov[(a + b G) F, G]^2."""
        t, g, a, b = self.args
        product = expand((a + b * G) * F)
        mean, square, slope = (along_score(expand(e), t, g) for e in (product, product**2, product * G))
        return square - mean**2 - slope**2

    def _eval_is_extended_real(self) -> bool:
        return True


class residual_norm(Function):
    """residual_norm(nu, eta, rho, h): |v*' - erf(h) v'|^2 for the parts orthogonal to k."""

    nargs = 4

    def definition(self) -> Expr:
        """1 - eta^2 - 2 erf(h) (nu - rho eta) + erf(h)^2 (1 - rho^2)."""
        nu, eta, rho, h = self.args
        return (1 - eta**2) - 2 * erf(h) * (nu - rho * eta) + erf(h) ** 2 * (1 - rho**2)

    def _eval_is_extended_real(self) -> bool:
        return True


def hermite_coefficient(n: int, t: Expr = location, g: Expr = scale) -> Expr:
    """E[erf(t + g G) He_n(G)] / n! = (g^n / n!) d^n/dt^n E erf(t + g G), by n uses of Stein's lemma."""
    derivative = diff(SMOOTHED[1], location, n).subs({location: t, scale: g}, simultaneous=True)
    return g**n * derivative / factorial(n)


class Decomposition(NamedTuple):
    """The terms; `bias` and `slope` enter squared, all others are non-negative as they stand."""

    bias: Expr
    orthogonal: Expr
    gate: Expr
    slope: Expr
    curvature: Expr
    noise: Expr

    def total(self) -> Expr:
        """The excess risk."""
        return self.bias**2 + self.orthogonal + self.gate + self.slope**2 + self.curvature + self.noise


@cache
def decomposition() -> Decomposition:
    """The excess risk's non-negative terms, each from the laws by the Gaussian calculus."""
    t, g = lam * m * kappa, lam * gamma
    h = t / sqrt(1 + 2 * g**2)
    along_k = gamma * eta * G - (m * theta + gamma * rho * G) * F
    return Decomposition(
        bias=expectation(INFORMATIVE_ERROR, INFORMATIVE.scores)
        + (L - 1) * expectation(NOISE_ERROR, NOISE.scores),
        orthogonal=gamma**2 * residual_norm(nu, eta, rho, h),
        gate=gamma**2 * (1 - rho**2) * erf_variance(t, g),
        slope=along_score(expand(along_k * G), t, g),
        curvature=hermite_tail(t, g, m * theta, gamma * rho),
        noise=(L - 1) * _noise_variance(),
    )


def _noise_variance() -> Expr:
    """Var(F V) of a noise token: V = rho U + sqrt(1 - rho^2) Z, and E F^2 Z^2 = E F^2."""
    along = along_score((G * F) ** 2, Integer(0), lam) - along_score(G**2 * F, Integer(0), lam) ** 2
    along -= along_score(G * F, Integer(0), lam) ** 2
    square = along_score(F**2, Integer(0), lam)
    return ((1 - rho**2) * square + rho**2 * along).subs(square, erf_variance(Integer(0), lam))
