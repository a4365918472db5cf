"""Fast and accurate numerics for single-location regression."""

from numerics import compilation  # noqa: F401 - first: it says where kernels are kept
from numerics.descent import projected_gradient_descent
from numerics.flow import gradient_flow
from numerics.montecarlo import estimate_risk
from numerics.overlaps import Overlaps
from numerics.risk import excess_risk, flow_velocity
from numerics.schedules import InverseTimeDecay
from numerics.sgd import stochastic_gradient_descent
from numerics.task import Task

__all__ = [
    "InverseTimeDecay",
    "Overlaps",
    "Task",
    "estimate_risk",
    "excess_risk",
    "flow_velocity",
    "gradient_flow",
    "projected_gradient_descent",
    "stochastic_gradient_descent",
]
