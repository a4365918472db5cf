"""The task: norms, the label's law, and how tokens and label depend on one another."""

from __future__ import annotations

from typing import Any

import sympy
from sympy import Eq, Expr, Integer, Symbol, exp, sqrt

from numerics import Task
from proofs_check.claim import Claim, Mutant
from proofs_check.claims.oracle import VARIABLES
from proofs_check.judges.exact import Identity
from theory.exponential import exponential_moment
from theory.gaussian import W
from theory.laws import INFORMATIVE, NOISE
from theory.symbols import L, d, epsilon, gamma, in_dimension, m
from theory.task import U, cross, mixture, moment, squared_norm, with_label

SOURCE = "section 3"
TASK = VARIABLES[:3]
DEFAULT = Task(d=1, L=1)


def norms(informative: Expr | None = None, equal_at: Expr | None = None) -> tuple[Eq, ...]:
    """Mean squared norms of both tokens, and the gamma at which they agree, the default; no label noise by default."""
    claimed = d / 2 + d * gamma**2 if informative is None else informative
    own = in_dimension(squared_norm(INFORMATIVE))
    (root,) = sympy.solve(own - squared_norm(NOISE), gamma)
    return (
        Eq(own, claimed, evaluate=False),
        Eq(squared_norm(NOISE), d, evaluate=False),
        Eq(root, 1 / sqrt(2) if equal_at is None else equal_at, evaluate=False),
        Eq(root, sympy.nsimplify(DEFAULT.gamma, [sqrt(2)]), evaluate=False),
        Eq(Integer(0), sympy.nsimplify(DEFAULT.epsilon), evaluate=False),
    )


def label(variance: Expr | None = None) -> tuple[Eq, ...]:
    """Moment generating function of Y given J0, whatever J0 is, and the label's mean and variance."""
    s, g, noise = sympy.symbols("s G xi", real=True)
    spread = sqrt(INFORMATIVE.covariance("v*", "v*"))
    given = exponential_moment(s * (INFORMATIVE.mean("v*") + spread * g), g)
    generating = given * exponential_moment(s * epsilon * noise, noise)
    claimed = gamma**2 + epsilon**2 if variance is None else variance
    return (
        Eq(generating, exp(s**2 * claimed / 2), evaluate=False),
        Eq(generating.diff(s).subs(s, 0), 0, evaluate=False),
        Eq(generating.diff(s, 2).subs(s, 0), claimed, evaluate=False),
    )


def dependence(sign: int = -1) -> tuple[Eq, ...]:
    """Covariances of two tokens' projections and squared projections: not 0, though they vanish given J0."""
    scores = cross(U, U) - mixture(U) ** 2
    squares = cross(W**2, W**2) - mixture(W**2) ** 2
    apart = moment(U, INFORMATIVE) * moment(U, NOISE)
    return (
        Eq(scores, sign * (m / L) ** 2, evaluate=False),
        Eq(squares, sign * ((gamma**2 - 1) / L) ** 2, evaluate=False),
        Eq(apart, 0, evaluate=False),
    )


def with_tokens(factor: Any = 1) -> tuple[Eq, ...]:
    """Covariances of the label with a token's projections and their square and product."""
    return (
        Eq(with_label(W), factor * gamma**2 / L, evaluate=False),
        Eq(with_label(U), 0, evaluate=False),
        Eq(with_label(U * W), factor * m * gamma**2 / L, evaluate=False),
        Eq(with_label(W**2), 0, evaluate=False),
    )


def marginal(weight: Any = 1) -> tuple[Eq, ...]:
    """Mean and second moments of one token, an average over J0 written out for up to four places."""
    p = Symbol("p", positive=True)
    laws = [(INFORMATIVE, p), (NOISE, 1 - p)]
    features = (U, U**2, W**2, U * W**2)
    return tuple(
        Eq(
            mixture(f).subs(L, n),
            sum(weight * q * moment(f, token) for token, q in laws).subs(p, Integer(1) / n),
        )
        for f in features
        for n in range(1, 5)
    )


def claims() -> list[Claim]:
    """Norms, the label, then dependences."""
    return [
        Claim(
            id="task.norms",
            statement=r"$E|X_{J_0}|^2 = d/2 + d\gamma^2$ and $E|X_l|^2 = d$ for $l \neq J_0$: the two are equal if and only if "
            r"$\gamma = 1/\sqrt{2}$, the default; by default there is no label noise.",
            subject=norms,
            source=SOURCE,
            judges=(Identity(),),
            mutants=(
                Mutant("m = d/2", lambda: norms(d**2 / 4 + d * gamma**2)),
                Mutant("equal at 1/2", lambda: norms(equal_at=Integer(1) / 2)),
            ),
            variables=TASK,
        ),
        Claim(
            id="task.label",
            statement=r"Whatever $J_0$ is, $Y \sim N(0, \gamma^2 + \epsilon^2)$: the label alone says nothing of the place, "
            r"and predicting 0 has the excess risk $\gamma^2$.",
            subject=label,
            source=SOURCE,
            judges=(Identity(),),
            mutants=(Mutant("gamma + epsilon^2", lambda: label(gamma + epsilon**2)),),
            variables=TASK,
            derivation="Y = <X_J0, v*> + xi has the mean m <k*, v*> = 0 given J0; its moment generating function is that of "
            "a sum of independent normal variables.",
        ),
        Claim(
            id="task.marginal",
            statement=r"A token is informative with probability $1/L$: its law is the mixture, with $E\langle X, k^* \rangle = m/L$.",
            subject=marginal,
            source=SOURCE,
            judges=(Identity(),),
            mutants=(Mutant("weights that do not add up to 1", lambda: marginal(2)),),
            variables=TASK,
            depends_on=("laws.informative", "laws.noise"),
        ),
        Claim(
            id="task.dependence",
            statement=r"The tokens are independent given $J_0$ but not without it: for $l \neq j$, $Cov(\langle X_l, k^* "
            r"\rangle, \langle X_j, k^* \rangle) = -m^2/L^2$ and $Cov(\langle X_l, v^* \rangle^2, \langle X_j, v^* "
            r"\rangle^2) = -(\gamma^2 - 1)^2/L^2$.",
            subject=dependence,
            source=SOURCE,
            judges=(Identity(),),
            mutants=(Mutant("the other sign", lambda: dependence(1)),),
            variables=TASK,
            depends_on=("task.marginal",),
            derivation="At most one of two tokens is informative; given J0 the covariances vanish.",
        ),
        Claim(
            id="task.label-and-tokens",
            statement=r"$Cov(Y, \langle X_l, v^* \rangle) = \gamma^2/L$, the label is uncorrelated with all other linear functions of "
            r"a token, and $Cov(Y, \langle X_l, k^* \rangle \langle X_l, v^* \rangle) = m\gamma^2/L$: the product tells more "
            r"than the factor where $m > 1$.",
            subject=with_tokens,
            source=SOURCE,
            judges=(Identity(),),
            mutants=(Mutant("twice as large", lambda: with_tokens(2)),),
            variables=TASK,
            depends_on=("laws.informative",),
        ),
    ]
