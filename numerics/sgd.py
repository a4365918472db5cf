"""One-pass stochastic gradient descent, exact in law at every d >= 6 at a cost free of d."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import xarray as xr

from numerics import checks, datasets, frame
from numerics.iteration import Block, Iteration, Progress
from numerics.overlaps import Overlaps
from numerics.schedules import Schedule
from numerics.sgd_kernel import Law, advance
from numerics.task import Task

FRAME = 4
"""Dimensions that the frame of k, v, k*, v* takes."""

SMALLEST_DIMENSION = FRAME + 2
"""The Wishart matrix of what lies outside the frame takes at least 2 more."""


def stochastic_gradient_descent(
    o: Overlaps,
    lam: Schedule,
    task: Task,
    *,
    step_size: Schedule,
    steps: int,
    batch_size: int,
    record_every: int | None = None,
    seed: int = 0,
    runs: Sequence[int] | np.ndarray | None = None,
    ambient: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Projected SGD on k and v with fresh samples in every step, by the overlaps alone.

    Step n (from 0) draws `batch_size` samples (X, Y), takes the mean over them of the gradients of
    (Y - T_lam(X))^2 in k and in v, moves each vector by -step_size_n times the part of its gradient tangent
    to the unit sphere and normalises it.

    Accuracy: the law of the overlaps' trajectory is exactly that in R^d, up to rounding
    (tests/numerics/test_sgd.py), and they are admissible at every step (tests/numerics/test_edges.py).

    o: starts, of shape () or (runs,). lam, step_size: positive numbers or schedules of the step.
    record_every: a divisor of `steps`; None records start and end only.
    seed, runs: run i draws from the stream (seed, runs[i]), by default runs = 0, 1, ...: a run does not
        depend on which others are computed with it, nor on `workers`, the number of threads (None: one a
        core).
    ambient: dimension of the space of the tokens, >= 6; None: task.d, which otherwise stands for the signal
        strength sqrt(task.d / 2) alone. See numerics.high_dimension.
    progress: called with (steps done, steps) now and then.

    Returns a dataset of dims (run, step) with kappa, nu, theta, eta, rho, excess_risk, distance, and lam
    (step), that of the step that led to the state; its attributes hold every parameter and the seed.
    Raises TypeError or ValueError naming the argument, among them task.d < 6, and NonFiniteError, a
    ValueError, with the state before a step that is not finite. Source: section 5 of arXiv 2410.01537.

    >>> start = Overlaps.random(3, Task(d=80, L=10), np.random.default_rng(0))
    >>> ds = stochastic_gradient_descent(start, 1.0, Task(d=80, L=10), step_size=1e-3, steps=8, batch_size=5)
    >>> dict(ds.sizes)
    {'run': 3, 'step': 2}
    """
    iteration = Iteration(lam, step_size, steps, record_every)
    starts = datasets.starts(o)
    law = _law(task, batch_size, ambient)
    seed = checks.integer("seed", seed, 0)
    streams = datasets.run_numbers(runs, starts.shape[1])
    states = np.ascontiguousarray(frame.vectors(Overlaps.unchecked(starts)).T)
    generators = [_generator(seed, int(stream)) for stream in streams]
    records = np.empty((states.shape[0], iteration.recorded.size, frame.SIZE))
    records[:, 0] = states
    with ThreadPoolExecutor(_threads(workers)) as pool:
        for block in iteration.blocks():
            one = partial(_advance, law, block)
            for run, done in enumerate(pool.map(one, generators, states, records)):
                if done < block.lam.size:
                    raise iteration.fail(block, int(streams[run]), done, frame.overlaps(states[run]))
            if progress:
                progress(block.start + block.lam.size, iteration.steps)
    attributes = {
        "algorithm": "stochastic gradient descent",
        "batch_size": law.batch_size,
        "ambient": law.outside + FRAME,
        "seed": seed,
    }
    return datasets.descent(frame.overlaps(records.transpose(2, 0, 1)), streams, iteration, task, attributes)


def _law(task: Task, batch_size: Any, ambient: Any) -> Law:
    name, dimension = (
        ("d (for stochastic_gradient_descent)", task.d) if ambient is None else ("ambient", ambient)
    )
    dimension = checks.integer(name, dimension, SMALLEST_DIMENSION)
    return Law(
        task.signal,
        task.gamma,
        task.epsilon,
        task.L - 1,
        checks.integer("batch_size", batch_size, 1),
        dimension - FRAME,
    )


def _generator(seed: int, stream: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(stream,))))


def _threads(workers: Any) -> int:
    return os.cpu_count() or 1 if workers is None else checks.integer("workers", workers, 1)


def _advance(
    law: Law, block: Block, generator: np.random.Generator, state: np.ndarray, records: np.ndarray
) -> int:
    return advance(generator, state, law, block.lam, block.step_size, records[block.rows])
