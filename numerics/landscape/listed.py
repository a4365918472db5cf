"""Critical points listed to some decimals: is there exactly one in the box around, and of which index?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb

from numerics.arb import precision
from numerics.landscape import certify, krawczyk
from numerics.landscape.lagrange import Lagrange
from numerics.landscape.parameters import Parameters

RADIUS = "1e-9"
"""Half the side of the box around the listed coordinates."""

BITS = 128


@dataclass(frozen=True)
class Listed:
    """A critical point by the coordinates of k and v in the frame (k*, v*), or (k*, v*, e1), as decimals."""

    name: str
    k: tuple[str, ...]
    v: tuple[str, ...]
    index: int


@dataclass(frozen=True)
class Examined:
    """What is proved: whether exactly one is in the box (False: none), its index and its excess risk.

    None where nothing is.
    """

    unique: bool | None
    index: int | None = None
    excess_risk: arb | None = None


def examined(parameters: Parameters, point: Listed) -> Examined:
    """Krawczyk's test on the box |coordinate - listed one| <= RADIUS, and the signs of the Hessian there."""
    with precision(BITS):
        system = Lagrange(parameters, len(point.k))
        *vectors, mu_k, mu_v = system.completed(_balls(point.k), _balls(point.v))
        box = [*vectors, mu_k + arb(0, RADIUS), mu_v + arb(0, RADIUS)]
        image = krawczyk.image(system.function, system.jacobian, box)
        if image is None or not krawczyk.inside(image, box):
            empty = image is not None and krawczyk.apart(image, box)
            return Examined(False if empty else None)
        found = krawczyk.sharpened(system.function, system.jacobian, box)
        proof = certify.signed(system, found, parameters.dimension)
        risk = system.excess_risk(found)
    index = proof.morse_index if proof else _on_manifold(parameters, found)
    return Examined(True, index, risk)


def _on_manifold(parameters: Parameters, found: Sequence[arb]) -> int | None:
    """The index of the point on M that the box holds, if any: it is known without a box.

    Out of the box's plane its curvature may be too small for the working precision.
    """
    for nu in (1, -1):
        if len(found) == 6 and all(x.contains(y) for x, y in zip(found, (1, 0, 0, nu), strict=False)):
            return certify.on_manifold(parameters, nu).index
    return None


def _balls(decimals: Sequence[str]) -> list[arb]:
    return [arb(x, RADIUS) for x in decimals]
