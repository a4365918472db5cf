"""notes.md and the ledger stay in step: each section names claims, and each claim has its place."""

import re
from pathlib import Path

from proofs_check.ledger import load

NOTES = (Path(__file__).parents[1] / "notes.md").read_text()
ID = re.compile(r"`([a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+)`")


def sections():
    parts = re.split(r"^## ", NOTES, flags=re.MULTILINE)[1:]
    return {part.splitlines()[0]: part for part in parts}


def test_every_section_names_its_claims():
    ids = set(load())
    for title, text in sections().items():
        named = [name for name in ID.findall(text) if name.split(".")[0] in {i.split(".")[0] for i in ids}]
        assert named, f"section {title!r} names no claim"
        assert set(named) <= ids, (
            f"section {title!r} names {sorted(set(named) - ids)}, which the ledger lacks"
        )
