"""Random starts, each run's from its own stream."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from numerics import checks
from numerics.overlaps import Overlaps
from numerics.task import Task

On = Literal["sphere", "manifold"]
"""Where starts are drawn: uniform on the two spheres, or that law given theta = eta = rho = 0."""


def random_starts(runs: Any, task: Task, seed: Any, on: On = "sphere") -> Overlaps:
    """Random starts of runs 0 .. runs - 1: run i depends on the seed and on i, not on how many there are.

    Raises TypeError or ValueError, naming the argument, for runs < 1, seed < 0 or an unknown `on`.

    >>> task = Task(d=400, L=10)
    >>> random_starts(3, task, 1)[:2] == random_starts(2, task, 1)
    True
    """
    runs, seed = checks.integer("runs", runs, 1), checks.integer("seed", seed, 0)
    sequences = (np.random.SeedSequence(seed, spawn_key=(run, 0)) for run in range(runs))
    starts = [Overlaps.random(1, task, np.random.default_rng(s), on=on).stack() for s in sequences]
    return Overlaps.unchecked(np.concatenate(starts, axis=1))
