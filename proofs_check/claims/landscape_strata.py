"""Where critical points of the risk on the two spheres can be: the strata that the charts of the landscape cover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import sympy
from sympy import Expr, Matrix, Symbol, diff, symbols

from proofs_check.claim import Claim, Context, Mutant
from proofs_check.claims.manifold import ADMISSIBLE
from proofs_check.judges.exact import Step, Steps
from proofs_check.steps import equal, positive
from theory import landscape, planar
from theory.composite import DEFINITIONS, a, in_parameters, u
from theory.landscape import NAMED, POLAR, SLOPES, Quadratic, R, cosine, gate_ratio, p, q, radius, sine
from theory.risk import excess_risk
from theory.symbols import L, eta, gamma, kappa, nu, rho, theta

r, lean = symbols("r lean", real=True)
"""v's component along a fourth axis e2, orthogonal to k; and the multiple in landscape.POLAR."""


def strata_steps(polar: Mapping[Symbol, Expr], _: Context) -> Iterator[Step]:
    """Up to symmetries: k, v, k*, v* are orthogonal, or in the charts' coordinates."""
    yield equal("for fixed kappa the risk is this polynomial", excess_risk(), _polynomial())
    yield positive("gate = erf(a kappa) vanishes at kappa = 0 only: erf increases", planar.gate_slope(a))
    yield from orthogonal_steps()
    first, second = landscape.torques()
    balance = (first + second)[0]
    yield equal("the torques' sum along k* is -p R_eta - q R_nu", balance, -p * R.eta - q * R.nu)
    tilted = Symbol("tilted")  # theta - u kappa rho
    slopes = {R.eta: -NAMED.swap * tilted, R.nu: -2 * gamma**2 * gate_ratio * kappa}
    leant = {tilted: 2 * gamma**2 * gate_ratio * cosine * lean}
    zero = balance.subs(slopes).subs(leant).subs(polar).subs(kappa, radius * cosine)
    yield equal("it vanishes along the line of all multiples of lean", zero, 0)
    yield equal(
        "R_eta is this, linear in it", landscape.partials().eta, -NAMED.swap * (theta - u * kappa * rho)
    )
    given = {R.eta: -NAMED.swap * (theta - u * kappa * rho), R.nu: slopes[R.nu].subs(kappa, radius * cosine)}
    yield equal(
        "over radius it is the balance",
        balance.subs(given).subs(p, radius * sine),
        radius * landscape.balance(),
    )
    yield positive("and on that line only, as swap > 0", in_parameters(landscape.coefficients().swap))
    yield positive("and gate / kappa > 0", planar.gate_slope(a * kappa))


def orthogonal_steps() -> Iterator[Step]:
    """If v leaves the span of k, k*, v*, all four are orthogonal."""
    k, v = Matrix([kappa, eta, p, 0]), Matrix([theta, nu, q, r])
    along_k, along_v = Matrix([R.kappa, R.eta, 0, 0]) + R.rho * v, Matrix([R.theta, R.nu, 0, 0]) + R.rho * k
    for i in range(3):
        torque = k[i] * along_k[3] - k[3] * along_k[i]
        yield equal(f"torque on k in the plane of axes {i}, 3: zero if R_rho = 0", torque, k[i] * R.rho * r)
    for i, slope in ((0, R.theta), (1, R.nu)):
        torque = (v[i] * along_v[3] - v[3] * along_v[i]).subs(R.rho, 0)
        yield equal(f"then v's in the plane of axes {i}, 3 is", torque, -r * slope)
    found, at = landscape.partials(), {NAMED.gate: 0, kappa: 0}
    yield equal("R_nu = 0: kappa = 0", found.nu, -2 * gamma**2 * NAMED.gate)
    yield equal("k turned to the part p: R_eta = 0, so theta = 0", found.eta.subs(at), -NAMED.swap * theta)
    yield equal("R_rho = 0: rho = 0", found.rho.subs(at).subs(theta, 0), 2 * NAMED.score * rho)
    yield equal("R_theta = 0: eta = 0", found.theta.subs({theta: 0, rho: 0}), -NAMED.swap * eta)
    gone = {theta: 0, rho: 0, eta: 0, SLOPES.free: 0}
    yield equal("R_kappa = 0: nu = 0", found.kappa.subs(gone), -2 * gamma**2 * SLOPES.gate * nu)
    given = landscape.coefficients()
    yield equal(
        "since the free term has no slope at kappa = 0", diff(given.free, kappa).subs(kappa, 0).doit(), 0
    )
    for length in (Symbol("n", nonnegative=True, integer=True) + 2, sympy.Integer(1)):
        at_zero = given.score.subs(kappa, 0).doit().subs(L, length)
        yield positive(f"and score > 0 there, L = {length}", in_parameters(at_zero))


def _polynomial() -> Expr:
    return Quadratic(*landscape.coefficients()).polynomial().subs(u, DEFINITIONS[u])


def claims() -> list[Claim]:
    """The claim of this part."""
    wrong_turn = {p: POLAR[p], q: sine * NAMED.swap * lean}
    return [
        Claim(
            id="landscape.strata",
            statement="For all $d \\ge 4$, $L$, $\\gamma$, $\\lambda$ a critical point of the risk on the two "
            "spheres has either $k, v, k^*, v^*$ all orthogonal, or $v$ in the span of $k, k^*, v^*$ (up to "
            "rotations, if $k = \\pm v^*$). In the second case, with $k = (\\kappa, \\eta, p)$ and "
            "$v = (\\theta, \\nu, q)$ in an orthonormal frame $(k^*, v^*, e_1)$, it is in the plane of $k^*, v^*$, or "
            "$\\theta - u \\kappa \\rho$ and $q$ are in the fixed ratio of $2 \\gamma^2 erf(a \\kappa) / p$ and $-swap$, "
            "$swap = 2 \\gamma^2 a\\, erf'(a \\kappa)$.",
            subject=lambda: POLAR,
            source="this toolkit",
            judges=(Steps(strata_steps),),
            mutants=(
                Mutant("v leans the other way", lambda: wrong_turn),
                Mutant("v leans twice as far", lambda: {p: POLAR[p], q: 2 * POLAR[q]}),
            ),
            variables=ADMISSIBLE,
            formula=lambda: landscape.balance(),
            depends_on=("risk.five-overlaps", "risk.symmetry", "risk.reflection", "manifold.closure"),
            derivation="At a critical point each vector is parallel to the gradient in it. If $v$ has a part "
            "orthogonal to $k, k^*, v^*$ this forces $R_\\rho = R_\\theta = R_\\nu = 0$, so $\\kappa = 0$ and the rest "
            "one by one. Else the torques' sum along $k^*$ vanishes, an equation that is linear in $v$.",
        ),
    ]
