"""What the commands that run claims share: their options, the choice of claims, and the progress bar."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from proofs_check.ledger import Ledger
    from proofs_check.report.run import Run
    from proofs_check.verdict import Finding

Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="PATTERN",
        help="Claims to take: an id, its leading words ([bold]risk[/bold]) or a glob "
        "([bold]*.oracle*[/bold]). May be given more than once.",
    ),
]
Thorough = Annotated[
    bool, typer.Option("--thorough", help="Spend more time: more points, boxes and samples.")
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Processes to run claims in.", show_default="one a core"),
]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of every random choice.")]
DEFAULT_SEED = 20241001


def load() -> Ledger:
    """The ledger; contradictory claims are reported in a line, with exit code 1."""
    from proofs_check import ledger

    try:
        return ledger.load()
    except ledger.LedgerError as error:
        typer.echo(f"the ledger is not valid: {error}", err=True)
        raise typer.Exit(1) from None


def select(ledger: Ledger, only: Sequence[str] | None) -> tuple[str, ...]:
    """Ids that match the patterns; a pattern that matches nothing is bad usage."""
    from proofs_check.ledger import UnknownClaim

    try:
        return ledger.select(only or ())
    except UnknownClaim as error:
        raise typer.BadParameter(str(error)) from None


def run(
    ids: Sequence[str], *, thorough: bool = False, workers: int | None = None, seed: int = DEFAULT_SEED
) -> Run:
    """Run claims and what they rest on, with a progress bar on standard error if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from proofs_check import runner
    from proofs_check.claim import Context
    from proofs_check.report.run import Run, now

    claims = load()
    context = Context(seed=seed, thorough=thorough)
    console = Console(stderr=True)
    columns = (
        TextColumn("verifying"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    started, start = now(), perf_counter()
    done = 0

    def advance(finding: Finding) -> None:
        nonlocal done
        done += 1
        progress.update(task, completed=done, description=finding.claim_id)

    total = len(claims.with_dependencies(ids))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total)
        try:
            results = runner.verify(ids, context, workers=workers, on_finding=advance)
        except KeyboardInterrupt:
            typer.echo(f"interrupted after {done} of {total} claims", err=True)
            raise typer.Exit(130) from None
    titles = {part.name: part.title for part in claims.parts}
    return Run(results, titles, context, started, perf_counter() - start)
