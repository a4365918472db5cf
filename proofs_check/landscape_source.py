"""Source of what the search for critical points evaluates, on numbers, arrays, intervals or jets alike."""

from __future__ import annotations

from itertools import combinations_with_replacement

from sympy import Expr, Matrix, diff, erfc

from proofs_check.source import ARITHMETIC, PARAMETERS, TABLE, Routine, plain
from theory import landscape, planar, stability, swapped, swapped_stability
from theory import symbols as s
from theory.composite import DEFINITIONS, in_parameters, u
from theory.landscape import NAMED, SLOPES
from theory.risk import excess_risk

PROFILE = (
    *NAMED[1:],
    landscape.decay,
    landscape.gate_ratio,
    SLOPES.free,
    *SLOPES[2:],
)
"""Functions of kappa that the equations need."""

CONSTANTS = (u, SLOPES.gate, landscape.swap_scale)
"""What the equations need besides and does not depend on kappa."""


def routines() -> list[str]:
    """Source of every routine."""
    values = {**landscape.definitions(), u: DEFINITIONS[u]}
    profile = [values[name] for name in PROFILE]
    along = [diff(value, s.kappa) for value in profile]
    curved = [diff(value, s.kappa) for value in along]
    constants = [values[name] for name in CONSTANTS]
    names = ", ".join(symbol.name for symbol in PROFILE)
    tabled = [
        *(
            Routine(
                f"{name}_criterion", PARAMETERS, [value, diff(value, s.lam)], "And its derivative in lam."
            )
            for name, value in _criteria().items()
        ),
        Routine("profile", (s.kappa, *PARAMETERS), profile, f"Functions of kappa: {names}."),
        Routine("profile_slopes", (s.kappa, *PARAMETERS), along, "Derivatives of `profile` in kappa."),
        Routine("profile_curvatures", (s.kappa, *PARAMETERS), curved, "Second derivatives."),
        Routine("constants", PARAMETERS, constants, "u, gate_slope and swap_scale."),
        Routine(
            "oracle_eigenvalues", PARAMETERS, _oracle(), "Of the Hessian at the oracle out of the plane."
        ),
        Routine("second_partials", (*s.OVERLAPS, *PARAMETERS), _second(), "Second partial derivatives."),
    ]
    on_manifold = planar.factors()
    along = list(Matrix(on_manifold).jacobian([s.kappa, s.nu]))
    where = (s.kappa, s.nu, s.lam, s.m, s.gamma)
    tabled += [
        Routine("manifold_factors", where, on_manifold, "Signs of the flow on M."),
        Routine("manifold_jacobian", where, along, "Row by row."),
    ]
    free = [
        Routine("partials", _symbols(*landscape.partials()), landscape.partials(), "See theory.landscape."),
        Routine("planar", _symbols(*landscape.planar()), landscape.planar(), "The two planar torques."),
        Routine("leaning", _symbols(*landscape.leaning()), landscape.leaning(), "theta and rho."),
        Routine("turned", _symbols(*landscape.turned()), landscape.turned(), "lean, nu, theta and rho."),
        Routine("oblique", _symbols(*landscape.oblique()), list(landscape.oblique()), "Four torques."),
    ]
    return [plain(r, TABLE, "F, ") for r in tabled] + [plain(r, ARITHMETIC) for r in free]


def _criteria() -> dict[str, Expr]:
    """Functions of the parameters whose zeros bound regions of lam with the same minima."""
    form = swapped_stability.partial_form()
    at_swap = swapped.excess_risk_on_manifold().subs({s.eta: 1, s.theta: swapped.best_theta()})
    at_oracle = excess_risk().subs(stability.OPTIMUM).doit()
    found = {
        "oracle": stability.margin(),
        "swapped": form.A * form.B - form.C**2,
        "complete_swap": swapped.best_theta() - 1,
        "tie": at_swap - at_oracle,
    }
    return {name: in_parameters(value) for name, value in found.items()}


def _oracle() -> list[Expr]:
    """For k and for v, without the cancellation of 1 - erf."""
    along_k, along_v = (in_parameters(value) for value in stability.orthogonal_eigenvalues())
    return [along_k.rewrite(erfc), along_v]


def _second() -> list[Expr]:
    """Of the excess risk, one for each unordered pair of overlaps in their order."""
    return [diff(excess_risk(), *pair) for pair in combinations_with_replacement(s.OVERLAPS, 2)]


def _symbols(*expressions: Expr) -> list[Expr]:
    """All symbols of the expressions, by name: the routine is called with keywords."""
    return sorted(set().union(*(e.free_symbols for e in expressions)), key=lambda symbol: symbol.name)
