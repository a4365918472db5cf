"""The paper's symbols for what datasets hold."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import EngFormatter

LABELS = MappingProxyType(
    {
        "kappa": r"$\kappa = \langle k, k^\star \rangle$",
        "nu": r"$\nu = \langle v, v^\star \rangle$",
        "theta": r"$\theta = \langle v, k^\star \rangle$",
        "eta": r"$\eta = \langle k, v^\star \rangle$",
        "rho": r"$\rho = \langle k, v \rangle$",
        "excess_risk": r"excess risk $\mathcal{R}_\lambda - \varepsilon^2$",
        "distance": r"distance to $\mathcal{M}$",
        "lam": r"$\lambda$",
        "step": "step",
        "time": r"time $t$",
        "d": "$d$",
        "L": "$L$",
        "gamma": r"$\gamma$",
    }
)


def label(name: str) -> str:
    """How a variable, coordinate or parameter is written on an axis; unknown names stand for themselves.

    >>> label("kappa"), label("other")
    ('$\\\\kappa = \\\\langle k, k^\\\\star \\\\rangle$', 'other')
    """
    return LABELS.get(name, name)


def symbol(name: str) -> str:
    """The bare symbol of an overlap, for legends.

    >>> symbol("kappa")
    '$\\\\kappa$'
    """
    return f"${label(name).strip('$').partition(' = ')[0]}$"


def describe(dataset: Any) -> str:
    """The parameters of a dataset as a title.

    >>> import xarray as xr
    >>> describe(xr.Dataset(attrs={"d": 400, "L": 10, "lam": 0.1}))
    '$d = 400$, $L = 10$, $\\\\lambda = 0.1$'
    """
    names = {"d": "d", "L": "L", "gamma": r"\gamma", "lam": r"\lambda"}
    known = {sign: dataset.attrs[name] for name, sign in names.items() if name in dataset.attrs}
    return ", ".join(f"${sign} = {value:.4g}$" for sign, value in known.items() if not isinstance(value, str))


def name_axes(ax: Axes, x: str, y: str) -> Axes:
    """Label the axes with the symbols of two variables; thousands of steps are written with a k."""
    if x == "step":
        ax.xaxis.set_major_formatter(EngFormatter(sep=""))
    ax.set_xlabel(label(x))
    ax.set_ylabel(label(y))
    return ax
