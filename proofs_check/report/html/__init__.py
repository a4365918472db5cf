"""The report as one HTML page that needs nothing else: no network, no build, styles and script inside."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from proofs_check.claim import Kind, Verdict
from proofs_check.prose import paragraphs, symbol_names
from proofs_check.report.html.graph import layout
from proofs_check.report.html.mathml import formula_markup, statement_markup
from proofs_check.report.run import Run
from proofs_check.verdict import Result

HERE = Path(__file__).parent
MEANING = {
    Kind.EXACT: "computer algebra establishes it for all admissible parameters",
    Kind.CERTIFIED: "interval arithmetic proves it at every real point of a stated box",
    Kind.NUMERICAL: "agreement at stated points with an independent evaluation",
    Kind.STATISTICAL: "Monte Carlo agreement at a stated error probability",
    Kind.CITED: "a named theorem of the literature that is not mechanised",
}


def to_html(run: Run) -> str:
    """The whole run as a page; every text in it is escaped."""
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "statement": statement_markup,
        "formula": formula_markup,
        "written": _written,
        "paragraphs": paragraphs,
        "symbols": symbol_names,
    }
    return environment.get_template("page.html").render(
        run=run,
        totals=run.totals,
        parts=_parts(run),
        strengths=_strengths(run),
        options=_options(run),
        graph=layout(run.results),
        used_by=_used_by(run.results),
        style=Markup((HERE / "style.css").read_text(encoding="utf-8")),  # our own file
        script=Markup((HERE / "script.js").read_text(encoding="utf-8")),  # our own file
    )


def _parts(run: Run) -> list[tuple[str, str, list[Result]]]:
    """(name, title, results) of each part that has results."""
    grouped = defaultdict(list)
    for result in run.results.values():
        grouped[result.part].append(result)
    return [(name, title, grouped[name]) for name, title in run.titles.items() if grouped[name]]


def _strengths(run: Run) -> list[tuple[Kind, int, str]]:
    counts = Counter(result.strength for result in run.results.values())
    return [(kind, counts[kind], MEANING[kind]) for kind in Kind]


def _options(run: Run) -> dict[str, list[tuple[str, str]]]:
    """Value and text of each filter's choices."""
    return {
        "part": [(name, title) for name, title, _ in _parts(run)],
        "strength": [(kind, f"{kind} ({count})") for kind, count, _ in _strengths(run) if count],
        "verdict": [(value, f"{value} ({run.totals[value]})") for value in Verdict if run.totals[value]],
    }


def _used_by(results: Mapping[str, Result]) -> dict[str, list[str]]:
    used: dict[str, list[str]] = defaultdict(list)
    for claim_id, result in results.items():
        for dependency in result.claim.depends_on:
            used[dependency].append(claim_id)
    return used


def _written(value: Any) -> str:
    """A judge's datum for reading."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
