"""Fast and accurate numerics for single-location regression."""

from numerics.overlaps import Overlaps
from numerics.risk import excess_risk, flow_velocity
from numerics.task import Task

__all__ = ["Overlaps", "Task", "excess_risk", "flow_velocity"]
