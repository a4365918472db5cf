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

from proofs_check.mutation.campaign import Campaign, Trial
from proofs_check.mutation.population import MATTERS, all_changes, sample
from proofs_check.mutation.record import Record, end

ROOT = Path(__file__).parents[2]


def main() -> int:
    """Exit code 0 if every change that is not equivalent was noticed, else 1."""
    arguments = _parser().parse_args()
    population = all_changes(ROOT, arguments.files, arguments.about)
    chosen = sample(population, arguments.sample, arguments.seed)
    about = {"population": len(population), "files": arguments.files, "seed": arguments.seed}
    about |= {"about": arguments.about}
    record = Record(arguments.json, chosen, about, arguments.again)
    missing = record.missing(chosen)
    console = Console(soft_wrap=True, highlight=False, markup=False)
    console.print(f"{len(chosen)} of {len(population)} changes, {len(missing)} still to be tried")

    def keep(trial: Trial) -> None:
        record.add(trial)
        last = record.trials[-1]
        ending = f"{end(last)} ({last['by'] or last['equivalent']}, {last['seconds']:.0f} s)"
        console.print(f"{len(record.trials)}/{len(chosen)} {ending} {trial.change}")

    if missing:
        Campaign(ROOT, arguments.workers, not arguments.no_tests, keep).run(missing)
    console.print(record.totals())
    return 1 if "survived" in record.totals() else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m proofs_check.mutation", description=__doc__)
    parser.add_argument("--files", nargs="+", default=["theory/*", "numerics/*"], help="patterns of sources")
    parser.add_argument(
        "--about", nargs="+", choices=MATTERS, default=[*MATTERS], help="what the changed code is about"
    )
    parser.add_argument("--sample", type=int, default=300, help="how many changes to try, 0 for all")
    parser.add_argument("--seed", type=int, default=0, help="which sample")
    parser.add_argument("--workers", type=int, default=2, help="trials at a time")
    parser.add_argument("--no-tests", action="store_true", help="don't run the tests on what verify misses")
    parser.add_argument(
        "--json", type=Path, help="the report; if it exists, the campaign goes on where it stopped"
    )
    parser.add_argument("--again", action="store_true", help="try what survived in the report once more")
    return parser


if __name__ == "__main__":
    sys.exit(main())
