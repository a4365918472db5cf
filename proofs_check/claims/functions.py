"""The special functions: balls that enclose them, and kernels over all magnitudes of their arguments"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import mpmath
import numpy as np
from flint import arb

from numerics.arb import ARB, BOXES, ArbFunctions, precision
from numerics.special import erf_variance
from proofs_check.claim import Claim, Mutant
from proofs_check.claims.reference import variance_by_quadrature
from proofs_check.judges.numerical import Agreement

SOURCE = "this toolkit"
BITS = 100
Interval = tuple[float, float]
Box = tuple[str, tuple[int, ...], tuple[Interval, ...]]
"""A function, its integer arguments, and an interval for each of its real ones."""

NUMBERS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    *(("erf_moment", (n, x)) for n in range(5) for x in (0.0, 0.7, -3.0)),
    *((name, (t, g)) for name in ("erf_variance", "zeta") for t, g in ((0.0, 0.4), (-1.2, 0.3), (2.5, 2.0))),
)
"""Functions and points at which balls are compared with their definitions."""


def by_ball(point: tuple[str, tuple[Any, ...]]) -> Any:
    """The middle of the ball."""
    name, arguments = point
    with precision(BITS), mpmath.workdps(30):
        return mpmath.mpf(getattr(ARB, name)(*arguments).mid().str(30, radius=False))


def by_integral(point: tuple[str, tuple[Any, ...]]) -> Any:
    """The same by quadrature of the function's definition."""
    name, (first, x) = point
    with mpmath.workdps(30):
        if name == "erf_moment":
            return mpmath.quad(lambda s: s ** (2 * first) * mpmath.exp(-((x * s) ** 2)), [0, 1])
        mean = mpmath.erf(first / mpmath.sqrt(1 + 2 * mpmath.mpf(x) ** 2))
        return variance_by_quadrature((first, x)) + (mean**2 if name == "zeta" else 0)


SIDES: tuple[Interval, ...] = ((-0.5, 0.75), (0.125, 0.25), (-2.0, -1.5), (1.0, 1.001), (-0.4, -0.4 + 1e-6))
SCALES: tuple[Interval, ...] = ((0.25, 0.5), (2.0, 2.001), (0.7, 0.7 + 1e-6), (1.5, 1.5))
BOXED: tuple[Box, ...] = (
    *(("erf", (), (side,)) for side in SIDES),
    *(("power", (n,), (side,)) for n in (2, 3, 4) for side in SIDES),
    *(("erf_moment", (n,), (side,)) for n in (0, 1, 3) for side in SIDES),
    *((name, (), sides) for name in ("erf_variance", "zeta") for sides in product(SIDES, SCALES)),
)
LOOSENESS = {"erf_variance": 1.5, "zeta": 1e4}
"""Lengths of enclosures relative to the range of the function where two intervals meet; zeta loses what cancels."""


def evaluated(functions: ArbFunctions, box: Box, sides: Sequence[Any]) -> arb:
    """A function on balls or numbers."""
    name, integers, _ = box
    arguments = (*sides, *integers) if name == "power" else (*integers, *sides)
    return getattr(functions, name)(*arguments)


def corners(box: Box) -> Iterator[tuple[float, ...]]:
    """Points of the box: its corners, its centre, and where a side contains zero."""
    places = ((low, (low + high) / 2, high, *((0.0,) if low < 0 < high else ())) for low, high in box[2])
    return product(*places)


def flaws(functions: ArbFunctions, box: Box) -> list[float]:
    """Whether values are outside the enclosure, and whether it is much longer than their range."""
    name, _, sides = box
    with precision(BITS):
        ball = evaluated(functions, box, [arb(low).union(arb(high)) for low, high in sides])
        values = [evaluated(ARB, box, [arb(x) for x in point]) for point in corners(box)]
        outside = any(value < ball or value > ball for value in values)
        length = max(map(float, values)) - min(map(float, values))
        narrow = any(low == high for low, high in sides) or len(sides) == 1
        allowed = 1.0 + 1e-6 if narrow else LOOSENESS[name]
        loose = float(ball.upper() - ball.lower()) > allowed * length + 1e-20
    return [float(outside), float(loose)]


class Shifted(ArbFunctions):
    """Balls for arguments larger by 1e-4."""

    def __getattribute__(self, name: str) -> Any:
        return lambda *arguments: getattr(BOXES, name)(
            *(a * 1.0001 if isinstance(a, arb) else a for a in arguments)
        )


def enclosures(functions: ArbFunctions) -> Callable[[Box], list[float]]:
    """The flaws of each enclosure."""
    return partial(flaws, functions)


WIDTHS = np.geomspace(1e-6, 1e3, 19)
HEIGHTS = np.linspace(0, 9, 19)
GRID = [(float(h * np.sqrt(1 + 2 * g * g)), float(g)) for g in WIDTHS for h in HEIGHTS]
"""Arguments (t, g) of Var erf(t + g G), whose mean is erf(h)."""


def variance_by_ball(point: tuple[float, float]) -> float:
    """Var erf(t + g G) in interval arithmetic."""
    with precision(BITS):
        return float(ARB.erf_variance(*point))


def claims() -> list[Claim]:
    """Balls at points and on boxes, then the kernel."""
    return [
        Claim(
            id="functions.balls",
            statement=r"In interval arithmetic $\int_0^1 s^{2n} e^{-x^2 s^2} ds$, $Var\, erf(t + g G)$ and $E\, erf(t + g G)^2$ are "
            r"what quadrature of their definitions gives, to $10^{-20}$.",
            subject=lambda: by_ball,
            source=SOURCE,
            depends_on=("gaussian.variance",),
            judges=(Agreement(by_integral, NUMBERS, 1e-20, description="quadrature at 30 digits"),),
            mutants=(
                Mutant(
                    "x doubled", lambda: lambda point: by_ball((point[0], (point[1][0], 2 * point[1][1])))
                ),
            ),
        ),
        Claim(
            id="functions.enclosures",
            statement="On boxes, wide and narrow, the enclosures by monotonicity hold the functions' values at corners and centre, "
            "and where only one argument varies they are no longer than the range.",
            subject=lambda: enclosures(BOXES),
            source=SOURCE,
            depends_on=("functions.balls",),
            judges=(Agreement(lambda box: [0.0, 0.0], BOXED, 0.0, description="values at numbers"),),
            mutants=(
                Mutant("arguments larger by 1e-4", lambda: enclosures(Shifted())),
                Mutant("ball arithmetic as it comes", lambda: enclosures(ARB)),
            ),
        ),
        Claim(
            id="functions.variance",
            statement=r"For $g$ from $10^{-6}$ to $10^3$ and means from 0 to erf(9) the kernel of $Var\, erf(t + g G)$ is accurate to $10^{-13}$.",
            subject=lambda: lambda point: erf_variance(*point),
            source=SOURCE,
            depends_on=("functions.balls",),
            judges=(Agreement(variance_by_ball, GRID, 1e-13, description="interval arithmetic"),),
            mutants=(
                Mutant("larger by 2e-13", lambda: lambda point: erf_variance(*point) * (1 + 2e-13)),
                Mutant("without the tails", lambda: lambda point: erf_variance(min(point[0], 8.0), point[1])),
            ),
        ),
    ]
