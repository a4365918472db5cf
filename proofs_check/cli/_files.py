"""Options for files to write, refused at once where they cannot be written."""

from __future__ import annotations

from pathlib import Path

import typer


def writable(path: Path | None) -> Path | None:
    """The path; bad usage if it cannot be written."""
    from numerics.files import ensure_writable

    if path:
        try:
            ensure_writable(path)
        except OSError as error:
            raise typer.BadParameter(f"cannot write {path}: {error.strerror}") from None
    return path


def option(name: str, help: str) -> typer.models.OptionInfo:
    """An option --NAME FILE."""
    return typer.Option(f"--{name}", metavar="FILE", help=help, callback=writable)
