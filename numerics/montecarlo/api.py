"""The public entry points: estimate any quantity, or the excess risk."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from numerics import checks
from numerics.montecarlo.checkpoint import Checkpoint
from numerics.montecarlo.engine import Budget, Progress, Run
from numerics.montecarlo.estimate import Estimate
from numerics.montecarlo.fit import fitted_coefficients
from numerics.montecarlo.moments import Moments
from numerics.montecarlo.plan import Plan
from numerics.montecarlo.points import Points, points_by_name
from numerics.montecarlo.quantity import Quantity
from numerics.montecarlo.risk import ESTIMATORS
from numerics.montecarlo.stopping import Target
from numerics.montecarlo.streams import Stage
from numerics.overlaps import Overlaps
from numerics.task import Task


def estimate_risk(
    o: Overlaps, lam: float, task: Task, *, estimator: str = "scores", **options: Any
) -> Estimate:
    """Monte Carlo estimate of the excess risk of the erf predictor.

    o: overlaps of any shape; the runs share their random numbers. lam: positive.
    estimator: "scores" draws the attention scores of all L tokens and integrates the values out; "definition"
        draws location, label noise and all projections (one run only, d >= 2); "three-scores" draws three
        tokens' scores, and with points="sobol" reaches six digits within a second.
    options: those of `estimate`; at least one of relative_error, absolute_error, samples and seconds.

    Accuracy: intervals of nominally 95% cover in 94% to 96% of the runs
    (tests/numerics/montecarlo/test_coverage.py). What happens more rarely than once in the samples is not
    seen, in the standard error neither (tests/numerics/test_edges.py).

    Returns an Estimate whose value is a float, or an array of o's shape.
    Raises TypeError or ValueError for bad arguments.

    >>> estimate_risk(Overlaps(kappa=1, nu=1), 0.1, Task(d=400, L=10), samples=10_000, seed=1).samples
    10000
    """
    if estimator not in ESTIMATORS:
        raise ValueError(f"estimator must be one of {', '.join(map(repr, ESTIMATORS))}, got {estimator!r}")
    return estimate(ESTIMATORS[estimator](o, lam, task), **options)


def estimate(
    quantity: Quantity,
    *,
    relative_error: float | None = None,
    absolute_error: float | None = None,
    samples: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    level: float = 0.95,
    points: str | Points = "random",
    control_variates: bool = True,
    executor: Executor | None = None,
    chunk: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Estimate:
    """Estimate a quantity until an error target is met or a budget is spent.

    relative_error, absolute_error: stop when the confidence interval's half-width is at most
        max(absolute_error, relative_error * |value|), for every entry of the value.
    samples: with an error target the most samples to average, without one how many exactly (rounded down to
        whole pairs or Sobol sets for such points). seconds: the wall time after which no more are begun.
    seed: an integer >= 0. The same seed and number of samples give the same value bit for bit, on
        any executor and with any chunk.
    level: of the confidence interval, in (0, 1).
    points: "random", "antithetic" (pairs of opposite normals) or "sobol" (scrambled, at least 32 replicates),
        or an object such as SobolPoints(size).
    control_variates: subtract the quantity's control variates if it has any, with coefficients from
        samples of their own. They are left out where a sample takes too many numbers for a cheap fit.
    executor: any concurrent.futures.Executor; None takes threads, one a core.
    chunk: samples handed to the executor at a time; by default what gives each worker enough to do.
    checkpoint: a JSON file that keeps the state of the run. If it exists the run resumes from it.
    progress: called with a Progress after each chunk.

    Samples for the control variates' coefficients and for the pilot of an error target come on top of
    `samples`; the result says how many.

    Raises TypeError or ValueError for bad arguments, and InvalidObservations (a ValueError that says in which
    block and with which seed) when the quantity returns a wrong shape or non-finite values.
    """
    start = time.monotonic()
    if not isinstance(quantity, Quantity):
        raise TypeError(f"quantity must be a Quantity, got {quantity!r}")
    if all(limit is None for limit in (relative_error, absolute_error, samples, seconds)):
        raise ValueError("relative_error, absolute_error, samples or seconds must be given, got none of them")
    target = Target(relative_error, absolute_error, level)
    samples = None if samples is None else checks.integer("samples", samples, 1)
    laid = points if isinstance(points, Points) else points_by_name(points, quantity, samples)
    budget = Budget(_observations(samples, laid), _deadline(seconds, start))
    plan, fit = Plan(quantity, laid, checks.integer("seed", seed, 0)), 0
    if control_variates:
        coefficients, fit = fitted_coefficients(plan)
        plan = replace(plan, coefficients=coefficients)
    kept = Checkpoint(None if checkpoint is None else Path(checkpoint))
    state = kept.load(plan.fingerprint, quantity.width)
    chunk = None if chunk is None else checks.integer("chunk", chunk, 1)
    with _workers(executor) as workers:
        run = Run(plan, workers, chunk, budget, state, kept, progress or _quiet, start)
        return _carried_out(run, target, fit)


def _carried_out(run: Run, target: Target, fit: int) -> Estimate:
    pilot, topped_up = Moments.none(run.plan.quantity.width), False
    try:
        if target.given:
            pilot, moments, topped_up = run.to_target(target)
        else:
            moments = run.extend(Stage.MAIN, run.budget.observations)
    finally:
        run.save(now=True)
    shape, size = run.plan.quantity.shape, run.plan.points.size
    return Estimate(
        value=moments.mean.reshape(shape)[()],
        standard_error=moments.standard_error.reshape(shape)[()],
        asymmetry=moments.asymmetry.reshape(shape)[()],
        level=target.level,
        samples=moments.count * size,
        observations=moments.count,
        pilot_samples=(pilot.count + fit) * size,
        seed=run.plan.seed,
        seconds=run.seconds,
        stopped=_reason(moments, target, run.budget),
        topped_up=topped_up,
        points=repr(run.plan.points),
        quantity=run.plan.quantity.parameters(),
    )


def _reason(moments: Moments, target: Target, budget: Budget) -> str:
    if target.given and target.reached(moments):
        return "target"
    return "samples" if moments.count == budget.observations else "seconds"


def _observations(samples: int | None, points: Points) -> int | None:
    if samples is not None and samples < points.size:
        raise ValueError(f"samples must be >= {points.size} for {points}, got {samples}")
    return None if samples is None else samples // points.size


def _deadline(seconds: float | None, start: float) -> float | None:
    return None if seconds is None else start + checks.real("seconds", seconds, above=0)


@contextmanager
def _workers(executor: Executor | None) -> Iterator[Executor]:
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            yield threads
    elif isinstance(executor, Executor):
        yield executor
    else:
        raise TypeError(f"executor must be a concurrent.futures.Executor or None, got {executor!r}")


def _quiet(progress: Progress) -> None:
    """The progress meter that shows nothing."""
