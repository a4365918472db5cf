"""From evidence to verdicts: a claim holds if its evidence, its dependencies and its mutants say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from proofs_check.claim import Claim, Evidence, Kind, Verdict
from proofs_check.formula import Formula
from proofs_check.ledger import Ledger

STRONGEST_FIRST = tuple(Kind)


@dataclass(frozen=True)
class MutantOutcome:
    """What became of one mutant: killed if a judge refuted it, and by which kind of judge."""

    name: str
    killed: bool
    by: str
    detail: str
    seconds: float = 0.0


@dataclass(frozen=True)
class Finding:
    """What running one claim's judges on its subject and on its mutants brought, dependencies aside."""

    claim_id: str
    evidence: tuple[Evidence, ...]
    mutants: tuple[MutantOutcome, ...]
    formulas: tuple[Formula, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True)
class Result:
    """A claim with its finding, its verdict, its strength, and the reasons for not holding."""

    claim: Claim
    part: str
    finding: Finding
    verdict: Verdict
    strength: Kind
    reasons: tuple[str, ...]


def decide(ledger: Ledger, findings: Mapping[str, Finding]) -> dict[str, Result]:
    """Verdict and strength of every claim found on, in ledger order.

    `findings` must contain the dependencies of each of its claims.
    """
    results: dict[str, Result] = {}
    for claim_id in ledger.topological:
        if claim_id in findings:
            results[claim_id] = _result(ledger, findings[claim_id], results)
    return {claim_id: results[claim_id] for claim_id in ledger if claim_id in results}


def weakest(kinds: set[Kind]) -> Kind:
    """The weakest of some kinds of evidence.

    >>> weakest({Kind.EXACT, Kind.NUMERICAL, Kind.CERTIFIED})
    <Kind.NUMERICAL: 'numerical'>
    """
    return max(kinds, key=STRONGEST_FIRST.index)


def _result(ledger: Ledger, finding: Finding, settled: Mapping[str, Result]) -> Result:
    claim = ledger[finding.claim_id]
    dependencies = [settled[dependency] for dependency in claim.depends_on]
    refuting = [_reason(item) for item in finding.evidence if item.verdict is Verdict.REFUTED]
    doubts = [_reason(item) for item in finding.evidence if item.verdict is Verdict.UNDECIDED]
    doubts += [
        f"mutant {mutant.name!r} survives: {mutant.detail}" for mutant in finding.mutants if not mutant.killed
    ]
    doubts += [
        f"rests on {other.claim.id}, which is {other.verdict}"
        for other in dependencies
        if other.verdict is not Verdict.HOLDS
    ]
    verdict = Verdict.REFUTED if refuting else Verdict.UNDECIDED if doubts else Verdict.HOLDS
    strength = weakest({item.kind for item in finding.evidence} | {other.strength for other in dependencies})
    part = ledger.part_of[claim.id].name
    return Result(claim, part, finding, verdict, strength, tuple(refuting + doubts))


def _reason(evidence: Evidence) -> str:
    return f"{evidence.kind} evidence is {evidence.verdict}: {evidence.detail}"
