"""Coordinates in which every critical point is an isolated zero of a square system.

Up to the risk's symmetries kappa, eta and p are not negative: k = (kappa, eta, p) is on an eighth of a
sphere. Points with v outside the frame of k are known exactly, so that v = (theta, nu, q) here.
Angles enter by the tangents of their halves, which keeps all arithmetic rational but for one square root.

- `Plane`: p = q = 0. Coordinates (s, x): k at the angle 2 arctan s from k*, v at 2 arctan x from v*, or
  opposite to that if `sign` is -1.
- `Oblique`: p, q not both zero. Coordinates (s, w, x): k is in polar coordinates around v*, at the distance
  radius = sin(2 arctan s), with kappa = radius cos(2 arctan w), p = radius sin(2 arctan w). v is a unit
  vector of the great circle on which the torques along k* balance, at the angle 2 arctan x, or opposite:
  lean = sin, nu = cos, not normalised (theory.landscape.leaning), or, if `turned`, from the vector of the
  circle with rho = 0 (theory.landscape.turned). The valleys of the risk have small rho; the turned angle
  follows them, but is not defined at a point with eta = 0. The blow-up at radius = 0 separates the critical
  points with k = v*.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

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

    def with_profile(self, profile: Profile) -> Plane:
        """The same chart over another kind of numbers."""
        return Plane(profile, self.sign)

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

    square = ((0, 1, 4), (0, 1, 3), (0, 1, 2))

    def __init__(
        self,
        profile: Profile,
        sign: int,
        turned: bool = True,
        low: tuple[float, ...] = (0.0, 0.0, -1.0),
        high: tuple[float, ...] = (1.0, 1.0, 1.0),
    ) -> None:
        self.profile, self.sign, self.turned = profile, sign, turned
        self.low, self.high = low, high

    def with_profile(self, profile: Profile) -> Oblique:
        """The same chart over another kind of numbers."""
        return Oblique(profile, self.sign, self.turned, self.low, self.high)

    def equations(self, at: Sequence[Jet]) -> list[Jet]:
        """The torques a radius + b lean of four rows, and the torque on k in the plane of k* and v*.

        The last one follows from the others where p is not zero, but is the one that is not degenerate at
        the critical points with k = v*.
        """
        polar = _polar(at)
        profile, constants = self.profile(polar["kappa"]), self.profile.constants
        radius, kappa, eta = polar["radius"], polar["kappa"], polar["eta"]
        lean, nu, theta, rho, q = self._direction(profile, polar, at[2], half_angle)
        length = self.sign * sqrt(theta**2 + nu**2 + q**2)
        lean, nu, theta, rho = (part / length for part in (lean, nu, theta, rho))
        place = {"kappa": kappa, "eta": eta, "theta": theta, "nu": nu}
        slopes = _partials(profile, constants, rho=rho, **place)
        planar, _ = generated.planar(decay=profile["decay"], **slopes, **place)
        slopes.pop("R_eta")
        entries = generated.oblique(
            swap=profile["swap"], swap_scale=constants["swap_scale"], **place, **slopes
        )
        rows = zip(entries[::2], entries[1::2], strict=True)
        return [*(a * radius + b * lean for a, b in rows), planar]

    def vectors(self, at: Sequence[Any]) -> Vectors:
        """k and v at coordinates that are numbers, arrays or balls."""
        polar = _polar(at, _half_angle)
        profile = {name: jet.value for name, jet in self.profile(Jet(polar["kappa"], {})).items()}
        _, nu, theta, _, q = self._direction(profile, polar, at[2], _half_angle)
        length = self.sign * sqrt(theta * theta + nu * nu + q * q)
        p = polar["radius"] * polar["sine"]
        return Vectors(polar["kappa"], polar["eta"], p, theta / length, nu / length, q / length)

    def _direction(self, profile: Any, polar: Any, x: Any, angle: Any) -> tuple[Any, ...]:
        """lean, nu, theta, rho and q of a vector along v, not normalised."""
        sine, cosine = angle(x)
        constants = self.profile.constants
        named = {"gate_ratio": profile["gate_ratio"], "swap": profile["swap"], **polar}
        named |= {"gamma": constants["gamma"], "u": constants["u"]}
        if self.turned:
            lean, nu, theta, rho = generated.turned(turn_cosine=cosine, turn_sine=sine, **named)
        else:
            lean, nu = sine, cosine
            theta, rho = generated.leaning(lean=lean, nu=nu, **named)
        return lean, nu, theta, rho, -(polar["sine"] * profile["swap"] * lean)


def _polar(at: Sequence[Any], angle: Any = half_angle) -> dict[str, Any]:
    radius, eta = angle(at[0])
    sine, cosine = angle(at[1])
    return {"cosine": cosine, "sine": sine, "radius": radius, "eta": eta, "kappa": radius * cosine}


def _partials(profile: Any, constants: Any, **overlaps: Any) -> dict[str, Any]:
    functions = {name: value for name, value in profile.items() if name not in ("decay", "gate_ratio")}
    names = ("R_kappa", "R_nu", "R_theta", "R_eta", "R_rho")
    return dict(zip(names, generated.partials(**functions, **constants, **overlaps), strict=True))


def _half_angle(x: Any) -> tuple[Any, Any]:
    square = 1 + x * x
    return 2 * x / square, (2 - square) / square
