"""Quantities for the tests, importable by worker processes."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from numerics.montecarlo import Observations, Quantity


@dataclass(frozen=True)
class Exponential(Quantity):
    """The mean, `scale`, of an exponential variable: half a chi-square with two degrees of freedom."""

    scale: float = 1.0

    @property
    def dimension(self) -> int:
        return 1

    def observe(self, source) -> Observations:
        return Observations(self.scale * source.chisquare(2, 1)[:, 0] / 2)


@dataclass(frozen=True)
class Slow(Exponential):
    """The same, taking a while."""

    def observe(self, source) -> Observations:
        time.sleep(0.01)
        return super().observe(source)


@dataclass(frozen=True)
class Killed(Exponential):
    """The same, interrupted once `fuse` has burnt down."""

    fuse: tuple[int, ...] = ()

    def observe(self, source) -> Observations:
        FUSE[0] -= 1
        if FUSE[0] == 0:
            raise KeyboardInterrupt
        return super().observe(source)


FUSE = [0]


@dataclass(frozen=True)
class Constant(Quantity):
    """A constant, here to see how the engine takes odd values."""

    value: float

    @property
    def dimension(self) -> int:
        return 1

    def observe(self, source) -> Observations:
        return Observations(np.full(source.rows, self.value))


def second_moment(tokens, y):
    """E Y^2."""
    return y**2
