"""Runs claims in parallel processes. Each worker keeps to one part of the paper while it can, so that what
theory derives once is reused; nothing in a finding depends on which worker brought it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from proofs_check import ledger as ledgers
from proofs_check.claim import Context
from proofs_check.examine import examine, failed
from proofs_check.ledger import Ledger
from proofs_check.significance import settle
from proofs_check.verdict import Finding, Result, decide

_SPAWN = multiprocessing.get_context("spawn")


def verify(
    ids: Sequence[str] | None = None,
    context: Context | None = None,
    *,
    package: str | None = None,
    workers: int | None = None,
    on_finding: Callable[[Finding], None] = lambda finding: None,
) -> dict[str, Result]:
    """Examine claims, and all that they rest on, and decide them.

    ids: None for all. package: where the claims are, by default the project's own. workers: processes, by
    default one a core. on_finding: called as each claim is done.
    The results are in ledger order and, but for their times, the same for every number of workers.
    """
    package = package or ledgers.CLAIMS_PACKAGE
    ledger = ledgers.load(package)
    chosen = ledger.with_dependencies(ledger if ids is None else ids)
    shared = replace(context or Context(), statistical_checks=max(1, ledger.statistical_checks))
    count = max(1, min(workers or os.cpu_count() or 1, len(chosen)))
    findings = _Pool(ledger, package, shared, on_finding).run(chosen, count)
    return decide(ledger, settle(findings, shared))


@dataclass
class _Worker:
    process: SpawnProcess
    connection: Connection
    part: str = ""
    claim_id: str = ""


@dataclass
class _Pool:
    ledger: Ledger
    package: str
    context: Context
    on_finding: Callable[[Finding], None]
    workers: list[_Worker] = field(default_factory=list)
    queues: dict[str, list[str]] = field(default_factory=dict)
    findings: dict[str, Finding] = field(default_factory=dict)

    def run(self, ids: Sequence[str], count: int) -> dict[str, Finding]:
        for claim_id in ids:
            self.queues.setdefault(self.ledger.part_of[claim_id].name, []).append(claim_id)
        try:
            with _fixed_hashing():
                for _ in range(count):
                    self._assign(self._start())
                while self.workers:
                    self._collect()
        finally:
            for worker in self.workers:
                worker.process.terminate()
        return self.findings

    def _start(self) -> _Worker:
        ours, theirs = _SPAWN.Pipe()
        process = _SPAWN.Process(target=_serve, args=(theirs, self.package, self.context), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self.workers.append(worker)
        return worker

    def _collect(self) -> None:
        by_connection: dict[Any, _Worker] = {worker.connection: worker for worker in self.workers}
        for connection in wait(list(by_connection)):
            worker = by_connection[connection]
            try:
                finding = worker.connection.recv()
            except (EOFError, ConnectionError):
                finding, worker = self._replace(worker)
            self.findings[finding.claim_id] = finding
            self.on_finding(finding)
            self._assign(worker)

    def _replace(self, dead: _Worker) -> tuple[Finding, _Worker]:
        dead.process.join()
        self.workers.remove(dead)
        why = f"the process that examined it died (exit code {dead.process.exitcode})"
        return failed(self.ledger[dead.claim_id], why), self._start()

    def _assign(self, worker: _Worker) -> None:
        if worker.part not in self.queues:
            worker.part = self._next_part()
        if not worker.part:
            self.workers.remove(worker)
            worker.connection.close()
            worker.process.join()
            return
        queue = self.queues[worker.part]
        worker.claim_id = queue.pop(0)
        if not queue:
            del self.queues[worker.part]
        with suppress(ConnectionError):  # a dead worker shows when its answer is awaited
            worker.connection.send(worker.claim_id)

    def _next_part(self) -> str:
        """A part that nobody works on, or the one with most left to do."""
        taken = {worker.part for worker in self.workers}
        fresh = [part for part in self.queues if part not in taken]
        return fresh[0] if fresh else max(self.queues, key=lambda part: len(self.queues[part]), default="")


def _serve(connection: Connection, package: str, context: Context) -> None:
    """A worker's life: receive an id, send a finding, until the pipe closes. Ctrl-C is for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    ledger = ledgers.load(package)
    try:
        while True:
            connection.send(examine(ledger[connection.recv()], context))
    except (EOFError, ConnectionError):
        return


def _leave_with_parent() -> None:
    """End this process when the parent is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


@contextmanager
def _fixed_hashing() -> Iterator[None]:
    """Workers hash strings alike in every run: SymPy's routes may follow the order of sets."""
    before = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = "0"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = before
