"""Draws the figure of the README: python docs/figure.py OUT.svg."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from numerics import Overlaps, Task, excess_risk, outcomes, plotting, projected_gradient_descent

TASK, LAM = Task(d=400, L=10), 0.1
COLOURS = dict(zip(outcomes.NAMES, plotting.PALETTE, strict=False))


def flow_on_manifold(ax: Axes) -> None:
    """Where learning goes on M, and five runs."""
    start = Overlaps(kappa=[-0.8, 0.75, 0.1, -0.5, 0.5], nu=[0.85, -0.5, -0.75, 0.1, 0.2])
    runs = projected_gradient_descent(start, LAM, TASK, step_size=4e-3, steps=20_000, record_every=20)
    plotting.phase_portrait(LAM, TASK, ax=ax)
    plotting.plane(runs, ax=ax, color=plotting.PALETTE[2], linewidth=1.8)
    ax.set_title("(a) the flow on $\\mathcal{M}$ and its separatrix")


def runs_from_the_sphere(ax: Axes) -> None:
    """Thirty random starts, coloured by where they end."""
    start = Overlaps.random(30, TASK, np.random.default_rng(0))
    runs = projected_gradient_descent(start, LAM, TASK, step_size=4e-3, steps=20_000, record_every=40)
    ends = outcomes.of_runs(runs)
    for name in (outcomes.ORACLE, outcomes.SWAPPED):
        some = abs(runs.isel(run=np.flatnonzero(ends == name)))
        label = f"{some.sizes['run']} end at the {name}" + (" point" if name == outcomes.SWAPPED else "")
        plotting.trajectories(some, "kappa", ax=ax, color=COLOURS[name], label=label, alpha=0.6)
    ax.legend(loc="center right")
    ax.set(title="(b) random starts on the spheres", ylabel=r"$|\kappa|$")


def risks(ax: Axes) -> None:
    """The two places where learning ends, over lambda."""
    lams = np.geomspace(0.01, 1, 200)
    swapped = [float(excess_risk(outcomes.role_swapped(lam, TASK), lam, TASK)[0]) for lam in lams]
    oracle = excess_risk(Overlaps(kappa=1, nu=1), lams, TASK)
    ax.loglog(lams, oracle, color=COLOURS[outcomes.ORACLE], label="oracle")
    ax.loglog(lams, swapped, "--", color=COLOURS[outcomes.SWAPPED], label="role-swapped")
    ax.axhline(TASK.gamma**2, color="0.5", linewidth=0.8)
    ax.annotate("predicting 0", (0.011, TASK.gamma**2 * 1.08), color="0.4", fontsize="small")
    ax.set(
        title="(c) risk where learning ends",
        xlabel=plotting.label("lam"),
        ylabel=plotting.label("excess_risk"),
    )
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0.85))


def draw(path: Path) -> None:
    """Write the figure."""
    mpl.use("Agg")
    with plotting.style("notebook"):
        figure, panels = plt.subplots(1, 3, figsize=(13, 4.1))
        for panel, ax in zip((flow_on_manifold, runs_from_the_sphere, risks), panels, strict=True):
            panel(ax)
        plotting.save(figure, path)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
