"""A campaign: changes tried in turn, first on the claims that they can reach, then on the tests."""

from __future__ import annotations

import tempfile
import tomllib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from proofs_check import ledger
from proofs_check.mutation.changes import MATHEMATICS, Change
from proofs_check.mutation.imports import Imports
from proofs_check.mutation.trial import Outcome, Stage, attempt, regenerate, run_tests
from proofs_check.mutation.workspace import GENERATED, PACKAGES, Workspace

EQUIVALENT = Path(__file__).parent / "equivalent.toml"
QUICK = 10.0
"""Seconds up to which a claim is first examined with kernels interpreted: compiling them takes longer."""
SLOWEST = 600.0
"""Seconds up to which a claim may take on the unchanged sources."""
UNTRIED = Outcome(False, "", "", 0.0)


@cache
def equivalents() -> dict[str, dict[tuple[str, str], str]]:
    """Why some changes alter no result: by file and what the lines become, read, or define."""
    known = tomllib.loads(EQUIVALENT.read_text())
    keys = {"change": "becomes", "line": "reads", "constant": "name"}
    return {
        table: {(entry["file"], entry[key]): entry["why"] for entry in known.get(table, [])}
        for table, key in keys.items()
    }


def why_equivalent(change: Change) -> str:
    """Why a change alters no result, if that is known; else nothing."""
    constants = change.becomes.partition(" = ")[0].split(", ") if change.kind == "constant" else []
    known = equivalents()
    reasons = [known["constant"].get((change.file, name), "") for name in constants]
    reasons.append(known["change"].get((change.file, change.becomes), ""))
    reasons.append(known["line"].get((change.file, change.reads), ""))
    return next(filter(None, reasons), "")


@dataclass
class Trial:
    """A change and what became of it."""

    change: Change
    outcome: Outcome

    @property
    def equivalent(self) -> str:
        """Why the change alters no result, if it survived and is known not to."""
        return "" if self.outcome.killed else why_equivalent(self.change)

    def record(self) -> dict[str, Any]:
        """As plain data for the report."""
        about = {"change": str(self.change), "about": self.change.matter, "equivalent": self.equivalent}
        return {**about, **asdict(self.outcome)}


@dataclass
class Campaign:
    """Tries changes: on claims that need no kernels or run them interpreted, on all claims, on the tests.

    root: the project. workers: trials at a time. with_tests: run the fast tests on what all claims let pass.
    on_trial: called with each trial as it ends.
    """

    root: Path
    workers: int = 2
    with_tests: bool = True
    on_trial: Callable[[Trial], None] = lambda trial: None
    killers: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    interpreted: dict[str, float] = field(default_factory=dict)
    compiled: dict[str, float] = field(default_factory=dict)

    def run(self, chosen: Sequence[Change]) -> list[Trial]:
        """Try every change; the trials come in the order of the changes.

        Raises RuntimeError if a claim does not hold on the unchanged sources.
        """
        with tempfile.TemporaryDirectory() as folder:
            spaces: SimpleQueue[Workspace] = SimpleQueue()
            for number in range(self.workers):
                spaces.put(Workspace(self.root, Path(folder) / str(number)))
            self._measure(spaces, self._reaching({c.file for c in chosen if not self._is_for_tests(c)}))
            with ThreadPoolExecutor(self.workers) as pool:
                return list(pool.map(lambda change: self._try(spaces, change), chosen))

    @cached_property
    def imports(self) -> Imports:
        """Who imports whom."""
        return Imports(self.root, (*PACKAGES, "tests"))

    @cached_property
    def homes(self) -> dict[str, str]:
        """The file of each claim."""
        claims = ledger.load()
        return {c: f"proofs_check/claims/{claims.part_of[c].name}.py" for c in claims}

    def _reaching(self, files: set[str]) -> list[str]:
        """The claims that reach any of the files, or what may be generated from them."""
        if any(file.startswith("theory/") for file in files):
            files = files | {
                f.relative_to(self.root).as_posix() for f in (self.root / GENERATED).glob("*.py")
            }
        return [c for c, home in self.homes.items() if not files.isdisjoint(self.imports.distances(home))]

    def _measure(self, spaces: SimpleQueue[Workspace], claims: Sequence[str]) -> None:
        """How long each claim takes on the unchanged sources, with kernels interpreted and compiled."""
        space, pending = spaces.get(), deque(claims)
        while pending:
            limits = {c: QUICK if self._runs_kernels(c) else SLOWEST for c in pending}
            attempt(space, Stage(limits, compiled=False), self.interpreted.__setitem__)
            while pending and pending[0] in self.interpreted:
                pending.popleft()
            if pending:
                pending.popleft()  # not quick
        limits = {c: SLOWEST for c in claims if self._runs_kernels(c) or c not in self.interpreted}
        outcome = attempt(space, Stage(limits, compiled=True), self.compiled.__setitem__)
        if outcome.killed:
            raise RuntimeError(f"the unchanged sources fail: {outcome.by}: {outcome.detail}")
        spaces.put(space)

    def _runs_kernels(self, claim_id: str) -> bool:
        return not self.imports.users("numba").isdisjoint(self.imports.distances(self.homes[claim_id]))

    def _try(self, spaces: SimpleQueue[Workspace], change: Change) -> Trial:
        space = spaces.get()
        try:
            space.change(change)
            outcome = UNTRIED if self._is_for_tests(change) else self._by_claims(space, change)
            if not outcome.killed and self.with_tests:
                outcome = run_tests(space, self._tests(change.file)).after(outcome)
        finally:
            space.restore(change)
            spaces.put(space)
        trial = Trial(change, outcome)
        self.on_trial(trial)
        return trial

    def _is_for_tests(self, change: Change) -> bool:
        return self.with_tests and change.matter != MATHEMATICS

    def _by_claims(self, space: Workspace, change: Change) -> Outcome:
        changed, theory = {change.file}, change.file.startswith("theory/")
        first = [c for c in self.interpreted if not (theory and self._runs_kernels(c))]
        outcome = self._examine(space, changed, first, compiled=False)
        if theory and not outcome.killed:
            outcome = regenerate(space).after(outcome)
            changed |= space.regenerated()
        if not outcome.killed:
            rest = [c for c in self.compiled if c not in first]
            outcome = self._examine(space, changed, rest, compiled=True).after(outcome)
        return outcome

    def _examine(self, space: Workspace, changed: set[str], claims: Iterable[str], compiled: bool) -> Outcome:
        """Examine those claims that the changed files can reach, likely killers first."""
        far = len(self.homes)
        ways = {c: self.imports.distances(self.homes[c]) for c in claims}
        distance = {c: min(way.get(file, far) for file in changed) for c, way in ways.items()}
        seconds = self.compiled if compiled else self.interpreted
        killers = self.killers[min(changed, key=lambda file: "generated" in file)]
        reached = [c for c in distance if distance[c] < far]
        reached.sort(key=lambda c: (-killers[c], distance[c], seconds[c]))
        limits = {c: 30.0 + 10 * seconds[c] for c in reached}
        outcome = attempt(space, Stage(limits, compiled)) if reached else Outcome(False, "", "", 0.0)
        killers[outcome.by] += outcome.killed
        return outcome

    def _tests(self, file: str) -> list[str]:
        """Tests that reach a file, the nearest first, and the examples in its docstrings."""
        tests = sorted(p.relative_to(self.root).as_posix() for p in (self.root / "tests").rglob("test_*.py"))
        ways = {test: self.imports.distances(test) for test in tests}
        reached = sorted((test for test in tests if file in ways[test]), key=lambda test: ways[test][file])
        return [file, *reached]
