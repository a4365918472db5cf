"""The paper's experiments: their settings, their starts, where runs end, and the figures."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib import pyplot as plt

from numerics import Overlaps, Task, datasets, outcomes, plotting
from numerics.experiments import EXPERIMENTS, RECORDS, record_every
from numerics.overlaps import NAMES
from numerics.starts import random_starts

TASK = Task(d=400, L=10)


@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_run_does_not_depend_on_the_number_of_runs(name):
    short = replace(EXPERIMENTS[name], steps=60)
    few, many = short.run(runs=2, seed=3), short.run(runs=4, seed=3)
    for variable in NAMES:
        np.testing.assert_array_equal(few[variable], many[variable][:2])
    assert few.attrs["on"] == short.on
    assert few.attrs["seed"] == 3


def test_starts_have_their_law():
    starts = random_starts(400, TASK, 0, "manifold")
    assert (starts.distance == 0).all()
    assert np.var(starts.kappa) == pytest.approx(1 / 398, rel=0.3)


@pytest.mark.parametrize("steps", [0, 1, 7, 400, 20_000, 120_000, 200_000, 12_345])
def test_records_are_about_as_many_as_wanted(steps):
    every = record_every(steps)
    assert steps % every == 0
    assert steps <= RECORDS or RECORDS / 20 <= steps / every <= RECORDS * 20


def test_steps_without_a_good_divisor_are_refused():
    with pytest.raises(ValueError, match=r"steps must have a divisor near steps / 400, got 1000003"):
        record_every(1_000_003)


def test_endings_are_those_of_the_paper_at_its_small_lambda():
    """Half of the runs end at the oracle, the others with the roles swapped (lam = 0.1, uniform starts)."""
    dataset = EXPERIMENTS["sphere_small_lambda"].run(runs=12)
    counts = outcomes.counts(dataset)
    assert counts[outcomes.ELSEWHERE] == 0
    assert counts[outcomes.ORACLE] > 1
    assert counts[outcomes.SWAPPED] > 1


@pytest.mark.parametrize("lam", [0.01, 0.1, 1.0])
def test_role_swapped_points_are_critical(lam):
    from numerics import flow_velocity

    np.testing.assert_allclose(
        flow_velocity(outcomes.role_swapped(lam, TASK), lam, TASK).stack(), 0, atol=1e-12
    )


def test_endings_are_named():
    o = Overlaps(kappa=[1, -0.99, 1, 0, 0], nu=[1, -1, -1, 0, 0], eta=[0, 0, 0, -1, 0])
    near = o.stack()
    near[2, 3] = -outcomes.role_swapped(0.1, TASK).theta[0]
    names = outcomes.classify(Overlaps(*near), 0.1, TASK)
    assert list(names) == ["oracle", "oracle", "elsewhere", "role-swapped", "elsewhere"]


@pytest.fixture(scope="module")
def dataset():
    return replace(EXPERIMENTS["sphere_small_lambda"], steps=2000).run(runs=6)


def test_overview_shows_medians_and_bands(dataset):
    figure = plotting.overview(dataset)
    (line,) = figure.axes[0].get_lines()
    np.testing.assert_array_equal(line.get_ydata(), np.median(dataset.excess_risk, axis=0))
    band = figure.axes[0].collections[0].get_paths()[0].vertices[:, 1]
    assert band.max() == np.quantile(dataset.excess_risk, 0.975, axis=0).max()
    assert figure.axes[3].get_yscale() == "log"
    plt.close("all")


def test_overview_is_written_with_the_counts(dataset, tmp_path):
    figure = plotting.overview(dataset)
    text = figure.get_supxlabel()
    assert "6 runs" in text
    assert "end at the oracle" in text
    assert len(figure.axes) == 4
    for name in ("figure.png", "figure.svg"):
        assert plotting.save(figure, tmp_path / name).stat().st_size > 1000
    plt.close("all")


def test_overview_of_runs_on_the_manifold_says_that_the_distance_is_zero():
    dataset = replace(EXPERIMENTS["manifold"], steps=20).run(runs=2)
    figure = plotting.overview(dataset)
    assert [text.get_text() for text in figure.axes[3].texts] == ["exactly 0 in every run"]
    plt.close("all")


def test_saved_experiments_can_be_drawn_again(dataset, tmp_path):
    again = datasets.load(datasets.save(dataset, tmp_path / "x.nc"))
    assert outcomes.counts(again) == outcomes.counts(dataset)
