"""Killed, repeated, concurrent and cornered: files are whole or absent, and the next run ends the work."""

import csv
import json
import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

KILLS = 25
COMMANDS = {
    "verify": "verify --only gaussian.owen* --workers 1 --json {out}/report.json --html {out}/report.html",
    "reproduce": "reproduce sphere_small_lambda --runs 3 --steps 4000 --out {out}",
    "sweep": "sweep pgd --grid lam=0.05,0.1,0.2 --grid d=100,400 --set L=10 --set step_size=4e-3 "
    "--set steps=4000 --runs 4 --workers 1 --out {out}/sweep.nc",
    "probe": "probe --model {model} --train 120 --test 20 --out {out}",
}


@pytest.fixture(params=[*list(COMMANDS)[:-1], pytest.param("probe", marks=pytest.mark.slow)])
def name(request):
    return request.param


@pytest.fixture
def command(name, request):
    """The command line that works in the folder that it is given."""
    model = request.getfixturevalue("checkpoint") if name == "probe" else None

    def line(out):
        words = [word.format(out=out, model=model) for word in shlex.split(COMMANDS[name])]
        return [sys.executable, "-m", "proofs_check", *words]

    return line


def run(line, **options):
    return subprocess.run(line, capture_output=True, text=True, check=False, **options)


def assert_whole(folder):
    """Every file under its own name can be read to its end."""
    for path in folder.rglob("*"):
        if path.is_dir() or path.name.startswith(".") or path.suffix == ".lock":
            continue
        if path.suffix == ".json":
            json.loads(path.read_text())
        elif path.suffix == ".nc":
            with xr.open_dataset(path, engine="h5netcdf") as dataset:
                dataset.load()
        elif path.suffix == ".png":
            assert path.read_bytes().rstrip().endswith(b"IEND\xaeB`\x82")
        elif path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as arrays:
                assert all(array.size for array in arrays.values())
        elif path.suffix == ".csv":
            with path.open(newline="") as file:
                assert len({len(row) for row in csv.reader(file)}) == 1
        elif path.suffix in (".html", ".svg"):
            assert path.read_text().rstrip().endswith(("</html>", "</svg>"))


@pytest.fixture
def assert_same_results(timeless):
    """A function that compares all results in two folders, but for their times."""

    def check(folder, other):
        _assert_same_datasets(folder, other)
        for path in other.glob("*.json"):
            one, two = (json.loads((place / path.name).read_text()) for place in (folder, other))
            assert timeless(one) == timeless(two)

    return check


def _assert_same_datasets(folder, other):
    for path in other.rglob("*.nc"):
        with (
            xr.open_dataset(folder / path.name, engine="h5netcdf") as one,
            xr.open_dataset(path, engine="h5netcdf") as two,
        ):
            xr.testing.assert_identical(one.load(), two.load())


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_kill_at_any_moment_leaves_whole_files_and_the_next_run_ends_the_work(
    name, command, assert_same_results, tmp_path
):
    undisturbed, out = tmp_path / "undisturbed", tmp_path / "out"
    out.mkdir()
    run(command(tmp_path / "warm"))
    start = time.monotonic()
    assert run(command(undisturbed)).returncode == 0
    usual = time.monotonic() - start
    moments = random.Random(name)
    for _ in range(KILLS):
        process = subprocess.Popen(
            command(out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(moments.uniform(0.05, 1.1) * usual)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert_whole(out)
    assert run(command(out)).returncode == 0
    assert_whole(out)
    assert_same_results(out, undisturbed)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_two_processes_on_one_folder_agree_or_one_refuses(command, assert_same_results, tmp_path):
    out, alone = tmp_path / "out", tmp_path / "alone"
    out.mkdir()
    assert run(command(alone)).returncode == 0
    pair = [
        subprocess.Popen(command(out), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    errors = [process.communicate()[1] for process in pair]
    codes = [process.returncode for process in pair]
    assert 0 in codes
    for code, error in zip(codes, errors, strict=True):
        assert code == 0 or (error and "Traceback" not in error)
    assert_whole(out)
    assert_same_results(out, alone)


def _small_files_only():
    """No file beyond 2 KiB: what a full disk does to a program, without filling one."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_full_disk_is_a_clear_error(name, command, tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    if name != "verify":
        run(command(tmp_path / "warm"), env=environment)
    out = tmp_path / "out"
    out.mkdir()
    done = run(command(out), preexec_fn=_small_files_only, env=environment)
    assert done.returncode not in (0, -signal.SIGXFSZ)
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()
    assert_whole(out)
    found = [path.relative_to(out) for path in out.rglob("*") if path.is_file()]
    assert all(any(part.startswith(".") for part in path.parts) for path in found)


def test_a_place_that_cannot_be_written_is_a_clear_error(command, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    done = run(command(blocked / "out"))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert str(blocked) in done.stderr.replace("\n", "").replace("│", "").replace(" ", "")


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_a_clear_error(command, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    done = run(command(folder))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["sweep"], indirect=True)
def test_seeded_results_are_plain_data(command, tmp_path):
    assert run(command(tmp_path)).returncode == 0
    with xr.open_dataset(Path(tmp_path) / "sweep.nc", engine="h5netcdf") as dataset:
        assert all(np.isscalar(v) or isinstance(v, str | np.ndarray) for v in dataset.attrs.values())
