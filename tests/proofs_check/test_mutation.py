"""Changes of sources: which there are, what they can reach, and a record that survives an interruption."""

import json
from pathlib import Path

import pytest

from proofs_check.mutation.campaign import Trial, equivalents, why_equivalent
from proofs_check.mutation.changes import changes
from proofs_check.mutation.imports import Imports
from proofs_check.mutation.population import LEFT_OUT, all_changes, sample
from proofs_check.mutation.record import Record
from proofs_check.mutation.trial import Outcome, Stage, attempt, run_tests
from proofs_check.mutation.workspace import Workspace

ROOT = Path(__file__).parents[2]
FOUND = changes("f.py", "y = a + b * c\n")


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("a - b", "a + b"),
        ("a - b", "a"),
        ("a * b", "a / b"),
        ("a**2", "a ** 1"),
        ("f(a, b)", "f(b, a)"),
        ("x < 3", "x >= 3"),
        ("-x", "x"),
        ("3", "4"),
        ("L * x", "(L + 1,)[0] * x"),
        ("gamma * x", "(gamma ** 2,)[0] * x"),
    ],
)
def test_slips_are_among_the_changes(source, after):
    assert f"y = {after}\n" in [
        change.apply(f"y = {source}\n") for change in changes("f.py", f"y = {source}\n")
    ]


def test_symmetric_functions_keep_their_arguments():
    assert not changes("f.py", "y = max(a, b) - np.hypot(a, b)")[2:]
    assert not changes("f.py", "y = f(a, a)")


def test_words_are_left_alone():
    source = (
        '"""1 + 1"""\nfrom a import b\n\n\ndef f(x: int = 1 + 0) -> None:\n    raise E(f"{1 + 1}", 2 + 2)\n'
    )
    assert {change.line for change in changes("f.py", source)} == {5}


def test_what_a_change_is_about():
    source = "\n".join(
        [
            "def f(x, n):",
            "    n = checks.integer('n', n, 2)",
            "    if x < 3:",
            "        raise ValueError(x)",
            "    return x + 5",
            "",
            "def __repr__(self):",
            "    return str(1)",
        ]
    )
    found = {(change.line, change.matter) for change in changes("f.py", source)}
    assert found == {(2, "arguments"), (3, "arguments"), (5, "mathematics"), (8, "display")}


def test_every_pattern_that_is_left_out_matches_a_source():
    for pattern in LEFT_OUT:
        assert list(ROOT.rglob(pattern)), pattern


def test_a_larger_sample_continues_a_smaller_one():
    population = all_changes(ROOT, ["theory/task.py"])
    assert sample(population, 8, seed=3)[:5] == sample(population, 5, seed=3)
    assert sorted(map(str, sample(population, 0, seed=3))) == sorted(map(str, population))


def test_names_are_followed_to_the_files_that_define_them(tmp_path):
    files = {
        "numerics/__init__.py": "from numerics.risk import excess_risk\nfrom numerics.flow import risk",
        "numerics/risk.py": "import numerics.deep",
        "numerics/flow.py": "",
        "numerics/deep.py": "from numba import njit",
        "claims.py": "from numerics import excess_risk",
        "package/__init__.py": "",
        "package/claims.py": "from numerics import excess_risk",
        "package/other.py": "from numerics import risk, deep",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    imports = Imports(tmp_path, ("numerics", "package"))
    assert imports.distances("package/claims.py") == {
        "package/claims.py": 0, "numerics/risk.py": 1, "numerics/deep.py": 2,
    }  # fmt: skip
    assert set(imports.distances("package/other.py")) == {
        "package/other.py", "numerics/flow.py", "numerics/deep.py",
    }  # fmt: skip
    assert imports.users("numba") == {"numerics/deep.py"}


def test_equivalent_changes_are_changes_of_the_sources():
    known = equivalents()["change"]
    found = {(change.file, change.becomes) for change in all_changes(ROOT, {file for file, _ in known})}
    assert set(known) <= found


@pytest.mark.parametrize(("file", "reads"), equivalents()["line"])
def test_lines_of_which_all_changes_are_equivalent_are_lines_of_the_sources(file, reads):
    found = [change for change in all_changes(ROOT, [file]) if change.reads == reads]
    assert found
    assert all(map(why_equivalent, found))


@pytest.mark.parametrize(("file", "name"), equivalents()["constant"])
def test_constants_that_alter_no_result_are_constants_of_the_sources(file, name):
    constants = [c for c in all_changes(ROOT, [file]) if c.kind == "constant"]
    found = [c for c in constants if name in c.becomes.partition(" = ")[0].split(", ")]
    assert found
    assert all(map(why_equivalent, found))


def test_an_interrupted_campaign_goes_on(tmp_path):
    path = tmp_path / "mutants.json"
    record = Record(path, FOUND, {"seed": 0}, again=False)
    record.add(Trial(FOUND[0], Outcome(True, "risk.oracle", "", 1.0)))
    record.add(Trial(FOUND[1], Outcome(False, "", "", 1.0)))
    assert json.loads(path.read_text())["killed by verify"] == 1
    assert Record(path, FOUND, {}, again=False).missing(FOUND) == FOUND[2:]
    assert Record(path, FOUND, {}, again=True).missing(FOUND) == FOUND[1:]
    assert Record(path, FOUND[1:], {}, again=False).totals()["tried"] == 1


def test_an_outcome_counts_what_was_examined_before():
    outcome = Outcome(True, "tests", "FAILED", 2.0).after(Outcome(False, "", "", 3.0, held=7))
    assert (outcome.killed, outcome.by, outcome.seconds, outcome.held) == (True, "tests", 5.0, 7)


def test_tests_that_cannot_run_are_no_kill(tmp_path):
    with pytest.raises(RuntimeError, match="cannot run"):
        run_tests(Workspace(ROOT, tmp_path), ["tests/test_that_is_not_there.py"])


@pytest.mark.slow
def test_a_wrong_sign_is_noticed_and_undone(tmp_path):
    space = Workspace(ROOT, tmp_path)
    (change,) = (
        c for c in all_changes(ROOT, ["theory/risk.py"]) if c.kind == "sign" and "W - F * V" in c.before
    )
    stage = Stage({"risk.five-overlaps": 100.0}, compiled=False)
    assert not attempt(space, stage).killed
    space.change(change)
    outcome = attempt(space, stage)
    assert (outcome.killed, outcome.by) == (True, "risk.five-overlaps")
    space.restore(change)
    assert (space.folder / change.file).read_text() == (ROOT / change.file).read_text()
