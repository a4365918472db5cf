"""Estimates: moments merged, blocks averaged, control variates fitted, error targets met"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import mpmath
import numpy as np
from scipy import stats

from numerics import Overlaps, Task
from numerics.montecarlo import (
    AntitheticPoints,
    RandomPoints,
    Scores,
    SobolPoints,
    estimate,
    replay,
)
from numerics.montecarlo.fit import fitted_coefficients
from numerics.montecarlo.moments import Moments
from numerics.montecarlo.plan import Plan
from numerics.montecarlo.streams import Stage
from proofs_check.claim import Claim, Mutant
from proofs_check.judges.numerical import Agreement

SOURCE = "this toolkit"
Numbers = list[float]
POINT = (Overlaps(kappa=0.9, nu=0.8, theta=0.1, eta=-0.1, rho=0.05), 0.4, Task(d=12, L=3, gamma=0.6))

SIZES = ((5,), (1, 7), (4, 1, 9, 2))
"""Sizes of the parts into which data are split."""


def skewed(sizes: Sequence[int]) -> list[np.ndarray]:
    """Parts of skewed data, two numbers an observation."""
    rng = np.random.default_rng(len(sizes))
    return [rng.exponential(size=(size, 2)) for size in sizes]


def merged(sizes: Sequence[int], count: int = 0) -> Numbers:
    """Mean, variance, standard error and asymmetry from the parts' moments, which are saved and read again.

    And whether the variance is infinite as long as there is one observation. count: of no observations.
    """
    total = Moments(count, *np.zeros((3, 2)))
    for part in skewed(sizes):
        total = Moments.from_json(json.loads(json.dumps(total.merge(Moments.of(part)).to_json())))
    alone = np.isinf(Moments.of(np.ones((1, 2))).variance)
    found = (total.mean, total.variance, total.standard_error, total.asymmetry, alone)
    return [float(total.count), *np.concatenate(found).tolist()]


def together(sizes: Sequence[int]) -> list[Any]:
    """The same from all data at once, by the definitions at 30 digits."""
    data = np.concatenate(skewed(sizes))
    with mpmath.workdps(30):
        columns = [[mpmath.mpf(float(x)) for x in column] for column in data.T]
        count = len(data)
        means = [mpmath.fsum(c) / count for c in columns]
        powers = [
            [mpmath.fsum((x - m) ** p for x in c) / count for c, m in zip(columns, means, strict=True)]
            for p in (2, 3)
        ]
        variances = [count * square / (count - 1) for square in powers[0]]
        errors = [mpmath.sqrt(v / count) for v in variances]
        skewness = [t / s ** mpmath.mpf("1.5") / mpmath.sqrt(count) for s, t in zip(*powers, strict=True)]
    return [count, *means, *variances, *errors, *skewness, True, True]


WAYS = (RandomPoints(), AntitheticPoints(), SobolPoints(64))
OBSERVATIONS = (20_000, 20_000, 50)
CHUNKS = (None, 1, 10**6)


def averaged(index: int, seed: int = 3) -> Numbers:
    """Estimate, error, 90% interval, variance and samples, over a block and a part of the next, or over 50 sets."""
    points = WAYS[index]
    found = estimate(
        Scores(*POINT),
        samples=OBSERVATIONS[index] * points.size,
        seed=seed,
        points=points,
        level=0.9,
        chunk=CHUNKS[index],
        control_variates=False,
    )
    return [found.value, found.standard_error, *found.interval, found.variance / points.size, found.samples]


def replayed(index: int) -> Numbers:
    """The same from the blocks' values."""
    points, count = WAYS[index], OBSERVATIONS[index]
    plan = Plan(Scores(*POINT), points, seed=3)
    blocks = [
        replay(plan.quantity, seed=plan.seed, block=block, points=points)
        for block in range(count // plan.block_size)
    ]
    rest = plan.draw(Stage.MAIN, len(blocks), count % plan.block_size)
    values = np.concatenate([*blocks, *(slab.values[:, 0] for slab in rest)])
    mean, error = values.mean(), stats.sem(values)
    interval = stats.t.interval(0.9, count - 1, mean, error)
    return [mean, error, *interval, values.var(ddof=1), count * points.size]


def fitted(seed: int) -> Numbers:
    """Coefficients of the control variates, and of how many observations."""
    coefficients, count = fitted_coefficients(Plan(Scores(*POINT), RandomPoints(), seed))
    assert coefficients is not None
    return [*coefficients.ravel().tolist(), float(count)]


def regressed(seed: int, count: int = 4096) -> Numbers:
    """The same by regression on the centred variates."""
    slabs = list(Plan(Scores(*POINT), RandomPoints(), seed).draw(Stage.FIT, 0, count))
    values = np.concatenate([slab.values for slab in slabs])
    controls = np.concatenate([np.asarray(slab.controls) for slab in slabs])
    centred = controls - controls.mean(axis=0)
    return [*np.linalg.lstsq(centred, values - values.mean(axis=0))[0].ravel().tolist(), float(count)]


TARGETS: tuple[dict[str, Any], ...] = (
    {"relative_error": 2.5e-4},
    {"absolute_error": 2e-4, "level": 0.99},
    {"relative_error": 1e-9, "absolute_error": 2e-4},
    {"relative_error": 1e-3, "points": "antithetic"},
)


def targeted(index: int, looser: float = 1.0) -> Numbers:
    """Whether the target is met, not overshot by far, and was what ended the run; the level of the interval."""
    target = TARGETS[index]
    loosened = {k: looser * v if k.endswith("error") else v for k, v in target.items()}
    found = estimate(Scores(*POINT), seed=5, **loosened)
    low, high = found.interval
    allowed = max(target.get("relative_error", 0) * found.value, target.get("absolute_error", 0))
    share = (high - low) / 2 / allowed
    return [float(share <= 1), float(share > 0.6), float(found.stopped == "target"), found.level]


def met(index: int) -> Numbers:
    """What should be so."""
    return [1.0, 1.0, 1.0, TARGETS[index].get("level", 0.95)]


def claims() -> list[Claim]:
    """What the Monte Carlo engine does with samples."""
    return [
        Claim(
            id="estimates.moments",
            statement="Moments of parts merge to the moments of the whole: mean, variance, standard error and the skewness of the mean.",
            subject=lambda: merged,
            source=SOURCE,
            judges=(Agreement(together, SIZES, 1e-12, description="all at once, at 30 digits"),),
            mutants=(Mutant("no observations count as one", lambda: partial(merged, count=1)),),
        ),
        Claim(
            id="estimates.blocks",
            statement="An estimate with so many samples is the mean over its blocks one after the other, with Student's interval, "
            "however the samples are chunked; for independent points, antithetic pairs and Sobol sets.",
            subject=lambda: averaged,
            source=SOURCE,
            depends_on=("estimates.moments",),
            judges=(Agreement(replayed, range(len(WAYS)), 1e-11, description="blocks replayed"),),
            mutants=(Mutant("another seed", lambda: partial(averaged, seed=4)),),
        ),
        Claim(
            id="estimates.controls",
            statement="The coefficients of the control variates are those of a regression on them, in samples of the stage that is "
            "set apart for the fit.",
            subject=lambda: fitted,
            source=SOURCE,
            judges=(Agreement(regressed, (0, 1), 1e-8, description="regression on centred variates"),),
            mutants=(Mutant("another seed", lambda: lambda seed: fitted(seed + 1)),),
        ),
        Claim(
            id="estimates.target",
            statement="A run with an error target ends when the half-width of its interval is at most the target, relative or absolute, "
            "and not far below.",
            subject=lambda: targeted,
            source=SOURCE,
            depends_on=("estimates.blocks",),
            judges=(Agreement(met, range(len(TARGETS)), 0.0, description="each kind of target"),),
            mutants=(
                Mutant("twice the target", lambda: partial(targeted, looser=2.0)),
                Mutant("half the target", lambda: partial(targeted, looser=0.5)),
            ),
        ),
    ]
