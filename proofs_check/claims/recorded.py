"""Recorded states: descent on M over many blocks of steps, against turns of two angles"""

from __future__ import annotations

from functools import cache, partial
from math import asin, atan, cos, erf, exp, pi, sin, sqrt
from typing import Any

import numpy as np

from numerics import InverseTimeDecay, Overlaps, Task, projected_gradient_descent
from numerics.overlaps import NAMES
from proofs_check.claim import Claim, Mutant
from proofs_check.judges.numerical import Agreement

TASK = Task(d=20, L=3, gamma=0.8)
START = (-0.05, 0.02)
"""kappa and nu at the start, near the separatrix."""

RUNS = ((21_000, 35), (17_000, 8_500), (8_193, 8_193), (20_000, None), (3, 1), (1, None))
"""Steps, and from how many to how many states are recorded."""


DECAY = 0.6, 3e-4
"""lambda at the start, and the rate at which it decays."""


def lams(n: Any) -> Any:
    """A schedule on which every step counts."""
    start, rate = DECAY
    return start / (1 + rate * n)


def step_sizes(n: Any) -> Any:
    """Another one."""
    return 2e-3 / (1 + 1e-4 * n)


def by_overlaps(index: int, late: int = 0) -> Any:
    """Steps, lambda and overlaps that a run records."""
    steps, every = RUNS[index]
    found = projected_gradient_descent(
        Overlaps(*START),
        lambda n: InverseTimeDecay(*DECAY)(n + late),
        TASK,
        step_size=step_sizes,
        steps=steps,
        record_every=every,
    )
    rows = [found.step.values, found.lam.values, *(found[name].values[0] for name in NAMES)]
    return np.stack(rows).T


@cache
def angles(steps: int) -> np.ndarray:
    """kappa and nu after each step: it turns an angle by arctan(step size * angular velocity)."""
    phi, psi = map(asin, START)
    states = [START]
    m, square = TASK.signal, 2 * TASK.gamma**2
    for n in range(steps):
        lam, s = lams(n), step_sizes(n)
        spread = square * lam**2
        a = lam * m / sqrt(1 + spread)
        b = a / sqrt(1 + 2 * spread)
        kappa, nu = states[-1]
        slope = 2 / sqrt(pi) * exp(-((a * kappa) ** 2))
        phi += atan(s * square * a * slope * cos(phi) * (nu - erf(b * kappa)))
        psi += atan(s * square * cos(psi) * erf(a * kappa))
        states.append((sin(phi), sin(psi)))
    return np.array(states)


def by_angles(index: int) -> Any:
    """The same, every state being at hand."""
    steps, every = RUNS[index]
    at = np.arange(0, steps + 1, every or steps)
    overlaps = np.pad(angles(max(steps for steps, _ in RUNS))[at], ((0, 0), (0, 3)))
    return np.column_stack([at, lams(np.maximum(at - 1, 0)), overlaps])


def claims() -> list[Claim]:
    """The claim on what is recorded."""
    return [
        Claim(
            id="recorded.descent",
            statement=r"Of tens of thousands of steps of descent on $M$, with schedules of $\lambda$ and of the step size, the states after "
            r"every so many steps are recorded, with the $\lambda$ of the step that led there: those of two turning angles, to $10^{-13}$.",
            subject=lambda: by_overlaps,
            source="section 5, projected gradient descent",
            depends_on=("manifold.angles",),
            judges=(
                Agreement(by_angles, range(len(RUNS)), 1e-13, absolute=1e-13, description="turns of angles"),
            ),
            mutants=(Mutant("lambda is a step late", lambda: partial(by_overlaps, late=-1)),),
        )
    ]
