"""Works through the blocks of a run on an executor.

The answer depends on the quantity, the points, the seed and the number of samples. It does not depend on the
executor, its workers or the chunks: block by block the random numbers are the block's own, and blocks are
merged in their order.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass

import numpy as np

from numerics.montecarlo.checkpoint import Checkpoint, State
from numerics.montecarlo.moments import Moments, merged
from numerics.montecarlo.plan import Plan
from numerics.montecarlo.stopping import Target
from numerics.montecarlo.streams import Stage

IN_FLIGHT = 32
"""Chunks handed to the executor at a time."""

CHUNKS = 64
LARGEST_CHUNK = 16
"""Unless the caller says otherwise a run is cut into CHUNKS, none of more blocks than this."""

PILOT_OBSERVATIONS = 2**13
PILOT_NUMBERS = 2**23
PILOT_FEWEST = 64


@dataclass(frozen=True)
class Progress:
    """What a progress meter is told after each chunk.

    stage: "PILOT" or "MAIN". samples of `planned` (None: until the time is up) have been merged.
    """

    stage: str
    samples: int
    planned: int | None
    value: np.ndarray
    standard_error: np.ndarray
    seconds: float


@dataclass(frozen=True)
class Budget:
    """What a run may spend: observations of the main stage, and a deadline of time.monotonic()."""

    observations: int | None
    deadline: float | None

    @property
    def late(self) -> bool:
        """Whether time is up."""
        return self.deadline is not None and time.monotonic() >= self.deadline


@dataclass
class Run:
    """A run in progress."""

    plan: Plan
    executor: Executor
    chunk: int | None
    budget: Budget
    state: State
    checkpoint: Checkpoint
    report: Callable[[Progress], None]
    start: float

    def to_target(self, target: Target) -> tuple[Moments, Moments, bool]:
        """Pilot and main moments under the two-stage rule, and whether the sample was topped up."""
        pilot = self.extend(Stage.PILOT, pilot_size(self.plan))
        resumed = self.state.stages[Stage.MAIN].blocks * self.plan.block_size
        moments = self.extend(Stage.MAIN, max(self._planned(target, pilot), resumed))
        topped_up, most = False, self.budget.observations
        while not (target.reached(moments) or self.budget.late or moments.count == most):
            moments = self.extend(Stage.MAIN, self._planned(target, moments))  # more: HEAVY_TAILS sees to it
            topped_up = True
        return pilot, moments, topped_up

    def extend(self, stage: Stage, count: int | None) -> Moments:
        """Moments of the stage's first `count` observations, fewer (or, if None, as many) as time allows."""
        done, size = self.state.stages[stage], self.plan.block_size
        whole, rest = (None, 0) if count is None else divmod(count, size)
        if whole is not None and done.blocks > whole:
            raise ValueError(
                f"samples must be at least the {done.blocks * size * self.plan.points.size} of the checkpoint"
            )
        for parts in self._chunks(stage, done.blocks, whole):
            done.moments = merged(parts, done.moments)
            done.blocks += len(parts)
            self._note(stage, done.moments, count)
        if rest == 0 or done.blocks != whole:
            return done.moments
        total = done.moments.merge(self.plan.moments(stage, done.blocks, rest))
        self._note(stage, total, count)
        return total

    def _chunks(self, stage: Stage, first: int, last: int | None) -> Iterator[list[Moments]]:
        """Moments of the blocks from `first` to before `last` in order, chunk by chunk, until time is up."""
        ranges = self._ranges(first, last)
        pending: deque[Future[list[Moments]]] = deque()
        try:
            for begin, end in ranges:
                pending.append(self.executor.submit(_chunk, self.plan, stage, begin, end))
                if self.budget.late:
                    break
                if len(pending) == IN_FLIGHT:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
                if self.budget.late:
                    _drop_unstarted(pending)
        finally:
            for future in pending:
                future.cancel()

    def _ranges(self, first: int, last: int | None) -> Iterator[tuple[int, int]]:
        if self.chunk is not None:
            length = max(1, -(-self.chunk // (self.plan.block_size * self.plan.points.size)))
        elif last is None:
            length = LARGEST_CHUNK
        else:
            length = min(max(1, (last - first) // CHUNKS), LARGEST_CHUNK)
        while last is None or first < last:
            end = first + length if last is None else min(first + length, last)
            yield first, end
            first = end

    def _planned(self, target: Target, so_far: Moments) -> int:
        wanted, most = target.observations(so_far, self.plan.points.fewest), self.budget.observations
        if wanted is None and most is None and self.budget.deadline is None:
            raise ValueError(
                f"{target} is out of reach: the value is about {so_far.mean}, one observation's standard "
                f"deviation {np.sqrt(so_far.variance)}; set absolute_error, samples or seconds as well"
            )
        known = [count for count in (wanted, most) if count is not None]
        return min(known) if known else _ENDLESS_OBSERVATIONS

    def _note(self, stage: Stage, moments: Moments, planned: int | None) -> None:
        size = self.plan.points.size
        total = None if planned is None else planned * size
        done = moments.count * size, total
        self.report(Progress(stage.name, *done, moments.mean, moments.standard_error, self.seconds))
        self.save()

    def save(self, *, now: bool = False) -> None:
        """Save the state, at most every few seconds unless `now`."""
        self.checkpoint.save(self.state, self.seconds, now=now)

    @property
    def seconds(self) -> float:
        """Wall time spent, before a resumption included."""
        return self.state.seconds + time.monotonic() - self.start


_ENDLESS_OBSERVATIONS = 2**62


def pilot_size(plan: Plan) -> int:
    """Observations of the pilot."""
    if plan.points.size > plan.points.fewest:
        return plan.points.fewest
    numbers = plan.points.size * plan.quantity.dimension
    return min(max(PILOT_NUMBERS // numbers, PILOT_FEWEST), PILOT_OBSERVATIONS)


def _chunk(plan: Plan, stage: Stage, first: int, last: int) -> list[Moments]:
    return [plan.moments(stage, block, plan.block_size) for block in range(first, last)]


def _drop_unstarted(pending: deque[Future[list[Moments]]]) -> None:
    """Cancel from the end, so that what remains is a contiguous run of blocks."""
    while pending and pending[-1].cancel():
        pending.pop()
