"""Proves that there are no other critical points than those that are known.

Every critical point is, up to symmetries and rotations, orthogonal, in the plane of k* and v*, or in the
oblique chart (the claim landscape.strata). The charts' domains are covered by cells: each holds no zero of
the equations, or is in a known box. A known box holds at most one critical point. There is one for each
certified point of the chart, and every certified point is in one, as its cell is not dropped otherwise: so
there is exactly one in each, the certified one.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from numerics.arrays import ARRAYS
from numerics.landscape import search
from numerics.landscape.charts import Oblique, Plane
from numerics.landscape.cover import Box, Chart, Cover, cover
from numerics.landscape.jets import Jet
from numerics.landscape.neighbourhood import neighbourhood
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import CriticalPoint
from numerics.landscape.profile import IntervalProfile, PointProfile

STRATA = ("plane", "oblique")

MATCH = 1e-6
"""A candidate whose overlaps are this close to a certified point's is that point."""

STARTS = 256
"""Of the search for the coordinates of the certified points."""

FIRST_SHARE, FIRST_SECONDS = 0.5, 60.0
"""Part of the budget, and most of it, for the chart that is not turned: the better one without a valley."""

NARROW = 1e-5
"""Known boxes with a shorter side do not reach as far as the usual table of functions of kappa resolves."""

SURROUNDINGS = 0.01
"""Half the size of the box around them on which a finer one is used."""

PATCH = 0.1
"""Half the size of the patch around the singularity of the turned chart, which the other chart covers."""


@dataclass(frozen=True)
class Completeness:
    """Whether no critical point is missing: the cover of each part of the region, by its name."""

    covers: dict[str, Cover]

    @classmethod
    def from_dict(cls, parts: Mapping[str, Any]) -> Completeness:
        """The outcome that `as_dict` describes."""
        covers = {}
        for name, part in parts.items():
            resisting = tuple((low, high) for low, high in part["resisting"])
            covers[name] = Cover(part["covered"], part["cells"], part["left"], resisting)
        return cls(covers)

    @property
    def complete(self) -> bool:
        """True if every part is covered."""
        return all(part.complete for part in self.covers.values())

    @property
    def cells(self) -> int:
        """Cells examined in all."""
        return sum(part.cells for part in self.covers.values())

    def of(self, stratum: str) -> dict[str, Cover]:
        """The covers of one stratum."""
        return {name: part for name, part in self.covers.items() if name.startswith(stratum)}

    @property
    def left(self) -> dict[str, Cover]:
        """The parts that are not covered."""
        return {name: part for name, part in self.covers.items() if not part.complete}

    def as_dict(self) -> dict[str, Any]:
        """The outcome as JSON-able values, with a cell that resisted where a part is not covered."""
        return {
            name: {
                "covered": part.complete,
                "cells": part.cells,
                "left": part.left,
                "resisting": [list(side) for side in part.resisting],
            }
            for name, part in self.covers.items()
        }


def completeness(
    parameters: Parameters,
    points: Sequence[CriticalPoint],
    *,
    strata: Collection[str] = STRATA,
    cells: int = 50_000_000,
    seconds: float = 600.0,
    seed: int = 0,
) -> Completeness:
    """Cover the whole region with cells, for one set of parameters.

    points: the certified ones among them are taken as known. strata: "plane", "oblique" or both, the default.
    cells: the budget of each of two parts of a stratum. seconds: that of all together, of which each part has
    its share of what is left; a part goes on for as long as one round of cells takes.
    """
    region = Region.of(parameters, points, seed)
    end = time.monotonic() + seconds
    charts = [chart for chart in search.charts(parameters) if _stratum(chart) in strata]
    covers = {}
    for number, chart in enumerate(charts):
        name = f"{_stratum(chart)}, v {'along' if chart.sign == 1 else 'against'} the chart"
        share = max(end - time.monotonic(), 0.0) / (len(charts) - number)
        covers[name] = _covered(region, chart, Budget.of(cells, share))
    return Completeness(covers)


def _stratum(chart: Chart) -> str:
    return type(chart).__name__.lower()


class Budget(NamedTuple):
    """Cells for each cover, and when all of them must be done."""

    cells: int
    end: float

    @classmethod
    def of(cls, cells: int, seconds: float) -> Budget:
        """A budget from now on."""
        return cls(cells, time.monotonic() + seconds)

    @property
    def seconds(self) -> float:
        """What is left of the time."""
        return self.end - time.monotonic()


@dataclass(frozen=True)
class Region:
    """One set of parameters, enclosures of its functions of kappa, and the critical points taken as known."""

    parameters: Parameters
    profile: IntervalProfile
    certified: tuple[CriticalPoint, ...]
    seed: int

    @classmethod
    def of(cls, parameters: Parameters, points: Sequence[CriticalPoint], seed: int = 0) -> Region:
        """The certified ones among the points are known."""
        certified = tuple(point for point in points if point.certified)
        return cls(parameters, IntervalProfile(parameters), certified, seed)

    def known(self, chart: Chart) -> list[Box]:
        """Boxes around the coordinates of the known points, each with no other critical point in it."""
        boxes = []
        for at in search.candidates(chart, self.seed, STARTS):
            if not search.is_singular(chart, at) and _is_certified(chart, at, self.certified):
                box = neighbourhood(chart, self.profile, at)
                boxes += [box] if box else []
        return boxes

    def covered(self, chart: Chart, known: Sequence[Box], budget: Budget) -> Cover:
        """The chart, but for the known boxes."""
        return cover(chart.with_profile(self.profile), known, cells=budget.cells, seconds=budget.seconds)


def _covered(region: Region, chart: Chart, budget: Budget) -> Cover:
    if isinstance(chart, Plane):
        return region.covered(chart, region.known(chart), budget)
    straight = _straight(chart)
    at_first = Budget.of(int(FIRST_SHARE * budget.cells), min(FIRST_SHARE * budget.seconds, FIRST_SECONDS))
    first = region.covered(straight, region.known(straight), at_first)
    if first.complete:
        return first
    second = covered_by_turning(region, chart, budget)
    return replace(second, cells=first.cells + second.cells)


def covered_by_turning(region: Region, chart: Oblique, budget: Budget, narrow: float = NARROW) -> Cover:
    """The turned chart, after a patch around its singularity and what is around narrow known boxes.

    It covers what the other one does, where that has a valley to follow in fewer cells.
    """
    patch = _patch(region.parameters)
    straight = _straight(chart)
    inside = Oblique(chart.profile, chart.sign, False, tuple(patch[0]), tuple(np.minimum(patch[1], 1.0)))
    done = [region.covered(inside, region.known(straight), budget)]
    known = [*region.known(chart), patch]
    for box in [box for box in known if (box[1] - box[0]).min() < narrow]:
        around, fine = surroundings(chart, box, region.parameters)
        done.append(cover(fine, known, cells=budget.cells, seconds=budget.seconds))
        known.append(around)
    done.append(region.covered(chart, known, budget))
    open_ = [part for part in done if not part.complete]
    return replace(open_[0] if open_ else done[-1], cells=sum(part.cells for part in done))


def _straight(chart: Oblique) -> Oblique:
    return Oblique(chart.profile, chart.sign, turned=False)


def surroundings(chart: Oblique, box: Box, parameters: Parameters) -> tuple[Box, Oblique]:
    """A larger box around a narrow one, and the chart on it with the functions of kappa on a finer scale."""
    middle = box[0] / 2 + box[1] / 2
    low = np.maximum(middle - SURROUNDINGS, chart.low)
    high = np.minimum(middle + SURROUNDINGS, chart.high)
    radii, cosines = 2 * np.array([low[0], high[0]]), np.array([high[1], low[1]])
    radii, cosines = radii / (1 + radii**2 / 4), (1 - cosines**2) / (1 + cosines**2)
    span = float(radii[0] * cosines[0]), float(radii[1] * cosines[1])
    fine = Oblique(IntervalProfile(parameters, span), chart.sign, chart.turned, tuple(low), tuple(high))
    return (low, high), fine


def _is_certified(chart: Chart, at: np.ndarray, points: Sequence[CriticalPoint]) -> bool:
    kappa, eta, p, theta, nu, q = (float(x) for x in chart.vectors(list(at)))
    overlaps = np.array([kappa, nu, theta, eta, kappa * theta + eta * nu + p * q])
    images = np.array([image for point in points for image in point.images]).reshape(-1, 5)
    return bool(np.abs(images - overlaps).max(axis=1).min(initial=np.inf) < MATCH)


def _patch(parameters: Parameters) -> Box:
    """A box around the point with eta = 0 where the turned chart is singular, for all x."""
    profile = PointProfile(ARRAYS, parameters.floats())
    w = np.linspace(0, 1, 4097)
    cosine = (1 - w**2) / (1 + w**2)
    named = {name: jet.value for name, jet in profile(Jet(cosine, {})).items()}
    along = 2 * profile.constants["gamma"] ** 2 * named["gate_ratio"] * cosine**2
    at = w[np.argmin(np.abs(along - named["swap"] * (1 - cosine**2)))]
    low = np.array([1 - 2 * PATCH, max(at - PATCH, 0.0), -1.0])
    return low, np.array([1.0, min(at + PATCH, 1.0), 1.0])
