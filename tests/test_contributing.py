"""The example in CONTRIBUTING.md is a claim that holds, and whose mutants die."""

import re
import sys
from pathlib import Path

import pytest

from proofs_check.claim import Context, Kind, Verdict
from proofs_check.examine import examine
from proofs_check.ledger import load

PAGE = Path(__file__).parent.parent / "CONTRIBUTING.md"


@pytest.fixture
def example(tmp_path, monkeypatch):
    """A package of claims with the page's module and what it rests on."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    package = tmp_path / "contributed"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    for part in ("gaussian", "laws", "risk"):
        module = f"from proofs_check.claims.{part} import claims"
        (package / f"{part}.py").write_text(f'"""{part}."""\n\n{module}\n', encoding="utf-8")
    (package / "example.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield "contributed"
    for name in [name for name in sys.modules if name.partition(".")[0] == "contributed"]:
        del sys.modules[name]


def test_the_example_is_a_ledger_whose_claim_holds_and_whose_mutants_die(example):
    claim = load(example)["example.affine"]
    finding = examine(claim, Context())
    assert [evidence.verdict for evidence in finding.evidence] == [Verdict.HOLDS]
    assert [evidence.kind for evidence in finding.evidence] == [Kind.EXACT]
    assert [mutant.killed for mutant in finding.mutants] == [True, True]
