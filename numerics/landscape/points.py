"""What is known of a critical point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numerics.overlaps import NAMES

Five = tuple[float, float, float, float, float]

SYMMETRIES = ((1, 1, 1, 1, 1), (-1, -1, -1, -1, 1), (1, 1, -1, -1, -1), (-1, -1, 1, 1, -1))
"""Signs of kappa, nu, theta, eta, rho under (k, v) -> (-k, -v), the reflection of the label, and both."""

CLOSE = 1e-9


@dataclass(frozen=True)
class CriticalPoint:
    """A class of critical points of the excess risk on the two spheres: one up to symmetries and rotations.

    overlaps: kappa, nu, theta, eta, rho of one of them, in double precision; `images` holds those of all
    that the symmetries make of it.
    radius: every true value is this close to its double, if the point is certified.
    rank: dimension of the part of the span of k and v outside that of k* and v*; 0 is a single point, else
    rotations make a sphere, or pairs of orthogonal vectors, of it.
    index, nullity: numbers of negative and of zero eigenvalues of the Hessian in R^d, with multiplicity; the
    zeros are the directions of the rotations. None if not decided.
    """

    overlaps: Five
    excess_risk: float
    radius: float
    rank: int
    index: int | None
    nullity: int | None
    certified: bool
    dimension: int
    name: str = ""

    @property
    def images(self) -> tuple[Five, ...]:
        """Overlaps of the point and of its images under the symmetries, without repetition."""
        found: list[Five] = []
        for signs in SYMMETRIES:
            image = tuple(s * o + 0.0 for s, o in zip(signs, self.overlaps, strict=True))
            if not any(_close(image, other) for other in found):
                found.append(image)  # type: ignore[arg-type]
        return tuple(found)

    @property
    def kind(self) -> str:
        """Minimum, saddle or maximum, in the directions that are no rotations."""
        if self.index is None or self.nullity is None:
            return "undecided"
        if self.index == 0:
            return "minimum"
        return "maximum" if self.index + self.nullity == 2 * (self.dimension - 1) else "saddle"

    def is_at(self, *overlaps: float) -> bool:
        """Whether an image has these kappa, nu, theta, eta, rho."""
        return any(_close(image, overlaps) for image in self.images)

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any], dimension: int) -> CriticalPoint:
        """The point that `as_dict` describes."""
        kappa, nu, theta, eta, rho = (entry[name] for name in NAMES)
        others = ("excess_risk", "rank", "index", "nullity", "certified", "name")
        return cls(
            overlaps=(kappa, nu, theta, eta, rho),
            radius=entry["error"],
            dimension=dimension,
            **{name: entry[name] for name in others},
        )

    def as_dict(self) -> dict[str, Any]:
        """The point as JSON-able values."""
        return {
            "name": self.name,
            **dict(zip(NAMES, self.overlaps, strict=True)),
            "excess_risk": self.excess_risk,
            "error": self.radius,
            "rank": self.rank,
            "index": self.index,
            "nullity": self.nullity,
            "kind": self.kind,
            "certified": self.certified,
            "images": [list(image) for image in self.images],
        }


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) < CLOSE for a, b in zip(one, other, strict=True))
