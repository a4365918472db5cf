"""The report on a terminal, within 80 columns."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from proofs_check.claim import Kind, Verdict
from proofs_check.report.run import Run
from proofs_check.verdict import Result

VERDICT_STYLE = {Verdict.HOLDS: "green", Verdict.REFUTED: "bold red", Verdict.UNDECIDED: "bold yellow"}
STRENGTH_STYLE = {
    Kind.EXACT: "cyan",
    Kind.CERTIFIED: "blue",
    Kind.NUMERICAL: "magenta",
    Kind.STATISTICAL: "yellow",
    Kind.CITED: "bright_black",
}


def print_run(console: Console, run: Run) -> None:
    """The table of claims, why some don't hold, and one line of totals."""
    console.print(_table(run))
    for result in run.results.values():
        if result.verdict is not Verdict.HOLDS:
            print_reasons(console, result)
    console.print(_totals(run))


def print_reasons(console: Console, result: Result) -> None:
    """Why a claim does not hold."""
    console.print(
        Text.assemble((str(result.verdict), VERDICT_STYLE[result.verdict]), " ", (result.claim.id, "bold"))
    )
    for reason in result.reasons:
        console.print(Text(f"  {reason}"))


def _table(run: Run) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=False)
    table.add_column("claim", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("strength", no_wrap=True)
    table.add_column("seconds", no_wrap=True, justify="right")
    for result in run.results.values():
        table.add_row(
            result.claim.id,
            Text(str(result.verdict), VERDICT_STYLE[result.verdict]),
            Text(str(result.strength), STRENGTH_STYLE[result.strength]),
            f"{result.finding.seconds:.2f}",
        )
    return table


def _totals(run: Run) -> Text:
    totals = run.totals
    style = "bold green" if run.all_hold else "bold red"
    verdicts = ", ".join(f"{totals[verdict]} {verdict}" for verdict in _present(run))
    mutants = f"{totals['mutants_killed']} of {totals['mutants']} mutants killed"
    return Text(f"{totals['claims']} claims: {verdicts}; {mutants}; {run.seconds:.1f} s", style)


def _present(run: Run) -> Iterable[Verdict]:
    return (verdict for verdict in Verdict if run.totals[verdict] or verdict is Verdict.HOLDS)


def print_mutants(console: Console, results: Iterable[Result]) -> None:
    """Every mutant with what killed it, then one line of totals."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("claim", overflow="fold")
    table.add_column("mutant", overflow="fold")
    table.add_column("fate", no_wrap=True)
    table.add_column("by", overflow="fold")
    fates = []
    for result in results:
        for mutant in result.finding.mutants:
            fate = Text("killed", "green") if mutant.killed else Text("survives", "bold red")
            table.add_row(result.claim.id, mutant.name, fate, mutant.by)
            fates.append(mutant.killed)
    console.print(table)
    style = "bold green" if all(fates) else "bold red"
    console.print(
        Text(f"{len(fates)} mutants: {sum(fates)} killed, {len(fates) - sum(fates)} survive", style)
    )
