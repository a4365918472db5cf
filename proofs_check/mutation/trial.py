"""One trial: claims examined on the changed copy until one objects; then, if need be, tests.

Claims run in a forked process that has the libraries loaded but nothing of the project, so it starts at once
and leaves nothing behind. It says a line after each claim, and is stopped when it stays silent.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from proofs_check.mutation.workspace import PACKAGES, Workspace

LOADING = 300.0
"""Seconds in which the packages must load, and the kernels be generated."""

USAGE_ERROR, NOTHING_TO_RUN = 4, 5
"""Exit codes of pytest."""

Say = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Outcome:
    """What noticed a change: a claim, the generator, an import, a time-out, a test; or nothing.

    held: how many claims were examined and did not object.
    """

    killed: bool
    by: str
    detail: str
    seconds: float
    held: int = 0

    def after(self, earlier: Outcome) -> Outcome:
        """Of both, where `earlier` noticed nothing."""
        return replace(self, seconds=earlier.seconds + self.seconds, held=earlier.held + self.held)


@dataclass(frozen=True)
class Stage:
    """Claims to examine in this order, with kernels compiled or interpreted, each within its seconds."""

    limits: Mapping[str, float]
    compiled: bool


def attempt(
    space: Workspace, stage: Stage, on_claim: Callable[[str, float], None] = lambda claim_id, seconds: None
) -> Outcome:
    """Examine the stage's claims; the first that objects, crashes or doesn't end kills the change.

    on_claim: called with each claim that holds and its seconds.
    """
    start = time.perf_counter()
    pending = list(stage.limits)
    try:
        limits = [LOADING, *stage.limits.values()]
        for said in _talk(space.folder, lambda say: _examine(pending, say), stage.compiled, limits):
            if "objection" in said:
                by = said.get("by") or pending[0]
                held = len(stage.limits) - len(pending)
                return Outcome(True, by, said["objection"][:300], time.perf_counter() - start, held)
            if "seconds" in said:
                on_claim(pending.pop(0), said["seconds"])
    except TimeoutError as error:
        detail = f"{pending[0] if pending else 'loading'}: {error}"
        return Outcome(True, "time", detail, time.perf_counter() - start)
    return Outcome(False, "", "", time.perf_counter() - start, len(stage.limits))


def regenerate(space: Workspace) -> Outcome:
    """Write the kernels anew from the changed theory; a failure to do so kills the change."""
    start = time.perf_counter()
    try:
        for said in _talk(space.folder, _generate, False, [LOADING]):
            if "objection" in said:
                return Outcome(True, "generator", said["objection"][:300], time.perf_counter() - start)
    except TimeoutError as error:
        return Outcome(True, "generator", str(error), time.perf_counter() - start)
    return Outcome(False, "", "", time.perf_counter() - start)


def run_tests(space: Workspace, files: Sequence[str], seconds: float = 900.0) -> Outcome:
    """These fast tests on the changed copy, until the first failure. RuntimeError if they cannot run."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *files]
    start = time.perf_counter()
    try:
        done = subprocess.run(command, cwd=space.folder, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return Outcome(True, "tests", f"no end within {seconds:.0f} s", time.perf_counter() - start)
    if done.returncode == USAGE_ERROR:
        raise RuntimeError(f"pytest cannot run these tests: {done.stderr or done.stdout}")
    failures = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    detail = failures[0] if failures else done.stdout[-200:]
    killed = done.returncode not in (0, NOTHING_TO_RUN)
    return Outcome(killed, "tests", detail[:300], time.perf_counter() - start)


def _talk(
    folder: Path, task: Callable[[Say], None], compiled: bool, limits: Sequence[float]
) -> Iterator[dict[str, Any]]:
    """What a task says in a process of its own. Raises TimeoutError if word n takes over limits[n]."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.setsid()
        _live(folder, task, compiled, writing)
    os.close(writing)
    try:
        yield from _lines(reading, limits)
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _lines(reading: int, limits: Sequence[float]) -> Iterator[dict[str, Any]]:
    text = b""
    for limit in limits:
        deadline = time.monotonic() + limit
        while b"\n" not in text:
            if not select.select([reading], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError(f"no end within {limit:.0f} s")
            piece = os.read(reading, 65536)
            if not piece:
                yield {"objection": "the process died", "by": "crash"}
                return
            text += piece
        line, _, text = text.partition(b"\n")
        yield json.loads(line)


def _live(folder: Path, task: Callable[[Say], None], compiled: bool, writing: int) -> None:
    """The life of the forked process, which never returns."""
    import numba

    with os.fdopen(writing, "w") as pipe:

        def say(word: dict[str, Any]) -> None:
            pipe.write(json.dumps(word) + "\n")
            pipe.flush()

        try:
            sys.dont_write_bytecode = True
            numba.config.DISABLE_JIT = not compiled
            for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
                del sys.modules[name]
            os.chdir(folder)
            sys.path.insert(0, str(folder))
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            task(say)
        except BaseException as error:
            say({"objection": f"{type(error).__name__}: {error}", "by": "import"})
        finally:
            with contextlib.suppress(OSError):  # nobody listens any more
                pipe.flush()
            os._exit(0)


def _generate(say: Say) -> None:
    from proofs_check import generate

    generate.main()
    say({"generated": True})


def _examine(claim_ids: Sequence[str], say: Say) -> None:
    from proofs_check import ledger
    from proofs_check.claim import Context
    from proofs_check.examine import examine

    claims = ledger.load()
    context = Context(statistical_checks=max(1, claims.statistical_checks))
    say({"loaded": len(claims)})
    for claim_id in claim_ids:
        finding = examine(claims[claim_id], context)
        objection = _objection(finding)
        say({"objection": objection} if objection else {"seconds": finding.seconds})


def _objection(finding: Any) -> str | None:
    """Why a claim does not hold, if so: evidence against it, or a mutant of its own that survives."""
    from proofs_check.claim import Verdict

    for found in finding.evidence:
        if found.verdict is not Verdict.HOLDS:
            return f"{found.verdict}: {found.detail}"
    return next((f"mutant {m.name!r} survives" for m in finding.mutants if not m.killed), None)
