"""What a campaign found, in a file that is whole at any moment, so that an interrupted campaign goes on."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from proofs_check.mutation.campaign import Trial
from proofs_check.mutation.changes import Change


class Record:
    """Trials, those of an earlier run included, and the file that holds them.

    path: None to keep them in memory only. chosen: the campaign's changes; trials of others, of sources that
    have since moved on, are dropped. again: forget survivors, to try them on a suite that may have improved.
    """

    def __init__(
        self, path: Path | None, chosen: Collection[Change], about: dict[str, Any], again: bool
    ) -> None:
        self.path, self.about, self.size = path, about, len(chosen)
        names = {str(change) for change in chosen}
        earlier = json.loads(path.read_text())["trials"] if path and path.exists() else []
        self.trials = [t for t in earlier if t["change"] in names and (t["killed"] or not again)]

    def missing(self, chosen: Sequence[Change]) -> list[Change]:
        """The changes that are still to be tried."""
        tried = {trial["change"] for trial in self.trials}
        return [change for change in chosen if str(change) not in tried]

    def add(self, trial: Trial) -> None:
        """Keep a trial, and write the file in one step."""
        self.trials.append(trial.record())
        if self.path:
            temporary = self.path.with_suffix(self.path.suffix + ".tmp")
            temporary.write_text(json.dumps({**self.about, **self.totals(), "trials": self.trials}, indent=1))
            temporary.replace(self.path)

    def totals(self) -> dict[str, Any]:
        """How many changes met which end."""
        ends = Counter(map(end, self.trials))
        return {"chosen": self.size, "tried": len(self.trials), **ends, "written": time.strftime("%FT%T")}


def end(trial: dict[str, Any]) -> str:
    """What became of a recorded trial."""
    if trial["killed"]:
        return "killed by tests" if trial["by"] == "tests" else "killed by verify"
    return "equivalent" if trial["equivalent"] else "survived"
