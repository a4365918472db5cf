"""Figures of the toolkit's datasets: each function draws on an `ax`, by default a new one, and returns it.

Colours can be told apart by the colour-blind, labels carry the paper's symbols, and `style` fits a figure to
a column, a page, a projector or a notebook. Whoever adds a legend calls `ax.legend()`.
"""

from numerics.plotting.bands import band, risk_curves
from numerics.plotting.bifurcation import bifurcation
from numerics.plotting.ends import ensemble
from numerics.plotting.labels import LABELS, label
from numerics.plotting.look import COLOURS, PALETTE, save, size, style, use
from numerics.plotting.overview import overview
from numerics.plotting.paths import plane, trajectories
from numerics.plotting.portrait import equilibria, phase_portrait, risk_map

__all__ = [
    "COLOURS",
    "LABELS",
    "PALETTE",
    "band",
    "bifurcation",
    "ensemble",
    "equilibria",
    "label",
    "overview",
    "phase_portrait",
    "plane",
    "risk_curves",
    "risk_map",
    "save",
    "size",
    "style",
    "trajectories",
    "use",
]
