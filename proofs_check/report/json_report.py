"""The report as JSON: the same for the same seed, but for the values named "seconds" and "started"."""

from __future__ import annotations

import json
from typing import Any

from proofs_check.claim import Evidence
from proofs_check.plain import plain
from proofs_check.report.run import Run
from proofs_check.verdict import MutantOutcome, Result


def to_json(run: Run) -> str:
    """The whole run as a JSON document."""
    return json.dumps(to_data(run), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def to_data(run: Run) -> dict[str, Any]:
    """The whole run as plain data."""
    return {
        "versions": dict(run.versions),
        "platform": run.platform,
        "seed": run.context.seed,
        "thorough": run.context.thorough,
        "started": run.started.isoformat(timespec="seconds"),
        "seconds": _seconds(run.seconds),
        "totals": run.totals,
        "claims": [_claim(result) for result in run.results.values()],
    }


def _claim(result: Result) -> dict[str, Any]:
    claim = result.claim
    return {
        "id": claim.id,
        "part": result.part,
        "statement": claim.statement,
        "formula": [formula.latex for formula in result.finding.formulas],
        "source": claim.source,
        "derivation": claim.derivation,
        "variables": [
            {"name": variable.name, "domain": variable.domain, "meaning": variable.meaning}
            for variable in claim.variables
        ],
        "verdict": str(result.verdict),
        "reasons": list(result.reasons),
        "strength": str(result.strength),
        "depends_on": list(claim.depends_on),
        "seconds": _seconds(result.finding.seconds),
        "evidence": [_evidence(item) for item in result.finding.evidence],
        "mutants": [_mutant(mutant) for mutant in result.finding.mutants],
    }


def _evidence(item: Evidence) -> dict[str, Any]:
    return {
        "kind": str(item.kind),
        "verdict": str(item.verdict),
        "detail": item.detail,
        "seconds": _seconds(item.seconds),
        "route": list(item.route),
        "data": plain(dict(item.data)),
    }


def _mutant(mutant: MutantOutcome) -> dict[str, Any]:
    return {
        "name": mutant.name,
        "killed": mutant.killed,
        "by": mutant.by,
        "detail": mutant.detail,
        "seconds": _seconds(mutant.seconds),
    }


def _seconds(seconds: float) -> float:
    return round(seconds, 4)
