"""slr claims: list the claims."""

from __future__ import annotations

from proofs_check.cli import _run


def claims(only: _run.Only = None) -> None:
    """List the claims by part of the paper, without running them.

    Examples:

      slr claims

      slr claims --only risk
    """
    from rich.console import Console
    from rich.text import Text

    from proofs_check.latex_text import statement_text

    every = _run.load()
    chosen = set(_run.select(every, only))
    console = Console()
    for part in every.parts:
        shown = [claim for claim in part.claims if claim.id in chosen]
        if shown:
            console.print(Text(part.title, "bold underline"))
        for claim in shown:
            console.print(Text.assemble((claim.id, "bold cyan"), f"  [{claim.source}]"))
            for line in Text(statement_text(claim.statement)).wrap(console, console.width - 4):
                console.print(Text("    ") + line)
    console.print(f"{len(chosen)} of {len(every)} claims")
