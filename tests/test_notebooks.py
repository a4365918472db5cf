"""The notebooks are executed, small, and without a trace of a machine. (make notebooks runs them.)"""

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LARGEST = 3_000_000
"""Bytes that all notebooks together may have."""
MACHINE = re.compile(r"/(?:home|root|tmp|usr|work|Users)/|site-packages")


def cells(path, kind):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_together_they_are_small():
    assert NOTEBOOKS
    assert sum(path.stat().st_size for path in NOTEBOOKS) < LARGEST


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_executed_in_order_without_errors(path):
    code = cells(path, "code")
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    kinds = {output["output_type"] for cell in code for output in cell["outputs"]}
    assert "error" not in kinds
    assert "display_data" in kinds or "execute_result" in kinds
    warnings = [output for cell in code for output in cell["outputs"] if output.get("name") == "stderr"]
    assert not warnings


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_trace_of_a_machine(path):
    for cell in cells(path, "code"):
        for output in cell["outputs"]:
            data = output.get("data", {})
            text = json.dumps([output.get("text"), *(v for k, v in data.items() if k != "image/png")])
            assert not MACHINE.search(text)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_lead_somewhere(path):
    for cell in cells(path, "markdown"):
        for target in re.findall(r"\]\(([^)#]+)\)", "".join(cell["source"])):
            assert target.startswith("https://") or (FOLDER / target).exists(), target


def test_moved_sliders_redraw_the_picture(monkeypatch):
    pytest.importorskip("ipywidgets")
    monkeypatch.setenv("MPLBACKEND", "agg")
    sources = ["".join(cell["source"]) for cell in cells(FOLDER / "2_trajectories.ipynb", "code")]
    space = {"display": lambda *shown: None}
    for source in (sources[0], *(s for s in sources if "def view" in s or "sliders = {" in s)):
        exec(source, space)
    first = space["picture"].value
    space["sliders"]["lam"].value = 0.3
    second = space["picture"].value
    assert first
    assert second not in (b"", first)
    space["sliders"]["log10_d"].value = 6.0
    assert space["note"].value == "d = 1,000,000"
    space["sliders"]["off"].value = 0.5
    space["sliders"]["kappa"].value = 0.99
    assert "positive semi-definite" in space["note"].value
