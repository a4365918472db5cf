"""Sequences of tasks and inverse temperatures, to say which limits imply which (Corollary 2)."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Integer, Rational, Symbol, sqrt, sympify

from theory import symbols

n = Symbol("n", positive=True)
"""What numbers the sequence; it tends to infinity."""


@dataclass(frozen=True)
class Sequence:
    """d, L, gamma and lam as functions of n. What is rounded to an integer changes no limit."""

    d: Expr
    L: Expr
    lam: Expr
    gamma: Expr = symbols.gamma

    def along(self, expression: Expr) -> Expr:
        """An expression in m (or d), L, gamma and lam along the sequence."""
        values = {
            symbols.m: sqrt(sympify(self.d) / 2),
            symbols.d: self.d,
            symbols.L: self.L,
            symbols.lam: self.lam,
            symbols.gamma: self.gamma,
        }
        return expression.subs(values, simultaneous=True)

    @property
    def focus(self) -> Expr:
        """lam sqrt(d), which Corollary 2 wants to tend to infinity."""
        return self.along(symbols.lam * sqrt(symbols.d))

    @property
    def leakage(self) -> Expr:
        """lam sqrt(L), which Corollary 2 wants to vanish."""
        return self.along(symbols.lam * sqrt(symbols.L))


TWO, ONE = Integer(2), Integer(1)
SLOW = Sequence(d=n, L=TWO, lam=1 / sqrt(n))
"""lam sqrt(d) stays bounded."""

LEAKY = Sequence(d=n**2, L=n, lam=1 / sqrt(n))
"""lam sqrt(L) stays away from 0."""

WIDE = Sequence(d=n, L=TWO, lam=n ** Rational(-1, 4), gamma=sqrt(n / 2))
"""Both conditions hold, gamma is unbounded."""

NARROW = Sequence(d=n, L=TWO, lam=1 / sqrt(n), gamma=1 / n)
"""lam sqrt(d) stays bounded, gamma vanishes."""

ALONE = Sequence(d=n, L=ONE, lam=ONE)
"""A single token and a fixed lam."""

HOT = Sequence(d=TWO, L=ONE, lam=n)
"""A single token in a fixed dimension, lam grows."""
