"""Layout of the datasets, and their files."""

import numpy as np
import pytest
import xarray as xr

from numerics import Overlaps, Task, datasets, excess_risk, stochastic_gradient_descent
from numerics.overlaps import NAMES

TASK = Task(d=80, L=10, epsilon=0.1)


def example(seed=0):
    start = Overlaps.random(3, TASK, np.random.default_rng(0))
    return stochastic_gradient_descent(
        start, 0.3, TASK, step_size=1e-2, steps=4, batch_size=2, record_every=2, seed=seed
    )


def test_layout():
    dataset = example()
    assert dict(dataset.sizes) == {"run": 3, "step": 3}
    assert set(dataset.data_vars) == {*NAMES, "excess_risk", "distance", "lam"}
    o = Overlaps.unchecked([dataset[name] for name in NAMES])
    np.testing.assert_array_equal(dataset.excess_risk, excess_risk(o, 0.3, TASK))
    np.testing.assert_array_equal(dataset.distance, o.distance)


def test_files_give_back_what_was_saved(tmp_path):
    dataset = example()
    path = datasets.save(dataset, tmp_path / "deep" / "down.nc")
    xr.testing.assert_identical(datasets.load(path), dataset)
    assert [p.name for p in path.parent.iterdir()] == ["down.nc"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_the_client_of_a_dask_cluster_saves_too(tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(processes=False, protocol="tcp", dashboard_address=None):
        path = datasets.save(example(), tmp_path / "x.nc")
    xr.testing.assert_identical(datasets.load(path), example())


def test_seeds_of_any_size_are_saved(tmp_path):
    seed = 2**100
    assert datasets.load(datasets.save(example(seed), tmp_path / "x.nc")).attrs["seed"] == seed


def test_a_failed_save_leaves_the_old_file_and_no_other(tmp_path):
    path = datasets.save(example(), tmp_path / "x.nc")
    before = path.read_bytes()
    with pytest.raises(TypeError):
        datasets.save(example().assign_attrs(bad=object()), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
