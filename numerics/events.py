"""Events of the gradient flow: arrival near an equilibrium, and crossing of the separatrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from numerics import checks, schedules
from numerics.overlaps import Overlaps
from numerics.schedules import Schedule
from numerics.separatrix import Separatrix
from numerics.task import Task


@dataclass(frozen=True)
class Arrival:
    """Arrival within `radius` of one of the points `at`, in the Euclidean distance of the overlaps.

    >>> near = Arrival(Overlaps(kappa=[1, -1], nu=[1, -1]), radius=0.1)
    >>> near(0.0, Overlaps(kappa=-0.95, nu=-1)) > 0 > near(0.0, Overlaps(kappa=0, nu=0))
    True
    """

    at: Overlaps
    radius: float
    direction: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.at, Overlaps):
            raise TypeError(f"at must be Overlaps, got {self.at!r}")
        object.__setattr__(self, "radius", checks.real("radius", self.radius, above=0))

    def __call__(self, time: float, o: Overlaps) -> float:
        """The radius minus the distance to the nearest of the points."""
        points = self.at.stack().reshape(5, -1)
        return float(self.radius - np.linalg.norm(points - o.stack()[:, None], axis=0).min())


@dataclass(frozen=True)
class SeparatrixCrossing:
    """The path's (kappa, nu) crosses the curve that separates the basins of (1, 1) and (-1, -1) on M.

    With a constant lam a path on M never does. One off M can, since there the other overlaps drive it too,
    and so can one on M if lam changes with time, and the curve with it.
    """

    lam: Schedule
    task: Task
    direction: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", schedules.check("lam", self.lam))

    def __call__(self, time: float, o: Overlaps) -> float:
        """The side of the curve for the lam of the time: positive in the basin of (1, 1)."""
        lam = float(schedules.evaluate("lam", self.lam, np.array([time]))[0])
        return float(_separatrix(lam, self.task).side(o.kappa, o.nu))


_separatrix = lru_cache(maxsize=64)(Separatrix)
