"""The result of a Monte Carlo run: a value with its error, and how it came about."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np

from numerics import display
from numerics.files import write_text
from numerics.montecarlo.stopping import student_quantile

DOUBTFUL = 0.2
"""Skewness of a mean at which its 95% interval misses by about a point of coverage (tests measure it)."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """A Monte Carlo estimate. Arrays have the quantity's shape; intervals hold entry by entry.

    value: the estimate.
    standard_error: its standard error.
    asymmetry: skewness of the value's law, estimated; beyond DOUBTFUL the interval's level is not to be
        trusted.
    interval: (low, high), the confidence interval at `level`: Student's over independent observations.
    samples: samples that the value averages; pilot_samples were drawn besides, to choose their number and
        to fit the control variates.
    observations: independent observations among the samples (pairs and Sobol sets count once).
    seed: with the same seed, quantity and `samples` the value is the same bit for bit.
    seconds: wall time, those before a resumption included.
    stopped: "target", "samples" or "seconds", whichever ended the run.
    topped_up: whether the two-stage rule had to add samples after its second stage.
    points: how the samples were laid.
    quantity: everything that defines what was estimated.
    """

    value: Any
    standard_error: Any
    asymmetry: Any
    level: float
    samples: int
    observations: int
    pilot_samples: int
    seed: int
    seconds: float
    stopped: str
    topped_up: bool
    points: str
    quantity: dict[str, Any]

    @property
    def interval(self) -> tuple[Any, Any]:
        """The confidence interval at the run's level."""
        return self.interval_at(self.level)

    def interval_at(self, level: float) -> tuple[Any, Any]:
        """The confidence interval at any level in (0, 1)."""
        half_width = student_quantile(level, self.observations) * self.standard_error
        return self.value - half_width, self.value + half_width

    @property
    def variance(self) -> Any:
        """Variance per sample: standard_error^2 * samples."""
        return self.standard_error**2 * self.samples

    @property
    def doubtful(self) -> bool:
        """Whether rare large samples carry so much of the value that the interval is not to be trusted."""
        return bool(np.max(np.abs(self.asymmetry)) > DOUBTFUL)

    def save(self, path: str | Path) -> None:
        """Write the estimate as JSON, atomically."""
        data = {name: _plain(value) for name, value in vars(self).items()}
        write_text(path, json.dumps(data, indent=1))

    @classmethod
    def load(cls, path: str | Path) -> Estimate:
        """Read what `save` wrote.

        Raises ValueError if the file is something else.
        """
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        try:
            arrays = {name: _array(data[name]) for name in ("value", "standard_error", "asymmetry")}
            return cls(**{**data, **arrays})
        except (TypeError, KeyError) as error:
            raise ValueError(f"{path} does not hold a saved estimate: {error}") from error

    def __repr__(self) -> str:
        name = self.quantity.get("quantity", "quantity")
        how = f"{self.samples:,} samples ({self.points}), seed {self.seed}, {self.seconds:.3g} s"
        doubt = "; skewed, interval doubtful" if self.doubtful else ""
        return f"<Estimate of {name}: {self._numbers()}; {how}, stopped by {self.stopped}{doubt}>"

    def _repr_html_(self) -> str:
        low, high = self.interval
        numbers = {
            "value": self.value,
            "standard error": self.standard_error,
            f"{self.level:.4g} interval from": low,
            "to": high,
        }
        rows = [(name, display.cells(value, 8)) for name, value in numbers.items()]
        rows += [
            (name, [shorten(str(value), 100, placeholder=" …")])
            for name, value in self.quantity.items()
            if name != "quantity"
        ]
        how = f"{self.samples:,} ({self.points}), seed {self.seed}, stopped by {self.stopped}"
        doubt = "; skewed, interval doubtful" if self.doubtful else ""
        rows += [("samples", [how + doubt]), ("seconds", [f"{self.seconds:.3g}"])]
        return display.table(rows, f"Estimate of {self.quantity.get('quantity', 'quantity')}")

    def _numbers(self) -> str:
        if np.ndim(self.value) == 0:
            low, high = self.interval
            interval = f"{self.level:.4g} interval {low:.8g} to {high:.8g}"
            return f"{self.value:.8g} ± {self.standard_error:.2g} ({interval})"
        with np.printoptions(precision=6, threshold=8):
            largest = float(np.max(self.standard_error))
            return f"{self.value} with standard errors up to {largest:.2g}"


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _array(value: Any) -> Any:
    return np.array(value, dtype=np.float64) if isinstance(value, list) else float(value)
