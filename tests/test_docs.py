"""The API reference: docstrings become pages without losing anything."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "docs"))

pytest.importorskip("pdoc")


@pytest.fixture(scope="module")
def as_markdown():
    from markdown import as_markdown

    return as_markdown


def test_examples_are_kept_as_they_are(as_markdown):
    assert as_markdown("Adds.\n\n>>> 1 + 1\n2") == "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```"


def test_code_is_not_escaped(as_markdown):
    assert as_markdown("a_b < `a_b < c`") == r"a\_b &lt; `a_b < c`"


def test_a_list_of_arguments_follows_a_paragraph_after_an_empty_line(as_markdown):
    assert as_markdown("Of two:\nx, y: numbers\n  or arrays\nz: another") == (
        "Of two:\n\n- **x, y**: numbers\n  or arrays\n- **z**: another"
    )


@pytest.mark.slow
def test_every_public_name_has_its_place(tmp_path):
    import numerics

    built = subprocess.run(
        [sys.executable, "docs/build.py", tmp_path], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert built.stderr == ""
    page = (tmp_path / "numerics.html").read_text(encoding="utf-8")
    assert {f'id="{name}"' for name in numerics.__all__} <= set(re.findall(r'id="\w+"', page))
    assert (tmp_path / "numerics" / "flow.html").exists()
    assert (tmp_path / "proofs_check" / "judges" / "exact.html").exists()
