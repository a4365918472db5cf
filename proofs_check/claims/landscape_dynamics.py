"""The landscape in motion: equilibria of the flow on M, where minima come and go, and where descent ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache

from numerics import Overlaps, Task, projected_gradient_descent
from numerics.landscape import basins, square, thresholds
from numerics.landscape.parameters import Parameters
from numerics.overlaps import NAMES
from numerics.starts import random_starts
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.claims.landscape import MINIMA, PAPER, SETTING, search_result
from proofs_check.claims.manifold import TYPES
from proofs_check.judges.exact import Step, Steps

BOXES = (
    {"lam": ("0.09", "0.11"), "d": (300, 500), "L": 10, "gamma_squared": ("0.4", "0.6")},
    {"lam": ("0.89", "0.91"), "d": (390, 410), "L": 10, "gamma_squared": ("0.49", "0.51")},
)
"""Boxes of parameters around the paper's settings."""
NARROW = {"lam": ("0.1", "0.1001"), "d": 4, "L": 1, "gamma_squared": "0.5"}
"""A box that is hardly one, of the least d and L."""
UNPROVED = Fraction(1, 1000)
"""Distance from an equilibrium at which cells resist if it is not known."""


def square_steps(types: Mapping[tuple[int, int], str], _: Context) -> Iterator[Step]:
    """Branch and bound over the square, the box of parameters cut where that is needed."""
    for sides in BOXES:
        box = Parameters.of(**sides)
        resting = square.rest_points(box)
        yield Step(f"{box.described()}: these rest", set(resting) == set(types), str(resting))
        if set(resting) - set(types):
            return
        found = square.equilibria(box, tuple(types))
        wrong = {point: kind for point, kind in found.types.items() if kind != types[point]}
        yield Step(f"{box.described()}: the types", not wrong, str(wrong or ""))
        if wrong:
            return
        resisting = "" if found.proved else f"{found.resisting} resists"
        yield Step(f"{box.described()}: nothing else, {found.cells} cells", found.proved or None, resisting)
    found = square.equilibria(Parameters.of(**NARROW), tuple(types))
    yield Step("halves come in pairs", found.proved and found.cells % 2 == 1, f"{found.cells} cells")
    for point in types:
        yield _resists(point, [other for other in types if other != point])


def _resists(point: tuple[int, int], others: Sequence[tuple[int, int]]) -> Step:
    """Without a point that is there the proof fails, next to it."""
    found = square.equilibria(Parameters.of(**NARROW), others, cells=0)
    cell = found.resisting[1] if found.resisting else ()
    near = [low - UNPROVED <= x <= high + UNPROVED for x, (low, high) in zip(point, cell, strict=False)]
    return Step(
        f"{point} is not proved away", not found.proved and near == [True, True], str(found.resisting)
    )


def threshold_steps(claimed: Mapping[str, Sequence[str]], _: Context) -> Iterator[Step]:
    """Every zero of each criterion on [1/50, 3], isolated by branch and bound; cut off after ten decimals."""
    for name, decimals in claimed.items():
        found = isolated(name)
        yield Step(
            f"{name}: all of [1/50, 3] is decided", not found.resisting or None, str(found.resisting or "")
        )
        zeros = tuple(f"({low}, {high})" for low, high in ((float(a), float(b)) for a, b in found.zeros))
        same = len(found.zeros) == len(decimals) and all(map(_starts, found.zeros, decimals))
        yield Step(f"{name}: its zeros are {', '.join(decimals)}...", same, f"in {', '.join(zeros)}")


@cache
def isolated(name: str) -> thresholds.Isolation:
    """The zeros of a criterion in the paper's setting."""
    return thresholds.threshold(name, **PAPER)


def _starts(zero: tuple[Fraction, Fraction], decimals: str) -> bool:
    """Whether every number of an interval begins with these decimals."""
    low, unit = Fraction(decimals), Fraction(1, 10 ** len(decimals.partition(".")[2]))
    return low <= zero[0] and zero[1] < low + unit


RUNS = {"0.1": (4e-3, 10_000, 200), "0.9": (1e-3, 100_000, 5)}
"""Step size, steps and runs for each lambda."""
THOROUGH = {"0.1": (4e-3, 50_000, 200), "0.9": (1e-3, 1_000_000, 200)}


def end_steps(minima: Mapping[str, Sequence[str]], context: Context) -> Iterator[Step]:
    """Where projected gradient descent from uniform starts is after all steps, and a tenth before."""
    for lam, names in minima.items():
        step_size, steps, runs = (THOROUGH if context.thorough else RUNS)[lam]
        before, after = descended(lam, step_size, steps, runs)
        points = [point for point in search_result(lam) if point.name in names]
        reached, going = basins.reached(after, points), basins.destinations(before, after, points)
        count = [f"{(going == n).sum()} to {n}, {(reached == n).sum()} there" for n in names]
        detail = "; ".join([*count, f"{(going == '').sum()} to none"])
        yield Step(
            f"lambda = {lam}: {runs} runs, {steps} steps of size {step_size}",
            bool((going != "").all()),
            detail,
        )


@cache
def descended(lam: str, step_size: float, steps: int, runs: int) -> tuple[Overlaps, Overlaps]:
    """Overlaps after nine tenths of the steps and after all."""
    task = Task(d=PAPER["d"], L=PAPER["L"])
    every = steps // 10
    path = projected_gradient_descent(
        random_starts(runs, task, 0), float(lam), task, step_size=step_size, steps=steps, record_every=every
    )
    before, after = (
        Overlaps.unchecked([path[name].sel(step=step).values for name in NAMES])
        for step in (steps - every, steps)
    )
    return before, after


THRESHOLDS = {
    "oracle": ("0.8924379482",),
    "swapped": ("0.9206832360",),
    "complete swap": ("0.0627889522",),
    "tie": ("0.0907218276",),
}


def claims() -> list[Claim]:
    return [
        Claim(
            id="landscape.equilibria",
            statement="For $0.09 \\le \\lambda \\le 0.11$, $300 \\le d \\le 500$, $0.4 \\le \\gamma^2 \\le 0.6$, and for "
            "$0.89 \\le \\lambda \\le 0.91$, $390 \\le d \\le 410$, $0.49 \\le \\gamma^2 \\le 0.51$, interval arithmetic finds "
            "the equilibria of the flow on $M$ in $[-1, 1]^2$ and their types as computer algebra does for all parameters.",
            subject=lambda: TYPES,
            source="this toolkit",
            judges=(Steps(square_steps, kind=Kind.CERTIFIED),),
            mutants=(
                Mutant(
                    "no saddle", lambda: {point: kind for point, kind in TYPES.items() if point != (0, 0)}
                ),
                Mutant("(1, -1) a sink", lambda: {**TYPES, (1, -1): "sink"}),
                Mutant("one more", lambda: {**TYPES, (1, 0): "saddle"}),
            ),
            depends_on=("manifold.equilibria", "manifold.types"),
        ),
        Claim(
            id="landscape.thresholds",
            statement=f"For {SETTING} and $1/50 \\le \\lambda \\le 3$, each to ten digits: the oracle is a local minimum up to "
            "$0.8924379482$ and not beyond; the role-swapped point has $\\theta = 1$ up to $0.0627889522$, its risk "
            "passes the oracle's at $0.0907218276$, and it is a minimum from $\\theta < 1$ on up to $0.9206832360$ and not "
            "beyond.",
            subject=lambda: THRESHOLDS,
            source="this toolkit",
            judges=(Steps(threshold_steps, kind=Kind.CERTIFIED),),
            mutants=(
                Mutant("the tenth digit", lambda: {"oracle": ("0.8924379483",)}),
                Mutant("0.92 for 0.9207", lambda: {"swapped": ("0.9200",)}),
                Mutant("no tie", lambda: {"tie": ()}),
                Mutant("two births", lambda: {"complete swap": ("0.0627889522", "0.07")}),
            ),
            depends_on=(
                "stability.condition",
                "swapped.minimum",
                "swapped.theta",
                "swapped.risk",
                "risk.oracle",
            ),
            derivation="Each is the only zero of a function of $\\lambda$ that theory derives: the margin $D h - N^2$, "
            "$A B - C^2$, $b - 1$, the difference of the risks. Cells of $\\lambda$ hold no zero by the interval or the "
            "mean-value form, or the function is monotone on them; bisection does the rest.",
        ),
        Claim(
            id="landscape.ends",
            statement=f"For {SETTING} projected gradient descent from uniform starts on the spheres, with the paper's step "
            "sizes, ends each time within 0.02 of a certified minimum, or has come nearer to one by more than 0.001 over "
            "the last tenth of the steps: 200 runs at $\\lambda = 0.1$, and at $\\lambda = 0.9$ 5 runs of $10^5$ steps.",
            subject=lambda: MINIMA,
            source="this toolkit",
            judges=(Steps(end_steps, kind=Kind.NUMERICAL),),
            mutants=(
                Mutant("no role-swapped point", lambda: {"0.1": ("oracle",)}),
                Mutant("the oracle alone at 0.1", lambda: {"0.1": ("oracle",), "0.9": MINIMA["0.9"]}),
                Mutant("no tilted oracle", lambda: {"0.9": ("role-swapped",)}),
            ),
            depends_on=("landscape.points", "dynamics.descent"),
            derivation="A thorough run takes 200 runs at $\\lambda = 0.9$ too, of $10^6$ steps.",
        ),
    ]
