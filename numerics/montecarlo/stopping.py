"""When to stop: a two-stage rule for error targets, and budgets.

The rule is Stein's (1945), "A two-sample test for a linear hypothesis whose power is independent of the
variance", Annals of Mathematical Statistics 16, with the inflated variance of Hickernell, Jiang, Liu and Owen
(2013), "Guaranteed conservative fixed width confidence intervals via Monte Carlo sampling": a pilot
estimates the variance, its upper confidence limit fixes the number of observations, and the estimate
averages fresh observations only. Given the pilot that number is a constant, so the interval is the
ordinary one of a fixed sample; nothing is peeked at. When the target is missed all the same (about one run in
a hundred: the pilot's variance was too low even at its upper limit) the sample is topped up and the
result's `topped_up` says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from numerics import checks
from numerics.montecarlo.moments import Moments

PILOT_CONFIDENCE = 0.99
HEAVY_TAILS = 1.1
"""Margin on the pilot's variance limit, which is a normal sample's."""

ENDLESS = 1e14
"""Observations that no run is planned for."""


def student_quantile(level: float, observations: int) -> float:
    """Half-width of a two-sided interval at `level`, in standard errors; infinite below two observations."""
    if observations < 2:
        return math.inf
    return float(special.stdtrit(observations - 1, (1 + level) / 2))


@dataclass(frozen=True)
class Target:
    """What the half-width of the interval may be: max(absolute, relative * |value|), entry by entry.

    Raises TypeError or ValueError for targets that are not positive numbers and a level outside (0, 1).
    """

    relative: float | None = None
    absolute: float | None = None
    level: float = 0.95

    def __post_init__(self) -> None:
        for name, value in (("relative_error", self.relative), ("absolute_error", self.absolute)):
            if value is not None:
                checks.real(name, value, above=0)
        if checks.real("level", self.level, above=0) >= 1:
            raise ValueError(f"level must be a number in (0, 1), got {self.level!r}")

    @property
    def given(self) -> bool:
        """Whether there is an error target at all."""
        return self.relative is not None or self.absolute is not None

    def half_width(self, mean: np.ndarray) -> np.ndarray:
        """The largest allowed half-width for each entry of the value."""
        return np.maximum(self.absolute or 0.0, (self.relative or 0.0) * np.abs(mean))

    def reached(self, moments: Moments) -> bool:
        """Whether these moments meet the target."""
        if moments.count < 2:
            return False
        half_widths = student_quantile(self.level, moments.count) * moments.standard_error
        return bool((half_widths <= self.half_width(moments.mean)).all())

    def observations(self, pilot: Moments, fewest: int) -> int | None:
        """How many observations the pilot says are needed, at least `fewest`; None if more than ENDLESS."""
        degrees = pilot.count - 1
        limit = HEAVY_TAILS * degrees / special.chdtri(degrees, PILOT_CONFIDENCE)
        with np.errstate(divide="ignore", invalid="ignore"):
            errors = np.sqrt(pilot.variance * limit) / self.half_width(pilot.mean)
        largest = float(np.nan_to_num(errors, nan=0.0, posinf=np.inf).max())
        normal = student_quantile(self.level, 10**9) * largest
        if normal**2 > ENDLESS:
            return None
        count = max(fewest, math.ceil(normal**2))
        return max(fewest, math.ceil((student_quantile(self.level, count) * largest) ** 2))
