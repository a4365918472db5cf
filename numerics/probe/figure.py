"""Figures of the probing experiment: one panel for each test set, layers along the axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics import plotting
from numerics.plotting.look import SHADE
from numerics.probe.layer import ACCURACY, LOCATION
from numerics.probe.sentences import TRAIN

COLUMNS = 3
DODGE = 0.12
"""How far apart the intervals of two methods stand at one layer."""

BLUE, ORANGE, GREEN, PURPLE, _, SKY, BLACK = plotting.PALETTE
PROBES: Mapping[str, dict[str, Any]] = {
    "[CLS]": {"label": "linear probe of [CLS]", "color": BLUE, "marker": "o"},
    "deciding token": {"label": "linear probe of the deciding token", "color": GREEN, "marker": "s"},
    "located token": {"label": "linear probe of the token that another locates", "color": SKY, "marker": "v"},
    "erf predictor": {"label": "erf predictor, trained by SGD", "color": ORANGE, "marker": "^"},
    "bag of words": {"label": "control: bag of words", "color": BLACK, "linestyle": "--"},
    "shuffled words": {
        "label": "control: [CLS], polarities of words shuffled",
        "color": PURPLE,
        "linestyle": "-.",
    },
    "shuffled labels": {"label": "control: [CLS], labels shuffled", "color": SHADE, "linestyle": ":"},
}
LOCATORS: Mapping[str, dict[str, Any]] = {
    "linear probe": {"label": "linear probe of the tokens", "color": BLUE, "marker": "o"},
    "erf predictor": {"label": "largest term of the erf predictor", "color": ORANGE, "marker": "^"},
    "attention, best head": {"label": "attention of [CLS], best head", "color": GREEN, "marker": "s"},
    "attention, all heads": {
        "label": "attention of [CLS], mean of heads",
        "color": SKY,
        "linestyle": "--",
    },
    "chance": {"label": "guessing", "color": SHADE, "linestyle": ":"},
}
STYLES = {ACCURACY: ("probe", PROBES), LOCATION: ("locator", LOCATORS)}
LIMITS = {ACCURACY: (0.2, 1.04), LOCATION: (-0.04, 1.04)}
TITLES = {
    ACCURACY: "accuracy of the label",
    LOCATION: "accuracy of the location",
}


def draw(data: xr.Dataset, quantity: str) -> Figure:
    """The figure of "accuracy" or "location": means by layer with 95% intervals, a panel a test set."""
    axis, styles = STYLES[quantity]
    names = [str(name) for name in data["set"].values if name != TRAIN]
    rows = -(-len(names) // COLUMNS)
    with plotting.style("page"):
        width = plotting.size("page")[0]
        figure = plt.figure(figsize=(width, 1.1 + 1.7 * rows))
        panels = figure.subplots(rows, COLUMNS, sharex=True, sharey=True, squeeze=False)
        for panel, name in zip(panels.flat, names, strict=False):
            _panel(panel, data.sel(set=name), quantity, axis, styles)
            panel.set_title(name)
        for panel in panels.flat[len(names) :]:
            panel.set_visible(False)
        figure.supxlabel("layer (0: embeddings)", fontsize="medium")
        figure.supylabel(TITLES[quantity], fontsize="medium")
        figure.legend(*_legend(panels.flat[0], styles), loc="outside upper center", ncols=2)
    return figure


def _legend(panel: Axes, styles: Mapping[str, dict[str, Any]]) -> tuple[list[Any], list[str]]:
    """Handles and labels in the order of the styles."""
    handles, labels = panel.get_legend_handles_labels()
    order = [style["label"] for style in styles.values()]
    pairs = sorted(zip(handles, labels, strict=True), key=lambda pair: order.index(pair[1]))
    return [handle for handle, _ in pairs], [label for _, label in pairs]


def _panel(
    panel: Axes, data: xr.Dataset, quantity: str, axis: str, styles: Mapping[str, dict[str, Any]]
) -> None:
    layers = data["layer"].values
    present = [method for method in styles if method in data[axis].values]
    marked = [method for method in present if "marker" in styles[method]]
    for method in present:
        at = data.sel({axis: method})
        mean, lower, upper = (at[quantity + suffix].values for suffix in ("", "_lower", "_upper"))
        if method in marked:
            shift = DODGE * (marked.index(method) - (len(marked) - 1) / 2)
            panel.errorbar(
                layers + shift,
                mean,
                np.maximum([mean - lower, upper - mean], 0),
                markersize=3,
                linewidth=1,
                elinewidth=0.8,
                zorder=3,
                **styles[method],
            )
        else:
            panel.plot(layers, mean, linewidth=1, **styles[method])
    if quantity == ACCURACY:
        panel.axhline(0.5, color="0.85", linewidth=0.8, zorder=0)
    panel.set_ylim(*LIMITS[quantity])
    panel.set_xticks(layers[:: 1 + len(layers) // 10])
