"""Projected gradient descent, exact at any dimension."""

from __future__ import annotations

import numpy as np
import xarray as xr

from numerics import datasets, frame
from numerics.descent_kernel import advance
from numerics.iteration import Iteration, Progress
from numerics.overlaps import Overlaps
from numerics.schedules import Schedule
from numerics.task import Task


def projected_gradient_descent(
    o: Overlaps,
    lam: Schedule,
    task: Task,
    *,
    step_size: Schedule,
    steps: int,
    record_every: int | None = None,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Projected gradient descent on the risk, k and v on the unit sphere, in the overlaps alone.

    Step n (from 0) moves k and v from the same point by -step_size_n times the Riemannian gradients of the
    risk R_lam at lam_n, and normalises them: the same steps as in R^d.

    o: starts, of shape () or (runs,). lam, step_size: positive numbers or schedules of the step.
    record_every: a divisor of `steps`; None records start and end only, 1 everything.
    progress: called with (steps done, steps) now and then.

    Accuracy: the error of a step is at most 1e-12 max(1, s P) in each overlap, s P being the step size times
    the largest partial derivative of the risk, for the parameters that `excess_risk` names
    (tests/numerics/test_edges.py). Over many steps it hardly grows where the steps contract, and
    without bound where a run passes a saddle or oscillates (tests/numerics/test_descent.py).

    Returns a dataset of dims (run, step) with kappa, nu, theta, eta, rho, excess_risk, distance, and lam
    (step), that of the step that led to the state; its attributes hold every parameter.
    Raises TypeError or ValueError naming the argument, and NonFiniteError, a ValueError, with the state
    before a step that is not finite. Source: section 5 of arXiv 2410.01537.

    >>> start = Overlaps(kappa=0.1, nu=[0.2, -0.2])
    >>> ds = projected_gradient_descent(start, 0.1, Task(d=400, L=10), step_size=4e-3, steps=1000)
    >>> ds.nu.values[:, -1].round(3).tolist()
    [0.977, -0.938]
    """
    iteration = Iteration(lam, step_size, steps, record_every)
    states = np.ascontiguousarray(frame.vectors(Overlaps.unchecked(datasets.starts(o))).T)
    records = np.empty((iteration.recorded.size, *states.shape))
    records[0] = states
    parameters = (task.signal, task.gamma, float(task.L))
    for block in iteration.blocks():
        done, run = advance(states, parameters, block.lam, block.step_size, records[block.rows])
        if done < block.lam.size:
            raise iteration.fail(block, run, done, frame.overlaps(states[run]))
        if progress:
            progress(block.start + block.lam.size, iteration.steps)
    overlaps = frame.overlaps(records.transpose(2, 1, 0))
    runs = datasets.run_numbers(None, states.shape[0])
    attributes = {"algorithm": "projected gradient descent"}
    return datasets.descent(overlaps, runs, iteration, task, attributes)
