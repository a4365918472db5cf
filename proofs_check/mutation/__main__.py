"""`python -m proofs_check.mutation`: break the sources, one change at a time, and count what is noticed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

# Loaded before any trial is forked, so that no trial pays for them.
import flint  # noqa: F401
import mpmath  # noqa: F401
import numba  # noqa: F401
import numpy  # noqa: F401
import scipy.special  # noqa: F401
import sympy  # noqa: F401
from rich.console import Console

from proofs_check.mutation.campaign import Campaign, Trial, all_changes, report, sample, write


def main() -> int:
    """Exit code 0 if every change that is not equivalent was noticed, else 1."""
    arguments = _parser().parse_args()
    population = all_changes(arguments.files)
    chosen = sample(population, arguments.sample, arguments.seed)
    console = Console()
    console.print(f"{len(chosen)} of {len(population)} changes")

    def show(trial: Trial) -> None:
        word = "killed" if trial.outcome.killed else "equivalent" if trial.equivalent else "SURVIVED"
        by = trial.outcome.by or trial.equivalent
        console.print(
            f"{word} ({by}, {trial.outcome.seconds:.1f} s) {trial.change}", highlight=False, markup=False
        )

    campaign = Campaign(arguments.workers, with_tests=not arguments.no_tests, on_trial=show)
    content = report(campaign.run(chosen), len(population))
    totals = {name: value for name, value in content.items() if name != "trials"}
    console.print(totals)
    if arguments.json:
        write(arguments.json, content)
    return 1 if content["survived"] else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m proofs_check.mutation", description=__doc__)
    parser.add_argument("--files", nargs="+", default=["theory/*", "numerics/*"], help="patterns of sources")
    parser.add_argument("--sample", type=int, default=150, help="how many changes to try, 0 for all")
    parser.add_argument("--seed", type=int, default=0, help="which sample")
    parser.add_argument("--workers", type=int, default=2, help="trials at a time")
    parser.add_argument("--no-tests", action="store_true", help="don't run the tests on what verify misses")
    parser.add_argument("--json", type=Path, help="write the report here")
    return parser


if __name__ == "__main__":
    sys.exit(main())
