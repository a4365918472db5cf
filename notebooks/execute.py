"""Executes the notebooks of this folder and writes them back with their outputs: python execute.py [NAME...].

Nothing of the machine stays in them: no times, no paths, no state of widgets.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from numerics.files import write_text

HERE = Path(__file__).resolve().parent
WIDGET = "application/vnd.jupyter.widget-view+json"


def execute(path: Path) -> None:
    """Run one notebook in this folder and replace it."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, resources=_in(HERE)).execute()
    write_text(path, nbformat.writes(clean(notebook)) + "\n")


def clean(notebook: NotebookNode) -> NotebookNode:
    """The notebook with metadata that is the same on every machine, and cells numbered as ids."""
    notebook.metadata = NotebookNode(
        kernelspec=NotebookNode(display_name="Python 3", language="python", name="python3"),
        language_info=NotebookNode(name="python"),
    )
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = NotebookNode()
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if WIDGET not in output.get("data", {})]
    return notebook


def _in(folder: Path) -> dict[str, dict[str, str]]:
    return {"metadata": {"path": str(folder)}}


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(map(str, HERE.glob("*.ipynb"))):
        execute(Path(name))
