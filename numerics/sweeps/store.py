"""A sweep on disk: one file a finished cell beside the final file, and the final file made of them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xarray as xr

from numerics import datasets, files
from numerics.sweeps.plan import Plan, describe

DESCRIPTION = "sweep"
"""The attribute of the final file, and the name of the file among the cells, that hold the description."""


@dataclass(frozen=True)
class Store:
    """Where a sweep's cells are kept until all are there, and where the result goes.

    Raises ValueError from `open` if another sweep is at the path.
    """

    plan: Plan
    path: Path

    @property
    def folder(self) -> Path:
        """The folder of finished cells, beside the final file."""
        return self.path.with_name(f".{self.path.name}.cells")

    def result(self) -> xr.Dataset | None:
        """The final file, if this sweep has ended."""
        if not self.path.exists():
            return None
        dataset = datasets.load(self.path)
        self._same(dataset.attrs.get(DESCRIPTION), self.path)
        return dataset

    def open(self) -> list[int]:
        """Make the folder, or take up the one of a sweep that was broken off; returns the cells to do."""
        marker = self.folder / f"{DESCRIPTION}.json"
        if marker.exists():
            self._same(marker.read_text(encoding="utf-8"), self.folder)
        else:
            files.write_text(marker, self.plan.description)
        return [cell for cell in range(self.plan.size) if not self._cell(cell).exists()]

    def save(self, cell: int, dataset: xr.Dataset) -> None:
        """Keep a finished cell."""
        datasets.save(dataset, self._cell(cell))

    def finish(self) -> xr.Dataset:
        """Write the final file from the cells and remove these."""
        cells = [datasets.load(self._cell(cell)) for cell in range(self.plan.size)]
        datasets.save(self._combined(cells), self.path)
        shutil.rmtree(self.folder)
        return datasets.load(self.path)

    def _combined(self, cells: list[xr.Dataset]) -> xr.Dataset:
        dims, shape = tuple(self.plan.grid), self.plan.shape
        coordinates = {name: [describe(v) for v in values] for name, values in self.plan.grid.items()}
        variables = {}
        for name, first in cells[0].data_vars.items():
            values = np.stack([cell[name].values for cell in cells]).reshape(*shape, *first.shape)
            variables[name] = (dims + first.dims, values, first.attrs)
        return xr.Dataset(
            variables, {**coordinates, "run": cells[0].run}, {DESCRIPTION: self.plan.description}
        )

    def _cell(self, cell: int) -> Path:
        return self.folder / f"{cell:06d}.nc"

    def _same(self, description: object, where: Path) -> None:
        if description != self.plan.description:
            raise ValueError(
                f"path must be new or of this sweep; {where} holds another: {description}, not "
                f"{self.plan.description}"
            )
