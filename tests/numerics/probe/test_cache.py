"""The cache: whole files, damage found, kills survived, folders shared."""

import multiprocessing
import os
import time

import numpy as np
import pytest

from numerics.probe.cache import STALE_SECONDS, ArrayCache, content_key, read_array

KEY = content_key(["a"])


def arrays():
    return {"x": np.arange(5.0), "y": np.ones((2, 3), dtype=np.float16)}


def refuse():
    raise AssertionError("computed again")


def test_what_is_there_is_not_computed_again(tmp_path):
    path = ArrayCache(tmp_path / "new").fetch(KEY, arrays)
    assert ArrayCache(tmp_path / "new").fetch(KEY, refuse) == path
    np.testing.assert_array_equal(read_array(path, "x"), arrays()["x"])
    assert read_array(path, "y").dtype == np.float16


@pytest.mark.parametrize("place", ["begin", "middle", "end", "cut", "empty"])
def test_a_damaged_file_is_made_anew(tmp_path, place):
    cache = ArrayCache(tmp_path)
    path = cache.fetch(KEY, lambda: {"x": np.arange(10_000.0)})
    raw = bytearray(path.read_bytes())
    if place in ("cut", "empty"):
        del raw[len(raw) // 2 if place == "cut" else 0 :]
    else:
        at = {"begin": 0, "middle": len(raw) // 2, "end": len(raw) - 22}[place]
        raw[at] ^= 0xFF
    path.write_bytes(raw)
    np.testing.assert_array_equal(read_array(cache.fetch(KEY, arrays), "x"), arrays()["x"])


def test_objects_are_never_pickled(tmp_path):
    with pytest.raises(ValueError, match="allow_pickle"):
        ArrayCache(tmp_path).fetch(KEY, lambda: {"x": np.array([{}], dtype=object)})
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_nothing_and_old_leftovers_of_killed_runs_go(tmp_path):
    def fail():
        raise RuntimeError("killed")

    cache = ArrayCache(tmp_path)
    with pytest.raises(RuntimeError, match="killed"):
        cache.fetch(KEY, fail)
    assert list(tmp_path.iterdir()) == []
    old, young = tmp_path / f".{KEY}.npz.old", tmp_path / f".{KEY}.npz.young"
    for file in (old, young):
        file.touch()
    os.utime(old, (0, time.time() - STALE_SECONDS - 60))
    ArrayCache(tmp_path)
    assert list(tmp_path.iterdir()) == [young]


def _fill(folder):
    cache = ArrayCache(folder)
    for i in range(60):
        path = cache.fetch(content_key([str(i)]), lambda i=i: {"x": np.full(2000, float(i))})
        assert (read_array(path, "x") == i).all()


def test_two_processes_may_share_a_folder(tmp_path):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(tmp_path,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(
        f"{content_key([str(i)])}.npz" for i in range(60)
    )
