"""Fast and accurate numerics for single-location regression."""

from numerics.overlaps import Overlaps
from numerics.task import Task

__all__ = ["Overlaps", "Task"]
