"""Composite parameters, in which the closed forms are short."""

from __future__ import annotations

from sympy import Expr, Symbol, pi, sqrt

from theory.symbols import gamma, lam, m

a = Symbol("a", positive=True)
"""The mean of the gate erf(lam U) at the informative token is erf(a kappa)."""

b = Symbol("a'", positive=True)
"""The slope in kappa of the gate's second moment is 2 a erf'(a kappa) erf(a' kappa); a' < a."""

u = Symbol("u", positive=True)
"""Share of the informative token's noise in the gate: 2 lam^2 gamma^2 / (1 + 2 lam^2 gamma^2) < 1."""

noise_slope = Symbol("c", positive=True)
"""A noise token contributes c rho to the mean of the prediction."""

noise_share = Symbol("w", positive=True)
"""1 / sqrt(1 + 4 lam^2) < 1, for the noise tokens what a' / a is for the informative one."""

DEFINITIONS: dict[Symbol, Expr] = {
    a: lam * m / sqrt(1 + 2 * lam**2 * gamma**2),
    b: lam * m / sqrt((1 + 2 * lam**2 * gamma**2) * (1 + 4 * lam**2 * gamma**2)),
    u: 2 * lam**2 * gamma**2 / (1 + 2 * lam**2 * gamma**2),
    noise_slope: 2 * lam / sqrt(pi * (1 + 2 * lam**2)),
    noise_share: 1 / sqrt(1 + 4 * lam**2),
}


def in_parameters(expression: Expr) -> Expr:
    """`expression` in lambda, m and gamma."""
    return expression.subs(DEFINITIONS, simultaneous=True)
