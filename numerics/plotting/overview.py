"""One figure with four panels that says what runs do: the paper's figure of an experiment."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import StrMethodFormatter

from numerics import outcomes
from numerics.plotting import bands, labels, look, paths

ENDS = dict(zip(outcomes.NAMES, look.PALETTE, strict=False))
"""The colour of a run by the point at which it ends."""

SYMBOLS = {
    "d": "$d$",
    "L": "$L$",
    "gamma": r"$\gamma$",
    "epsilon": r"$\varepsilon$",
    "lam": r"$\lambda$",
    "step_size": "step size",
    "batch_size": "batch size",
    "seed": "seed",
}


def overview(dataset: xr.Dataset, *, title: str | None = None) -> Figure:
    """Excess risk, |kappa| and |nu|, paths in the (kappa, nu) plane, and distance to M of an ensemble.

    dataset: of dims (run, step) or (run, time), as the dynamics return it. Lines are medians over the runs,
    bands hold 95 % of them. Below the panels: the parameters, and how many runs end where.
    title: by default the dataset's attribute `title`, or `algorithm`.
    """
    with look.style("notebook"):
        figure = plt.figure(figsize=(10, 8.4), dpi=150)
        risk, alignment, plane, distance = figure.subplots(2, 2).flat
        _logarithmic(bands.risk_curves(dataset, ax=risk))
        bands.band(dataset, ("kappa", "nu"), ax=alignment, absolute=True).set_ylabel("alignment")
        plane_by_end(dataset, ax=plane)
        distance_to_manifold(dataset, ax=distance)
        for ax in (risk, alignment, distance):
            ax.margins(x=0)
        figure.suptitle(title or dataset.attrs.get("title") or dataset.attrs["algorithm"])
        figure.supxlabel(f"{settings(dataset)}\n{endings(dataset)}", fontsize="medium")
    return figure


def plane_by_end(dataset: xr.Dataset, *, ax: Axes | None = None) -> Axes:
    """Paths in the (kappa, nu) plane, coloured by the point at which the runs end."""
    ax = look.axes(ax)
    ends = outcomes.of_runs(dataset)
    found = [name for name in ENDS if name in ends]
    for name in found:
        paths.plane(dataset.isel(run=np.flatnonzero(ends == name)), ax=ax, color=ENDS[name])
    dots = [Line2D([], [], marker="o", linestyle="none", color=ENDS[name], label=name) for name in found]
    ax.legend(handles=dots, title="end", loc="upper left")
    return ax


def distance_to_manifold(dataset: xr.Dataset, *, ax: Axes | None = None) -> Axes:
    """Distance to M on a log scale, median and band; runs that never leave M are said to."""
    ax = look.axes(ax)
    if dataset.distance.values.any():
        return _logarithmic(bands.band(dataset, "distance", ax=ax))
    x = paths.along(dataset)
    labels.name_axes(ax, x, "distance")
    ax.set(xlim=dataset[x].values[[0, -1]], yticks=[])
    ax.text(0.5, 0.5, "exactly 0 in every run", transform=ax.transAxes, ha="center")
    return ax


def settings(dataset: xr.Dataset) -> str:
    """A line with the dataset's parameters."""
    values = {sign: dataset.attrs[name] for name, sign in SYMBOLS.items() if name in dataset.attrs}
    return ", ".join(f"{sign} = {_short(value)}" for sign, value in values.items())


def endings(dataset: xr.Dataset) -> str:
    """A line that says how many runs end at the oracle, at the role-swapped point, and elsewhere."""
    counts = outcomes.counts(dataset)
    return (
        f"{dataset.sizes['run']} runs: {counts[outcomes.ORACLE]} end at the oracle, "
        f"{counts[outcomes.SWAPPED]} at the role-swapped point, {counts[outcomes.ELSEWHERE]} elsewhere"
    )


def _logarithmic(ax: Axes) -> Axes:
    """Make the vertical axis logarithmic, with plain numbers on it if it spans less than a decade."""
    ax.set_yscale("log")
    low, high = ax.get_ylim()
    if high < 10 * low:
        ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.yaxis.set_minor_formatter(StrMethodFormatter("{x:g}"))
    return ax


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
