"""What can be estimated: a quantity is an expectation, given as a function of random numbers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any, NamedTuple

import numpy as np

from numerics.montecarlo.source import Source
from numerics.overlaps import NAMES, Overlaps
from numerics.task import Task


class Observations(NamedTuple):
    """What a quantity returns for `rows` samples.

    values: shape (rows, *shape); their mean is the estimate.
    controls: shape (rows, controls) or None: variables whose expectation is exactly zero. The engine
        subtracts the linear combination of them that explains most of the values' variance; its coefficients
        come from samples of their own, so the estimate stays unbiased.
    """

    values: np.ndarray
    controls: np.ndarray | None = None


class Quantity(ABC):
    """An expectation to be estimated. Subclasses are frozen dataclasses; an executor may pickle them.

    shape: shape of the value.
    dimension: random numbers that one sample takes.
    controls: number of control variates that `observe` returns.
    footprint: floats that one sample needs at a time; the engine bounds the samples in memory by it.
    """

    shape: tuple[int, ...] = ()
    controls: int = 0

    @property
    @abstractmethod
    def dimension(self) -> int: ...

    @property
    def footprint(self) -> int:
        return max(self.dimension, self.width)

    @abstractmethod
    def observe(self, source: Source) -> Observations:
        """One observation for each row of the source."""

    @property
    def width(self) -> int:
        """Numbers in one value."""
        return math.prod(self.shape)

    def parameters(self) -> dict[str, Any]:
        """Everything that defines the quantity, as JSON-able data."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        own = {name: _plain(getattr(self, name)) for name in names}
        return {"quantity": type(self).__name__, **own}


class InvalidObservations(ValueError):
    """A quantity returned values of the wrong shape, or values that are not finite."""


def observe(quantity: Quantity, source: Source) -> Observations:
    """The quantity's observations, checked.

    Raises InvalidObservations, a ValueError, for a wrong shape or non-finite values.
    """
    observations = quantity.observe(source)
    values, expected = np.asarray(observations.values), (source.rows, *quantity.shape)
    if values.shape != expected:
        raise InvalidObservations(f"the quantity must return shape {expected}, got {values.shape}")
    if values.dtype.kind not in "iufb" or not np.isfinite(values).all():
        raise InvalidObservations(f"the quantity must return finite numbers, got {_first_bad(values)}")
    return Observations(values.astype(np.float64, copy=False), observations.controls)


def _first_bad(values: np.ndarray) -> str:
    if values.dtype.kind not in "iufb":
        return f"dtype {values.dtype}"
    index = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
    return f"{values[index]!r} at index {index}"


def _plain(value: Any) -> Any:
    if isinstance(value, Overlaps):
        return {name: getattr(value, name).tolist() for name in NAMES}
    if isinstance(value, Task):
        return asdict(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Callable):  # type: ignore[arg-type]
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', repr(value))}"
    return list(value) if isinstance(value, tuple) else value
