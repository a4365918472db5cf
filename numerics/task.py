"""The parameters of single-location regression."""

from __future__ import annotations

import math
from dataclasses import dataclass

from numerics import checks


@dataclass(frozen=True)
class Task:
    """Single-location regression with L tokens in R^d (section 3 of arXiv 2410.01537).

    d: dimension, an integer >= 1 (whole floats such as 1e12 are taken). It enters the overlaps' formulas
        only as the signal strength sqrt(d/2), so d = 1 is a valid parameter although two orthonormal vectors
        need d >= 2; whatever draws vectors says what it needs.
    L: number of tokens, an integer >= 1.
    gamma: standard deviation of the informative token in each direction, > 0.
    epsilon: standard deviation of the label noise, >= 0.

    Accuracy: parameters are kept as given, the signal strength is within an ulp
    (tests/numerics/test_edges.py).

    Raises TypeError or ValueError, naming the argument, its value and the allowed range.

    >>> Task(d=400, L=10)
    Task(d=400, L=10, gamma=0.7071067811865476, epsilon=0.0)
    >>> Task(d=0, L=10)
    Traceback (most recent call last):
    ValueError: d must be >= 1, got 0
    """

    d: int
    L: int
    gamma: float = 2**-0.5
    epsilon: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "d", checks.integer("d", self.d, 1))
        object.__setattr__(self, "L", checks.integer("L", self.L, 1))
        object.__setattr__(self, "gamma", checks.real("gamma", self.gamma, above=0))
        object.__setattr__(self, "epsilon", checks.real("epsilon", self.epsilon, minimum=0))

    @property
    def signal(self) -> float:
        """The length sqrt(d/2) of the informative token's mean."""
        return math.sqrt(self.d / 2)
