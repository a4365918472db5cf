"""A run: its results and all that is needed to repeat it."""

from __future__ import annotations

import importlib.metadata
import platform
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from proofs_check.claim import Context, Verdict
from proofs_check.verdict import Result

PACKAGES = ("sympy", "mpmath", "python-flint", "numpy", "scipy", "numba", "xarray")
PROJECT = "single-location-regression"


@dataclass(frozen=True)
class Run:
    """Results in ledger order, the titles of the parts, the context, and when and how long it ran."""

    results: Mapping[str, Result]
    titles: Mapping[str, str]
    context: Context
    started: datetime
    seconds: float
    versions: Mapping[str, str] = field(default_factory=lambda: versions())

    @property
    def totals(self) -> dict[str, int]:
        """How many claims, of each verdict, and how many mutants, killed and surviving."""
        verdicts = Counter(result.verdict for result in self.results.values())
        mutants = [mutant for result in self.results.values() for mutant in result.finding.mutants]
        killed = sum(mutant.killed for mutant in mutants)
        return {
            "claims": len(self.results),
            **{str(verdict): verdicts[verdict] for verdict in Verdict},
            "mutants": len(mutants),
            "mutants_killed": killed,
            "mutants_surviving": len(mutants) - killed,
        }

    @property
    def platform(self) -> str:
        """Operating system and processor."""
        return f"{platform.system()} {platform.machine()}"

    @property
    def all_hold(self) -> bool:
        return all(result.verdict is Verdict.HOLDS for result in self.results.values())


def now() -> datetime:
    return datetime.now(UTC)


def versions() -> dict[str, str]:
    """Versions of Python, of this project and of the libraries that evidence rests on."""
    found = {"python": platform.python_version()}
    for package in (PROJECT, *PACKAGES):
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found
