"""What a sweep is: an algorithm, a grid of parameters, and everything that is the same in all cells."""

from __future__ import annotations

import inspect
import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import xarray as xr

from numerics import checks, schedules
from numerics.descent import projected_gradient_descent
from numerics.flow import gradient_flow
from numerics.sgd import stochastic_gradient_descent
from numerics.starts import On, random_starts
from numerics.task import Task

Algorithm = Callable[..., xr.Dataset]

ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {"flow": gradient_flow, "pgd": projected_gradient_descent, "sgd": stochastic_gradient_descent}
)
"""What can be swept, by name."""

TASK = tuple(field.name for field in fields(Task))
"""Parameters of the task; others go to the algorithm."""


@dataclass(frozen=True)
class Plan:
    """A sweep: `algorithm` in every cell of the product of the rows of `grid`.

    grid: values by parameter, of the task (d, L, gamma, epsilon) or of the algorithm (lam, step_size, ...).
    fixed: the other parameters. runs, seed, on: the random starts of a cell, the same streams in each.
    A schedule must be an object or a function with a name, so that a sweep that is taken up again knows it.
    Raises TypeError or ValueError naming the argument.
    """

    algorithm: str
    grid: Mapping[str, Sequence[Any]]
    fixed: Mapping[str, Any]
    runs: int = 30
    seed: int = 0
    on: On = "sphere"

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm must be one of {', '.join(ALGORITHMS)}, got {self.algorithm!r}")
        object.__setattr__(self, "grid", {name: _row(name, values) for name, values in self.grid.items()})
        object.__setattr__(self, "fixed", dict(self.fixed))
        object.__setattr__(self, "runs", checks.integer("runs", self.runs, 1))
        object.__setattr__(self, "seed", checks.integer("seed", self.seed, 0))
        if self.on not in ("sphere", "manifold"):
            raise ValueError(f"on must be 'sphere' or 'manifold', got {self.on!r}")
        self._check_names()
        for value in itertools.chain(self.fixed.values(), *self.grid.values()):
            if "<" in str(describe(value)):
                raise ValueError(f"a function in a sweep must have a name, got {value!r}")

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each of the grid's parameters."""
        return tuple(len(values) for values in self.grid.values())

    @property
    def size(self) -> int:
        """Number of cells."""
        return math.prod(self.shape)

    def parameters(self, cell: int) -> dict[str, Any]:
        """All parameters of a cell; cells are numbered from 0 with the last of the grid's running fastest."""
        index = np.unravel_index(cell, self.shape)
        values = (row[int(i)] for row, i in zip(self.grid.values(), index, strict=True))
        return {**self.fixed, **dict(zip(self.grid, values, strict=True))}

    def run(self, cell: int) -> xr.Dataset:
        """The last states of the cell's runs, of dimension run."""
        parameters = self.parameters(cell)
        task = Task(**{name: parameters.pop(name) for name in TASK if name in parameters})
        if self.algorithm == "sgd":
            parameters |= {"seed": self.seed, "workers": 1}
        start = random_starts(self.runs, task, self.seed, self.on)
        lam = parameters.pop("lam")
        dataset = ALGORITHMS[self.algorithm](start, lam, task, **parameters)
        along = str(dataset.excess_risk.dims[1])
        last = dataset.isel({along: -1}).drop_vars(along)
        return last.rename(lam="last_lam").drop_attrs(deep=False)

    @cached_property
    def description(self) -> str:
        """The sweep as JSON: two sweeps with the same description give the same file."""
        plain = {
            "algorithm": self.algorithm,
            "grid": {name: [describe(value) for value in values] for name, values in self.grid.items()},
            "fixed": {name: describe(value) for name, value in sorted(self.fixed.items())},
            "runs": self.runs,
            "seed": self.seed,
            "on": self.on,
        }
        return json.dumps(plain)

    def _check_names(self) -> None:
        signature = inspect.signature(ALGORITHMS[self.algorithm]).parameters
        managed = ("o", "task", "seed", "runs", "workers", "progress", "times", "events")
        allowed = {*TASK, *signature} - {*managed}
        for argument, names in (("grid", self.grid), ("fixed", self.fixed)):
            unknown = sorted(set(names) - allowed)
            if unknown:
                raise ValueError(f"{argument} must name parameters among {sorted(allowed)}, got {unknown}")
        twice = sorted(set(self.grid) & set(self.fixed))
        if twice:
            raise ValueError(f"fixed must not name parameters of the grid, got {twice}")
        given = {*self.grid, *self.fixed}
        needed = {n for n, p in signature.items() if p.default is p.empty} | {"d", "L"}
        missing = sorted(needed - given - {*managed})
        if missing:
            raise ValueError(f"fixed or grid must give {', '.join(missing)}")


def describe(value: Any) -> Any:
    """A parameter's value as JSON holds it."""
    if isinstance(value, np.generic):
        return value.item()
    return schedules.describe(value) if callable(value) else value


def _row(name: str, values: Any) -> tuple[Any, ...]:
    if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray):
        raise TypeError(f"grid must map names to sequences, got {name}={values!r}")
    row = tuple(describe(value) if isinstance(value, np.generic) else value for value in values)
    if not row:
        raise ValueError(f"grid must have a value of {name}, got none")
    return row
