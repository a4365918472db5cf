"""slr explain: all about one claim."""

from __future__ import annotations

from typing import Annotated

import typer

from proofs_check.cli import _run


def _complete(incomplete: str) -> list[str]:

    return [claim_id for claim_id in _run.load() if claim_id.startswith(incomplete)]


def explain(
    claim_id: Annotated[
        str, typer.Argument(metavar="ID", help="Id of the claim, see slr claims.", autocompletion=_complete)
    ],
    no_run: Annotated[bool, typer.Option("--no-run", help="Show the claim without running it.")] = False,
    thorough: _run.Thorough = False,
    workers: _run.Workers = None,
    seed: _run.Seed = _run.DEFAULT_SEED,
) -> None:
    """Show a claim: statement, formula, derivation, evidence, what it rests on, and how its mutants die.

    Runs the claim and all that it rests on; exits 0 if it holds, else 1.

    Examples:

      slr explain risk.oracle

      slr explain risk.oracle --no-run
    """
    from rich.console import Console

    from proofs_check import ledger
    from proofs_check.claim import Verdict
    from proofs_check.report import explanation

    claims = _run.load()
    try:
        claim = claims[claim_id]
    except ledger.UnknownClaim as error:
        raise typer.BadParameter(str(error), param_hint="ID") from None
    console = Console()
    if no_run:
        explanation.print_claim(console, claim, claims)
        return
    run = _run.run([claim_id], thorough=thorough, workers=workers, seed=seed)
    explanation.print_result(console, run.results[claim_id], run.results, claims)
    raise typer.Exit(0 if run.results[claim_id].verdict is Verdict.HOLDS else 1)
