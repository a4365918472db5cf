"""A campaign: every change, or a seeded sample of them, tried; the report says what noticed each one."""

from __future__ import annotations

import json
import random
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from proofs_check import ledger
from proofs_check.claim import Context
from proofs_check.mutation.changes import Change, changes
from proofs_check.mutation.trial import Outcome, Stage, Workspace, attempt

ROOT = Path(__file__).parents[2]
EQUIVALENT = Path(__file__).parent / "equivalent.toml"
LEFT_OUT = (
    "*/__init__.py",
    "numerics/generated/*",
    "numerics/plotting/*",
    "numerics/probe/*",
    "numerics/compilation.py",
    "numerics/files.py",
    "numerics/experiments*.py",
    "numerics/sweep*.py",
    "numerics/dataset*.py",
)
QUICK_CLAIM = 4.0
"""Seconds up to which a claim, with kernels interpreted, belongs to the first stage."""


@dataclass
class Trial:
    """A change and what became of it."""

    change: Change
    outcome: Outcome
    equivalent: str = ""

    def record(self) -> dict[str, Any]:
        """As plain data for the report."""
        return {"change": str(self.change), "equivalent": self.equivalent, **asdict(self.outcome)}


@dataclass
class Campaign:
    """Tries changes: first quick claims with interpreted kernels, then all claims, then the tests.

    workers: trials at a time. with_tests: run the fast tests on what all claims let pass.
    on_trial: called with each trial as it ends.
    """

    workers: int = 2
    with_tests: bool = True
    on_trial: Callable[[Trial], None] = lambda trial: None
    killers: Counter[str] = field(default_factory=Counter)

    def run(self, chosen: Sequence[Change]) -> list[Trial]:
        """Try every change; the trials come in the order of the changes."""
        claims = list(ledger.load())
        with tempfile.TemporaryDirectory() as folder:
            spaces: SimpleQueue[Workspace] = SimpleQueue()
            for number in range(self.workers):
                spaces.put(Workspace(ROOT, Path(folder) / str(number)))
            quick = self._quick_claims(spaces, claims)
            with ThreadPoolExecutor(self.workers) as pool:
                return list(pool.map(lambda change: self._try(spaces, quick, claims, change), chosen))

    def _quick_claims(self, spaces: SimpleQueue[Workspace], claims: Sequence[str]) -> list[str]:
        """Claims that hold and end soon with interpreted kernels on the unchanged sources, fastest first."""
        space = spaces.get()
        times = {}
        for claim_id in claims:
            outcome = attempt(space, Stage("baseline", [claim_id], False, 4 * QUICK_CLAIM), regenerate=False)
            if not outcome.killed:
                times[claim_id] = outcome.seconds
        spaces.put(space)
        return sorted((c for c in times if times[c] < 2 * QUICK_CLAIM), key=times.__getitem__)

    def _try(
        self, spaces: SimpleQueue[Workspace], quick: Sequence[str], claims: Sequence[str], change: Change
    ) -> Trial:
        space = spaces.get()
        try:
            space.change(change)
            outcome = self._outcome(space, quick, claims, change)
        finally:
            space.restore(change)
            spaces.put(space)
        reasons = tomllib.loads(EQUIVALENT.read_text())
        trial = Trial(change, outcome, "" if outcome.killed else reasons.get(change.key, ""))
        self.on_trial(trial)
        return trial

    def _outcome(
        self, space: Workspace, quick: Sequence[str], claims: Sequence[str], change: Change
    ) -> Outcome:
        regenerate = change.file.startswith("theory/")
        ordered = sorted(quick, key=lambda claim_id: -self.killers[claim_id])
        outcome = attempt(space, Stage("quick", ordered, False, 120.0), regenerate)
        if not outcome.killed:
            outcome = attempt(space, Stage("all", claims, True, 900.0), regenerate)
        if outcome.killed:
            self.killers[outcome.by] += 1
        elif self.with_tests:
            outcome = space.tests(900.0)
        return outcome


def all_changes(patterns: Iterable[str] = ("theory/*", "numerics/*")) -> list[Change]:
    """Every change of every source that the suite is to vouch for, or of those that match the patterns."""
    files = [f for package in ("theory", "numerics") for f in sorted((ROOT / package).rglob("*.py"))]
    names = [file.relative_to(ROOT).as_posix() for file in files]
    kept = [n for n in names if not any(fnmatch(n, p) for p in LEFT_OUT)]
    kept = [n for n in kept if any(fnmatch(n, p) for p in patterns)]
    return [change for name in kept for change in changes(name, (ROOT / name).read_text())]


def sample(population: Sequence[Change], size: int, seed: int) -> list[Change]:
    """A seeded sample in source order; all where size is 0 or larger than the population."""
    if not 0 < size < len(population):
        return list(population)
    chosen = sorted(random.Random(seed).sample(range(len(population)), size))
    return [population[i] for i in chosen]


def report(trials: Sequence[Trial], population: int) -> dict[str, Any]:
    """Totals and every trial, as plain data."""
    survivors = [t for t in trials if not t.outcome.killed]
    return {
        "population": population,
        "tried": len(trials),
        "killed_by_verify": sum(t.outcome.killed and t.outcome.by != "tests" for t in trials),
        "killed_by_tests": sum(t.outcome.killed and t.outcome.by == "tests" for t in trials),
        "equivalent": sum(bool(t.equivalent) for t in survivors),
        "survived": sum(not t.equivalent for t in survivors),
        "seed": Context().seed,
        "finished": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "trials": [t.record() for t in trials],
    }


def write(path: Path, content: dict[str, Any]) -> None:
    """The report as JSON, in one step."""
    temporary = path.with_suffix(path.suffix + ".tmp")
    temporary.write_text(json.dumps(content, indent=1))
    temporary.replace(path)
