"""The command line `slr`, one module a command.

A module NAME.py here holds a function of the same name, which becomes the command `slr NAME`; a name that
starts with an underscore is no command. Modules import what is slow inside the function, so that
`slr --help` is fast.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import typer

EPILOG = (
    "Exit codes: 0 success; 1 a claim is refuted or undecided, or a mutant survives; 2 bad usage; "
    "3 a file could not be read or written; 130 interrupted."
)


def build() -> typer.Typer:
    """The application with every command found in this package."""
    app = typer.Typer(
        name="slr",
        help="Derive, compute and check the theory of single-location regression.",
        epilog=EPILOG,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_show_locals=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(lambda: None)
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        if not name.startswith("_"):
            app.command(name)(getattr(importlib.import_module(f"{__name__}.{name}"), name))
    return app


def main() -> None:
    """Entry point of the console script."""
    try:
        build()(prog_name="slr")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"slr: {where}{error.strerror or error}", file=sys.stderr)
        sys.exit(3)
