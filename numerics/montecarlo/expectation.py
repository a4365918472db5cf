"""E[g(tokens, Y)] for a function g that the user gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from numerics import checks
from numerics.montecarlo.laws import TokenLaw, Tokens
from numerics.montecarlo.quantity import Observations, Quantity
from numerics.montecarlo.source import Source
from numerics.overlaps import Overlaps
from numerics.task import Task

LARGEST = 2**21
"""Random numbers in one sample: 16 MiB. All of a sample's tokens are in memory at once, a few times over."""


@dataclass(frozen=True)
class Expectation(Quantity):
    """E[g(tokens, Y)].

    function: g(tokens, y) with `tokens` a Tokens object of `rows` samples, every projection of shape
        (rows, L), and y = <X_{J0}, v*> + xi of shape (rows,). Returns finite numbers of shape
        (rows, *value_shape). For executors in other processes it must be picklable: a function of a module,
        or a dataclass with __call__.
    task: with d >= 2.
    overlaps: one run's, if g uses tokens.k or tokens.v.
    norm: whether g uses tokens.squared_norm.
    value_shape: shape of one value.

    Raises TypeError or ValueError for bad arguments. g is checked as it runs: InvalidObservations names
    block and seed, so that `replay` can repeat it.

    >>> from numerics.montecarlo import estimate
    >>> second_moment = Expectation(lambda tokens, y: y**2, Task(d=400, L=10, gamma=1.0))
    >>> bool(abs(estimate(second_moment, samples=10_000).value - 1) < 0.1)
    True
    """

    function: Callable[[Tokens, np.ndarray], Any]
    task: Task
    overlaps: Overlaps | None = None
    norm: bool = False
    value_shape: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"function must be callable as function(tokens, y), got {self.function!r}")
        if not isinstance(self.task, Task):
            raise TypeError(f"task must be a Task, got {self.task!r}")
        if self.overlaps is not None and not isinstance(self.overlaps, Overlaps):
            raise TypeError(f"overlaps must be Overlaps or None, got {self.overlaps!r}")
        if self.dimension > LARGEST:
            raise ValueError(f"L must be at most {LARGEST // self._law.columns}, got {self.task.L}")
        shape = tuple(checks.integer("value_shape", size, 0) for size in self.value_shape)
        object.__setattr__(self, "value_shape", shape)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        return self.value_shape

    @property
    def dimension(self) -> int:
        return self._law.columns * self.task.L + 2

    @property
    def footprint(self) -> int:
        return 4 * max(self.dimension, self.width)

    @property
    def _law(self) -> TokenLaw:
        return TokenLaw(self.task, self.overlaps, self.norm)

    def observe(self, source: Source) -> Observations:
        tokens = self._law.draw(source, source.location(self.task.L), self.task.L)
        noise = self.task.epsilon * source.normal(1)[:, 0]
        y = tokens.at_location(tokens.v_star) + noise
        return Observations(np.asarray(self.function(tokens, y)))
