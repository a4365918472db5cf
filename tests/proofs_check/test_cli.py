"""The commands: what they print, what they write, how they exit."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from proofs_check import ledger, runner
from proofs_check.cli import build

EXAMPLES, BROKEN = "tests.proofs_check.examples", "tests.proofs_check.broken"


@pytest.fixture
def slr_for_real(monkeypatch):
    """Calls a command on the claims of a package."""

    def call(*arguments, package=EXAMPLES):
        monkeypatch.setattr(ledger, "CLAIMS_PACKAGE", package)
        return CliRunner().invoke(build(), arguments, env={"COLUMNS": "80"})

    return call


@pytest.fixture
def slr(slr_for_real, monkeypatch, examples, broken):
    """The same, with claims that have been run once for all tests."""
    known = {**examples.results, **broken.results}

    def verify(ids, context, *, workers, on_finding):
        return {claim_id: known[claim_id] for claim_id in ledger.load().with_dependencies(ids)}

    monkeypatch.setattr(runner, "verify", verify)
    return slr_for_real


def test_verify_prints_a_table_and_totals_within_80_columns(slr):
    result = slr("verify", "--workers", "1")
    assert result.exit_code == 0, result.output
    assert "arithmetic.square   holds     exact" in result.stdout
    assert "3 claims: 3 holds; 3 of 3 mutants killed; " in result.stdout.splitlines()[-1]
    assert max(map(len, result.output.splitlines())) <= 80
    assert "\x1b" not in result.output


def test_verify_names_what_does_not_hold_and_exits_1(slr):
    result = slr("verify", "--workers", "2", package=BROKEN)
    assert result.exit_code == 1
    assert "refuted faults.false" in result.stdout
    assert "rests on faults.false, which is refuted" in result.stdout


def test_only_runs_dependencies_too(slr):
    result = slr("verify", "--only", "*.cube", "--workers", "1")
    assert result.exit_code == 0
    assert "2 claims: 2 holds" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "--only", "arithmetic.sqare"], "did you mean arithmetic.square"),
        (["claims", "--only", "nothing"], "no claim matches 'nothing'"),
        (["mutants", "--only", "nothing"], "no claim matches 'nothing'"),
        (["explain", "arithmetic.men"], "did you mean arithmetic.mean"),
        (["explain"], "Missing argument"),
        (["verify", "--workers", "0"], "--workers"),
        (["verify", "--seed", "-1"], "--seed"),
        (["verify", "--flavour", "sweet"], "No such option"),
        (["prove"], "No such command"),
    ],
)
def test_bad_usage_exits_2_and_says_why(slr, arguments, message):
    result = slr(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())


def test_reports_are_written_and_repeatable(slr_for_real, timeless, tmp_path):
    def report(name):
        path = tmp_path / name
        arguments = ["--only", "*.cube", "--workers", "1", "--seed", "7"]
        assert (
            slr_for_real("verify", *arguments, "--json", str(path), "--junit", f"{path}.xml").exit_code == 0
        )
        return json.loads(path.read_text())

    first, second = report("first.json"), report("second.json")
    assert first["seed"] == 7
    assert [claim["id"] for claim in first["claims"]] == ["arithmetic.square", "arithmetic.cube"]
    assert timeless(first) == timeless(second)
    assert (tmp_path / "first.json.xml").read_text().startswith("<?xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "first.json", "first.json.xml", "second.json", "second.json.xml",
    ]  # fmt: skip


def test_unwritable_report_is_refused_before_the_claims_run(slr, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    result = slr("verify", "--json", str(blocked / "report.json"))
    assert result.exit_code == 2
    assert "cannot write" in result.output
    assert "mutants killed" not in result.output


def test_claims_lists_statements_by_part(slr):
    result = slr("claims")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Small sums and products"
    assert "For real x, (x + 1)² = x² + 2x + 1 and 1/√(x² + 1) > 0." in result.stdout
    assert result.stdout.splitlines()[-1] == "3 of 3 claims"


def test_explain_shows_all_there_is_to_a_claim(slr):
    result = slr("explain", "arithmetic.mean", "--workers", "1")
    assert result.exit_code == 0
    for text in (
        "A uniform number in [1, 2] has mean 3/2 & <nothing> else.",
        "statistical holds",
        "five thirds: killed",
        "└── arithmetic.square  holds, exact",
        "Verdict: holds, strength: statistical",
    ):
        assert text in result.stdout


def test_explain_without_running(slr):
    result = slr("explain", "arithmetic.square", "--no-run")
    assert result.exit_code == 0
    assert "(x + 1)  = x  + 2⋅x + 1" in result.stdout
    assert "Multiply out." in result.stdout
    assert "x: real; any number" in result.stdout
    assert "Verdict" not in result.stdout


def test_explain_exits_1_on_a_claim_that_does_not_hold(slr):
    result = slr("explain", "faults.rests-on-that", "--workers", "1", package=BROKEN)
    assert result.exit_code == 1
    assert "rests on faults.rests-on-false, which is undecided" in result.stdout
    assert "faults.false  refuted, exact" in result.stdout


def test_mutants(slr):
    result = slr("mutants", "--workers", "1")
    assert result.exit_code == 0
    assert "3 mutants: 3 killed, 0 survive" in result.stdout
    result = slr("mutants", "--only", "*.survivor", "--workers", "1", package=BROKEN)
    assert result.exit_code == 1
    assert "2 mutants: 1 killed, 1 survive" in result.stdout


def test_help_comes_without_loading_the_mathematics():
    code = (
        "import sys\nfrom proofs_check.cli import build\n"
        "try: build()(['--help'])\nexcept SystemExit: pass\n"
        "slow = {'sympy', 'numpy', 'numba', 'scipy', 'xarray', 'flint'} & set(sys.modules)\n"
        "sys.exit(f'imported {slow}' if slow else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "verify" in done.stdout


@pytest.mark.parametrize("command", ["verify", "claims", "explain", "mutants"])
def test_help_of_each_command_has_examples(slr, command):
    result = slr(command, "--help")
    assert result.exit_code == 0
    assert f"slr {command}" in result.output.partition("Examples:")[2]
