"""slr reproduce: files, output and bad usage."""

import pytest
from typer.testing import CliRunner

from numerics import datasets
from proofs_check.cli import build


def slr(*arguments):
    return CliRunner().invoke(build(), [str(a) for a in arguments], env={"COLUMNS": "100"})


def test_an_experiment_leaves_a_figure_and_its_data(tmp_path):
    result = slr(
        "reproduce", "manifold", "--out", tmp_path / "f", "--runs", 3, "--steps", 40, "--seed", 5, "--d", 50
    )
    assert result.exit_code == 0, result.output
    assert "manifold: 3 runs: 0 end at the oracle, 0 at the role-swapped point, 3 elsewhere" in result.stdout
    assert sorted(p.name for p in (tmp_path / "f").iterdir()) == ["manifold.nc", "manifold.png"]
    dataset = datasets.load(tmp_path / "f" / "manifold.nc")
    assert (dataset.attrs["d"], dataset.attrs["seed"], dataset.sizes["run"]) == (50, 5, 3)


def test_lam_replaces_the_schedule(tmp_path):
    result = slr("reproduce", "sgd", "--out", tmp_path, "--runs", 2, "--steps", 20, "--lam", 0.5, "--L", 3)
    assert result.exit_code == 0, result.output
    dataset = datasets.load(tmp_path / "sgd.nc")
    assert (dataset.lam == 0.5).all()
    assert dataset.attrs["L"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("manifld",), "NAME must be one of manifold"),
        (("manifold", "--d", "-3"), "d must be >= 1, got -3"),
        (("sgd", "--d", "5"), "must be >= 6, got 5"),
        (("manifold", "--lam", "0"), "lam must be a finite number > 0, got 0"),
        (("manifold", "--runs", "0"), "runs must be >= 1, got 0"),
        (("manifold", "--steps", "-5"), "steps must be >= 0, got -5"),
    ],
)
def test_bad_usage_exits_2_and_names_the_argument(arguments, message, tmp_path):
    result = slr("reproduce", *arguments, "--out", tmp_path)
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_bad_usage(tmp_path):
    (tmp_path / "file").touch()
    result = slr("reproduce", "manifold", "--runs", 1, "--steps", 2, "--out", tmp_path / "file")
    assert result.exit_code == 2
    assert "cannot write" in result.output
