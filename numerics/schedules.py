"""Schedules: a number, or a function of the step, for lam and for the step size."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from numerics import checks

Schedule = float | Callable[[np.ndarray], Any]
"""A positive number, or a callable from an array of steps (or times) to positive values of its shape."""


@dataclass(frozen=True)
class InverseTimeDecay:
    """The schedule start / (1 + rate * n) of the paper's experiments; start > 0, rate >= 0.

    Accuracy: three roundings, relative error at most 4e-16 (tests/numerics/test_edges.py).

    Raises TypeError or ValueError, naming the argument, its value and the allowed range.

    >>> InverseTimeDecay(start=1.0, rate=0.5)(np.array([0, 2]))
    array([1. , 0.5])
    """

    start: float
    rate: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", checks.real("start", self.start, above=0))
        object.__setattr__(self, "rate", checks.real("rate", self.rate, minimum=0))

    def __call__(self, steps: Any) -> np.ndarray:
        """Values at `steps`, in the shape of `steps`."""
        return self.start / (1 + self.rate * np.asarray(steps, dtype=np.float64))


def check(name: str, schedule: Any) -> Schedule:
    """Return `schedule` as a positive float or a callable; TypeError or ValueError name the argument.

    >>> check("lam", 1)
    1.0
    >>> check("lam", -0.5)
    Traceback (most recent call last):
    ValueError: lam must be a finite number > 0, got -0.5
    """
    if callable(schedule):
        return schedule
    if not isinstance(schedule, numbers.Real):
        raise TypeError(f"{name} must be a number > 0 or a callable on arrays of steps, got {schedule!r}")
    return checks.real(name, schedule, above=0)


def evaluate(name: str, schedule: Schedule, steps: np.ndarray) -> np.ndarray:
    """Values of the schedule at an array of steps or times: float64 of its shape, all finite and positive.

    The schedule is called with a float64 array. Raises ValueError, naming the argument and the first bad
    place, if it returns another shape or values that are not finite and positive, TypeError if it returns no
    numbers.

    >>> evaluate("lam", lambda n: 1.0 - n, np.arange(3))
    Traceback (most recent call last):
    ValueError: lam must be finite and > 0 everywhere, got 0.0 at 1.0
    """
    if not callable(schedule):
        return np.full(steps.shape, schedule, dtype=np.float64)
    values = np.asarray(schedule(steps.astype(np.float64)))
    if values.dtype.kind not in "iuf":
        raise TypeError(f"{name} must return an array of numbers, got dtype {values.dtype}")
    if values.shape != steps.shape:
        raise ValueError(
            f"{name} must return an array of the shape of its argument, {steps.shape}, got {values.shape}"
        )
    values = values.astype(np.float64)
    bad = ~(np.isfinite(values) & (values > 0))
    if bad.any():
        value, step = float(values[bad][0]), float(steps[bad][0])
        raise ValueError(f"{name} must be finite and > 0 everywhere, got {value!r} at {step!r}")
    return values


def describe(schedule: Schedule) -> float | str:
    """The schedule as a value for a dataset's attributes: the number, or a reproducible description.

    >>> describe(InverseTimeDecay(1.0, 1e-4))
    'InverseTimeDecay(start=1.0, rate=0.0001)'
    """
    if not callable(schedule):
        return schedule
    name = getattr(schedule, "__qualname__", None)
    return repr(schedule) if name is None else f"{schedule.__module__}.{name}"
