"""slr probe: files, output and bad usage."""

import importlib
import json

import pytest
from typer.testing import CliRunner

from numerics.probe.words import WordLists
from proofs_check.cli import build


def slr(*arguments):
    return CliRunner().invoke(build(), [str(a) for a in arguments], env={"COLUMNS": "200"})


def text_of(result):
    return " ".join(result.output.replace("│", " ").split())


def test_the_lists_that_it_shows_are_lists_that_it_reads(tmp_path):
    for name in ("plain", "contrast"):
        result = slr("probe", "--words", name, "--show-words")
        assert result.exit_code == 0
        (tmp_path / "words.json").write_text(result.stdout, encoding="utf-8")
        assert WordLists.read(tmp_path / "words.json") == WordLists.built_in(name)


def test_without_the_extra_it_says_how_to_install_it(monkeypatch, tmp_path):
    real = importlib.import_module

    def without_torch(name, *rest):
        if name == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")
        return real(name, *rest)

    monkeypatch.setattr(importlib, "import_module", without_torch)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    for name in ("model.safetensors", "vocab.txt"):
        (tmp_path / name).touch()
    result = slr("probe", "--model", tmp_path, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "needs torch, which is not installed: pip install 'single-location-regression[probe]'" in text_of(
        result
    )


def test_a_folder_without_a_model_is_bad_usage(tmp_path):
    result = slr("probe", "--model", tmp_path, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "model must be a BERT checkpoint" in text_of(result)
    assert "hf download google-bert/bert-base-uncased" in text_of(result)
    assert not (tmp_path / "out").exists()


def test_bad_word_lists_are_bad_usage(tmp_path):
    (tmp_path / "words.json").write_text('{"templates": {}}', encoding="utf-8")
    result = slr("probe", "--words", tmp_path / "words.json", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "slr probe --show-words > words.json" in text_of(result)
    result = slr("probe", "--words", "nothing", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "words must be a readable JSON file, got 'nothing'" in text_of(result)


@pytest.mark.parametrize(("option", "value"), [("--train", 7), ("--test", 0), ("--seed", -1)])
def test_bad_numbers_are_bad_usage(option, value, tmp_path):
    result = slr("probe", option, value, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert f"{option[2:]} must be" in text_of(result)


def test_a_run_leaves_figures_tables_and_data(checkpoint, tmp_path):
    run = ("probe", "--model", checkpoint, "--train", 120, "--test", 20, "--out", tmp_path / "out")
    result = slr(*run)
    assert result.exit_code == 0, result.output
    assert "structure + neutral words" in result.stdout
    names = sorted(p.name for p in (tmp_path / "out").iterdir())
    assert names == sorted(
        [
            "cache",
            "linear_probing.nc",
            *(f"linear_probing_{q}.{s}" for q in ("accuracy", "location") for s in ("csv", "png", "svg")),
        ]
    )
    before = (tmp_path / "out" / "linear_probing_accuracy.csv").read_bytes()
    assert slr(*run).exit_code == 0
    assert (tmp_path / "out" / "linear_probing_accuracy.csv").read_bytes() == before
