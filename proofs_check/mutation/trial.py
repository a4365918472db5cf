"""One trial: a copy of the sources with one change, kernels regenerated, claims examined until one objects.

A trial runs in a forked process that has the libraries loaded but nothing of the project, so it starts at
once and leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofs_check.mutation.changes import Change

PACKAGES = ("theory", "numerics", "proofs_check")
GENERATED = Path("numerics") / "generated"


@dataclass(frozen=True)
class Outcome:
    """What noticed a change: a claim, the generator, an import, a time-out; or nothing."""

    killed: bool
    by: str
    detail: str
    seconds: float


@dataclass(frozen=True)
class Stage:
    """Claims to examine in this order, with kernels compiled or interpreted, within a time limit."""

    name: str
    claims: Sequence[str]
    compiled: bool
    seconds: float


class Workspace:
    """A private copy of the project's packages."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        ignored = shutil.ignore_patterns("__pycache__", "*.tmp")
        for package in PACKAGES:
            shutil.copytree(root / package, folder / package, ignore=ignored)

    def change(self, change: Change) -> None:
        """Write the changed file."""
        target = self.folder / change.file
        target.write_text(change.apply((self.root / change.file).read_text()))

    def restore(self, change: Change) -> None:
        """Undo it, and whatever was generated and compiled from it."""
        shutil.copyfile(self.root / change.file, self.folder / change.file)
        for source in (self.root / GENERATED).glob("*.py"):
            shutil.copyfile(source, self.folder / GENERATED / source.name)
        for cache in self.folder.rglob("__pycache__"):
            shutil.rmtree(cache, ignore_errors=True)

    def tests(self, seconds: float) -> Outcome:
        """The project's fast tests on the changed copy, until the first failure."""
        for name in ("tests", "pyproject.toml", "notes.md", "CONTRIBUTING.md", "README.md"):
            with contextlib.suppress(FileExistsError, FileNotFoundError):
                (self.folder / name).symlink_to(self.root / name)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header"]
        start = time.perf_counter()
        try:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return Outcome(True, "tests", f"no end within {seconds:.0f} s", time.perf_counter() - start)
        failures = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        detail = failures[0] if failures else done.stdout[-200:]
        return Outcome(done.returncode != 0, "tests", detail, time.perf_counter() - start)


def attempt(workspace: Workspace, stage: Stage, regenerate: bool) -> Outcome:
    """Examine the stage's claims in a forked process; the first that doesn't hold kills the change."""
    start = time.perf_counter()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.setsid()
        _child(workspace.folder, stage, regenerate, writing)
    os.close(writing)
    answer = _read(reading, child, stage.seconds)
    elapsed = time.perf_counter() - start
    if answer is None:
        return Outcome(True, "time", f"no end within {stage.seconds:.0f} s", elapsed)
    return Outcome(answer["killed"], answer["by"], answer["detail"], elapsed)


def _read(reading: int, child: int, seconds: float) -> dict[str, Any] | None:
    import select

    deadline, text = time.monotonic() + seconds, b""
    try:
        while True:
            ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return None
            piece = os.read(reading, 65536)
            if not piece:
                fault = {"killed": True, "by": "crash", "detail": "the process died"}
                return json.loads(text) if text else fault
            text += piece
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _child(folder: Path, stage: Stage, regenerate: bool, writing: int) -> None:
    try:
        answer = _examine(folder, stage, regenerate)
    except BaseException as error:
        answer = {"killed": True, "by": "import", "detail": f"{type(error).__name__}: {error}"[:300]}
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(json.dumps(answer).encode())
    os._exit(0)


def _examine(folder: Path, stage: Stage, regenerate: bool) -> dict[str, Any]:
    import numba

    sys.dont_write_bytecode = True
    numba.config.DISABLE_JIT = not stage.compiled
    for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
        del sys.modules[name]
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    if regenerate:
        from proofs_check import generate

        generate.main()
    from proofs_check import ledger
    from proofs_check.claim import Context, Verdict
    from proofs_check.examine import examine

    claims = ledger.load()
    context = Context(statistical_checks=max(1, claims.statistical_checks))
    for claim_id in stage.claims:
        finding = examine(claims[claim_id], context)
        for found in finding.evidence:
            if found.verdict is not Verdict.HOLDS:
                return {"killed": True, "by": claim_id, "detail": found.detail[:300]}
        for mutant in finding.mutants:
            if not mutant.killed:
                detail = f"mutant {mutant.name!r} survives"
                return {"killed": True, "by": claim_id, "detail": detail}
    return {"killed": False, "by": "", "detail": f"{len(stage.claims)} claims hold"}
