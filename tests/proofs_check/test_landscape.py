"""slr landscape: what it prints, writes and refuses; the claims' evidence under a budget that runs out."""

import json

import pytest
from typer.testing import CliRunner

from numerics.landscape import branches
from numerics.landscape.report import Landscape
from proofs_check.claim import Context, Verdict
from proofs_check.claims import landscape as claims
from proofs_check.cli import build

SMALL = ("landscape", "--d", "20", "--L", "4", "--runs", "0")


def slr(*arguments):
    return CliRunner().invoke(build(), arguments, env={"COLUMNS": "120"})


def test_the_table_and_the_json_say_the_same(tmp_path):
    path = tmp_path / "landscape.json"
    result = slr(*SMALL, "--seconds", "60", "--json", str(path))
    assert result.exit_code == 0, result.output
    data = json.loads(path.read_text())
    assert data["complete"] is True
    assert "role-swapped: global minimum" in result.stdout
    assert "no others, proved in" in result.stdout
    assert all(entry["name"] in result.stdout for entry in data["critical_points"])
    assert Landscape.from_json(path.read_text()).to_json() == path.read_text()


def test_without_time_nothing_is_said_to_be_complete():
    result = slr(*SMALL, "--seconds", "0")
    assert "role-swapped: lowest minimum" in result.stdout
    assert "others not excluded" in result.stdout


@pytest.mark.slow
def test_the_figure_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(branches, "grid", lambda task: [0.1, 0.2])
    monkeypatch.setattr(branches, "dimensions", lambda task: [20, 30])
    result = slr(*SMALL, "--seconds", "0", "--figure", str(tmp_path / "a.svg"))
    assert result.exit_code == 0, result.output
    assert (tmp_path / "a.svg").stat().st_size > 10_000


@pytest.mark.parametrize(("option", "value"), [("--figure", "a.gif"), ("--lam", "0"), ("--d", "3")])
def test_bad_usage_exits_2(option, value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert slr(*SMALL, option, value).exit_code == 2


def test_a_budget_that_runs_out_is_undecided_and_names_a_cell(monkeypatch):
    monkeypatch.setattr(claims, "SECONDS", 0.0)
    (claim,) = (claim for claim in claims.claims() if claim.id == "landscape.plane")
    found = claim.judges[0](claim.subject(), Context())
    assert found.verdict is Verdict.UNDECIDED
    assert "resists" in found.detail
