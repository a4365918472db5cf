"""Runs a sweep's cells on an executor and keeps each as it finishes."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import xarray as xr

from numerics.iteration import Progress
from numerics.starts import On
from numerics.sweeps.plan import Plan
from numerics.sweeps.store import Store


def sweep(
    algorithm: str,
    grid: Mapping[str, Sequence[Any]],
    path: str | os.PathLike[str],
    *,
    fixed: Mapping[str, Any],
    runs: int = 30,
    seed: int = 0,
    on: On = "sphere",
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Run an algorithm from random starts in every cell of a grid and write the last states as netCDF.

    algorithm: "flow", "pgd" or "sgd". grid: sequences of values by parameter, of the task (d, L, gamma,
    epsilon) or of the algorithm (lam, step_size, steps, batch_size, t_end, ...). fixed: the other ones.
    runs, seed, on: the random starts of a cell; the seed is SGD's too.
    path: the file to write. Finished cells are kept beside it: called again after it was broken off, even
    killed, the function does what is left to do, and the file is the same. Called once more it reads it.
    executor: any concurrent.futures.Executor, such as the one of a dask.distributed.Client; None: processes,
    one a core. The result does not depend on it.
    progress: called with (cells done, cells).

    Returns a dataset whose dimensions are the grid's parameters and run, with the overlaps, excess_risk,
    distance and the last lam of each run (`last_lam`); the attribute `sweep` describes all of it as JSON.
    Raises TypeError or ValueError naming the argument, also if `path` holds another sweep; an error in a cell
    is raised, with the cell's parameters noted, once the cells under way are done and kept.

    >>> import tempfile
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> fixed = {"d": 400, "L": 10, "step_size": 4e-3, "steps": 100}
    >>> with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as threads:
    ...     ds = sweep("pgd", {"lam": [0.1, 0.3]}, f"{folder}/x.nc", fixed=fixed, runs=3, executor=threads)
    >>> dict(ds.sizes)
    {'lam': 2, 'run': 3}
    """
    store = Store(Plan(algorithm, grid, fixed, runs, seed, on), Path(path))
    if (finished := store.result()) is not None:
        return finished
    todo = store.open()
    with _workers(executor) as workers:
        _run(store, todo, workers, progress)
    return store.finish()


def _run(store: Store, todo: list[int], workers: Executor, progress: Progress | None) -> None:
    size, plan = store.plan.size, store.plan
    futures = {workers.submit(plan.run, cell): cell for cell in todo}
    failed: tuple[int, BaseException] | None = None
    done = size - len(todo)
    try:
        for future in as_completed(futures):
            if future.cancelled():
                continue
            if error := future.exception():
                failed = failed or (futures[future], error)
                _cancel(futures)
                continue
            store.save(futures[future], future.result())
            done += 1
            if progress:
                progress(done, size)
    except BaseException:
        _cancel(futures)
        raise
    if failed:
        cell, error = failed
        error.add_note(f"in the cell {plan.parameters(cell)} of the sweep")
        raise error


def _cancel(futures: Mapping[Future[Any], int]) -> None:
    for future in futures:
        future.cancel()


@contextmanager
def _workers(executor: Executor | None) -> Iterator[Executor]:
    if executor is None:
        with processes() as own:
            yield own
    elif isinstance(executor, Executor):
        yield executor
    else:
        raise TypeError(f"executor must be a concurrent.futures.Executor or None, got {executor!r}")


def processes(count: int | None = None) -> ProcessPoolExecutor:
    """An executor of fresh processes, by default one a core, that end when this process does."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(count or os.cpu_count(), context, initializer=_end_with_parent)


def _end_with_parent() -> None:
    """End this worker when its parent does, even by a kill, which gives the parent no time to say so."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
