"""The landscape: the points on M where the curvature is far below rounding"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from sympy import Expr, Matrix, Rational, diag, hessian, sqrt

from numerics.landscape import certify, listed
from numerics.landscape.listed import Listed
from numerics.landscape.parameters import Parameters
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.judges.exact import Step, Steps
from theory import symbols
from theory.risk import excess_risk, excess_risk_on_manifold
from theory.symbols import eta, kappa, nu, rho, theta

Setting = tuple[str, int]
SETTINGS: tuple[Setting, ...] = (("0.1", 400), ("0.9", 400), ("0.1", 100_000), ("1", 10_000))
"""lambda and d."""

TOKENS, GAMMA_SQUARED = 10, "1/2"
DIGITS, MOST_DIGITS = 20, 6000
"""Of a curvature, and those with which it may be worked out: at the last setting it is of order 1e-1448."""

WIDTHS = (("0.5001", True), ("0.503", False))
"""Ends of intervals of lambda from 0.5 with d = 1000, and whether they settle the sign of a curvature of 1e-73."""


def parameters(setting: Setting) -> Parameters:
    """Exact ones."""
    return Parameters.of(lam=setting[0], d=setting[1], L=TOKENS, gamma_squared=GAMMA_SQUARED)


@cache
def curvatures(sign: int) -> tuple[Matrix, Expr, Expr]:
    """At k = k*, v = sign v*: the Hessian of the risk on the plane's two angles, and out of it that of k, of v.

    Turned by b, v has the cosine nu, and k turned by a has kappa; theta, eta and rho are left alone only out of
    the plane: in it they change to first order, by b, a and sign a + b.
    """
    at = {kappa: 1, nu: sign, theta: 0, eta: 0, rho: 0}
    risk = excess_risk_on_manifold()
    along_k, along_v = ((-overlap * risk.diff(overlap)).subs(at) for overlap in (kappa, nu))
    moves = Matrix([[0, 1], [1, 0], [sign, 1]])
    bend = hessian(excess_risk(), (theta, eta, rho)).subs(at)
    return diag(along_k, along_v) + moves.T * bend * moves, along_k, along_v


def index_by_theory(setting: Setting, sign: int) -> int:
    """Negative eigenvalues of the Hessian in R^d."""
    lam, d = setting
    values = {symbols.lam: Rational(lam), symbols.m: sqrt(Rational(d, 2)), symbols.L: TOKENS}
    values[symbols.gamma] = sqrt(Rational(GAMMA_SQUARED))
    inside, *outside = (part.subs(values) for part in curvatures(sign))
    inside, outside = inside.applyfunc(_evaluated), list(map(_evaluated, outside))
    negative = 1 if inside.det() < 0 else 2 * bool(inside.trace() < 0)
    return negative + (d - 2) * sum(bool(curvature < 0) for curvature in outside)


def _evaluated(curvature: Expr) -> Expr:
    return curvature.evalf(DIGITS, maxn=MOST_DIGITS)


Index = Callable[[Parameters, int], int | None]


def index_steps(index: Index, _: Context) -> Iterator[Step]:
    """By the toolkit's proofs, from M and from a box around the point, against the derivatives of the risk."""
    for setting in SETTINGS:
        for sign in (1, -1):
            expected = index_by_theory(setting, sign)
            at = f"lambda = {setting[0]}, d = {setting[1]}, v = {sign:+d} v*"
            found = index(parameters(setting), sign)
            yield Step(f"{at}: index {expected}", found == expected, str(found))
            boxed = listed.examined(parameters(setting), Listed("", ("1", "0"), ("0", str(sign)), 0))
            yield Step(f"{at}: the one point of its box has it", boxed.index == expected, str(boxed.index))
    for end, settled in WIDTHS:
        wide = Parameters.of(lam=("0.5", end), d=1000, L=4, gamma_squared=GAMMA_SQUARED)
        found = index(wide, 1)
        yield Step(
            f"lambda in [0.5, {end}]: {'an' if settled else 'no'} index", (found is not None) == settled
        )


def by_proof(at: Parameters, sign: int) -> int | None:
    """The index that is proved, or None."""
    return certify.on_manifold(at, sign).index


def in_the_plane(at: Parameters, sign: int) -> int | None:
    """A false variant that overlooks the directions out of the plane."""
    index = by_proof(at, sign)
    return None if index is None else index % (at.dimension - 2)


def claims() -> list[Claim]:
    listing = ", ".join(f"({lam}, {d})" for lam, d in SETTINGS)
    return [
        Claim(
            id="landscape.extremes",
            statement=f"For $(\\lambda, d)$ = {listing}, $L = {TOKENS}$, $\\gamma^2 = 1/2$, the Morse indices that are proved for "
            "the oracle and for $(k^*, -v^*)$ are those by the second derivatives of the risk, of which one is as small as "
            "$10^{-1448}$; where an interval of $\\lambda$ leaves its sign open, none is.",
            subject=lambda: by_proof,
            source="this toolkit",
            judges=(Steps(index_steps, kind=Kind.CERTIFIED),),
            mutants=(Mutant("in the plane only", lambda: in_the_plane),),
            depends_on=("risk.five-overlaps", "risk.manifold"),
            derivation=f"SymPy's derivatives of the risk along angles, evaluated to {DIGITS} digits.",
        )
    ]
