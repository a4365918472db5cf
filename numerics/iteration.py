"""What the iterative algorithms share: checked arguments, blocks of steps, and runs that leave the finite."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from numerics import checks, schedules
from numerics.overlaps import NAMES, Overlaps
from numerics.schedules import Schedule

BLOCK = 8192
"""Most steps between two looks at the progress meter and the keyboard."""

Progress = Callable[[int, int], Any]
"""A progress meter: called with the number of steps done and the number of steps in all."""


class NonFiniteError(ValueError):
    """A step whose result is not finite: `run`, `step`, and the overlaps `state` before that step."""

    def __init__(self, run: int, step: int, state: np.ndarray, lam: float, step_size: float) -> None:
        self._arguments = (run, step, state, lam, step_size)
        self.run, self.step, self.state = run, step, Overlaps.unchecked(state)
        values = ", ".join(f"{name}={float(value)!r}" for name, value in zip(NAMES, state, strict=True))
        super().__init__(
            f"step_size must be small enough for every step to be finite, got step_size={step_size!r} with "
            f"lam={lam!r} in step {step} of run {run}; the state before it is {values}"
        )

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        """Exceptions travel between processes by their arguments."""
        return NonFiniteError, self._arguments


@dataclass(frozen=True)
class Block:
    """Steps start .. start + lam.size - 1; the states after every `stride` of them go to rows slot, ..."""

    start: int
    slot: int
    stride: int
    lam: np.ndarray
    step_size: np.ndarray

    @property
    def rows(self) -> slice:
        """The rows that the block's states go to."""
        return slice(self.slot, self.slot + self.lam.size // self.stride)


@dataclass(frozen=True)
class Iteration:
    """Checked settings of an iterative algorithm.

    lam, step_size: positive numbers or schedules; steps >= 0; record_every divides steps (None: record the
    start and the end only). Row r of the records holds the state after r * record_every steps; its lam is
    the one that the last of these steps used (the first row: that the first step uses).

    Raises TypeError or ValueError, naming the argument, its value and the allowed range.
    """

    lam: Schedule
    step_size: Schedule
    steps: int
    record_every: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", schedules.check("lam", self.lam))
        object.__setattr__(self, "step_size", schedules.check("step_size", self.step_size))
        object.__setattr__(self, "steps", checks.integer("steps", self.steps, 0))
        every = max(self.steps, 1) if self.record_every is None else self.record_every
        object.__setattr__(self, "record_every", checks.integer("record_every", every, 1))
        if self.steps % self.stride:
            raise ValueError(f"record_every must divide steps={self.steps}, got {self.record_every}")

    @property
    def stride(self) -> int:
        """Steps from one recorded state to the next."""
        assert self.record_every is not None
        return self.record_every

    @property
    def recorded(self) -> np.ndarray:
        """The numbers of steps after which the state is recorded, from 0 on."""
        return np.arange(0, self.steps + 1, self.stride, dtype=np.int64)

    def recorded_lam(self) -> np.ndarray:
        """lam at the recorded states: that of the step that led there."""
        return schedules.evaluate("lam", self.lam, np.maximum(self.recorded - 1, 0))

    def blocks(self) -> Iterator[Block]:
        """The steps in order, at most BLOCK at a time; a block ends at a recorded state or before it."""
        start = 0
        while start < self.steps:
            whole = BLOCK // self.stride * self.stride
            size = whole or min(BLOCK, self.stride - start % self.stride)
            stop = min(start + size, self.steps)
            yield self._block(start, stop)
            start = stop

    def _block(self, start: int, stop: int) -> Block:
        steps = np.arange(start, stop)
        return Block(
            start=start,
            slot=start // self.stride + 1,
            stride=min(self.stride, steps.size),
            lam=schedules.evaluate("lam", self.lam, steps),
            step_size=schedules.evaluate("step_size", self.step_size, steps),
        )

    def fail(self, block: Block, run: int, done: int, state: np.ndarray) -> NonFiniteError:
        """The error for a run whose step block.start + done is not finite."""
        return NonFiniteError(
            run, block.start + done, state, float(block.lam[done]), float(block.step_size[done])
        )
