"""slr mutants: does the evidence reject what is false?"""

from __future__ import annotations

import typer

from proofs_check.cli import _run


def mutants(
    only: _run.Only = None,
    thorough: _run.Thorough = False,
    workers: _run.Workers = None,
    seed: _run.Seed = _run.DEFAULT_SEED,
) -> None:
    """Show every false variant of every claim, and which evidence refutes it.

    Exits 0 if all are killed, 1 if one survives, 2 on bad usage.

    Examples:

      slr mutants --only risk
    """
    from rich.console import Console

    from proofs_check.report import terminal

    ids = _run.select(_run.load(), only)
    run = _run.run(ids, thorough=thorough, workers=workers, seed=seed)
    terminal.print_mutants(Console(), [run.results[claim_id] for claim_id in ids])
    survivors = sum(not mutant.killed for claim_id in ids for mutant in run.results[claim_id].finding.mutants)
    raise typer.Exit(1 if survivors else 0)
