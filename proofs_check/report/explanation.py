"""One claim explained on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console, Group
from rich.padding import Padding
from rich.text import Text
from rich.tree import Tree

from proofs_check.claim import Claim, Evidence, Variable
from proofs_check.formula import Formula, render
from proofs_check.latex_text import statement_text
from proofs_check.ledger import Ledger
from proofs_check.prose import paragraphs, symbol_names
from proofs_check.report.terminal import STRENGTH_STYLE, VERDICT_STYLE, print_reasons
from proofs_check.verdict import MutantOutcome, Result


def print_claim(console: Console, claim: Claim, ledger: Ledger) -> None:
    """What a claim says and rests on, and the mutants it has, without running it."""
    _print_statement(console, claim, ledger, render((claim.formula or claim.subject)()))
    _print_section(console, "Evidence asked for", [Text(str(judge.kind)) for judge in claim.judges])
    _print_section(console, "Mutants", [Text(mutant.name) for mutant in claim.mutants])
    if claim.depends_on:
        _print_section(console, "Rests on", [Text(other) for other in claim.depends_on])


def print_result(console: Console, result: Result, results: Mapping[str, Result], ledger: Ledger) -> None:
    """What a claim says, what its evidence found, how its mutants died, and what it rests on how firmly."""
    _print_statement(console, result.claim, ledger, result.finding.formulas)
    _print_section(console, "Evidence", [_evidence(item) for item in result.finding.evidence])
    _print_section(console, "Mutants", [_mutant(mutant) for mutant in result.finding.mutants])
    if result.claim.depends_on:
        tree = Tree(_link(result))
        _grow(tree, result, results, seen=set())
        _print_section(console, "Rests on", [tree])
    console.print()
    console.print(Text.assemble("Verdict: ", _verdict(result), ", strength: ", _strength(result)))
    if result.reasons:
        print_reasons(console, result)


def _print_statement(console: Console, claim: Claim, ledger: Ledger, formulas: Sequence[Formula]) -> None:
    console.print(
        Text.assemble((claim.id, "bold cyan"), f"  {ledger.part_of[claim.id].title}; {claim.source}")
    )
    console.print()
    console.print(Text(statement_text(claim.statement)))
    for formula in formulas:
        console.print()
        console.print(Padding(Text(formula.text, no_wrap=True, overflow="fold"), (0, 0, 0, 2), expand=False))
    _print_section(console, "Variables", [_variable(variable) for variable in claim.variables])
    derivation = [Text(statement_text(block)) for block in paragraphs(claim.derivation)]
    _print_section(console, "Derivation", derivation)


def _print_section(console: Console, title: str, content: Sequence[Text | Tree | Group]) -> None:
    if content:
        console.print()
        console.print(Text(title, "bold"))
        for item in content:
            console.print(Padding(item, (0, 0, 0, 2), expand=False))


def _variable(variable: Variable) -> Text:
    meaning = f"; {variable.meaning}" if variable.meaning else ""
    return Text(statement_text(f"{symbol_names(variable.name)}: {variable.domain}{meaning}"))


def _evidence(item: Evidence) -> Group:
    head = Text.assemble(
        (str(item.kind), STRENGTH_STYLE[item.kind]),
        " ",
        (str(item.verdict), VERDICT_STYLE[item.verdict]),
        f" in {item.seconds:.2f} s: {item.detail}",
    )
    return Group(head, *(Padding(Text(f"- {step}"), (0, 0, 0, 2), expand=False) for step in item.route))


def _mutant(mutant: MutantOutcome) -> Text:
    if mutant.killed:
        return Text.assemble(f"{mutant.name}: ", ("killed", "green"), f" by {mutant.by}: {mutant.detail}")
    return Text.assemble(f"{mutant.name}: ", ("survives", "bold red"), f": {mutant.detail}")


def _grow(tree: Tree, result: Result, results: Mapping[str, Result], seen: set[str]) -> None:
    for dependency in result.claim.depends_on:
        other = results[dependency]
        branch = tree.add(_link(other))
        if dependency in seen and other.claim.depends_on:
            branch.add(Text("see above", "dim"))
        else:
            seen.add(dependency)
            _grow(branch, other, results, seen)


def _link(result: Result) -> Text:
    return Text.assemble(result.claim.id, "  ", _verdict(result), ", ", _strength(result))


def _verdict(result: Result) -> tuple[str, str]:
    return str(result.verdict), VERDICT_STYLE[result.verdict]


def _strength(result: Result) -> tuple[str, str]:
    return str(result.strength), STRENGTH_STYLE[result.strength]
