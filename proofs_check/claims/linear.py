"""Linear predictors (Proposition 3) and linear attention, from the normal equations."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Eq, Expr, Gt, Integer, Symbol, expand, oo, pi, sqrt, symbols

from proofs_check.claim import Claim, Context, Mutant
from proofs_check.claims.oracle import VARIABLES
from proofs_check.judges.certified import Inequality
from proofs_check.judges.exact import Identity, Step, Steps
from proofs_check.judges.positive import Argument, Positive
from proofs_check.steps import equal, limit, positive
from theory import best_lambda, oracle
from theory.gaussian import SMOOTHED, W
from theory.linear import (
    attention,
    biased_attention,
    excess_risk,
    linear,
    offset,
    slope,
)
from theory.special import OwenT, zeta
from theory.symbols import L, d, gamma, in_dimension, lam, m
from theory.symbols import g as scale
from theory.symbols import t as location
from theory.task import U, cross, mixture, with_label

TASK = VARIABLES[:3]
r = Symbol("r", positive=True)
others = Symbol("others", integer=True, nonnegative=True)


def predictor(a: Expr, b: Expr) -> Expr:
    """What a token adds to the prediction."""
    return (a * U + b) * W


def orthogonal(feature: Expr, a: Expr, b: Expr) -> Expr:
    """E[(Y - sum_j (a U_j + b) W_j) f(X_l)] for a function of one token."""
    own = mixture(expand(predictor(a, b) * feature))
    return with_label(feature) - own - (L - 1) * cross(feature, expand(predictor(a, b)))


def normal_equations(a: Expr, b: Expr, features: tuple[Expr, ...]) -> tuple[Eq, ...]:
    """The residual is uncorrelated with each feature of each token."""
    return tuple(Eq(orthogonal(f, a, b), 0, evaluate=False) for f in features)


def linear_equations(b: Expr | None = None) -> tuple[Eq, ...]:
    """Features 1 (the intercept), U and W; other directions are like U, without its mean."""
    best = linear()[0] if b is None else b
    return normal_equations(Integer(0), best, (Integer(1), U, W))


def attention_equations(bias: bool = True) -> tuple[Eq, ...]:
    """All monomials of degree 2 at most in U and W; other directions are like U, without its mean."""
    best, _ = biased_attention()
    a, b = (best[slope], best[offset]) if bias else (attention()[0], Integer(0))
    return normal_equations(a, b, (Integer(1), U, W, U**2, U * W, W**2))


def spectrum(intercept: int = 1) -> tuple[Expr, ...]:
    """Eigenvalues of the features' covariance: in the direction (1, ..., 1) along k*, else along k*, off k*."""
    own, off = mixture(U**2), mixture(W**2)
    common = own + (L - 1) * cross(U, U) - intercept * L * mixture(U) ** 2
    return common, own, off


def definite(eigenvalues: tuple[Expr, ...]) -> tuple[Any, ...]:
    """They are positive."""
    return tuple(Gt(sympy.factor(e.subs(L, 1 + others)), 0, evaluate=False) for e in eigenvalues)


def risk(excess: Expr | None = None) -> tuple[Eq, ...]:
    """The least excess risk of linear prediction, and that it is a completed square."""
    claimed = gamma**2 - gamma**4 / (gamma**2 + L - 1) if excess is None else excess
    best, least = linear()
    curvature = gamma**2 + L - 1
    square = least + curvature * (offset - best) ** 2
    return (
        Eq(least, claimed, evaluate=False),
        Eq(excess_risk().subs(slope, 0), square, evaluate=False),
        Eq(least.diff(m), 0, evaluate=False),
    )


def limits(many: Expr = gamma**2) -> tuple[Expr, Expr, Expr]:
    """The least excess risk with one token, and with many."""
    return linear()[1], Integer(0), many


def prove_limits(subject: tuple[Expr, Expr, Expr], context: Context) -> Iterator[Step]:
    """Evaluate at L = 1, differentiate in L, let L grow."""
    least, one, many = subject
    tokens = Symbol("t", positive=True)
    yield equal("L = 1", least.subs(L, 1), one)
    yield positive("it increases with L", sympy.factor(least.subs(L, 1 + tokens).diff(tokens)))
    yield limit("L -> oo", least.subs(L, 1 + tokens), tokens, oo, many)


def attention_risk(excess: Expr | None = None) -> tuple[Eq, ...]:
    """Least excess risks of linear attention at k*, v*, without and with a bias in its scores."""
    noisy = gamma**4 + L - 1
    claimed = gamma**2 * noisy / (gamma**2 * m**2 + noisy) if excess is None else excess
    precision = 1 + gamma**2 / (L - 1) + gamma**2 * m**2 / noisy
    return (
        Eq(attention()[1], claimed, evaluate=False),
        Eq(biased_attention()[1], gamma**2 / precision, evaluate=False),
    )


def rate(claimed: Expr | None = None) -> tuple[Expr, Expr]:
    """Linear attention's excess risk, and the limit of d times it."""
    return in_dimension(attention()[1]), 2 * (gamma**4 + L - 1) if claimed is None else claimed


def prove_rate(subject: tuple[Expr, Expr], context: Context) -> Iterator[Step]:
    """d times the oracle's excess risk has a lower limit above any bound: for every z it is at least the smaller
    of two floors, of which one does not vanish and d times the other tends to a multiple of z."""
    excess, claimed = subject
    dimension, z, E = symbols("D z E", positive=True)
    tokens = 2 + others
    at = (dimension * excess).subs({d: dimension, L: tokens})
    yield limit("d times linear attention's", at, dimension, oo, expand(claimed.subs(L, tokens)))
    first, second = best_lambda.floor(z)
    yield positive("the first floor is free of d", first.replace(sympy.erfc, lambda _: E))
    at = (dimension * second).subs({d: dimension, L: tokens})
    tends = 4 / pi * (1 + others) * z
    yield limit("d times the second", at, dimension, oo, expand(tends))
    yield positive("which grows with z", tends.diff(z))


def better_than_erf(factor: Any = 1) -> Gt:
    """The oracle's lower bound against linear attention's excess risk, at d = 400, L = 10, gamma^2 = 1/2.

    All lam > 0 in one variable: r^2 = lam^2 / (1 + 2 lam^2), r < 1 / sqrt 2.
    """
    setting = {m: sqrt(200), L: 10, gamma: 1 / sqrt(2)}
    x = sqrt(200) * r / sqrt(1 - r**2)
    below = oracle.lower_bound().subs(setting).subs(lam, r / sqrt(1 - 2 * r**2))
    below = below.replace(sympy.erfc, lambda z: sympy.erfc(x) if sympy.simplify(z**2 - x**2) == 0 else z)
    return Gt(sympy.simplify(below), factor * attention()[1].subs(setting), evaluate=False)


def alone(factor: Any) -> Gt:
    """With one token: the oracle's lower bound gamma^2 erfc(x)^2 is positive, where linear prediction has no loss."""
    below = oracle.lower_bound().subs(L, 1)
    return Gt(below, (factor - 1) * gamma**2 * 2, evaluate=False)


def prove_alone(subject: Any, context: Context) -> Iterator[Step]:
    """erfc is positive on the real line."""
    yield equal("linear prediction has no loss", linear()[1].subs(L, 1), 0)
    square = symbols("E", positive=True)
    yield positive("erfc(x)^2 > 0", (subject.lhs - subject.rhs).replace(sympy.erfc, lambda _: square))


ROOT = sqrt(pi) / 2
"""1 / erf'(0)."""


def rescaled(factor: Expr = ROOT) -> tuple[Expr, Expr]:
    """Excess risk of (a factor / lam) times erf attention at k*, v*, and that of linear attention."""
    c = slope * factor / lam
    t, g = lam * m, lam * gamma
    mean = SMOOTHED[1].subs({location: t, scale: g}, simultaneous=True)
    excess = gamma**2 * (1 - 2 * c * mean + c**2 * zeta(t, g)) + (L - 1) * c**2 * zeta(0, lam)
    return excess, excess_risk().subs(offset, 0)


def prove_rescaled(subject: tuple[Expr, Expr], context: Context) -> Iterator[Step]:
    """zeta(lam m, lam gamma) and zeta(0, lam) vanish at lam = 0 with their first derivatives, so that over lam^2
    they tend to half their second derivatives; the rest is elementary."""
    excess, linear_attention = subject
    rest, squares = expand(excess), Integer(0)
    for function in (zeta(lam * m, lam * gamma), zeta(0, lam)):
        closed = function.closed_form()
        start = closed.subs(lam, 0).replace(OwenT, lambda *z: OwenT(*z).as_integral().doit())
        yield equal(f"{function} at 0", start, 0)
        yield equal(f"{function}: slope at 0", function.diff(lam).subs(lam, 0), 0)
        coefficient = lam**2 * rest.coeff(function)
        yield equal(f"{function}: coefficient of {function} / lam^2", coefficient.diff(lam), 0)
        squares += coefficient * function.diff(lam, 2).subs(lam, 0) / 2
        rest = rest.subs(function, 0)
    yield limit("the limit for lam -> 0", rest, lam, 0, expand(linear_attention - squares), side="+")


def claims() -> list[Claim]:
    """Linear predictors, then linear attention, then erf attention with a free scale."""
    return [
        _equations(),
        _definite(),
        _risk(),
        _limits(),
        _fails_alone(),
        _attention(),
        _best_quadratic(),
        _rate(),
        _example(),
        _rescaled(),
    ]


def _equations() -> Claim:
    return Claim(
        id="linear.normal-equations",
        statement=r"For all $L$ and $d$ the residual of $\frac{\gamma^2}{\gamma^2 + L - 1} \sum_l \langle X_l, v^* "
        r"\rangle$ is uncorrelated with every coordinate of every token and has mean 0: it solves the normal equations "
        r"with and without an intercept.",
        subject=linear_equations,
        source="Proposition 3",
        judges=(Identity(),),
        mutants=(
            Mutant("L for L - 1", lambda: linear_equations(gamma**2 / (gamma**2 + L))),
            Mutant("gamma for gamma^2", lambda: linear_equations(gamma / (gamma + L - 1))),
        ),
        variables=TASK,
        depends_on=("laws.informative", "laws.noise"),
        derivation="The second moments of the tokens are those of a mixture, 1/L of them informative; tokens are "
        "uncorrelated but for their means.",
    )


def _definite() -> Claim:
    return Claim(
        id="linear.definite",
        statement=r"The covariance matrix of the $L d$ coordinates is positive definite, its eigenvalues being "
        r"$(\gamma^2 + L - 1)/L$ and $(m^2 + \gamma^2 + L - 1)/L$: the normal equations have one solution, with an "
        r"intercept as well.",
        subject=lambda: definite(spectrum()),
        source="Proposition 3",
        judges=(Positive(),),
        mutants=(Mutant("the mean taken off twice", lambda: definite(spectrum(2))),),
        variables=TASK,
    )


def _risk() -> Claim:
    return Claim(
        id="linear.risk",
        statement=r"The best linear predictor has the excess risk $\gamma^2 - \gamma^4/(\gamma^2 + L - 1)$, whatever $d$.",
        subject=risk,
        source="Proposition 3",
        judges=(Identity(),),
        mutants=(
            Mutant("L for L - 1", lambda: risk(gamma**2 - gamma**4 / (gamma**2 + L))),
            Mutant("gamma^2 for gamma^4", lambda: risk(gamma**2 - gamma**2 / (gamma**2 + L - 1))),
        ),
        variables=TASK,
        depends_on=("linear.normal-equations", "linear.definite", "risk.square-of-sum"),
    )


def _limits() -> Claim:
    return Claim(
        id="linear.many-tokens",
        statement=r"The best linear predictor's excess risk increases strictly with $L$, from 0 at $L = 1$ to $\gamma^2$, that "
        r"of predicting 0, for $L \to \infty$.",
        subject=limits,
        source="Proposition 3",
        judges=(Steps(prove_limits),),
        mutants=(Mutant("half of it", lambda: limits(gamma**2 / 2)),),
        variables=TASK,
        depends_on=("linear.risk",),
    )


def _fails_alone() -> Claim:
    return Claim(
        id="linear.one-token",
        statement=r"With one token linear prediction is perfect and erf attention is not: the oracle's excess risk is "
        r"positive for every $\lambda$. That linear predictors fail needs several tokens.",
        subject=lambda: alone(1),
        source="this toolkit",
        judges=(Argument(prove_alone),),
        mutants=(Mutant("erfc^2 > 2", lambda: alone(2)),),
        variables=TASK,
        depends_on=("linear.many-tokens", "corollary.lower-bound"),
    )


def _attention() -> Claim:
    return Claim(
        id="linear.attention",
        statement=r"Linear attention $a \sum_l \langle X_l, k^* \rangle \langle X_l, v^* \rangle$ at its best $a$ has the "
        r"excess risk $\gamma^2 (\gamma^4 + L - 1)/(\gamma^2 m^2 + \gamma^4 + L - 1)$; with a bias in its scores and "
        r"$L \geq 2$, $\gamma^2/(1 + \frac{\gamma^2}{L - 1} + \frac{\gamma^2 m^2}{\gamma^4 + L - 1})$.",
        subject=attention_risk,
        source="this toolkit",
        judges=(Identity(domain={L: (1, 9)}),),
        mutants=(
            Mutant(
                "gamma^2 for gamma^4",
                lambda: attention_risk(gamma**2 * (gamma**2 + L - 1) / (gamma**2 * m**2 + gamma**2 + L - 1)),
            ),
        ),
        variables=TASK,
        depends_on=("laws.informative", "laws.noise", "risk.square-of-sum"),
    )


def _best_quadratic() -> Claim:
    return Claim(
        id="linear.best-quadratic",
        statement=r"Linear attention with a bias in its scores, at $k^*$, $v^*$ and the best scale and bias, has the least risk "
        r"of all predictors $\sum_l q_l(X_l)$ with polynomials $q_l$ of degree 2.",
        subject=attention_equations,
        source="this toolkit",
        judges=(Identity(),),
        mutants=(Mutant("without the bias", lambda: attention_equations(False)),),
        variables=TASK,
        depends_on=("linear.attention",),
        derivation="Its residual is uncorrelated with every monomial of degree 2 or less in a token. Those in U and W are "
        "computed. Others are odd in a direction orthogonal to k* and v*, and vanish by reflection along it, or the "
        "square of such a direction, and vanish as U^2 does by reflection along v*.",
    )


def _rate() -> Claim:
    return Claim(
        id="linear.rate",
        statement=r"For fixed $\gamma$ and $L \geq 2$, $d$ times linear attention's excess risk tends to $2(\gamma^4 + L - 1)$, "
        r"while $d$ times the oracle's at its best $\lambda$ tends to infinity: linear attention with a free scale "
        r"beats erf attention with $|v| = 1$.",
        subject=rate,
        source="this toolkit",
        judges=(Steps(prove_rate),),
        mutants=(Mutant("half of it", lambda: rate(gamma**4 + L - 1)),),
        variables=TASK,
        depends_on=("linear.attention", "best-lambda.floor"),
        derivation=inspect.cleandoc(prove_rate.__doc__ or ""),
    )


def _example() -> Claim:
    return Claim(
        id="linear.example",
        statement=r"For $d = 400$, $L = 10$, $\gamma^2 = 1/2$ linear attention's excess risk $37/874$ is less than the oracle's "
        r"at any $\lambda$.",
        subject=better_than_erf,
        source="this toolkit",
        judges=(Inequality({r: (0, "0.7072")}),),
        mutants=(Mutant("half of it is", lambda: better_than_erf(2)),),
        depends_on=("linear.attention", "corollary.lower-bound"),
        derivation="With r^2 = lambda^2/(1 + 2 lambda^2) the oracle's lower bound is a function on r < 1/sqrt 2.",
    )


def _rescaled() -> Claim:
    return Claim(
        id="linear.free-scale",
        statement=r"With a free output scale erf attention is as good as linear attention: "
        r"$\frac{a\sqrt{\pi}}{2\lambda} \sum_l erf(\lambda\langle X_l, k^* \rangle)\langle X_l, v^* \rangle$ has the excess "
        r"risk of linear attention with scale $a$ in the limit $\lambda \to 0$. The norm of $v$ is what erf attention "
        r"pays a factor $\log d$ for.",
        subject=rescaled,
        source="this toolkit",
        judges=(Steps(prove_rescaled),),
        mutants=(Mutant("without pi", lambda: rescaled(Integer(1))),),
        variables=TASK,
        depends_on=("gaussian.zeta", "linear.attention"),
        derivation=inspect.cleandoc(prove_rescaled.__doc__ or ""),
    )
