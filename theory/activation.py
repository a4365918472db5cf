"""Other activations: the risk of sum_l f(lam <X_l, k>) <X_l, v> in smoothed powers and derivatives of f.

Nothing of f is used but that Stein's lemma applies: f is absolutely continuous, and f, f' have moments.
"""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Function, Integer, Symbol, diff, erfc, sqrt

from theory.gaussian import expectation
from theory.laws import INFORMATIVE, NOISE
from theory.risk import INFORMATIVE_ERROR, NOISE_ERROR, second_moment
from theory.symbols import L, eta, gamma, kappa, m, nu, rho, theta

Smoothed = Callable[[int, int], Expr]
"""(power p, order n) -> E of the n-th derivative in u of f(lam u)^p at a token's score u."""

mean, square = Function("S1", real=True), Function("S2", real=True)
"""E f(lam U) and E f(lam U)^2 at the informative token, as functions of kappa."""


def excess_risk(informative: Smoothed, noise: Smoothed) -> Expr:
    """Excess risk in the overlaps."""
    a1, a2 = (expectation(INFORMATIVE_ERROR**p, INFORMATIVE.scores, informative) for p in (1, 2))
    b1, b2 = (expectation(NOISE_ERROR**p, NOISE.scores, noise) for p in (1, 2))
    return second_moment(a1, a2, b1, b2, L - 1)


def at_informative(power: int, order: int) -> Expr:
    """By E f(lam (m kappa + gamma G)), each derivative in kappa being m derivatives in u."""
    if power == 0:
        return Integer(order == 0)
    return diff((mean, square)[power - 1](kappa), kappa, order) / m**order


def at_noise(power: int, order: int) -> Expr:
    """Constants: the score of a noise token is N(0, 1) whatever the overlaps are."""
    return Symbol(f"N{power}{order}", real=True)


def general() -> Expr:
    """The excess risk of an unspecified activation."""
    return excess_risk(at_informative, at_noise)


def on_manifold() -> Expr:
    """The excess risk of an unspecified activation at theta = eta = rho = 0."""
    return general().subs({theta: 0, eta: 0, rho: 0}).doit()


def velocity() -> tuple[Expr, Expr]:
    """kappa' and nu' of the gradient flow on M."""
    risk = on_manifold()
    return -(1 - kappa**2) * risk.diff(kappa), -(1 - nu**2) * risk.diff(nu)


def threshold() -> Expr:
    """The score at which a step tells the two tokens apart with equal error probabilities."""
    return m / (1 + gamma)


def upper_tail(x: Expr) -> Expr:
    """P(G > x)."""
    return erfc(x / sqrt(2)) / 2
