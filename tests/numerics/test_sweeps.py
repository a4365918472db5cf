"""Sweeps: their values, executors, resumption after errors and kills, and bad input."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np
import pytest
import xarray as xr

from numerics import InverseTimeDecay, Task, datasets, projected_gradient_descent
from numerics.overlaps import NAMES
from numerics.starts import random_starts
from numerics.sweeps import Plan, sweep
from numerics.sweeps.run import processes

GRID = {"lam": [0.1, 0.3, 0.5], "d": [50, 400]}
FIXED = {"L": 10, "step_size": 4e-3, "steps": 50}


@pytest.fixture
def threads():
    with ThreadPoolExecutor(2) as executor:
        yield executor


def test_cells_hold_the_last_states_of_their_runs(tmp_path, threads):
    result = sweep("pgd", GRID, tmp_path / "x.nc", fixed=FIXED, runs=4, seed=2, executor=threads)
    assert dict(result.sizes) == {"lam": 3, "d": 2, "run": 4}
    task = Task(d=50, L=10)
    direct = projected_gradient_descent(random_starts(4, task, 2), 0.3, task, step_size=4e-3, steps=50)
    for name in (*NAMES, "excess_risk", "distance"):
        np.testing.assert_array_equal(result[name].sel(lam=0.3, d=50), direct[name][:, -1])
    xr.testing.assert_identical(datasets.load(tmp_path / "x.nc"), result)
    assert list(tmp_path.iterdir()) == [tmp_path / "x.nc"]


@pytest.mark.parametrize(
    ("algorithm", "grid", "fixed"),
    [
        ("flow", {"t_end": [0.1, 0.2]}, {"d": 30, "L": 3, "lam": 0.3}),
        (
            "sgd",
            {"lam": [InverseTimeDecay(1, 0.1), InverseTimeDecay(2, 0.1)], "batch_size": [1, 2]},
            {"d": 30, "L": 3, "step_size": 1e-3, "steps": 5},
        ),
    ],
)
def test_every_algorithm_can_be_swept(algorithm, grid, fixed, tmp_path, threads):
    result = sweep(algorithm, grid, tmp_path / "x.nc", fixed=fixed, runs=2, executor=threads)
    assert result.excess_risk.shape == (*(len(v) for v in grid.values()), 2)
    assert np.isfinite(result.excess_risk).all()


class Counting(ThreadPoolExecutor):
    """Counts what it is given; fails from the cell number `limit` on."""

    def __init__(self, limit=1000):
        super().__init__(1)
        self.submitted, self.limit = 0, limit

    def submit(self, function, *arguments):
        self.submitted += 1
        if self.submitted > self.limit:
            future = Future()
            future.set_exception(RuntimeError("out of order"))
            return future
        return super().submit(function, *arguments)


def test_finished_cells_survive_an_error_and_are_not_done_again(tmp_path, threads):
    whole, broken = tmp_path / "whole.nc", tmp_path / "broken.nc"
    sweep("pgd", GRID, whole, fixed=FIXED, executor=threads)
    with Counting(limit=4) as failing, pytest.raises(RuntimeError, match="out of order") as info:
        sweep("pgd", GRID, broken, fixed=FIXED, executor=failing)
    assert "in the cell {'L': 10" in info.value.__notes__[0]
    kept = len(list(tmp_path.glob(".broken.nc.cells/*.nc")))
    with Counting() as counting:
        sweep("pgd", GRID, broken, fixed=FIXED, executor=counting)
        assert counting.submitted == 6 - kept
        sweep("pgd", GRID, broken, fixed=FIXED, executor=counting)
        assert counting.submitted == 6 - kept
    assert broken.read_bytes() == whole.read_bytes()


SCRIPT = """
import sys
from concurrent.futures import ThreadPoolExecutor
from numerics.sweeps import sweep
if __name__ == "__main__":
    fixed = {"L": 10, "step_size": 1e-3, "steps": 200_000, "lam": 0.5}
    grid = {"d": list(range(10, 34))}
    executor = None if sys.argv[2] == "processes" else ThreadPoolExecutor(1)
    sweep("pgd", grid, sys.argv[1], fixed=fixed, runs=1, seed=1, executor=executor)
"""


def start_sweep(path, kind):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), kind], env=environment)


@pytest.mark.parametrize("kind", ["threads", pytest.param("processes", marks=pytest.mark.slow)])
def test_a_killed_sweep_ends_with_the_same_file(tmp_path, kind):
    """kill -9 once a few cells are on disk, then the same sweep again, against one that was left alone."""
    killed, whole = tmp_path / "killed.nc", tmp_path / "whole.nc"
    process = start_sweep(killed, kind)
    cells = tmp_path / ".killed.nc.cells"
    while len(list(cells.glob("0*.nc"))) < 3:
        assert process.poll() is None, "the sweep ended before it could be killed"
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not killed.exists()
    kept = {cell: cell.stat().st_mtime_ns for cell in cells.glob("0*.nc")}
    assert 3 <= len(kept) < 24
    again = start_sweep(killed, kind)
    other = start_sweep(whole, kind)
    assert again.wait() == other.wait() == 0
    assert killed.read_bytes() == whole.read_bytes()
    assert not cells.exists()


@pytest.mark.slow
def test_workers_end_with_a_killed_parent(tmp_path):
    import psutil

    process = start_sweep(tmp_path / "x.nc", "processes")
    cells = tmp_path / ".x.nc.cells"
    while not list(cells.glob("0*.nc")):
        time.sleep(0.01)
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_processes_and_a_dask_cluster_give_the_same_file(tmp_path, threads):
    from distributed import Client, LocalCluster

    files = [tmp_path / f"{name}.nc" for name in ("threads", "processes", "dask")]
    sweep("pgd", GRID, files[0], fixed=FIXED, executor=threads)
    with processes(2) as executor:
        sweep("pgd", GRID, files[1], fixed=FIXED, executor=executor)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        sweep("pgd", GRID, files[2], fixed=FIXED, executor=client.get_executor())
    assert len({file.read_bytes() for file in files}) == 1


def test_progress_counts_cells(tmp_path, threads):
    seen = []
    sweep("pgd", GRID, tmp_path / "x.nc", fixed=FIXED, executor=threads, progress=lambda *p: seen.append(p))
    assert seen == [(n, 6) for n in range(1, 7)]


def test_an_error_in_a_cell_names_its_parameters(tmp_path, threads):
    fixed = {"d": 400, "L": 2, "lam": 0.1, "steps": 3}
    with pytest.raises(ValueError, match="step_size must be small enough") as info:
        sweep("pgd", {"step_size": [1e-3, 1e300]}, tmp_path / "x.nc", fixed=fixed, executor=threads)
    assert "1e+300" in info.value.__notes__[0]


def test_another_sweep_at_the_path_is_refused(tmp_path, threads):
    path = tmp_path / "x.nc"
    sweep("pgd", GRID, path, fixed=FIXED, executor=threads)
    with pytest.raises(ValueError, match="path must be new or of this sweep"):
        sweep("pgd", GRID, path, fixed=FIXED, seed=1, executor=threads)
    with Counting(limit=2) as failing, pytest.raises(RuntimeError):
        sweep("pgd", GRID, tmp_path / "y.nc", fixed=FIXED, executor=failing)
    with pytest.raises(ValueError, match="path must be new or of this sweep"):
        sweep("pgd", {"lam": [0.1], "d": [50]}, tmp_path / "y.nc", fixed=FIXED, executor=threads)


def named(n):
    return 1 / (1 + n)


def test_functions_need_names():
    Plan("pgd", {"d": [50]}, {**FIXED, "lam": named})
    with pytest.raises(ValueError, match="a function in a sweep must have a name"):
        Plan("pgd", {"d": [50]}, {**FIXED, "lam": lambda n: 1 / (1 + n)})


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"algorithm": "adam"}, ValueError, "algorithm must be one of flow, pgd, sgd, got 'adam'"),
        ({"grid": {"lam": 0.1}}, TypeError, "grid must map names to sequences, got lam=0.1"),
        ({"grid": {"lam": []}}, ValueError, "grid must have a value of lam"),
        (
            {"grid": {"lam": [0.1], "speed": [1]}},
            ValueError,
            r"grid must name parameters among .* got \['speed'\]",
        ),
        ({"grid": {"lam": [0.1], "steps": [1]}}, ValueError, r"fixed must not name .* got \['steps'\]"),
        ({"grid": {"lam": [0.1]}}, ValueError, "fixed or grid must give d"),
        ({"runs": 0}, ValueError, "runs must be >= 1"),
        ({"seed": -1}, ValueError, "seed must be >= 0"),
        ({"on": "cube"}, ValueError, "on must be 'sphere' or 'manifold', got 'cube'"),
    ],
)
def test_bad_plans(changes, error, message):
    with pytest.raises(error, match=message):
        Plan(**({"algorithm": "pgd", "grid": GRID, "fixed": FIXED} | changes))


def test_executor_must_be_one(tmp_path):
    with pytest.raises(TypeError, match=r"executor must be a concurrent\.futures\.Executor or None, got 2"):
        sweep("pgd", GRID, tmp_path / "x.nc", fixed=FIXED, executor=2)
