"""Sweeps: the dynamics over a grid of parameters, on any executor, with finished cells kept on disk."""

from numerics.sweeps.plan import ALGORITHMS, Plan
from numerics.sweeps.run import sweep

__all__ = ["ALGORITHMS", "Plan", "sweep"]
