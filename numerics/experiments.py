"""The paper's five experiments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import xarray as xr

from numerics import checks
from numerics.descent import projected_gradient_descent
from numerics.iteration import Progress
from numerics.schedules import InverseTimeDecay, Schedule
from numerics.sgd import stochastic_gradient_descent
from numerics.starts import On, random_starts
from numerics.task import Task

RECORDS = 400
"""About as many states are recorded of each run."""


@dataclass(frozen=True)
class Experiment:
    """Settings of an experiment; batch_size None is gradient descent on the risk, a number is SGD."""

    title: str
    task: Task
    lam: Schedule
    step_size: float
    steps: int
    on: On = "sphere"
    batch_size: int | None = None

    def run(
        self, runs: int = 30, seed: int = 0, workers: int | None = None, progress: Progress | None = None
    ) -> xr.Dataset:
        """Runs 0 .. runs - 1 from random starts; run i depends on the seed and on i alone.

        Returns the dataset of the algorithm with attributes `title` and `on` added. Raises TypeError or
        ValueError for bad runs, seed or workers, and ValueError for steps that no number near
        steps / RECORDS divides.
        """
        start = random_starts(runs, self.task, seed, self.on)
        every = record_every(self.steps)
        if self.batch_size is None:
            dataset = projected_gradient_descent(
                start,
                self.lam,
                self.task,
                step_size=self.step_size,
                steps=self.steps,
                record_every=every,
                progress=progress,
            )
        else:
            dataset = stochastic_gradient_descent(
                start,
                self.lam,
                self.task,
                step_size=self.step_size,
                steps=self.steps,
                record_every=every,
                batch_size=self.batch_size,
                seed=seed,
                workers=workers,
                progress=progress,
            )
        return dataset.assign_attrs(title=self.title, on=self.on, seed=seed)

    def changed(
        self, task: Mapping[str, float], lam: Schedule | None = None, steps: int | None = None
    ) -> Experiment:
        """The experiment with other parameters of the task, another lam or number of steps; None keeps it."""
        return replace(
            self,
            task=replace(self.task, **task),  # type: ignore[arg-type]
            lam=self.lam if lam is None else lam,
            steps=self.steps if steps is None else steps,
        )


_TASK = Task(d=400, L=10)

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        "manifold": Experiment("Start on the manifold, λ = 0.1", _TASK, 0.1, 4e-3, 20_000, on="manifold"),
        "sphere_small_lambda": Experiment("Start on the sphere, λ = 0.1", _TASK, 0.1, 4e-3, 20_000),
        "sphere_large_lambda": Experiment("Start on the sphere, λ = 0.9", _TASK, 0.9, 1e-3, 120_000),
        "sphere_schedule": Experiment(
            "Start on the sphere, decreasing λ", _TASK, InverseTimeDecay(1.0, 1e-4), 4e-3, 120_000
        ),
        "sgd": Experiment(
            "Stochastic gradient descent, decreasing λ",
            Task(d=80, L=10, epsilon=0.1),
            InverseTimeDecay(2.0, 1e-4),
            1e-3,
            200_000,
            batch_size=5,
        ),
    }
)
"""The settings of section 5 and its appendix, by name."""


def record_every(steps: int) -> int:
    """The divisor of `steps` closest to steps / RECORDS; ValueError if it is off by more than a factor of 20.

    >>> record_every(120_000), record_every(7)
    (300, 1)
    """
    steps = checks.integer("steps", steps, 0)
    if steps <= RECORDS:
        return 1
    small = np.arange(1, int(np.sqrt(steps)) + 1)
    small = small[steps % small == 0]
    divisors = np.concatenate([small, steps // small])
    off = np.abs(np.log(divisors * RECORDS / steps))
    if off.min() > np.log(20):
        raise ValueError(f"steps must have a divisor near steps / {RECORDS}, got {steps}")
    return int(divisors[np.argmin(off)])
