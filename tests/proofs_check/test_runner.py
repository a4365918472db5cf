"""Runs are the same for every number of workers, and survive what claims do to them."""

import dataclasses
import json
from xml.etree import ElementTree

import pytest

from proofs_check.claim import Context, Kind, Verdict
from proofs_check.examine import examine
from proofs_check.ledger import CLAIMS_PACKAGE, load
from proofs_check.report import json_report, junit
from proofs_check.runner import verify

EXAMPLES, BROKEN = "tests.proofs_check.examples", "tests.proofs_check.broken"


def test_report_does_not_depend_on_the_number_of_workers(run_of, examples, timeless):
    one, two = json_report.to_data(run_of(EXAMPLES, workers=1)), json_report.to_data(examples)
    assert timeless(one) == timeless(two)


ONE_OF_EACH_KIND = (
    "gaussian.owen-derivative",
    "linear.example",
    "reference.erf-variance",
    "drawn.attention",
    "convergence.single-limit",
)


@pytest.mark.slow
def test_reports_on_the_project_repeat_and_do_not_depend_on_the_number_of_workers(run_of, timeless):
    runs = [run_of(CLAIMS_PACKAGE, workers=n, seed=3, ids=ONE_OF_EACH_KIND) for n in (1, 2, 2)]
    first, *others = [timeless(json_report.to_data(run)) for run in runs]
    assert {e["kind"] for claim in first["claims"] for e in claim["evidence"]} == set(Kind)
    assert first["seed"] == 3
    assert first["platform"]
    assert all(other == first for other in others)


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
