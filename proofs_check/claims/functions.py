"""The special functions: balls that enclose them, and kernels over all magnitudes of their arguments"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import mpmath
import numpy as np
import sympy
from flint import arb
from scipy.special import erf, erfinv

from numerics.arb import ARB, BOXES, ArbFunctions, precision
from numerics.arrays import ARRAYS
from numerics.special import erf_variance, residual_norm, residual_norm_magnitude
from proofs_check.claim import Claim, Mutant
from proofs_check.claims.reference import variance_by_quadrature
from proofs_check.judges.numerical import Agreement
from theory import special

SOURCE = "this toolkit"
BITS = 100
Interval = tuple[float, float]
Box = tuple[str, tuple[int, ...], tuple[Interval, ...]]
"""A function, its integer arguments, and an interval for each of its real ones."""

NUMBERS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    *(("erf_moment", (n, x)) for n in range(5) for x in (0.0, 0.7, -3.0)),
    *((name, (t, g)) for name in ("erf_variance", "zeta") for t, g in ((0.0, 0.4), (-1.2, 0.3), (2.5, 2.0))),
    *((name, (0.7,)) for name in ("sqrt", "exp", "erf", "erfc", "asin")),
    *(("power", (-1.3, n)) for n in (2, 3, 5)),
    ("rational", (-2, 3)),
)
"""Functions and points at which balls are compared with their definitions."""

ELEMENTARY = {"rational": "fraction"} | {
    name: name for name in ("sqrt", "exp", "erf", "erfc", "asin", "power")
}
"""mpmath's names of those that it has."""


def by_ball(point: tuple[str, tuple[Any, ...]]) -> Any:
    """The middle of the ball."""
    name, arguments = point
    with precision(BITS), mpmath.workdps(30):
        return mpmath.mpf(getattr(ARB, name)(*arguments).mid().str(30, radius=False))


def by_array(point: tuple[str, tuple[Any, ...]]) -> float:
    """In double precision."""
    name, arguments = point
    return float(getattr(ARRAYS, name)(*arguments))


def by_integral(point: tuple[str, tuple[Any, ...]]) -> Any:
    """The same by mpmath, or by quadrature of the function's definition."""
    name, arguments = point
    with mpmath.workdps(30):
        if name in ELEMENTARY:
            return +getattr(mpmath, ELEMENTARY[name])(*map(mpmath.mpmathify, arguments))
        first, x = arguments
        if name == "erf_moment":
            return mpmath.quad(lambda s: s ** (2 * first) * mpmath.exp(-((x * s) ** 2)), [0, 1])
        mean = mpmath.erf(first / mpmath.sqrt(1 + 2 * mpmath.mpf(x) ** 2))
        return variance_by_quadrature((first, x)) + (mean**2 if name == "zeta" else 0)


def _doubled(point: tuple[str, tuple[Any, ...]]) -> tuple[str, tuple[Any, ...]]:
    name, (*first, last) = point
    return name, (*first, 2 * last)


ON_ARRAYS = [point for point in NUMBERS if hasattr(ARRAYS, point[0])]

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
    """Whether values are outside the enclosure or it of another sign, and whether it is much longer than their range."""
    name, _, sides = box
    with precision(BITS):
        ball = evaluated(functions, box, [arb(low).union(arb(high)) for low, high in sides])
        values = [evaluated(ARB, box, [arb(x) for x in point]) for point in corners(box)]
        outside = any(value < ball or value > ball for value in values)
        outside |= min(values) >= 0 and ball.lower() < 0
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
GRID = [(1.0, 0.3), *((float(h * np.sqrt(1 + 2 * g * g)), float(g)) for g in WIDTHS for h in HEIGHTS)]
"""Arguments (t, g) of Var erf(t + g G), whose mean is erf(h)."""


def variance_by_ball(point: tuple[float, float]) -> float:
    """Var erf(t + g G) in interval arithmetic."""
    with precision(BITS):
        return float(ARB.erf_variance(*point))


Symbolic = tuple[str, int, tuple[float, float], int]
"""A function of theory, the sign of its first argument, its arguments, and in which it is differentiated, or 0."""
SYMBOLIC: tuple[Symbolic, ...] = (
    *(
        (name, sign, arguments, index)
        for name, arguments in (("OwenT", (0.7, 1.3)), ("zeta", (1.2, 0.4)), ("erf_variance", (0.6, 0.8)))
        for sign in (1, -1)
        for index in (0, 1, 2)
    ),
    *(("erf_moment", 1, (2, 0.7), index) for index in (0, 2)),
)


def by_sympy(point: Symbolic, stretch: float = 1.0) -> Any:
    """A function of theory or a derivative, evaluated by SymPy."""
    name, sign, values, index = point
    x, y = sympy.symbols("x y", positive=True)
    at = {x: values[0] if isinstance(values[0], int) else sympy.Float(values[0], 25)}
    at[y] = sympy.Float(stretch * values[1], 25)
    found = getattr(special, name)(sign * x, y)
    return (found.diff((x, y)[index - 1]) if index else found).subs(at).evalf(20)


def by_definition(point: Symbolic) -> float:
    """The same by sums over nodes, at complex arguments for a derivative."""
    name, sign, values, index = point
    x, y = (value + 1e-30j * (index == n) for n, value in enumerate(values, 1))
    found = complex(DEFINED[name](sign * x, y))
    return found.imag / 1e-30 if index else found.real


NORMALS = np.linspace(-9, 9, 301)
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(40)
UNIT = (1 + NODES) / 2


def _moment(power: int, t: complex, g: complex) -> complex:
    density = np.exp(-(NORMALS**2) / 2) / np.sqrt(2 * np.pi) * (NORMALS[1] - NORMALS[0])
    return complex(np.sum(density * erf(t + g * NORMALS) ** power))


def _owen(h: complex, a: complex) -> complex:
    square = 1 + (a * UNIT) ** 2
    return complex(np.sum(a * NODE_WEIGHTS / 2 * np.exp(-(h**2) * square / 2) / square) / (2 * np.pi))


DEFINED: dict[str, Callable[[complex, complex], complex]] = {
    "OwenT": _owen,
    "zeta": partial(_moment, 2),
    "erf_variance": lambda t, g: _moment(2, t, g) - _moment(1, t, g) ** 2,
    "erf_moment": lambda n, x: complex(
        np.sum(NODE_WEIGHTS / 2 * UNIT ** (2 * n) * np.exp(-((x * UNIT) ** 2)))
    ),
}

CLOSE = (0.0, 1e-12, 1e-8, 1e-4, 0.1, 0.3, 0.47, 0.6)
RESIDUALS = [
    (sign * math.sqrt(1 - theta**2), eta, float(np.clip(eta + shift * theta, -1, 1)), sign * h)
    for theta, eta, shift in product(CLOSE, (0.0, 1e-7, 0.4, -0.8), (0.9, -0.3))
    for h in (0.05, 0.8, 3.0, 6.0, float(erfinv(math.sqrt(1 - theta**2))))
    if math.isfinite(h)
    for sign in (1, -1)
]
"""nu near +-1 and rho near eta nu, as they are together, and h with the sign of nu, also nu = erf(h): (nu, eta, rho, h)."""
UNITS = 3.0
"""Roundings that the norm's error may be worth."""


def residual_error(
    point: Sequence[float], magnitude: Callable[..., float] = residual_norm_magnitude
) -> list[bool]:
    """Whether the kernel of |v*' - erf(h) v'|^2 is wrong by more than UNITS roundings of its magnitude, or of itself at v = +-v*."""
    nu, eta, rho, h = point
    with mpmath.workdps(60):
        gate, exact = mpmath.erf(h), [mpmath.mpf(x) for x in (nu, eta, rho)]
        whole = 1 - 2 * gate * exact[0] + gate**2
        norm, rounding = whole - (exact[1] - gate * exact[2]) ** 2, UNITS * np.finfo(float).eps
        error = abs(residual_norm(nu, eta, rho, h) - norm)
        lost = (abs(nu), eta, rho) == (1, 0, 0) and error > 4 * rounding * norm
        return [bool(error > rounding * magnitude(nu, eta, rho, h)), bool(lost)]


def claims() -> list[Claim]:
    """Balls at points and on boxes, then the kernel."""
    return [
        Claim(
            id="functions.balls",
            statement=r"In interval arithmetic $\int_0^1 s^{2n} e^{-x^2 s^2} ds$, $Var\, erf(t + g G)$ and $E\, erf(t + g G)^2$ are "
            r"what quadrature of their definitions gives, and elementary functions what mpmath gives, to $10^{-20}$.",
            subject=lambda: by_ball,
            source=SOURCE,
            depends_on=("gaussian.variance",),
            judges=(Agreement(by_integral, NUMBERS, 1e-20, description="quadrature at 30 digits"),),
            mutants=(Mutant("last argument doubled", lambda: lambda point: by_ball(_doubled(point))),),
        ),
        Claim(
            id="functions.arrays",
            statement=r"The same functions on arrays are accurate to $10^{-13}$.",
            subject=lambda: by_array,
            source=SOURCE,
            depends_on=("gaussian.zeta",),
            judges=(Agreement(by_integral, ON_ARRAYS, 1e-13, description="quadrature at 30 digits"),),
            mutants=(Mutant("last argument doubled", lambda: lambda point: by_array(_doubled(point))),),
        ),
        Claim(
            id="functions.enclosures",
            statement="On boxes, wide and narrow, the enclosures by monotonicity hold the functions' values at corners and centre, and their sign, "
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
        Claim(
            id="functions.symbolic",
            statement=r"As SymPy evaluates them, $T(h, a)$, $E\, erf(t + g G)^2$, $Var\, erf(t + g G)$ and $\int_0^1 s^{2n} e^{-x^2 s^2} ds$, "
            r"negative $h$ and $t$ too, and their derivatives are those of the definitions, to $10^{-12}$.",
            subject=lambda: by_sympy,
            source=SOURCE,
            judges=(Agreement(by_definition, SYMBOLIC, 1e-12, description="sums over nodes"),),
            mutants=(Mutant("larger by 1e-9", lambda: partial(by_sympy, stretch=1 + 1e-9)),),
        ),
        Claim(
            id="functions.residual",
            statement=r"The rounding error of the kernel of $|v_*' - erf(h) v'|^2$, primes for the parts orthogonal to $k$, is at most "
            f"{UNITS:g} units of the magnitude that comes with it, also where nearly everything cancels; for $v = \\pm v^*$, $\\eta = 0$ it is at most "
            f"{4 * UNITS:g} units of the value itself.",
            subject=lambda: residual_error,
            source=SOURCE,
            judges=(
                Agreement(lambda point: [False, False], RESIDUALS, 0.0, description="mpmath at 60 digits"),
            ),
            mutants=(
                Mutant(
                    "a hundredth of the magnitude",
                    lambda: partial(residual_error, magnitude=lambda *o: residual_norm_magnitude(*o) / 100),
                ),
            ),
        ),
    ]
