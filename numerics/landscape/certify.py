"""From candidates to critical points with existence, local uniqueness and Morse index proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flint import arb, arb_mat

from numerics.arb import ARB, precision
from numerics.generated import landscape as generated
from numerics.landscape import krawczyk
from numerics.landscape.charts import Oblique, Plane, Vectors
from numerics.landscape.jets import coordinates
from numerics.landscape.lagrange import Lagrange
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import CriticalPoint
from numerics.landscape.profile import PointProfile

FIRST_BITS, LAST_BITS = 128, 1024
"""Working precision: doubled until everything is decided."""

CONSTRAINTS = 2
"""|k| = 1 and |v| = 1 add as many negative and as many positive eigenvalues to the bordered Hessian."""

NEGLIGIBLE = 1e-30

RESIDUAL = 1e-6
"""A larger slope of the risk is none of rounding."""

Vector = list[arb]


class Proof(NamedTuple):
    """Balls that hold exactly one critical point of a frame, and its index and nullity in R^d."""

    overlaps: tuple[arb, ...]
    excess_risk: arb
    morse_index: int
    nullity: int


def critical_point(
    parameters: Parameters, chart: Plane | Oblique, at: Sequence[float], last_bits: int = LAST_BITS
) -> CriticalPoint | None:
    """The critical point near coordinates of a chart, not certified if `last_bits` do not decide its index.

    None if there is none that Newton's method finds in as many bits, or a zero of the chart's equations that
    is no critical point, where the chart is singular.
    """
    rank = 0 if isinstance(chart, Plane) else 1
    bits, point = FIRST_BITS, None
    while bits <= last_bits:
        with precision(bits):
            vectors = _refined(parameters, chart, at)
            proof = prove(parameters, *vectors) if vectors else None
            if proof is not None:
                overlaps, risk, index, nullity = proof
                return _described(parameters, overlaps, risk, rank, index, nullity)
            if vectors and point is None:
                system = Lagrange(parameters, len(vectors[0]))
                z = system.completed(*vectors)
                if any(abs(value) > RESIDUAL for value in system.function(z)):
                    return None
                point = _described(parameters, system.overlaps(z), system.excess_risk(z), rank, None, None)
        bits *= 2
    return point


def on_manifold(parameters: Parameters, nu: int) -> CriticalPoint:
    """k = k*, v = nu v* with nu = 1 (the oracle) or -1: critical by symmetry, whatever the parameters.

    In the plane the Hessian is a block of (eta, theta). Out of it k and v are not coupled there, and each has
    an eigenvalue, d - 2 times; that of k is exponentially small in lam^2 d.
    """
    bits, inside = FIRST_BITS, None
    while inside is None and bits <= LAST_BITS:
        with precision(bits):
            system = Lagrange(parameters, 2)
            point = system.completed([arb(1), arb(0)], [arb(0), arb(nu)])
            inside = krawczyk.inertia(system.jacobian(point))
            along_k, mixed, along_v = system.outside(point)
            if nu == 1:
                along_k, along_v = generated.oracle_eigenvalues(ARB, *parameters.balls())
        bits *= 2
    assert mixed == 0
    decided = inside and not along_k.contains(0) and not along_v.contains(0)
    negative = (parameters.dimension - 2) * ((along_k < 0) + (along_v < 0))
    index = inside.negative - CONSTRAINTS + negative if inside and decided else None
    return _described(parameters, system.overlaps(point), system.excess_risk(point), 0, index, 0)


def orthogonal(parameters: Parameters) -> CriticalPoint:
    """k, v, k*, v* all orthogonal, the saddle on M: a critical point by symmetry, whatever the parameters.

    Rotations of e1 to e2 turn k and v together; their direction is taken out of the Hessian's kernel.
    """
    with precision(FIRST_BITS):
        system = Lagrange(parameters, 4)
        e1, e2 = [arb(x) for x in (0, 0, 1, 0)], [arb(x) for x in (0, 0, 0, 1)]
        point = system.completed(e1, e2)
        turn = arb_mat([[*e2, *(-x for x in e1), arb(0), arb(0)]])
        inside = krawczyk.inertia(system.jacobian(point) + turn.transpose() * turn)
        index = inside.negative - CONSTRAINTS if inside else None
        nullity = 2 * (parameters.dimension - 4) + 1
        return _described(parameters, system.overlaps(point), system.excess_risk(point), 2, index, nullity)


def prove(parameters: Parameters, k: Vector, v: Vector) -> Proof | None:
    """Existence, uniqueness and index near k and v at the working precision, or None.

    k and v: two coordinates in the plane of k* and v*, or three with e1, not both last ones zero.
    """
    system = Lagrange(parameters, len(k))
    centre = krawczyk.newton(system.function, system.jacobian, system.completed(k, v))
    found = krawczyk.prove(system.function, system.jacobian, centre) if centre else None
    if found is None:
        return None
    return signed(system, found, parameters.dimension)


def signed(system: Lagrange, z: Vector, dimension: int) -> Proof | None:
    """Index and nullity in R^dimension of the critical point in balls z, or None if a sign is not decided."""
    inside, outside = krawczyk.inertia(system.jacobian(z)), _outside(system, z)
    if inside is None or outside is None:
        return None
    others = dimension - system.dimension
    index = inside.negative - CONSTRAINTS + others * outside[0]
    return Proof(system.overlaps(z), system.excess_risk(z), index, others * outside[1])


def _outside(system: Lagrange, z: Sequence[arb]) -> tuple[int, int] | None:
    """Negative and zero eigenvalues of the block of a direction orthogonal to the frame, or None.

    In a frame with e1 the block's kernel holds the components of k and -v along e1, by the equations along
    e1: moves along the orbit of the point. If they are not both zero, one eigenvalue is zero.
    """
    k, v, _, _ = system.split(z)
    first, mixed, last = system.outside(z)
    if system.dimension == 2:
        signs = krawczyk.inertia(arb_mat([[first, mixed], [mixed, last]]))
        return (signs.negative, 0) if signs else None
    if (k[2].contains(0) and v[2].contains(0)) or (first + last).contains(0):
        return None
    return (1 if first + last < 0 else 0), 1


def _refined(
    parameters: Parameters, chart: Plane | Oblique, at: Sequence[float]
) -> tuple[Vector, Vector] | None:
    """k and v near coordinates of a chart, to the working precision."""
    precise = chart.with_profile(PointProfile(ARB, parameters.balls()))
    for square in precise.square:

        def values(z: Sequence[arb], square: tuple[int, ...] = square) -> Vector:
            jets = precise.equations(coordinates(z))
            return [jets[i].value for i in square]

        def jacobian(z: Sequence[arb], square: tuple[int, ...] = square) -> arb_mat:
            jets = precise.equations(coordinates(z))
            return arb_mat([[jets[i].slopes.get(j, arb(0)) for j in range(len(z))] for i in square])

        found = krawczyk.newton(values, jacobian, [arb(x) for x in at])
        if found is not None:
            return _split(chart, precise.vectors(found))
    return None


def _split(chart: Plane | Oblique, vectors: Vectors) -> tuple[Vector, Vector]:
    kappa, eta, p, theta, nu, q = (arb(x) for x in vectors)
    return ([kappa, eta], [theta, nu]) if isinstance(chart, Plane) else ([kappa, eta, p], [theta, nu, q])


def _described(
    parameters: Parameters,
    overlaps: Sequence[arb],
    excess_risk: arb,
    rank: int,
    index: int | None,
    nullity: int | None,
) -> CriticalPoint:
    kappa, nu, theta, eta, rho = (_double(o) for o in overlaps)
    errors = (abs(o - x) for o, x in zip(overlaps, (kappa, nu, theta, eta, rho), strict=True))
    return CriticalPoint(
        overlaps=(kappa, nu, theta, eta, rho),
        excess_risk=float(excess_risk.mid()),
        radius=max(float(error.upper()) for error in errors),
        rank=rank,
        index=index,
        nullity=nullity,
        certified=index is not None,
        dimension=parameters.dimension,
    )


def _double(ball: arb) -> float:
    """The double near the middle of a ball, and 0 for less than any digit that matters."""
    value = float(ball.mid())
    return value if abs(value) > NEGLIGIBLE else 0.0
