"""Builds the API reference from the docstrings: python docs/build.py OUT (make docs)."""

from __future__ import annotations

import pkgutil
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pdoc
from markdown import as_markdown

HERE = Path(__file__).parent
PACKAGES = ("theory", "numerics", "proofs_check")
GENERATED = "numerics.generated"


def modules() -> Iterator[str]:
    """The packages, and the modules of those whose `__all__` would hide them from the generator."""
    for name in PACKAGES:
        yield name
        for module in pkgutil.walk_packages(import_module(name).__path__, f"{name}."):
            parent, _, leaf = module.name.rpartition(".")
            named = getattr(import_module(parent), "__all__", None)
            if named is not None and leaf not in named and not module.name.startswith(GENERATED):
                yield module.name


def build(out: Path) -> None:
    """Write the pages into the folder `out`."""
    warnings.filterwarnings("ignore", "Error parsing type annotation", UserWarning)
    pdoc.render.configure(
        docformat="markdown", template_directory=HERE, footer_text="single-location-regression"
    )
    pdoc.render.env.filters["to_markdown"] = as_markdown
    pdoc.pdoc(*modules(), output_directory=out)


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    build(Path(sys.argv[1]))
