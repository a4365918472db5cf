"""Which changes there are, and a seeded sample of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path

from proofs_check.mutation.changes import ARGUMENTS, DISPLAY, MATHEMATICS, Change, changes

MATTERS = (MATHEMATICS, ARGUMENTS, DISPLAY)

LEFT_OUT = (
    "*/__init__.py",
    "numerics/generated/*",
    "numerics/plotting/*",
    "numerics/probe/*",
    "numerics/sweeps/*",
    "numerics/checks.py",
    "numerics/compilation.py",
    "numerics/datasets.py",
    "numerics/display.py",
    "numerics/experiments.py",
    "numerics/files.py",
    "numerics/montecarlo/checkpoint.py",
)
"""Files that compute no mathematics of the paper, and that tests vouch for: pictures and tables, the study
of a language model, files and folders, checks of arguments, settings of experiments; and generated ones, as
theory/ is changed instead. That changes survive in a file is no reason to leave it out.
"""


def all_changes(
    root: Path, patterns: Iterable[str] = ("theory/*", "numerics/*"), matters: Iterable[str] = MATTERS
) -> list[Change]:
    """Every change of every source that the suite is to vouch for, or of those that match the patterns.

    matters: what the changed code is about.
    """
    wanted = set(matters)
    files = [f for package in ("theory", "numerics") for f in sorted((root / package).rglob("*.py"))]
    names = [file.relative_to(root).as_posix() for file in files]
    kept = [n for n in names if not any(fnmatch(n, p) for p in LEFT_OUT)]
    kept = [n for n in kept if any(fnmatch(n, p) for p in patterns)]
    found = [change for name in kept for change in changes(name, (root / name).read_text())]
    return [change for change in found if change.matter in wanted]


def sample(population: Sequence[Change], size: int, seed: int) -> list[Change]:
    """A seeded random sample, in an order that other changes don't disturb; all if size is 0."""

    def rank(change: Change) -> bytes:
        return hashlib.sha256(f"{seed} {change}".encode()).digest()

    return sorted(population, key=rank)[: size or None]
