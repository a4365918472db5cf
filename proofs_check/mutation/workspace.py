"""A private copy of the project in which one change at a time is made and undone."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from proofs_check.mutation.changes import Change

PACKAGES = ("theory", "numerics", "proofs_check")
BESIDES = ("tests", "benchmarks", "docs", "pyproject.toml", "notes.md", "CONTRIBUTING.md", "README.md")
GENERATED = Path("numerics") / "generated"


class Workspace:
    """A copy of the packages, beside a second one that stays as it is."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder, self.original = folder / "changed", folder / "original"
        for copy in (self.original, self.folder):
            for package in PACKAGES:
                ignored = shutil.ignore_patterns("__pycache__", "*.tmp")
                shutil.copytree(root / package, copy / package, ignore=ignored)
        for name in BESIDES:
            with contextlib.suppress(FileNotFoundError):
                (self.folder / name).symlink_to((root / name).resolve())

    def change(self, change: Change) -> None:
        """Write the changed file."""
        source = (self.original / change.file).read_text()
        (self.folder / change.file).write_text(change.apply(source))

    def restore(self, change: Change) -> None:
        """Undo it, and whatever was generated and compiled from it."""
        shutil.copy2(self.original / change.file, self.folder / change.file)
        for source in (self.original / GENERATED).glob("*.py"):
            shutil.copy2(source, self.folder / GENERATED / source.name)
        for cache in self.folder.rglob("__pycache__"):
            shutil.rmtree(cache, ignore_errors=True)

    def regenerated(self) -> set[str]:
        """The generated files that differ from the original ones."""
        names = [(GENERATED / source.name) for source in (self.original / GENERATED).glob("*.py")]
        return {
            name.as_posix()
            for name in names
            if (self.folder / name).read_bytes() != (self.original / name).read_bytes()
        }
