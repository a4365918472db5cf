"""Checkpoints: the state of a run as JSON, so that a killed run resumes and a finished one can be refined."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numerics.files import write_text
from numerics.montecarlo.moments import Moments
from numerics.montecarlo.streams import Stage

SECONDS_BETWEEN = 2.0


@dataclass
class Progressed:
    """A stage's whole blocks so far: how many, and their moments merged in order."""

    blocks: int
    moments: Moments


@dataclass
class State:
    """Everything that a resumed run needs."""

    fingerprint: str
    stages: dict[Stage, Progressed]
    seconds: float = 0.0

    @classmethod
    def fresh(cls, fingerprint: str, width: int) -> State:
        """The state before the first block."""
        stages = (Stage.PILOT, Stage.MAIN)
        return cls(fingerprint, {stage: Progressed(0, Moments.none(width)) for stage in stages})

    def to_json(self) -> dict[str, Any]:
        """A JSON-able dict that keeps every bit; the seconds are the run's to add."""
        return {
            "fingerprint": self.fingerprint,
            "stages": {
                stage.name: {"blocks": done.blocks, **done.moments.to_json()}
                for stage, done in self.stages.items()
            },
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> State:
        """Inverse of `to_json`."""
        return cls(
            data["fingerprint"],
            {
                Stage[name]: Progressed(done["blocks"], Moments.from_json(done))
                for name, done in data["stages"].items()
            },
            data["seconds"],
        )


@dataclass
class Checkpoint:
    """A file that holds a run's state; `path` None keeps nothing."""

    path: Path | None
    _saved: float = field(default_factory=time.monotonic)

    def load(self, fingerprint: str, width: int) -> State:
        """The state in the file, or a fresh one if there is no file.

        Raises ValueError if the file belongs to another quantity, seed or way to lay points.
        """
        if self.path is None or not self.path.exists():
            return State.fresh(fingerprint, width)
        try:
            state = State.from_json(json.loads(self.path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"checkpoint {self.path} is not readable: {error!r}") from error
        if state.fingerprint != fingerprint:
            raise ValueError(
                f"checkpoint must belong to the same quantity, seed and points; {self.path} does not"
            )
        return state

    def save(self, state: State, seconds: float, *, now: bool = False) -> None:
        """Write the state and the seconds spent so far, at most once in SECONDS_BETWEEN unless `now`."""
        if self.path is None or (not now and time.monotonic() - self._saved < SECONDS_BETWEEN):
            return
        write_text(self.path, json.dumps({**state.to_json(), "seconds": seconds}))
        self._saved = time.monotonic()
