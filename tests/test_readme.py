"""The README's tour runs as it stands there."""

import doctest
import re
from pathlib import Path

import matplotlib as mpl
import pytest

from proofs_check.ledger import load

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_tour_runs(tmp_path, monkeypatch):
    mpl.use("Agg")
    monkeypatch.chdir(tmp_path)
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert outcome.attempted > 10
    assert outcome.failed == 0
    assert {path.name for path in tmp_path.iterdir()} == {"trajectory.svg", "trajectory.nc"}


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "notes.md"])
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https://)([^)\s#]+)\)", text):
        assert (ROOT / target).exists(), target


def test_the_claims_that_it_names_exist():
    ledger = load()
    for name in re.findall(r"(?:slr explain |`)([a-z-]+\.[a-z-]+)[`\n]", README):
        assert name in ledger or (ROOT / name).exists(), name
