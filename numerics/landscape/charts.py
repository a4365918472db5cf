"""Coordinates in which every critical point is an isolated zero of a square system.

Up to the risk's symmetries kappa, eta and p are not negative: k = (kappa, eta, p) is on an eighth of a
sphere. Points with v outside the frame of k are known exactly, so that v = (theta, nu, q) here.
Angles enter by the tangents of their halves, which keeps all arithmetic rational but for one square root.

- `Plane`: p = q = 0. Coordinates (s, x): k at the angle 2 arctan s from k*, v at 2 arctan x from v*, or
  opposite to that if `sign` is -1.
- `Oblique`: p, q not both zero. Coordinates (s, w, x): k is in polar coordinates around v*, at the distance
  radius = sin(2 arctan s), with kappa = radius cos(2 arctan w), p = radius sin(2 arctan w). v is the unit
  vector along lean = sign sin(2 arctan x), nu = sign cos(2 arctan x), see theory.landscape.leaning. The
  blow-up at radius = 0 separates the critical points with k = v*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from numerics.generated import landscape as generated
from numerics.landscape.jets import Jet, half_angle, sqrt
from numerics.landscape.profile import Profile


class Vectors(NamedTuple):
    """Coordinates of k and v along k*, v*, e1."""

    kappa: Any
    eta: Any
    p: Any
    theta: Any
    nu: Any
    q: Any


class Plane:
    """Critical points in the plane of k* and v*, in the coordinates (s, x)."""

    low, high = (0.0, -1.0), (1.0, 1.0)
    square = ((0, 1),)
    """Index sets of the equations that make a square system."""

    def __init__(self, profile: Profile, sign: int) -> None:
        self.profile, self.sign = profile, sign

    def equations(self, at: Sequence[Jet]) -> list[Jet]:
        """The torques on k and on v."""
        eta, kappa = half_angle(at[0])
        sine, cosine = half_angle(at[1])
        theta, nu = self.sign * sine, self.sign * cosine
        rho = kappa * theta + eta * nu
        named = {"kappa": kappa, "eta": eta, "theta": theta, "nu": nu}
        profile = self.profile(kappa)
        slopes = _partials(profile, self.profile.constants, rho=rho, **named)
        return list(generated.planar(decay=profile["decay"], **slopes, **named))

    def vectors(self, at: Sequence[Any]) -> Vectors:
        """k and v at coordinates that may be numbers, arrays or balls."""
        eta, kappa = _half_angle(at[0])
        sine, cosine = _half_angle(at[1])
        return Vectors(kappa, eta, 0, self.sign * sine, self.sign * cosine, 0)


class Oblique:
    """Critical points out of the plane, in the coordinates (s, w, x)."""

    low, high = (0.0, 0.0, -1.0), (1.0, 1.0, 1.0)
    square = ((0, 1, 2), (0, 1, 3), (0, 1, 4))

    def __init__(self, profile: Profile, sign: int) -> None:
        self.profile, self.sign = profile, sign

    def equations(self, at: Sequence[Jet]) -> list[Jet]:
        """The torques a radius + b lean of four rows, and the torque on k in the plane of k* and v*.

        The last one follows from the others where p is not zero, but is the one that is not degenerate at
        the critical points with k = v*.
        """
        rows, radius, lean, planar = self.parts(at)
        return [*(a * radius + b * lean for a, b in rows), planar]

    def parts(self, at: Sequence[Jet]) -> tuple[list[tuple[Jet, Jet]], Jet, Jet, Jet]:
        """Rows (a, b), radius, lean, and the planar torque on k."""
        radius, eta = half_angle(at[0])
        sine, cosine = half_angle(at[1])
        lean, nu = (self.sign * part for part in half_angle(at[2]))
        kappa = radius * cosine
        profile, constants = self.profile(kappa), self.profile.constants
        polar = {"cosine": cosine, "sine": sine, "radius": radius, "eta": eta, "kappa": kappa}
        theta, rho = _leaning(profile, constants, polar, lean, nu)
        length = sqrt(theta**2 + nu**2 + (sine * profile["swap"] * lean) ** 2)
        theta, rho, nu, lean = (part / length for part in (theta, rho, nu, lean))
        slopes = _partials(profile, constants, kappa=kappa, eta=eta, theta=theta, nu=nu, rho=rho)
        place = {"kappa": kappa, "eta": eta, "theta": theta, "nu": nu}
        planar, _ = generated.planar(decay=profile["decay"], **slopes, **place)
        slopes.pop("R_eta")
        entries = generated.oblique(
            swap=profile["swap"], swap_scale=constants["swap_scale"], **place, **slopes
        )
        return list(zip(entries[::2], entries[1::2], strict=True)), radius, lean, planar

    def vectors(self, at: Sequence[np.ndarray]) -> Vectors:
        """k and v at coordinates that are numbers or arrays."""
        radius, eta = _half_angle(at[0])
        sine, cosine = _half_angle(at[1])
        lean, nu = _half_angle(at[2])
        kappa = radius * cosine
        profile = {name: jet.value for name, jet in self.profile(Jet(kappa, {})).items()}
        polar = {"cosine": cosine, "sine": sine, "radius": radius, "eta": eta, "kappa": kappa}
        theta, _ = _leaning(profile, self.profile.constants, polar, lean, nu)
        q = -sine * profile["swap"] * lean
        length = self.sign * sqrt(theta**2 + nu**2 + q**2)
        return Vectors(kappa, eta, radius * sine, theta / length, nu / length, q / length)


def _leaning(profile: Any, constants: Any, polar: Any, lean: Any, nu: Any) -> tuple[Any, Any]:
    named = {"gate_ratio": profile["gate_ratio"], "swap": profile["swap"]}
    return generated.leaning(gamma=constants["gamma"], u=constants["u"], lean=lean, nu=nu, **named, **polar)


def _partials(profile: Any, constants: Any, **overlaps: Any) -> dict[str, Any]:
    functions = {name: value for name, value in profile.items() if name not in ("decay", "gate_ratio")}
    names = ("R_kappa", "R_nu", "R_theta", "R_eta", "R_rho")
    return dict(zip(names, generated.partials(**functions, **constants, **overlaps), strict=True))


def _half_angle(x: Any) -> tuple[Any, Any]:
    square = 1 + x * x
    return 2 * x / square, (2 - square) / square
