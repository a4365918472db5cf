"""The dynamics: steps on the overlaps against the same runs in R^d, and the five experiments."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from numerics import Overlaps, Task, projected_gradient_descent, stochastic_gradient_descent
from numerics.full_dimension import gradient_step, random_vectors, sgd_step

RUNS, BATCH, LAM, STEP_SIZE = 30, 5, 0.3, 1e-3
TASK = Task(d=400, L=10)

SHORT, LONG = 50, 250
"""A step's time is that of LONG runs less that of SHORT: what a call costs apart from steps drops out."""

REPEAT = 300
"""Runs take milliseconds: the best of many is what an idle core does."""


def run() -> None:
    """Microseconds a step, beside plain NumPy in R^400, and seconds for the experiments."""
    descent()
    sgd()
    dimensions()
    experiments()


def descent() -> None:
    """Gradient descent: a step of all runs."""
    vectors = random_vectors(RUNS, TASK, np.random.default_rng(0))
    run = partial(projected_gradient_descent, vectors.overlaps, LAM, TASK, step_size=STEP_SIZE)
    slow = _best(lambda: gradient_step(vectors, LAM, STEP_SIZE, TASK), repeat=200)
    _compare(f"gradient descent, a step of {RUNS} runs, d = 400", _seconds_a_step(run), slow)


def sgd() -> None:
    """SGD: a step of all runs on one core."""
    rng = np.random.default_rng(0)
    vectors = random_vectors(RUNS, TASK, rng)
    slow = _best(lambda: sgd_step(vectors, LAM, STEP_SIZE, TASK, BATCH, rng), repeat=5)
    _compare(f"SGD, a step of {RUNS} runs, d = 400, one core", RUNS * sgd_seconds(TASK), slow)


def dimensions() -> None:
    """SGD at two dimensions, measured in turn: the cost is free of d."""
    tasks = [Task(d=d, L=10, epsilon=0.1) for d in (80, 10**9)]
    times = np.array([[sgd_seconds(task) for task in tasks] for _ in range(11)])
    low, high = 1e6 * np.median(times, axis=0)
    print(f"SGD, a step of a run: d = 80 {low:.2f} us, d = 1e9 {high:.2f} us, ratio {high / low:.3f}")


def sgd_seconds(task: Task) -> float:
    """Seconds for an SGD step of one run on one core."""
    start = Overlaps.random(4, task, np.random.default_rng(0))
    settings: dict[str, Any] = {"step_size": STEP_SIZE, "batch_size": BATCH, "workers": 1}
    return _seconds_a_step(partial(stochastic_gradient_descent, start, LAM, task, **settings)) / 4


def experiments() -> None:
    """`slr reproduce` at full size: from a cold start, kernels compiled first, and once they are kept."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": f"{folder}/kernels"}
        command = [sys.executable, "-m", "proofs_check", "reproduce", "--out", f"{folder}/figures"]
        for name in ("cold start, compilation included", "compiled before"):
            start = time.perf_counter()
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            print(f"the five experiments with figures, {name}: {time.perf_counter() - start:.1f} s")


def _compare(name: str, fast: float, slow: float) -> None:
    print(f"{name}: {1e6 * fast:.1f} us, NumPy in R^d {1e6 * slow:.0f} us, ratio {slow / fast:.0f}")


def _seconds_a_step(run: Callable[..., Any]) -> float:
    """Seconds for a step of `run`, a function of `steps`."""
    short, long = (_best(lambda steps=steps: run(steps=steps), REPEAT) for steps in (SHORT, LONG))
    return (long - short) / (LONG - SHORT)


def _best(action: Callable[[], Any], repeat: int) -> float:
    """The best of several timings, after one that is not counted."""
    action()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)
