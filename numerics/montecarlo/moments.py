"""Count, mean, spread and asymmetry of observations, merged in a fixed order so that results reproduce."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Moments:
    """Moments of `count` observations of `mean.size` numbers each.

    scatter, third: sums of squared and of cubed deviations from the mean. Merging follows Chan, Golub and
    LeVeque (1983), "Algorithms for computing the sample variance", The American Statistician 37, and its
    extension to higher moments by Pebay (2008), Sandia report SAND2008-6212.
    """

    count: int
    mean: np.ndarray
    scatter: np.ndarray
    third: np.ndarray

    @classmethod
    def of(cls, observations: np.ndarray) -> Moments:
        """Moments of an array of shape (count, width).

        >>> Moments.of(np.array([[1.0], [3.0]])).variance
        array([2.])
        """
        mean = observations.mean(axis=0)
        deviations = observations - mean
        squares = deviations * deviations
        return cls(len(observations), mean, squares.sum(axis=0), (squares * deviations).sum(axis=0))

    @classmethod
    def none(cls, width: int) -> Moments:
        """No observations."""
        return cls(0, np.zeros(width), np.zeros(width), np.zeros(width))

    def merge(self, other: Moments) -> Moments:
        """Moments of both sets of observations together."""
        if self.count == 0 or other.count == 0:
            return other if self.count == 0 else self
        count = self.count + other.count
        mine, theirs = self.count / count, other.count / count
        step = other.mean - self.mean
        scatter = self.scatter + other.scatter + step**2 * (count * mine * theirs)
        third = (
            self.third
            + other.third
            + step**3 * (count * mine * theirs * (mine - theirs))
            + 3 * step * (mine * other.scatter - theirs * self.scatter)
        )
        return Moments(count, self.mean + step * theirs, scatter, third)

    @property
    def variance(self) -> np.ndarray:
        """Unbiased variance of one observation; infinite when fewer than two are there."""
        if self.count < 2:
            return np.full_like(self.mean, np.inf)
        return self.scatter / (self.count - 1)

    @property
    def standard_error(self) -> np.ndarray:
        """Standard error of the mean."""
        return np.sqrt(self.variance / max(self.count, 1))

    @property
    def asymmetry(self) -> np.ndarray:
        """Skewness of the mean, the observations' skewness over sqrt(count): 0 for a normal law."""
        cubed = self.scatter * np.sqrt(self.scatter)
        return np.divide(self.third, cubed, out=np.zeros_like(cubed), where=cubed > 0)

    def to_json(self) -> dict[str, Any]:
        """A JSON-able dict; `from_json` restores every bit."""
        sums = {name: getattr(self, name).tolist() for name in ("mean", "scatter", "third")}
        return {"count": self.count, **sums}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Moments:
        """Inverse of `to_json`."""
        mean, scatter, third = (np.array(data[name], float) for name in ("mean", "scatter", "third"))
        return cls(data["count"], mean, scatter, third)


def merged(parts: Iterable[Moments], start: Moments) -> Moments:
    """The parts merged onto `start`, in their order."""
    for part in parts:
        start = start.merge(part)
    return start
