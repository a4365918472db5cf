"""What makes the oracle's task harder: more tokens, a larger gamma, a smaller dimension."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import partial
from typing import Any

from sympy import Eq, Expr, Gt, Lt, Symbol, erf, erfc, exp, pi, sqrt

from proofs_check.claim import Claim, Context, Mutant
from proofs_check.claims.oracle import SMOOTHING, VARIABLES
from proofs_check.judges.exact import Identity, Step
from proofs_check.judges.positive import Argument
from proofs_check.steps import equal, positive
from theory import oracle
from theory.oracle import miss
from theory.special import zeta
from theory.symbols import L, g, gamma, lam, m

t = Symbol("t", positive=True)
E = Symbol("E", positive=True)
"""erfc(b), which is positive."""

MODERATE = {lam: ("1/10", 1), m: (1, 5), gamma: ("1/2", 2), L: (0, 9)}


def slope_in_location() -> Expr:
    """d miss / d t: the tilt by erf' shrinks t and g."""
    s = 1 + 2 * g**2
    return -4 / sqrt(pi * s) * exp(-(t**2) / s) * erfc(t / sqrt(s * (1 + 4 * g**2)))


def slopes(location: Expr, heat: Expr = g) -> tuple[Eq, Eq]:
    """Both partial derivatives of the miss; by the heat equation the second is g d^2 miss / d t^2."""
    in_scale = heat * slope_in_location().diff(t)
    return Eq(miss(t).diff(t), location, evaluate=False), Eq(miss(t).diff(g), in_scale, evaluate=False)


def prove_sign(variable: Symbol, subject: Any, context: Context) -> Iterator[Step]:
    """The miss decreases in t and increases in g: erfc and exp are positive, and so is -erfc'."""
    in_scale = g * slope_in_location().diff(t)
    yield positive("miss decreases in t", -slope_in_location().replace(erfc, lambda _: E))
    yield positive("miss increases in g", in_scale.replace(erfc, lambda _: E))
    t_, g_ = lam * m, lam * gamma
    at = {t: t_, g: g_}
    derivatives = {
        m: gamma**2 * lam * slope_in_location().subs(at, simultaneous=True),
        gamma: 2 * gamma * miss(t_, g_) + gamma**2 * lam * in_scale.subs(at, simultaneous=True),
        L: zeta(0, lam),
    }
    yield equal("the derivative", subject.lhs, derivatives[variable])
    if variable == L:
        yield positive("its lower bound", oracle.noise_bounds()[0])


def claims() -> list[Claim]:
    """The slopes of the miss, then the three parameters."""
    return [
        Claim(
            id="monotone.slopes",
            statement=r"For $t, g > 0$, with $s = 1 + 2g^2$ and $b = t/\sqrt{s(1 + 4g^2)}$, the derivative of "
            r"$E(1 - erf(t + gG))^2$ in $t$ is $-\frac{4}{\sqrt{\pi s}} e^{-t^2/s} erfc(b)$, that in $g$ is $g$ times "
            r"the second derivative in $t$.",
            subject=lambda: slopes(slope_in_location()),
            source="this toolkit",
            judges=(Identity(),),
            mutants=(
                Mutant("erf for erfc", lambda: slopes(slope_in_location().replace(erfc, erf))),
                Mutant("2 g for g", lambda: slopes(slope_in_location(), 2 * g)),
            ),
            variables=SMOOTHING,
            depends_on=("gaussian.zeta-derivative",),
        ),
        _monotone("tokens", "increases with the number of tokens $L$", L, ("oracle.noise-bounds",)),
        _monotone("gamma", r"increases with $\gamma$", gamma, ("monotone.slopes", "oracle.laplace")),
        _monotone("dimension", "decreases with the dimension $d$", m, ("monotone.slopes",)),
    ]


def _monotone(name: str, what: str, variable: Symbol, rests: tuple[str, ...]) -> Claim:
    def subject(reverse: bool = False) -> Any:
        derivative = oracle.excess_risk().diff(variable)
        falls = (variable == m) != reverse
        return Lt(derivative, 0) if falls else Gt(derivative, 0)

    return Claim(
        id=f"monotone.{name}",
        statement=f"At fixed $\\lambda$ and otherwise fixed parameters the oracle's excess risk strictly {what}.",
        subject=subject,
        source="this toolkit",
        judges=(Argument(partial(prove_sign, variable), MODERATE, points=8),),
        mutants=(Mutant("the other way", lambda: subject(True)),),
        variables=VARIABLES,
        depends_on=("risk.oracle", *rests),
        derivation=inspect.cleandoc(prove_sign.__doc__ or ""),
    )
