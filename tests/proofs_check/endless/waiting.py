"""A claim that takes for ever, and says in which process."""

import os
import time
from pathlib import Path

from proofs_check.claim import Claim, Mutant
from proofs_check.judges import exact


def waits(subject, context):
    Path(os.environ["WORKER_FILE"]).write_text(str(os.getpid()))
    time.sleep(3600)


def claims() -> list[Claim]:
    judges = (exact.Steps(waits),)
    return [Claim("waiting.forever", "Nothing.", lambda: 0, "nowhere", judges, (Mutant("none", lambda: 1),))]
