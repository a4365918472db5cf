"""The trajectories: flow and descent against the authors' runs and against plain ones in R^d"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import resources
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from numerics import (
    InverseTimeDecay,
    Overlaps,
    Task,
    full_dimension,
    gradient_flow,
    projected_gradient_descent,
    stochastic_gradient_descent,
)
from numerics.full_dimension import Vectors
from numerics.iteration import BLOCK
from numerics.overlaps import NAMES
from numerics.schedules import Schedule
from proofs_check.claim import Claim, Mutant
from proofs_check.judges.numerical import Agreement

Stretch = tuple[str, int]
"""A file of the authors' runs, and the row from which to run to the next."""

AUTHORS_TASK = Task(d=400, L=10)
AUTHORS: dict[str, tuple[Schedule, float]] = {
    "manifold": (0.1, 4e-3),
    "sphere_small_lambda": (0.1, 4e-3),
    "sphere_large_lambda": (0.9, 1e-3),
    "sphere_schedule": (InverseTimeDecay(1.0, 1e-4), 4e-3),
}
SEEDS = (0, 1)

UNDECIDED_STRETCH = 1
"""Stretches of the schedule, from the start, in which rounding decides the phase of an oscillation."""


@cache
def authors_run(name: str) -> dict[str, np.ndarray]:
    """Steps and overlaps of a run of the authors' code."""
    path = resources.files("proofs_check") / "data" / f"{name}.npz"
    with path.open("rb") as file, np.load(file) as arrays:
        return dict(arrays)


def stretches() -> list[Stretch]:
    """All stretches between recorded states in which rounding decides nothing."""
    return [
        (f"pgd_{name}_seed{seed}", row)
        for name in AUTHORS
        for seed in SEEDS
        for row in range(UNDECIDED_STRETCH if name == "sphere_schedule" else 0, 40)
    ]


def descended(offset: int = 0, factor: float = 1.0) -> Callable[[Stretch], Any]:
    """Overlaps at the end of a stretch, by `projected_gradient_descent`.

    offset: steps by which the schedule is late; factor: on the step size.
    """

    def end(stretch: Stretch) -> Any:
        name, row = stretch
        run = authors_run(name)
        lam, step_size = AUTHORS[name.removeprefix("pgd_").rsplit("_", 1)[0]]
        first, last = (int(n) for n in run["steps"][row : row + 2])
        dataset = projected_gradient_descent(
            Overlaps.unchecked(run["overlaps"][row]),
            (lambda n: lam(n + first + offset)) if callable(lam) else lam,
            AUTHORS_TASK,
            step_size=factor * step_size,
            steps=last - first,
        )
        return _last(dataset)

    return end


def by_authors(stretch: Stretch) -> Any:
    """Overlaps at the end of a stretch, by the authors' code."""
    name, row = stretch
    return authors_run(name)["overlaps"][row + 1]


PLAIN_TASK = Task(d=8, L=4, gamma=0.9)
STEPS = 300


def lams(n: Any) -> Any:
    """A schedule on which every step counts."""
    return 0.8 / (1 + 0.05 * n)


def step_sizes(n: Any) -> Any:
    """Another one."""
    return 0.02 / (1 + 0.01 * n)


@cache
def plain_vectors(seed: int) -> Vectors:
    """Three uniform starts in R^8."""
    return full_dimension.random_vectors(3, PLAIN_TASK, np.random.default_rng(seed))


def descent_ends(late: int = 0) -> Callable[[int], Any]:
    """Overlaps of the runs after STEPS steps on schedules; late: steps by which lam's is late."""

    def ends(seed: int) -> Any:
        start = plain_vectors(seed).overlaps
        return _last(
            projected_gradient_descent(
                start, lambda n: lams(n + late), PLAIN_TASK, step_size=step_sizes, steps=STEPS
            )
        )

    return ends


@cache
def plain_descent(seed: int) -> Any:
    """The same by steps on vectors of R^8."""
    x = plain_vectors(seed)
    for n in range(STEPS):
        x = full_dimension.gradient_step(x, lams(n), step_sizes(n), PLAIN_TASK)
    return x.overlaps.stack()


T_END = 4.0


def flow_ends(lam: Schedule = lams, t_end: float = T_END) -> Callable[[int], Any]:
    """Overlaps of the runs where the gradient flow is at t_end."""
    return lambda seed: _last(
        gradient_flow(plain_vectors(seed).overlaps, lam, PLAIN_TASK, t_end=t_end, times=[0, t_end])
    )


@cache
def plain_flow(seed: int) -> Any:
    """The same by DOP853 on vectors of R^8."""
    start = plain_vectors(seed)

    def placed(x: np.ndarray) -> Vectors:
        k, v = x.reshape(2, *start.k.shape)
        return start._replace(k=full_dimension.unit(k), v=full_dimension.unit(v))

    def velocity(time: float, x: np.ndarray) -> np.ndarray:
        at = placed(x)
        gradient_k, gradient_v = full_dimension.risk_gradients(at, lams(time), PLAIN_TASK)
        along_k, along_v = full_dimension.tangent(at.k, gradient_k), full_dimension.tangent(at.v, gradient_v)
        return -np.stack([along_k, along_v]).ravel()

    x = np.stack([start.k, start.v]).ravel()
    path = solve_ivp(velocity, (0, T_END), x, method="DOP853", rtol=1e-12, atol=1e-14)
    return placed(path.y[:, -1]).overlaps.stack()


LONG, EVERY = 9000, 1500
"""Steps of runs that take more than one block of steps, and between their records."""


def falling(n: Any) -> Any:
    """A slow schedule."""
    return 0.5 / (1 + 1e-3 * n)


def long_runs(late: int = 0) -> Callable[[int], Any]:
    """Records of descent, its end if only that is recorded, and what it said of its progress, then of SGD's.

    late: steps by which lam's schedule is late.
    """

    def found(seed: int) -> Any:
        start, told = plain_vectors(seed).overlaps[:1], list[int]()
        settings: dict[str, Any] = {
            "step_size": step_sizes,
            "steps": LONG,
            "progress": lambda *steps: told.extend(steps),
        }
        lam = partial(_later, falling, late)
        path = projected_gradient_descent(start, lam, PLAIN_TASK, **settings, record_every=EVERY)
        end = projected_gradient_descent(start, lam, PLAIN_TASK, **settings)
        stochastic_gradient_descent(start, lam, PLAIN_TASK, **settings, batch_size=1)
        runs, steps = path.run.values.tolist(), path.step.values.tolist()
        return [*_states(path).ravel().tolist(), *_last(end).tolist(), *runs, *steps, *told]

    return found


@cache
def in_pieces(seed: int) -> Any:
    """The same by one run of descent from each record to the next."""
    states = [plain_vectors(seed).overlaps[:1]]
    for first in range(0, LONG, EVERY):
        dataset = projected_gradient_descent(
            states[-1],
            partial(_later, falling, first),
            PLAIN_TASK,
            step_size=partial(_later, step_sizes, first),
            steps=EVERY,
        )
        states.append(Overlaps.unchecked(_states(dataset)[:, :, -1]))
    path = np.stack([o.stack()[:, 0] for o in states], axis=1)
    in_blocks = [[min(n, LONG), LONG] for n in (BLOCK, 2 * BLOCK)]
    by_records = [[BLOCK // EVERY * EVERY, LONG], [LONG, LONG]]
    told = np.ravel([by_records, in_blocks, in_blocks]).tolist()
    return [*path.ravel().tolist(), *path[:, -1].tolist(), 0, *range(0, LONG + 1, EVERY), *told]


def _later(schedule: Callable[[Any], Any], steps: int, n: Any) -> Any:
    return schedule(n + steps)


def _states(dataset: Any) -> np.ndarray:
    return np.stack([dataset[name].values for name in NAMES])


def _last(dataset: Any) -> np.ndarray:
    return np.stack([dataset[name].values[:, -1] for name in NAMES]).squeeze()


def claims() -> list[Claim]:
    """Flow and descent, along schedules."""
    dynamics = ("dynamics.descent", "risk.five-overlaps")
    return [
        Claim(
            id="reference.authors-descent",
            statement=r"At the paper's settings, $\lambda_n = 1 / (1 + 10^{-4} n)$ among them, projected gradient descent on the overlaps "
            r"takes each recorded state of the authors' runs in $R^{400}$ to the next one, to $10^{-8}$.",
            subject=descended,
            source="reference data",
            depends_on=dynamics,
            judges=(
                Agreement(
                    by_authors,
                    lambda context: stretches(),
                    1e-8,
                    description="the authors' published code",
                    joint=True,
                ),
            ),
            mutants=(
                Mutant("the schedule is a step late", lambda: descended(offset=-1)),
                Mutant("a step size larger by 1e-5", lambda: descended(factor=1 + 1e-5)),
            ),
            derivation="Left out are the first 3,000 steps of the schedule, which begin beyond the edge of stability: there rounding "
            "decides in which phase a run oscillates.",
        ),
        Claim(
            id="reference.descent",
            statement=r"With schedules of $\lambda$ and of the step size, 300 steps of descent on the overlaps end where steps on vectors of $R^8$ do, to $10^{-12}$.",
            subject=descent_ends,
            source="section 5, projected gradient descent",
            depends_on=dynamics,
            judges=(
                Agreement(
                    plain_descent, (0, 1), 1e-12, description="three uniform starts a point", joint=True
                ),
            ),
            mutants=(
                Mutant("lambda is a step late", lambda: descent_ends(late=-1)),
                Mutant("lambda is a step early", lambda: descent_ends(late=1)),
            ),
        ),
        Claim(
            id="reference.long-runs",
            statement=r"A run of 9000 steps of descent passes through the states of six runs of 1500 steps, each from where the last one ended, whether "
            r"all of them are recorded or only the end; as it goes, and SGD as well, it says how many of the steps are done.",
            subject=long_runs,
            source="this toolkit",
            depends_on=("reference.descent",),
            judges=(Agreement(in_pieces, (0,), 1e-10, absolute=1e-12, description="six runs"),),
            mutants=(Mutant("lambda is a step late", lambda: long_runs(late=-1)),),
        ),
        Claim(
            id="reference.flow",
            statement=r"With a schedule of $\lambda$ the gradient flow of the overlaps is at time 4 where the flow of vectors in $R^8$ is, to $10^{-10}$.",
            subject=flow_ends,
            source="section 5, gradient flow",
            depends_on=dynamics,
            judges=(
                Agreement(
                    plain_flow, (0, 1), 1e-10, description="DOP853, three uniform starts a point", joint=True
                ),
            ),
            mutants=(
                Mutant("lambda stays what it was", lambda: flow_ends(lam=0.8)),
                Mutant("a time later by 1e-4", lambda: flow_ends(t_end=T_END * (1 + 1e-4))),
            ),
        ),
    ]
