"""Runs are the same for every number of workers, and survive what claims do to them."""

import dataclasses
import json
from xml.etree import ElementTree

from proofs_check.claim import Context, Kind, Verdict
from proofs_check.examine import examine
from proofs_check.ledger import load
from proofs_check.report import json_report, junit
from proofs_check.runner import verify

EXAMPLES, BROKEN = "tests.proofs_check.examples", "tests.proofs_check.broken"


def timeless(value):
    """A report without its times."""
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in ("seconds", "started")}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def test_report_does_not_depend_on_the_number_of_workers(run_of, examples):
    one, two = json_report.to_data(run_of(EXAMPLES, workers=1)), json_report.to_data(examples)
    assert timeless(one) == timeless(two)


def test_the_seed_matters():
    claim = load(EXAMPLES)["arithmetic.mean"]
    one, again, other = (examine(claim, Context(seed=seed)).evidence[0].data for seed in (1, 1, 2))
    assert one == again != other


def test_each_fault_has_its_verdict_and_reason(broken):
    found = {key.partition(".")[2]: (str(r.verdict), r.reasons) for key, r in broken.results.items()}
    assert found["sound"] == ("holds", ())
    assert found["false"][0] == "refuted"
    assert "the two sides differ by" in found["false"][1][0]
    assert found["unproved"][0] == "undecided"
    assert found["fails"] == (
        "undecided",
        ("exact evidence is undecided: ArithmeticError: this judge fails",),
    )
    assert found["dies"][0] == "undecided"
    assert "died (exit code 3)" in found["dies"][1][0]
    assert found["survivor"][0] == "undecided"
    assert found["survivor"][1][0].startswith("mutant 'true, really' survives: exact holds")
    assert found["rests-on-false"] == ("undecided", ("rests on faults.false, which is refuted",))
    assert found["rests-on-that"] == ("undecided", ("rests on faults.rests-on-false, which is undecided",))
    assert not broken.all_hold


def test_only_what_is_asked_for_and_its_dependencies_run():
    results = verify(["faults.rests-on-false"], package=BROKEN, workers=1)
    assert set(results) == {"faults.sound", "faults.false", "faults.rests-on-false"}


def test_json_report_has_the_promised_shape(broken):
    report = json.loads(json_report.to_json(broken))
    assert set(report) == {
        "versions", "platform", "seed", "thorough", "started", "seconds", "totals", "claims",
    }  # fmt: skip
    assert report["versions"]["sympy"]
    assert report["totals"]["claims"] == len(report["claims"]) == 8
    assert sum(report["totals"][verdict] for verdict in Verdict) == 8
    for claim in report["claims"]:
        assert {"id", "statement", "source", "verdict", "strength", "depends_on", "evidence"} <= set(claim)
        assert claim["verdict"] in list(Verdict)
        assert claim["strength"] in list(Kind)
        for evidence in claim["evidence"]:
            assert {"kind", "detail", "seconds", "verdict", "route", "data"} == set(evidence)
        for mutant in claim["mutants"]:
            assert {"name", "killed", "by", "detail", "seconds"} == set(mutant)


def test_junit_counts_every_claim_that_does_not_hold_as_a_failure(broken):
    suites = ElementTree.fromstring(junit.to_junit(broken))
    (suite,) = suites.findall("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("8", "7")
    assert len(suite.findall("testcase/failure")) == 7
    assert suite.get("name") == "Claims that do not hold, each in its own way"


def test_totals_count_mutants(broken):
    assert broken.totals["mutants"] == 9
    assert broken.totals["mutants_surviving"] == 2  # the true one, and that of the claim whose process died
    assert dataclasses.replace(broken, results={}).totals["claims"] == 0
