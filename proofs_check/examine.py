"""Examines one claim: every judge on its subject, then on each mutant until one refutes it."""

from __future__ import annotations

import dataclasses
import hashlib
import traceback
from collections.abc import Callable
from time import perf_counter
from typing import Any

from proofs_check import formula, plain
from proofs_check.claim import Claim, Context, Evidence, Judge, Verdict
from proofs_check.verdict import Finding, MutantOutcome


def examine(claim: Claim, context: Context) -> Finding:
    """Evidence on a claim and the fate of its mutants. Never raises: a failing judge leaves doubt.

    The outcome depends on the claim and the context alone, so it is the same whichever process computes it.
    """
    start = perf_counter()
    evidence = tuple(_evidence(claim, index, claim.subject, context) for index in range(len(claim.judges)))
    mutants = tuple(_fate(claim, mutant.name, mutant.subject, context) for mutant in claim.mutants)
    return Finding(claim.id, evidence, mutants, _formulas(claim), perf_counter() - start)


def failed(claim: Claim, why: str) -> Finding:
    """The finding on a claim whose examination came to nothing, for example since its process died."""
    evidence = tuple(Evidence(judge.kind, Verdict.UNDECIDED, why) for judge in claim.judges)
    mutants = tuple(MutantOutcome(mutant.name, False, "", why) for mutant in claim.mutants)
    return Finding(claim.id, evidence, mutants)


def _evidence(claim: Claim, index: int, subject: Callable[[], Any], context: Context) -> Evidence:
    judge = claim.judges[index]
    start = perf_counter()
    try:
        found = judge(subject(), dataclasses.replace(context, seed=_seed(context.seed, claim.id, index)))
    except Exception as error:
        found = Evidence(judge.kind, Verdict.UNDECIDED, _last_line(error), data={"where": _where(error)})
    return dataclasses.replace(found, data=plain.plain(dict(found.data)), seconds=perf_counter() - start)


def _fate(claim: Claim, name: str, subject: Callable[[], Any], context: Context) -> MutantOutcome:
    start = perf_counter()
    doubts = []
    for index, judge in enumerate(claim.judges):
        found = _evidence(claim, index, subject, context)
        if found.verdict is Verdict.REFUTED:
            return MutantOutcome(name, True, _name(judge), found.detail, perf_counter() - start)
        doubts.append(f"{found.kind} {found.verdict} ({found.detail})")
    return MutantOutcome(name, False, "", "; ".join(doubts), perf_counter() - start)


def _formulas(claim: Claim) -> tuple[formula.Formula, ...]:
    try:
        return formula.render((claim.formula or claim.subject)())
    except Exception as error:
        return (formula.Formula(_last_line(error), rf"\text{{{type(error).__name__}}}"),)


def _seed(seed: int, claim_id: str, index: int) -> int:
    """A seed of its own for each judge of each claim, so that no two of them share random numbers."""
    digest = hashlib.sha256(f"{seed}/{claim_id}/{index}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def _name(judge: Judge) -> str:
    return f"{judge.kind} {type(judge).__name__}"


def _last_line(error: Exception) -> str:
    return traceback.format_exception_only(error)[-1].strip()


def _where(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename.rpartition('/')[2]}:{frame.lineno} in {frame.name}"
