"""slr sweep: the file, and bad usage."""

import pytest
from typer.testing import CliRunner

from numerics import datasets
from proofs_check.cli import build

FIXED = ("--set", "d=30", "--set", "L=3", "--set", "step_size=1e-3", "--set", "steps=5")


def slr(*arguments):
    return CliRunner().invoke(build(), [str(a) for a in arguments], env={"COLUMNS": "100"})


@pytest.mark.slow
def test_a_sweep_leaves_its_file(tmp_path):
    out = tmp_path / "x.nc"
    arguments = (
        "pgd",
        "--grid",
        "lam=0.1,1:1e-4",
        "--grid",
        "gamma=0.5,1",
        *FIXED,
        "--runs",
        2,
        "--workers",
        1,
    )
    result = slr("sweep", *arguments, "--out", out)
    assert result.exit_code == 0, result.output
    assert "2 lam x 2 gamma x 2 run" in result.stdout
    assert datasets.load(out).lam.values.tolist() == ["0.1", "InverseTimeDecay(start=1.0, rate=0.0001)"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("adam", "--grid", "lam=0.1"), "algorithm must be one of flow, pgd, sgd, got 'adam'"),
        (("pgd", "--grid", "lam"), "parameters are given as NAME=VALUE, got 'lam'"),
        (("pgd", "--grid", "lam=fast"), "lam must be a number or START:RATE, got 'fast'"),
        (("pgd", "--grid", "lam=0.1:x"), "lam must be a number or START:RATE, got '0.1:x'"),
        (("pgd", "--grid", "speed=1"), "grid must name parameters among"),
    ],
)
def test_bad_usage_exits_2_and_names_the_argument(arguments, message, tmp_path):
    result = slr("sweep", *arguments, *FIXED, "--out", tmp_path / "x.nc")
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())
    assert not list(tmp_path.iterdir())
