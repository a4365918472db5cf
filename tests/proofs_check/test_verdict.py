"""Verdict and strength follow from evidence, mutants and dependencies."""

import itertools

import pytest

from proofs_check.claim import Claim, Evidence, Kind, Mutant, Verdict
from proofs_check.ledger import Ledger, Part
from proofs_check.verdict import Finding, MutantOutcome, decide, weakest

HOLDS, REFUTED, UNDECIDED = Verdict.HOLDS, Verdict.REFUTED, Verdict.UNDECIDED
KILLED = MutantOutcome("m", True, "exact Identity", "no")
SURVIVING = MutantOutcome("m", False, "", "nothing refuted it")


def claim(claim_id, *depends_on):
    mutant = Mutant("m", lambda: None)
    return Claim(claim_id, "", lambda: None, "", (lambda s, c: None,), (mutant,), depends_on=depends_on)


def finding(claim_id, *evidence, mutants=(KILLED,)):
    return Finding(claim_id, tuple(Evidence(kind, verdict, "why") for kind, verdict in evidence), mutants)


def settle(claims, findings):
    class Bare(Ledger):
        statistical_checks = 0

    return decide(Bare([Part("p", "P", tuple(claims))]), {item.claim_id: item for item in findings})


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([HOLDS], HOLDS),
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, UNDECIDED], UNDECIDED),
        ([UNDECIDED, REFUTED], REFUTED),
        ([HOLDS, REFUTED], REFUTED),
    ],
)
def test_every_judge_must_hold_and_one_refutes(verdicts, expected):
    result = settle([claim("a.x")], [finding("a.x", *((Kind.EXACT, verdict) for verdict in verdicts))])["a.x"]
    assert result.verdict is expected
    assert bool(result.reasons) is (expected is not HOLDS)


def test_surviving_mutant_leaves_the_claim_undecided_and_is_named():
    found = finding("a.x", (Kind.EXACT, HOLDS), mutants=(KILLED, SURVIVING))
    result = settle([claim("a.x")], [found])["a.x"]
    assert result.verdict is UNDECIDED
    assert result.reasons == ("mutant 'm' survives: nothing refuted it",)


@pytest.mark.parametrize("lower", [REFUTED, UNDECIDED])
def test_doubt_travels_up_the_dependencies(lower):
    claims = [claim("a.top", "a.middle"), claim("a.middle", "a.low"), claim("a.low")]
    found = [finding("a.low", (Kind.EXACT, lower))]
    found += [finding(f"a.{name}", (Kind.EXACT, HOLDS)) for name in ("top", "middle")]
    results = settle(claims, found)
    assert results["a.low"].verdict is lower
    assert results["a.middle"].verdict is UNDECIDED
    assert results["a.middle"].reasons == (f"rests on a.low, which is {lower}",)
    assert results["a.top"].reasons == ("rests on a.middle, which is undecided",)


def test_strength_is_the_weakest_kind_among_evidence_and_dependencies():
    claims = [
        claim("a.top", "a.middle", "a.other"),
        claim("a.middle", "a.low"),
        claim("a.low"),
        claim("a.other"),
    ]
    found = [
        finding("a.low", (Kind.NUMERICAL, HOLDS)),
        finding("a.middle", (Kind.EXACT, HOLDS), (Kind.CERTIFIED, HOLDS)),
        finding("a.other", (Kind.EXACT, HOLDS)),
        finding("a.top", (Kind.EXACT, HOLDS)),
    ]
    strengths = {key: result.strength for key, result in settle(claims, found).items()}
    assert strengths == {
        "a.low": Kind.NUMERICAL,
        "a.middle": Kind.NUMERICAL,
        "a.other": Kind.EXACT,
        "a.top": Kind.NUMERICAL,
    }


def test_order_of_strength():
    order = ["exact", "certified", "numerical", "statistical", "cited"]
    for strong, weak in itertools.combinations(order, 2):
        assert weakest({Kind(strong), Kind(weak)}) == weak
