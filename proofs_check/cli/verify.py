"""slr verify: run claims and report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from proofs_check.cli import _run

Report = Path | None


def verify(
    only: _run.Only = None,
    thorough: _run.Thorough = False,
    workers: _run.Workers = None,
    seed: _run.Seed = _run.DEFAULT_SEED,
    json: Annotated[Report, typer.Option("--json", metavar="FILE", help="Write the report as JSON.")] = None,
    junit: Annotated[
        Report, typer.Option("--junit", metavar="FILE", help="Write the report as JUnit XML.")
    ] = None,
) -> None:
    """Check claims, and all that they rest on, and print a verdict on each.

    Exits 0 if all hold, 1 if one is refuted or undecided, 2 on bad usage.

    Examples:

      slr verify

      slr verify --only risk --only 'gaussian.*' --workers 1

      slr verify --thorough --json report.json
    """
    from rich.console import Console

    from proofs_check import ledger
    from proofs_check.report import terminal

    ids = _run.select(ledger.load(), only)
    run = _run.run(ids, thorough=thorough, workers=workers, seed=seed)
    terminal.print_run(Console(), run)
    if json:
        from proofs_check.report.json_report import to_json

        _write(json, to_json(run))
    if junit:
        from proofs_check.report.junit import to_junit

        _write(junit, to_junit(run))
    raise typer.Exit(0 if run.all_hold else 1)


def _write(path: Path, text: str) -> None:
    from numerics.files import write_text

    try:
        write_text(path, text)
    except OSError as error:
        raise typer.BadParameter(f"cannot write {path}: {error.strerror}") from None
