"""slr verify: run claims and report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proofs_check.cli import _files, _run

if TYPE_CHECKING:
    from proofs_check.report.run import Run

Report = Path | None


def verify(
    only: _run.Only = None,
    thorough: _run.Thorough = False,
    workers: _run.Workers = None,
    seed: _run.Seed = _run.DEFAULT_SEED,
    json: Annotated[Report, _files.option("json", "Write the report as JSON.")] = None,
    junit: Annotated[Report, _files.option("junit", "Write the report as JUnit XML.")] = None,
    html: Annotated[Report, _files.option("html", "Write the report as one HTML page.")] = None,
) -> None:
    """Check claims, and all that they rest on, and print a verdict on each.

    Exits 0 if all hold, 1 if one is refuted or undecided, 2 on bad usage.

    Examples:

      slr verify

      slr verify --only risk --only 'gaussian.*' --workers 1

      slr verify --thorough --json report.json --html report.html
    """
    from rich.console import Console

    from proofs_check.report import terminal

    ids = _run.select(_run.load(), only)
    run = _run.run(ids, thorough=thorough, workers=workers, seed=seed)
    terminal.print_run(Console(), run)
    _write_reports(run, json, junit, html)
    raise typer.Exit(0 if run.all_hold else 1)


def _write_reports(run: Run, json: Report, junit: Report, html: Report) -> None:
    from numerics.files import write_text
    from proofs_check.report.json_report import to_json
    from proofs_check.report.junit import to_junit

    if json:
        write_text(json, to_json(run))
    if junit:
        write_text(junit, to_junit(run))
    if html:
        from proofs_check.report.html import to_html

        write_text(html, to_html(run))
