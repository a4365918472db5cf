"""How it is proved that no critical point is missing: each part of the proof where the answer is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from flint import arb

from numerics.arb import ARB, precision
from numerics.landscape import completeness, cover, find, profile, search
from numerics.landscape.charts import Oblique, Plane
from numerics.landscape.completeness import Budget, Region, covered_by_turning
from numerics.landscape.cover import Box, Chart, Cover, Examined
from numerics.landscape.intervals import Interval
from numerics.landscape.jets import Jet
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import CriticalPoint
from numerics.landscape.profile import IntervalProfile, PointProfile, Profile
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.judges.exact import Step, Steps

SETTING: dict[str, Any] = {"lam": "0.1", "d": 40, "L": 2, "gamma_squared": "1/2"}
IN_WORDS = "$\\lambda = 0.1$, $d = 40$, $L = 2$, $\\gamma^2 = 1/2$"
STARTS = 64
"""Of the search for critical points: few are needed where there are few."""


@cache
def parameters() -> Parameters:
    """A setting in which the proof is short."""
    return Parameters.of(**SETTING)


@cache
def points() -> tuple[CriticalPoint, ...]:
    """The critical points, certified."""
    return find.critical_points(parameters(), starts=STARTS)


@cache
def region() -> Region:
    """What the proof starts from."""
    return Region.of(parameters(), points())


@cache
def turned() -> Oblique:
    """The chart that follows the valleys, with v against it."""
    return Oblique(search.charts(parameters())[0].profile, -1)


@cache
def charts() -> tuple[Chart, ...]:
    """Both charts of the plane, and one of each kind out of it."""
    along, against, *_ = search.charts(parameters())
    return (along, against, Oblique(along.profile, 1, turned=False), turned())


@cache
def tables(span: tuple[float, float] | None) -> IntervalProfile:
    """Enclosures of the functions of kappa."""
    return IntervalProfile(parameters(), span)


@cache
def known(chart: Chart) -> list[Box]:
    """Boxes around the critical points in a chart."""
    return region().known(chart)


def _name(chart: Chart) -> str:
    kind = type(chart).__name__.lower()
    turned = ", turned" if isinstance(chart, Oblique) and chart.turned else ""
    return f"{kind}{turned}, v {'along' if chart.sign == 1 else 'against'} the chart"


# --- the functions of kappa ------------------------------------------------------------------------------

PLACES = 24
WIDER = 0.1
"""Part by which an enclosure on a short interval may be wider than the values at its ends and middle,"""
SPANS: dict[tuple[float, float] | None, float] = {None: 2e-4, (0.3, 0.31): 1e-8}
"""beside this, relative, on the usual scale of tables and on that of a span."""

Tables = Callable[[tuple[float, float] | None], Profile]


def profile_steps(tabled: Tables, context: Context) -> Iterator[Step]:
    """Enclosures on random intervals of kappa, with all of [0, 1] tabled and with a short span."""
    exact_nodes = all(cells.bit_count() == 1 for cells in (profile.CELLS, profile.FINE_CELLS))
    yield Step("numbers of cells are powers of two: nodes are doubles", exact_nodes)
    rng = np.random.default_rng(context.seed)
    for span, rounding in SPANS.items():
        low, high = span or (0.0, 1.0)
        centre = rng.uniform(low, high, PLACES)
        width = 10.0 ** rng.uniform(-9, -0.5, PLACES) * (high - low)
        box = Interval(np.maximum(centre - width, low), np.minimum(centre + width, high))
        found = tabled(span)(Jet(box, {0: 1.0}))
        exact, short = _exact_profile(np.linspace(box.lo, box.hi, 3)), width < 1e-2 * (high - low)
        for name, jet in found.items():
            for text, interval, part in ((name, jet.value, 0), (f"{name}'", jet.slopes[0], 1)):
                values = [[row[name][part] for row in rows] for rows in exact]
                yield Step(f"{text}(kappa) on [{low}, {high}] is enclosed", _encloses(interval, values))
                tight = _is_tight(interval, np.array(values).astype(float), rounding)
                yield Step(f"{text}(kappa): tightly on short intervals", bool(tight[short].all()))


def _exact_profile(places: np.ndarray) -> list[list[dict[str, tuple[arb, arb]]]]:
    """The functions and their slopes in balls at places (ends and middle, interval)."""
    with precision(100):
        exact = PointProfile(ARB, parameters().balls())
        jets = [[exact(Jet(arb(float(x)), {0: arb(1)})) for x in row] for row in places]
        return [
            [{name: (j.value, j.slopes[0]) for name, j in named.items()} for named in row] for row in jets
        ]


def _encloses(interval: Interval, values: Sequence[Sequence[arb]]) -> bool:
    """Whether no value is certainly outside."""
    ends = [(arb(float(low)), arb(float(high))) for low, high in zip(interval.lo, interval.hi, strict=True)]
    return not any(v < low or v > high for row in values for v, (low, high) in zip(row, ends, strict=True))


def _is_tight(interval: Interval, values: np.ndarray, rounding: float) -> np.ndarray:
    top, bottom = values.max(axis=0), values.min(axis=0)
    room = WIDER * (top - bottom) + rounding * (1 + np.abs(top))
    return np.asarray((interval.hi <= top + room) & (interval.lo >= bottom - room))


class MiddleOnly:
    """A false variant: the values in the middle of each interval."""

    def __init__(self, span: tuple[float, float] | None) -> None:
        self._profile = tables(span)
        self.constants = self._profile.constants

    def __call__(self, kappa: Jet) -> dict[str, Jet]:
        return self._profile(Jet(Interval(kappa.value.middle), kappa.slopes))


# --- cells -----------------------------------------------------------------------------------------------

CELLS = 100
"""Random cells around each critical point."""
NEAR = 1e-9
"""Critical points are known to this in the charts' coordinates."""
DROPPED = {0.1: 0.6, 0.03: 0.97}
"""Part of the cells of a side, at random places, that must be seen to hold no critical point: at least this."""
ON_MANIFOLD = 0.8
"""Part of small cells on M: the equations vanish there, out of the plane, although nothing is critical."""
PLACED = 300
"""Cells at random places."""

Examine = Callable[[Chart, np.ndarray, np.ndarray], Examined]


def cell_steps(examining: Examine, context: Context) -> Iterator[Step]:
    """No cell with a critical point is dropped, nor narrowed to where it is not; nearly all small others are."""
    rng = np.random.default_rng(context.seed)
    for chart in charts():
        enclosed, zeros = chart.with_profile(region().profile), critical(chart)
        yield Step(f"{_name(chart)}: there are critical points", len(zeros) > 0)
        kept = [_keeps(examining(enclosed, *_around(chart, zero, rng)), zero) for zero in zeros]
        wrong = ", ".join(str(zero) for zero, ok in zip(zeros, kept, strict=True) if not ok)
        yield Step(f"{_name(chart)}: cells with critical points are kept", all(kept), wrong)
        for side, least in DROPPED.items():
            low = rng.uniform(chart.low, np.array(chart.high) - side, (PLACED, len(chart.low))).T
            part = float(examining(enclosed, low, low + side).empty.mean())
            yield Step(f"{_name(chart)}: cells of side {side} are dropped", part >= least, f"{part:.1%}")
        if isinstance(chart, Oblique):
            low = np.stack(
                [np.full(PLACED, 1 - side), *rng.uniform([0, -side], [1 - side, 0], (PLACED, 2)).T]
            )
            part = float(examining(enclosed, low, np.minimum(low + side, 1.0)).empty.mean())
            yield Step(f"{_name(chart)}: cells on M are dropped", part >= ON_MANIFOLD, f"{part:.1%}")


def critical(chart: Chart) -> list[np.ndarray]:
    """The coordinates of the critical points in a chart."""
    found = search.candidates(chart, starts=STARTS)
    return [at for at in found if not search.is_singular(chart, at)]


def _around(chart: Chart, zero: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Cells of all sizes and shapes with a point in them, within the chart."""
    widths = 10.0 ** rng.uniform(-4, -0.3, (zero.size, CELLS))
    low = zero[:, None] - widths * rng.uniform(0.01, 0.99, widths.shape)
    floor, top = np.array(chart.low)[:, None], np.array(chart.high)[:, None]
    return np.maximum(low, floor), np.minimum(low + widths, top)


def _keeps(found: Examined, zero: np.ndarray) -> bool:
    at = zero[:, None]
    return bool(not found.empty.any() and np.all((found.low <= at + NEAR) & (found.high >= at - NEAR)))


class Undecided(Plane):
    """A chart whose equations tell nothing."""

    def equations(self, at: Sequence[Jet]) -> list[Jet]:
        """All between -1 and 1, as their derivatives."""
        unknown = Interval(-np.ones(at[0].value.lo.shape), np.ones(at[0].value.lo.shape))
        return [Jet(unknown, {0: unknown, 1: unknown})] * 2


BUDGET, SECONDS = 20_000, 60.0


def kept_steps(covering: Callable[..., Cover], _: Context) -> Iterator[Step]:
    """Where nothing can be decided every cell is halved, and none is lost."""
    undecided = Undecided(charts()[0].profile, 1)
    found = covering(undecided, (), cells=BUDGET, seconds=SECONDS)
    left, examined = 2 * cover.FIRST_CUTS**2, 0
    while examined < BUDGET:
        now = min(left, cover.CHUNK)
        left, examined = left + now, examined + now
    counted = f"{found.cells} examined, {found.left} left"
    yield Step("not complete", not found.complete)
    yield Step(f"{examined} examined, {left} left", (found.cells, found.left) == (examined, left), counted)
    low, high = np.array(found.resisting).T
    inside = np.all((low >= Plane.low) & (high <= Plane.high) & (low < high))
    halved = np.log2(high - low) % 1 == 0
    yield Step("the cell that resists is one of the domain, halved", bool(inside and halved.all()))
    whole = np.array(Plane.low), np.array(Plane.high)
    found = covering(undecided, [whole], cells=BUDGET, seconds=SECONDS)
    yield Step("a known box is covered at once", found == Cover(True, 2 * cover.FIRST_CUTS**2))
    half = np.array(Plane.low), np.array([(Plane.low[0] + Plane.high[0]) / 2, Plane.high[1]])
    count = cover.FIRST_CUTS**2
    found = covering(undecided, [half], cells=2 * count + 1, seconds=SECONDS)
    yield Step("of a known box nothing is left", (found.cells, found.left) == (4 * count, 4 * count))


def one_lost(*arguments: Any, **options: Any) -> Cover:
    """A false variant that loses a cell."""
    found = cover.cover(*arguments, **options)
    return replace(found, left=found.left - 1)


def half_of_each(chart: Chart, low: np.ndarray, high: np.ndarray) -> Examined:
    """A false variant that looks at half of each cell."""
    return cover.examine(chart, low, low / 2 + high / 2)


def nothing_dropped(chart: Chart, low: np.ndarray, high: np.ndarray) -> Examined:
    """A false variant that decides nothing."""
    return cover.examine(chart, low, high)._replace(empty=np.zeros(low.shape[1], dtype=bool))


# --- boxes around critical points ------------------------------------------------------------------------

INSIDE = 200
"""Random places in a box."""
LARGER = 8.0
"""A box is nearly the largest if one that is larger by this is none."""

Known = Callable[[Chart], list[Box]]


def box_steps(boxes: Known, context: Context) -> Iterator[Step]:
    """Newton's map with one fixed Jacobian contracts on the box, at random places, and not on a larger one."""
    rng = np.random.default_rng(context.seed)
    for chart in charts():
        for at in critical(chart):
            name = f"{_name(chart)}, {np.round(at, 4).tolist()}"
            holding = [box for box in boxes(chart) if np.all((box[0] < at) & (at < box[1]))]
            yield Step(f"{name}: one box is around it", len(holding) == 1)
            for box in holding:
                yield Step(f"{name}: Newton's map contracts on it", _contracts(chart, at, box, rng))
                yield Step(
                    f"{name}: and not on a larger one", not _contracts(chart, at, _larger(box, at), rng)
                )


def _larger(box: Box, at: np.ndarray) -> Box:
    low, high = (at + LARGER * (end - at) for end in box)
    return low, high


def larger_boxes(chart: Chart) -> list[Box]:
    """A false variant: boxes that are too large."""
    return [_larger(box, (box[0] + box[1]) / 2) for box in known(chart)]


def _contracts(chart: Chart, at: np.ndarray, box: Box, rng: np.random.Generator) -> bool:
    """Whether it does for one of the square parts of the equations."""
    places, radii = rng.uniform(box[0], box[1], (INSIDE, at.size)), (box[1] - box[0]) / 2
    places[: 2**at.size] = np.array(np.meshgrid(*zip(*box, strict=True))).reshape(at.size, -1).T
    for square in chart.square:
        _, there = search.evaluate(chart, at[None], square)
        _, jacobians = search.evaluate(chart, places, square)
        defects = np.abs(np.eye(at.size) - np.linalg.pinv(there[0]) @ jacobians)
        if np.all(defects @ radii < radii):
            return True
    return False


# --- the other chart -------------------------------------------------------------------------------------

MOST_CELLS = 7_000
"""Of each cover: 5,000 are needed if all points are known."""
NARROW = 0.012
"""Two of the boxes around known points are narrower: their surroundings are covered on a finer scale."""


def turned_steps(certified: Callable[[], Sequence[CriticalPoint]], _: Context) -> Iterator[Step]:
    """The cover that is for valleys, where the usual one does as well."""
    known = replace(region(), certified=tuple(certified()))
    found = covered_by_turning(known, turned(), Budget.of(MOST_CELLS, SECONDS), NARROW)
    detail = f"{found.cells} cells" if found.complete else f"the cell {found.resisting} resists"
    yield Step(f"covered, within {MOST_CELLS} cells for each part", found.complete and not found.left, detail)


def all_but_oblique() -> list[CriticalPoint]:
    """Without the points out of the plane."""
    return [point for point in points() if point.rank == 0]


# --- a finer scale -----------------------------------------------------------------------------------------

MIDDLE, HALF_WIDTH = (0.9, 0.05, -0.5), completeness.SURROUNDINGS

Surroundings = Callable[[Oblique, Box, Parameters], tuple[Box, Oblique]]


def surroundings_steps(surroundings: Surroundings, _: Context) -> Iterator[Step]:
    """The least and the largest kappa of the box are on the scale, values a tenth of their distance off are not."""
    middle = np.array(MIDDLE)
    box, chart = surroundings(turned(), (middle - NARROW / 8, middle + NARROW / 16), parameters())
    middle -= NARROW / 32
    error = np.abs(np.array(box) - [middle - HALF_WIDTH, middle + HALF_WIDTH]).max()
    yield Step("a larger box with the same middle", bool(error < 1e-12), f"to within {error:.0e}")
    yield Step("which is the chart's domain", np.array_equal(box, (chart.low, chart.high)))
    s, w, _ = np.meshgrid(*zip(*box, strict=True))
    kappa = np.sin(2 * np.arctan(s)) * np.cos(2 * np.arctan(w))
    low, high = kappa.min(), kappa.max()
    places = np.array([low, high, 1.1 * low - 0.1 * high, 1.1 * high - 0.1 * low])
    gate = chart.profile(Jet(Interval(places, places), {0: 1.0}))["gate"].value
    known = np.isfinite(gate.hi - gate.lo).tolist()
    yield Step("its functions of kappa are known for it, and not further", known == [True] * 2 + [False] * 2)


def beside(chart: Oblique, box: Box, at: Parameters) -> tuple[Box, Oblique]:
    """A false variant, of another box."""
    return completeness.surroundings(chart, (box[0] + HALF_WIDTH, box[1] + HALF_WIDTH), at)


def claims() -> list[Claim]:
    return [
        Claim(
            id="cells.profile",
            statement="The tables of the functions of $\\kappa$ in the equations of critical points, and of their derivatives, "
            f"enclose them on {PLACES} random intervals, of all of $[0, 1]$ and of a short span, for {IN_WORDS}; on short "
            f"intervals they are wider than the values by {WIDER:.0%} and rounding at most.",
            subject=lambda: tables,
            source="this toolkit",
            judges=(Steps(profile_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("the values in the middle only", lambda: MiddleOnly),),
            depends_on=("interval.operations",),
            derivation="Against Arb at the ends and in the middle of each interval.",
        ),
        Claim(
            id="cells.examined",
            statement=f"For {IN_WORDS}, in each chart, none of {CELLS} random cells around each critical point is dropped or "
            "narrowed to where the point is not; most cells at random places are dropped, and most small ones on $M$.",
            subject=lambda: cover.examine,
            source="this toolkit",
            judges=(Steps(cell_steps, kind=Kind.NUMERICAL),),
            mutants=(
                Mutant("half of each cell", lambda: half_of_each),
                Mutant("nothing dropped", lambda: nothing_dropped),
            ),
            depends_on=("interval.derivatives", "cells.profile"),
            derivation="A proof that drops what it should not would prove anything. Critical points come from Newton's method.",
        ),
        Claim(
            id="cells.kept",
            statement="If the equations tell nothing, branch and bound halves every cell of the domain and loses none.",
            subject=lambda: cover.cover,
            source="this toolkit",
            judges=(Steps(kept_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("one cell is lost", lambda: one_lost),),
        ),
        Claim(
            id="cells.boxes",
            statement=f"For {IN_WORDS}, in each chart, Newton's map with the Jacobian at a critical point contracts on the box around "
            f"it that is said to hold no other, at {INSIDE} random places and corners, and not on one {LARGER:g} times larger.",
            subject=lambda: known,
            source="this toolkit",
            judges=(Steps(box_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("larger boxes", lambda: larger_boxes),),
            depends_on=("interval.derivatives", "cells.profile"),
        ),
        Claim(
            id="cells.turned",
            statement=f"For {IN_WORDS} the chart that follows the valleys of the risk, patched at its singularity and on a finer scale "
            f"around narrow boxes, proves within {MOST_CELLS:,} cells for each part that there are no critical points out of the "
            "plane, with $v$ against the chart, but those that are found.",
            subject=lambda: points,
            source="this toolkit",
            judges=(Steps(turned_steps, kind=Kind.CERTIFIED),),
            mutants=(Mutant("no point out of the plane", lambda: all_but_oblique),),
            depends_on=("landscape.strata", "cells.examined", "cells.boxes", "cells.surroundings"),
        ),
        Claim(
            id="cells.surroundings",
            statement=f"Around a narrow box a larger one, by {HALF_WIDTH} to each side of its middle, has a chart whose functions of "
            "$\\kappa$ are enclosed where they are needed.",
            subject=lambda: completeness.surroundings,
            source="this toolkit",
            judges=(Steps(surroundings_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("of another box", lambda: beside),),
            depends_on=("cells.profile",),
            derivation="$\\kappa = \\sin(2 \\arctan s) \\cos(2 \\arctan w)$.",
        ),
    ]
