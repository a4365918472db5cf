"""The flow on the manifold M: its vector field, its equilibria, its separatrix and the risk."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from numerics import checks
from numerics.overlaps import Overlaps
from numerics.plotting import labels, look
from numerics.risk import excess_risk, flow_velocity
from numerics.separatrix import Separatrix
from numerics.task import Task

EQUILIBRIA = {"sink": [(1, 1), (-1, -1)], "saddle": [(0, 0)], "source": [(1, -1), (-1, 1)]}
"""All equilibria (kappa, nu) of the flow on M, whatever the parameters."""

_PALE = ListedColormap(colormaps["Blues"](np.linspace(0, 0.55, 64)))
"""Pale enough for lines on it."""

_FILLS: dict[str, dict[str, Any]] = {
    "sink": {"marker": "o", "markerfacecolor": look.INK},
    "saddle": {"marker": "o", "fillstyle": "left", "markerfacecoloralt": "white"},
    "source": {"marker": "o", "markerfacecolor": "white"},
}


def phase_portrait(
    lam: float,
    task: Task,
    *,
    ax: Axes | None = None,
    risk: bool = True,
    separatrix: bool = True,
    density: float = 0.5,
) -> Axes:
    """The gradient flow on M in the (kappa, nu) plane: streamlines, equilibria and separatrix over the risk.

    Sinks are filled, sources open, the saddle half filled. lam: a positive number. risk: shade the excess
    risk. separatrix: draw the curve between the basins of the two sinks. density: of the streamlines.
    """
    ax = look.axes(ax)
    if risk:
        risk_map(lam, task, ax=ax)
    kappa, nu, grid = _square(61)
    velocity = flow_velocity(grid, lam, task)
    line = 0.6 * look.plt.rcParams["lines.linewidth"]
    drawn = {"color": "#4D4D4D", "linewidth": line, "arrowsize": 0.6 + 0.2 * line}
    with np.errstate(over="ignore"):  # streamplot divides by its own error, which may be tiny
        ax.streamplot(
            kappa, nu, velocity.kappa, velocity.nu, density=density, broken_streamlines=False, **drawn
        )
    if separatrix:
        u = np.linspace(-8, 8, 801)
        curve = Separatrix(lam, task)
        side = np.sign(u) * curve.kappa(np.abs(u))
        ax.plot(-side, np.tanh(u), color=look.PALETTE[1], linestyle=(0, (4, 1.5)), label="separatrix")
    equilibria(ax=ax)
    ax.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal")
    ax.set_xticks([-1, -0.5, 0, 0.5, 1])
    ax.set_yticks([-1, -0.5, 0, 0.5, 1])
    return labels.name_axes(ax, "kappa", "nu")


def equilibria(*, ax: Axes | None = None) -> Axes:
    """The equilibria of the flow on M: sinks filled, sources open, the saddle half filled."""
    ax = look.axes(ax)
    for kind, points in EQUILIBRIA.items():
        x, y = np.transpose(points)
        drawn = {"color": look.INK, "linestyle": "none", "zorder": 5, "clip_on": False, **_FILLS[kind]}
        ax.plot(x, y, **drawn)
    return ax


def risk_map(lam: float, task: Task, *, ax: Axes | None = None, levels: int = 12, bar: bool = False) -> Axes:
    """Level sets of the excess risk on M in the (kappa, nu) plane, light where it is low.

    bar: add a colour bar.
    """
    ax = look.axes(ax)
    levels = checks.integer("levels", levels, 2)
    kappa, nu, grid = _square(101)
    values = np.asarray(excess_risk(grid, lam, task))
    filled = ax.contourf(kappa, nu, values, levels=levels, cmap=_PALE)
    filled.set_edgecolor("face")
    if bar:
        ax.figure.colorbar(filled, ax=ax, label=labels.label("excess_risk"))
    ax.set_aspect("equal")
    return labels.name_axes(ax, "kappa", "nu")


def _square(points: int) -> tuple[np.ndarray, np.ndarray, Overlaps]:
    side = np.linspace(-1, 1, points)
    kappa, nu = np.meshgrid(side, side)
    return side, side, Overlaps(kappa=kappa, nu=nu)
