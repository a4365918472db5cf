"""Estimates by hand: what a Monte Carlo run returns for a seed, with NumPy's streams and SciPy's laws alone"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from scipy import stats
from scipy.stats import qmc

from numerics.montecarlo import Observations, Progress, Quantity, estimate
from numerics.montecarlo.moments import Moments
from numerics.montecarlo.points import points_by_name
from numerics.montecarlo.source import Source
from numerics.montecarlo.stopping import Target
from proofs_check.claim import Claim, Mutant
from proofs_check.judges.numerical import Agreement

SOURCE = "this toolkit"
FIT, PILOT, MAIN = range(3)
"""Stages, whose numbers are independent."""

WIDTH = 2


def values_of(z: np.ndarray, steepness: float) -> np.ndarray:
    """Two functions, (rows, WIDTH), of the scaled sums s of rows of normals."""
    s = z.sum(axis=1) / math.sqrt(z.shape[1])
    return np.stack([1 + s + s**2, np.exp(steepness * s)], axis=1)


def control_of(z: np.ndarray) -> np.ndarray:
    """A function of the sums of rows of normals that has mean 0 and is neither odd nor even."""
    total = z.sum(axis=1)
    return total + np.cos(total) - math.exp(-z.shape[1] / 2)


@dataclass(frozen=True)
class Plain(Quantity):
    """The means of `values_of`, with a control variate if that is wanted."""

    numbers: int = 3
    steepness: float = 0.2
    controls: int = 0

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return (WIDTH,)

    @property
    def dimension(self) -> int:
        return self.numbers

    def observe(self, source: Source) -> Observations:
        z = source.normal(self.numbers)
        return Observations(values_of(z, self.steepness), control_of(z)[:, None] if self.controls else None)


@dataclass(frozen=True)
class Run:
    """A quantity and the options of `estimate`."""

    quantity: Plain
    options: dict[str, Any] = field(default_factory=dict)
    size: int = 1

    @property
    def numbers(self) -> int:
        """Random numbers, or numbers returned, of one observation."""
        return self.size * max(self.quantity.numbers, WIDTH)

    @property
    def fewest(self) -> int:
        """Observations of the main stage at least, if there is a target."""
        return 32 if self.options.get("points") == "sobol" else 1024


RUNS = (
    Run(Plain(controls=1), {"samples": 2**15 + 1, "control_variates": False, "seconds": 1e6}),
    Run(Plain(numbers=100, controls=1), {"samples": 12_000, "seed": 0, "level": 0.5, "seconds": 1e6}),
    Run(Plain(), {"absolute_error": 0.02, "seed": 7}),
    Run(Plain(), {"relative_error": 0.03, "absolute_error": 0.001, "samples": 10**6, "chunk": 1}),
    Run(Plain(controls=1), {"relative_error": 1e-3, "samples": 9000}),
    Run(Plain(numbers=2000, controls=1), {"relative_error": 0.5}),
    Run(Plain(numbers=2**20 + 1), {"samples": 3}),
    Run(Plain(steepness=2.0), {"relative_error": 0.1, "seed": 2}),
    Run(Plain(numbers=2, controls=1), {"relative_error": 0.01, "points": "antithetic"}, size=2),
    Run(Plain(numbers=1, controls=1), {"samples": 5000, "points": "sobol"}, size=128),
    Run(Plain(numbers=5), {"relative_error": 1e-3, "samples": 2**13, "points": "sobol"}, size=2**8),
)
"""So many samples, over more than one block; targets, met at once, missed for want of samples, and topped up."""


def found(run: Run) -> list[float]:
    """Value, error, interval, variance and numbers of samples; what ended the run; what was told."""
    told: dict[str, Progress] = {}
    result = estimate(run.quantity, progress=lambda now: told.update({now.stage: now}), **run.options)
    counts = [result.samples, result.observations, result.pilot_samples, result.topped_up]
    last = told["MAIN"]
    return [
        *_numbers(result.value, result.standard_error, *result.interval, result.asymmetry, last.value),
        *(*_numbers(result.variance), result.doubtful),
        *counts,
        *(result.stopped == reason for reason in ("target", "samples")),
        *(last.samples, last.planned or math.nan, last.standard_error[0], told.get("PILOT", last).samples),
        0 < result.seconds < 1e5,
        0 < last.seconds < 1e5,
    ]


def _numbers(*arrays: Any) -> list[float]:
    return [float(x) for x in np.concatenate(arrays)]


@cache
def by_hand(index: int) -> list[float]:
    """The same from the streams' numbers; a claim and its mutants share it."""
    run = RUNS[index]
    slopes, fitted = _slopes(run)
    level, samples = run.options.get("level", 0.95), run.options.get("samples", 2**62)
    most, pilot, count = samples // run.size, 0, samples // run.size
    topped_up = met = False
    if target := _target(run.options):
        pilot = _pilot_size(run)
        count = min(_needed(_observed(run, PILOT, pilot, slopes), target, level, run.fewest), most)
        while not (met := _met(_observed(run, MAIN, count, slopes), target, level)) and count < most:
            count = min(_needed(_observed(run, MAIN, count, slopes), target, level, run.fewest), most)
            topped_up = True
    x = _observed(run, MAIN, count, slopes)
    mean, error = x.mean(axis=0), stats.sem(x)
    samples = count * run.size
    return [
        *_numbers(mean, error, *stats.t.interval(level, count - 1, mean, error)),
        *_numbers(stats.skew(x) / math.sqrt(count), mean),
        *(*_numbers(x.var(axis=0, ddof=1) * run.size), max(abs(stats.skew(x))) / math.sqrt(count) > 0.2),
        *(samples, count, (pilot + fitted) * run.size, topped_up, met, not met),
        *(samples, samples, error[0], (pilot or count) * run.size, True, True),
    ]


def _target(options: dict[str, Any]) -> Callable[[np.ndarray], np.ndarray] | None:
    """The half-widths allowed for the values, if there is a target."""
    relative, absolute = options.get("relative_error", 0.0), options.get("absolute_error", 0.0)
    return (lambda mean: np.maximum(absolute, relative * np.abs(mean))) if relative or absolute else None


def _pilot_size(run: Run) -> int:
    if run.options.get("points") == "sobol":
        return run.fewest
    return min(max(2**23 // (run.size * run.quantity.numbers), 64), 2**13)


def _needed(x: np.ndarray, target: Callable[[np.ndarray], np.ndarray], level: float, fewest: int) -> int:
    return stein(x.var(axis=0, ddof=1) / target(x.mean(axis=0)) ** 2, len(x), level, fewest)


def stein(ratios: np.ndarray, count: int, level: float, fewest: int) -> int:
    """Observations that an interval needs, given `count` observations' variances over the squared half-widths.

    The variance is taken at its upper 99% limit, for normal observations, and 10% above it.
    """
    limit = 1.1 * (count - 1) / stats.chi2.ppf(0.01, count - 1)
    scaled = limit * ratios.max()
    first = max(fewest, math.ceil(stats.norm.ppf((1 + level) / 2) ** 2 * scaled))
    return max(fewest, math.ceil(stats.t.ppf((1 + level) / 2, first - 1) ** 2 * scaled))


def _met(x: np.ndarray, target: Callable[[np.ndarray], np.ndarray], level: float) -> bool:
    half_widths = stats.t.ppf((1 + level) / 2, len(x) - 1) * stats.sem(x)
    return bool((half_widths <= target(x.mean(axis=0))).all())


def _slopes(run: Run) -> tuple[float | np.ndarray, int]:
    """Least-squares slopes of the values in the control variate, from the stage for the fit, and how many observations it takes."""
    points = run.options.get("points", "random")
    if not run.quantity.controls or points == "sobol" or not run.options.get("control_variates", True):
        return 0.0, 0
    count = min(4096, 2**22 // run.numbers)
    z = _generator(run, FIT, 0).standard_normal((count, run.quantity.numbers))
    values, control = _laid(run, z)
    return np.array([stats.linregress(control, v).slope for v in values.T]), count


def _observed(run: Run, stage: int, count: int, slopes: float | np.ndarray) -> np.ndarray:
    """The first observations of a stage, (count, WIDTH), from one block's stream after the other's."""
    block = min(max(2**20 // run.numbers, 1), 2**14)
    starts = range(0, count, block)
    return np.concatenate(
        [_block(run, _generator(run, stage, s // block), min(block, count - s), slopes) for s in starts]
    )


def _generator(run: Run, stage: int, block: int) -> np.random.Generator:
    streams = np.random.SeedSequence(run.options.get("seed", 0), spawn_key=(stage, block))
    return np.random.Generator(np.random.PCG64DXSM(streams))


def _block(run: Run, rng: np.random.Generator, count: int, slopes: float | np.ndarray) -> np.ndarray:
    numbers, steepness = run.quantity.numbers, run.quantity.steepness
    points = run.options.get("points", "random")
    if points == "sobol":
        cells = (qmc.Sobol(numbers, bits=52, rng=rng).random(run.size) + 2.0**-53 for _ in range(count))
        return np.stack([values_of(stats.norm.ppf(u), steepness).mean(axis=0) for u in cells])
    values, control = _laid(run, rng.standard_normal((count, numbers)))
    return values - np.outer(control, slopes)


def _laid(run: Run, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Values and control variate at normals, or their means over these and the opposite ones."""
    signs = (1, -1) if run.options.get("points") == "antithetic" else (1,)
    values = [values_of(sign * z, run.quantity.steepness) for sign in signs]
    return np.mean(values, axis=0), np.mean([control_of(sign * z) for sign in signs], axis=0)


@dataclass(frozen=True)
class Pilot:
    """A target, the moments of `count` observations, and the fewest observations that are wanted."""

    target: Target
    count: int
    mean: tuple[float, ...]
    variance: tuple[float, ...]
    fewest: int = 32

    @property
    def moments(self) -> Moments:
        """As the run knows them."""
        scatter = (self.count - 1) * np.array(self.variance)
        return Moments(self.count, np.array(self.mean), scatter, 0 * scatter)

    @property
    def ratios(self) -> np.ndarray:
        """Variances over the squares of the allowed half-widths; 0 where there is no variance."""
        absolute, relative = self.target.absolute or 0.0, self.target.relative or 0.0
        allowed = np.maximum(absolute, relative * np.abs(self.mean))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(np.array(self.variance) == 0, 0.0, np.array(self.variance) / allowed**2)


ENDLESS = 1e14
"""More observations than are planned for."""

PILOTS = (
    Pilot(Target(absolute=1.0), 2, (4.0,), (5.0,), fewest=2),
    Pilot(Target(absolute=1.0), 2, (0.0,), (0.005,), fewest=2),
    Pilot(Target(relative=0.1), 3, (2.0, -3.0), (1.0, 4.0)),
    Pilot(Target(relative=0.1), 50, (2.0, -3.0), (0.1, 0.2)),
    Pilot(Target(relative=1e-3, absolute=0.3, level=0.99), 64, (2.0, 40.0), (1.0, 70.0)),
    Pilot(Target(absolute=1.0), 10**6, (0.0,), (0.2 * ENDLESS,)),
    Pilot(Target(absolute=1.0), 10**6, (0.0,), (0.4 * ENDLESS,)),
    Pilot(Target(relative=0.1), 50, (0.0,), (1.0,)),
    Pilot(Target(relative=0.1), 50, (0.0,), (0.0,), fewest=2),
)
"""Few and many observations; a target that takes too many, or any number; and one that none misses."""


def planned(pilot: Pilot) -> list[float]:
    """Observations that are planned, -1 if that is out of reach, and whether the target is met as it is."""
    wanted = pilot.target.observations(pilot.moments, pilot.fewest)
    return [-1 if wanted is None else wanted, pilot.target.reached(pilot.moments)]


def needed(pilot: Pilot) -> list[float]:
    """The same by the quantiles of SciPy's laws."""
    level, ratio = pilot.target.level, pilot.ratios.max()
    met = stats.t.ppf((1 + level) / 2, pilot.count - 1) ** 2 * ratio / pilot.count <= 1
    limit = 1.1 * (pilot.count - 1) / stats.chi2.ppf(0.01, pilot.count - 1)
    if stats.norm.ppf((1 + level) / 2) ** 2 * limit * ratio > ENDLESS:
        return [-1, met]
    return [stein(pilot.ratios, pilot.count, level, pilot.fewest), met]


SETS = (
    *((1, samples) for samples in (None, 64, 63, 5000, 2**19, 2**30)),
    *((numbers, None) for numbers in (300, 10_000, qmc.Sobol.MAXDIM, qmc.Sobol.MAXDIM + 1)),
)
"""Numbers that a sample takes, and samples."""


def laid(setting: tuple[int, int | None]) -> int:
    """Points of a Sobol set; 0 if there is none."""
    numbers, samples = setting
    try:
        return points_by_name("sobol", Plain(numbers), samples).size
    except ValueError:
        return 0


def largest_set(setting: tuple[int, int | None]) -> int:
    """The largest power of 2 of which 32 fit into the samples, up to 2^14, and to 2^22 numbers."""
    numbers, samples = setting
    largest = min(2**14, 2**22 // max(numbers, WIDTH), 2**30 if samples is None else samples // 32)
    return 2 ** int(math.log2(largest)) if largest > 1 and numbers <= qmc.Sobol.MAXDIM else 0


def told(**options: Any) -> Callable[[], Callable[[int], list[float]]]:
    """What is found where other options are told."""

    def changed(index: int) -> list[float]:
        run = RUNS[index]
        return found(replace(run, options={**run.options, **options}))

    return lambda: changed


def claims() -> list[Claim]:
    """Estimates, redone."""
    return [
        Claim(
            id="by-hand.stopping",
            statement="A target takes so many observations as Student's interval needs if their variance is at its upper 99% limit given the "
            "pilot, and 10% above that; or more than are planned for. It is met when the interval's half-width is within it.",
            subject=lambda: planned,
            source=SOURCE,
            judges=(Agreement(needed, PILOTS, 1e-9, description="quantiles of SciPy's laws"),),
            mutants=(
                Mutant(
                    "one observation more in the pilot",
                    lambda: lambda p: planned(replace(p, count=p.count + 1)),
                ),
                Mutant(
                    "a level of 0.9",
                    lambda: lambda p: planned(replace(p, target=replace(p.target, level=0.9))),
                ),
            ),
        ),
        Claim(
            id="by-hand.sets",
            statement="A Sobol set has the largest power of 2 of points of which 32 sets fit into the samples, at most $2^{14}$ and at most "
            "$2^{22}$ numbers; there are none for fewer samples or more dimensions than SciPy has.",
            subject=lambda: laid,
            source=SOURCE,
            judges=(Agreement(largest_set, SETS, 0.0, description="powers of 2"),),
            mutants=(Mutant("one number more", lambda: lambda s: laid((s[0] + 1, s[1]))),),
        ),
        Claim(
            id="by-hand.estimate",
            statement="What an estimate returns for a seed follows from NumPy's streams (seed, stage, block) and SciPy's laws: value, error, "
            "interval and skewness, with so many samples or by Stein's two-stage rule; on independent points, antithetic pairs and Sobol "
            "sets; with control variates whose coefficients have a stage of their own.",
            subject=told(),
            source=SOURCE,
            depends_on=("by-hand.stopping",),
            judges=(Agreement(by_hand, range(len(RUNS)), 1e-10, description="redone from the streams"),),
            mutants=(
                Mutant("another seed", told(seed=1)),
                Mutant("an interval at another level", told(level=0.9)),
            ),
        ),
    ]
