"""Excess risk and flow velocity: compiled kernels against the same closed form in plain NumPy and SciPy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from numerics import Overlaps, Task, excess_risk, flow_velocity
from numerics.arrays import ARRAYS
from numerics.generated import closed_forms


def run() -> None:
    """Points a second on one thread, and the ratio."""
    task, lam, n = Task(d=400, L=10), 0.3, 200_000
    o = Overlaps.random(n, task, np.random.default_rng(0))
    arguments = (*o.stack(), lam, task.signal, task.gamma, task.L)
    pairs = {
        "excess risk": (excess_risk, closed_forms.excess_risk),
        "flow velocity": (flow_velocity, closed_forms.partial_derivatives),
    }
    for name, (kernel, plain) in pairs.items():
        fast = _seconds(lambda kernel=kernel: kernel(o, lam, task))
        slow = _seconds(lambda plain=plain: plain(ARRAYS, *arguments))
        print(f"{name}: {n / fast:,.0f} a second, NumPy closed form {n / slow:,.0f}, ratio {slow / fast:.1f}")


def _seconds(action: Callable[[], Any]) -> float:
    """The best of five timings."""
    action()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)
