"""The numbers: kernels, interval evaluation, quadrature from the definition, and reference data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial, wraps
from importlib import resources
from itertools import product, zip_longest
from typing import Any

import numpy as np

from numerics import Overlaps, Task, excess_risk, flow_velocity
from numerics.definition import excess_risk_by_quadrature
from numerics.special import erf_variance
from numerics.tail import hermite_tail
from proofs_check import generate
from proofs_check.claim import Claim, Context, Mutant
from proofs_check.judges.exact import Step, Steps
from proofs_check.judges.numerical import Agreement

Point = dict[str, Any]


@cache
def reference_points(name: str) -> tuple[Point, ...]:
    """The points of a reference file: d, L, gamma, lam, overlaps and what was computed there."""
    return tuple(json.loads((resources.files("proofs_check") / "data" / f"{name}.json").read_text()))


def arguments(point: Point) -> tuple[Overlaps, float, Task]:
    """What the public functions take."""
    return Overlaps(*point["overlaps"]), point["lam"], Task(point["d"], point["L"], point["gamma"])


def risk_at(point: Point) -> float:
    """The public excess risk."""
    return float(excess_risk(*arguments(point)))


def velocity_at(point: Point) -> list[float]:
    """The public flow velocity."""
    return flow_velocity(*arguments(point)).stack().tolist()


def wide_points(count: int, context: Context) -> Sequence[Point]:
    """Random points over many orders of magnitude, on the spheres, on M and at the optimum."""
    rng = np.random.default_rng(context.seed)
    points = []
    for i in range(count):
        d = int(10 ** rng.uniform(0.7, 6))
        task = Task(d, int(10 ** rng.uniform(0, 3)), float(10 ** rng.uniform(-1, 1)))
        overlaps = Overlaps.random(1, Task(min(d, 30), task.L), rng, on="manifold" if i % 3 else "sphere")[0]
        overlaps = overlaps if i % 4 else Overlaps(1, 1)
        lam = float(10 ** rng.uniform(-2, 1) / np.sqrt(d))
        values = [float(x) for x in overlaps.stack()]
        points.append({"d": d, "L": task.L, "gamma": task.gamma, "lam": lam, "overlaps": values})
    return points


def vanishing_points() -> list[Point]:
    """One token, v = +-v* and k near it or near +-k*, where the risk is as small as what its terms leave."""
    points = []
    for sign, eta, strength, gamma in product(
        (1, -1), (0.0, 1e-9, 1e-4, 0.3), (3.0, 8.0, 18.0), (0.25, 0.01)
    ):
        overlaps = [sign * float(np.sqrt(1 - eta**2)), float(sign), 0.0, sign * eta, eta]
        points.append({"d": 50, "L": 1, "gamma": gamma, "lam": strength / 5, "overlaps": overlaps})
    return points


def interval_points(context: Context) -> list[Point]:
    """Random points, and such where terms cancel."""
    return [*wide_points(40, context), *vanishing_points()]


def row(point: Point, count: int = 4) -> tuple[Overlaps, np.ndarray, Task]:
    """The point's overlaps and half of them in a column, and lambdas in a row, two of them alike."""
    o, lam, task = arguments(point)
    column = o.stack()[:, None, None] * np.array([[1.0], [0.5]])
    return Overlaps(*column), lam * np.array([1.0, 2.0, 2.0, 0.5])[:count], task


def arrays_at(point: Point, count: int = 4) -> list[Any]:
    """Risks and velocities in one call."""
    given = row(point, count)
    return [np.asarray(excess_risk(*given)).tolist(), flow_velocity(*given).stack().tolist()]


def one_by_one(point: Point) -> list[Any]:
    """The same in a call for each number."""
    o, lams, task = row(point)
    cases = [(o[i, 0], float(lam), task) for i in range(2) for lam in lams]
    risks = [float(excess_risk(*case)) for case in cases]
    velocities = [flow_velocity(*case).stack() for case in cases]
    return [risks, np.stack(velocities, axis=1).tolist()]


def remembered(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`function` with its values kept by point: a claim and its mutants share the slow reference."""
    values: dict[str, Any] = {}

    @wraps(function)
    def recall(point: Any) -> Any:
        key = json.dumps(point)
        if key not in values:
            values[key] = function(point)
        return values[key]

    return recall


@remembered
def by_definition(point: Point) -> Any:
    """The excess risk from the definition, to 20 digits."""
    return excess_risk_by_quadrature(*arguments(point), digits=20)


def by_intervals(name: str, point: Point) -> Any:
    """A closed form of theory in interval arithmetic, rounded to double."""
    from numerics import arb
    from numerics.generated import closed_forms

    task = Task(point["d"], point["L"], point["gamma"])
    results = arb.evaluate(
        getattr(closed_forms, name), point["overlaps"], point["lam"], task.d, task.gamma, task.L
    )
    return results[0] if name == "excess_risk" else results


@remembered
def from_theory(point: Point) -> Any:
    """theory's excess risk at 25 digits, by SymPy's own evaluation."""
    from sympy import Float, sqrt

    from theory import symbols as s
    from theory.risk import excess_risk as derived

    values = {o: Float(x, 40) for o, x in zip(s.OVERLAPS, point["overlaps"], strict=True)}
    values |= {s.lam: Float(point["lam"], 40), s.gamma: Float(point["gamma"], 40), s.L: point["L"]}
    return derived().subs({**values, s.m: sqrt(Float(point["d"], 40) / 2)}).evalf(25)


@remembered
def tail_by_quadrature(point: tuple[float, float, float, float]) -> Any:
    """Var[(a + b G) erf(t + g G)] less what regression on G explains, from the definition."""
    t, g, a, b = point
    return _residual_variance((t, g), lambda x: a + b * x, affine=True)


def _residual_variance(point: tuple[float, float], factor: Callable[[Any], Any], affine: bool) -> Any:
    """Mean square of factor(G) erf(t + g G) less its mean and, if affine, less its regression on G."""
    from mpmath import mp

    t, g = point
    with mp.workdps(40):
        features = (-t / g - 3 / g, -t / g, -t / g + 3 / g, -4, 0, 4)
        nodes = sorted({-14, 14, *(x for x in features if -14 < x < 14)})

        def expectation(function: Callable[[Any], Any]) -> Any:
            return mp.quad(lambda x: function(x) * mp.npdf(x), nodes)

        def product(x: Any) -> Any:
            return factor(x) * mp.erf(t + g * x)

        mean = expectation(product)
        slope = expectation(lambda x: product(x) * x) if affine else 0
        return expectation(lambda x: (product(x) - mean - slope * x) ** 2)


@remembered
def variance_by_quadrature(point: tuple[float, float]) -> Any:
    """Var erf(t + g G) from the definition."""
    return _residual_variance(point, lambda x: 1, affine=False)


def tail_error(point: tuple[float, float, float, float, float], margin: float = 1.0) -> bool:
    """Whether the curvature term is wrong by more than UNITS roundings of its magnitude, a and b times a size."""
    t, g, a, b, size = point
    value, magnitude = hermite_tail(t, g, size * a, size * b, 0.0)
    exact = size**2 * tail_by_quadrature((t, g, a, b))
    return bool(abs(value - exact) > UNITS * np.finfo(float).eps * margin * magnitude)


def committed() -> dict[str, str]:
    """Every generated file's name and text, as it stands in numerics."""
    return {path.name: path.read_text() for path in sorted(generate.FOLDER.glob("*.py"))}


def up_to_date(texts: Mapping[str, str], context: Context) -> Iterator[Step]:
    """Each text against what theory gives, line by line."""
    expected = expected_sources()
    yield Step("the files", set(texts) == set(expected), ", ".join(sorted(set(texts) ^ set(expected))))
    for name in sorted(set(texts) & set(expected)):
        lines = zip_longest(texts[name].splitlines(), expected[name].splitlines(), fillvalue="")
        wrong = next((f"line {n} is not {b.strip()!r}" for n, (a, b) in enumerate(lines, 1) if a != b), "")
        yield Step(name, not wrong, wrong)


@cache
def expected_sources() -> dict[str, str]:
    """What `make kernels` would write."""
    return generate.sources()


def _edited(name: str, before: str, after: str) -> dict[str, str]:
    texts = committed()
    return {**texts, name: texts[name].replace(before, after, 1)}


def _scaled(function: Callable[[Any], Any], factor: float) -> Callable[[Any], Any]:
    return lambda point: np.multiply(function(point), factor).tolist()


def _with(function: Callable[[Point], Any], change: Callable[[Point], Point]) -> Callable[[Point], Any]:
    return lambda point: function(change(point))


def _slightly_off(function: Callable[[Any], Any]) -> tuple[Mutant, ...]:
    return (
        Mutant("larger by 1e-8", lambda: _scaled(function, 1 + 1e-8)),
        Mutant("one token more", lambda: _with(function, lambda p: {**p, "L": p["L"] + 1})),
        Mutant("gamma for gamma^2", lambda: _with(function, lambda p: {**p, "gamma": p["gamma"] ** 0.5})),
    )


SPECIAL_POINTS = [
    (0.0, 0.4),
    (0.3, 1e-3),
    (-1.2, 0.2),
    (2.0, 0.6),
    (0.5, 0.71),
    (-3.0, 1.5),
    (4.0, 25.0),
    (6.0, 1.0),
]
TAIL_POINTS = [
    *((*point, 0.7, -0.4) for point in SPECIAL_POINTS),
    *((2.0, 0.6, size * 4, size * 7) for size in (1e-9, 1e9)),
    (0.3, 6e-4, 1.0, 0.0),
    (0.3, 8e-4, 0.0, 1.0),
    (-1.2, 0.2, 2.0, 0.2 / np.sqrt(0.54)),
]
CLOSED = [
    (*point, 2.0**power)
    for point in ((0.5, 0.71, 0.0, 1.0), *(point for point in TAIL_POINTS if point[1] > 0.7))
    for power in (-20, 20)
]
"""Where the closed form is used; its error is relative to a and b squared."""
UNITS = 3.0
"""Roundings that an error may be worth."""
RISK = ("risk.five-overlaps",)


def claims() -> list[Claim]:
    """Each path to a number against an independent one."""
    return [
        Claim(
            id="reference.generated",
            statement="Every kernel and closed form that numerics evaluates is, letter by letter, what theory derives.",
            subject=committed,
            source="this toolkit",
            depends_on=RISK,
            judges=(Steps(up_to_date),),
            mutants=(
                Mutant("a sign of the risk's kernel", lambda: _edited("kernels.py", " + ", " - ")),
                Mutant("a factor of the closed form", lambda: _edited("closed_forms.py", "2*", "3*")),
                Mutant(
                    "a routine of the landscape is missing", lambda: {"kernels.py": committed()["kernels.py"]}
                ),
            ),
        ),
        Claim(
            id="reference.erf-variance",
            statement=r"The double-precision kernel of $Var\, erf(t + g G)$ agrees with quadrature of the definition to $10^{-13}$.",
            subject=lambda: lambda point: erf_variance(*point),
            source="this toolkit",
            judges=(
                Agreement(
                    variance_by_quadrature, SPECIAL_POINTS, 1e-13, description="quadrature at 40 digits"
                ),
            ),
            mutants=(
                Mutant("g doubled", lambda: lambda point: erf_variance(point[0], 2 * point[1])),
                Mutant("larger by 1e-12", lambda: _scaled(lambda point: erf_variance(*point), 1 + 1e-12)),
            ),
        ),
        Claim(
            id="reference.hermite-tail",
            statement=r"The kernel of the curvature term, a series for $g^2 < 1/2$ and a closed form above, agrees with quadrature of the definition to $10^{-13}$.",
            subject=lambda: lambda point: hermite_tail(*point, 0.0)[0],
            source="this toolkit",
            depends_on=("risk.hermite-tail",),
            judges=(
                Agreement(tail_by_quadrature, TAIL_POINTS, 1e-13, description="quadrature at 40 digits"),
            ),
            mutants=(
                Mutant("b negated", lambda: lambda point: hermite_tail(*point[:3], -point[3], 0.0)[0]),
                Mutant("t negated", lambda: lambda point: hermite_tail(-point[0], *point[1:], 0.0)[0]),
            ),
        ),
        Claim(
            id="reference.tail-error",
            statement=f"The closed form of the curvature term is wrong by at most {UNITS:g} roundings of the magnitude that comes with it.",
            subject=lambda: tail_error,
            source="this toolkit",
            depends_on=("reference.hermite-tail",),
            judges=(Agreement(lambda point: False, CLOSED, 0.0, description="quadrature at 40 digits"),),
            mutants=(Mutant("a hundredth of the magnitude", lambda: partial(tail_error, margin=0.01)),),
        ),
        Claim(
            id="reference.definition",
            statement=r"The excess risk agrees to $10^{-12}$ with quadrature of the definition at random parameters over many orders of magnitude.",
            subject=lambda: risk_at,
            source="Theorem 1",
            depends_on=RISK,
            judges=(
                Agreement(
                    by_definition,
                    partial(wide_points, 12),
                    1e-12,
                    description="regression on the score and quadrature at 20 digits",
                ),
            ),
            mutants=_slightly_off(risk_at),
        ),
        Claim(
            id="reference.theory",
            statement=r"The compiled kernel agrees to $10^{-12}$ with the expression that theory derives, evaluated at 25 digits.",
            subject=lambda: risk_at,
            source="this toolkit",
            depends_on=RISK,
            judges=(
                Agreement(from_theory, partial(wide_points, 12), 1e-12, description="SymPy at 25 digits"),
            ),
            mutants=_slightly_off(risk_at),
        ),
        Claim(
            id="reference.high-precision",
            statement=r"At 80 points with $d$ to $10^9$, $\lambda$ from $10^{-6}$ to $10^2$ and $L$ to $10^4$ the excess risk agrees to $10^{-12}$ with values known to 25 digits.",
            subject=lambda: risk_at,
            source="reference data",
            depends_on=RISK,
            judges=(
                Agreement(
                    lambda point: point["excess_risk"],
                    reference_points("risk_high_precision"),
                    1e-12,
                    description="quadrature at 70 digits",
                ),
            ),
            mutants=_slightly_off(risk_at),
        ),
        Claim(
            id="reference.authors-risk",
            statement=r"At 180 points the excess risk agrees to $10^{-8}$ with the paper authors' code.",
            subject=lambda: risk_at,
            source="reference data",
            depends_on=RISK,
            judges=(
                Agreement(
                    lambda point: point["excess_risk"],
                    reference_points("risk_points"),
                    1e-8,
                    description="the authors' published code",
                ),
            ),
            mutants=(
                Mutant("larger by 1e-7", lambda: _scaled(risk_at, 1 + 1e-7)),
                *_slightly_off(risk_at)[1:],
            ),
        ),
        Claim(
            id="reference.authors-velocity",
            statement=r"At 180 points the flow's velocity agrees to $10^{-9}$ with the paper authors' code under automatic differentiation.",
            subject=lambda: velocity_at,
            source="reference data",
            depends_on=RISK,
            judges=(
                Agreement(
                    lambda point: point["flow_velocity"],
                    reference_points("risk_points"),
                    1e-9,
                    description="the authors' published code, differentiated",
                ),
            ),
            mutants=(
                Mutant("half the velocity", lambda: _scaled(velocity_at, 0.5)),
                Mutant("uphill", lambda: _scaled(velocity_at, -1.0)),
                *_slightly_off(velocity_at),
            ),
        ),
        Claim(
            id="reference.intervals",
            statement=r"Kernel and interval evaluation of the same closed form agree to $10^{-12}$, also where the risk is as small as $10^{-280}$ as its terms cancel.",
            subject=lambda: risk_at,
            source="this toolkit",
            depends_on=RISK,
            judges=(
                Agreement(partial(by_intervals, "excess_risk"), interval_points, 1e-12, description="Arb"),
            ),
            mutants=_slightly_off(risk_at),
        ),
        Claim(
            id="reference.arrays",
            statement=r"Over arrays of overlaps and of $\lambda$ that broadcast, risk and velocity are those of each pair.",
            subject=lambda: arrays_at,
            source="this toolkit",
            judges=(
                Agreement(one_by_one, partial(wide_points, 6), 0.0, description="a call for each number"),
            ),
            mutants=(Mutant("a lambda less", lambda: partial(arrays_at, count=3)),),
        ),
    ]
