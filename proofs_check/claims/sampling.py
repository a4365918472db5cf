"""What Monte Carlo finds: the closed forms, from the definition"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from numerics import Overlaps, Task, excess_risk
from numerics.generated import kernels
from numerics.montecarlo import (
    AttentionPredictor,
    BayesFromConfusion,
    BayesFromPosterior,
    BayesPredictor,
    Definition,
    Expectation,
    NullPredictor,
    Quantity,
    RiskGradient,
    Scores,
    SobolPoints,
    ThreeScores,
    Tokens,
    Vectors,
    estimate,
)
from proofs_check.claim import Claim, Mutant
from proofs_check.judges.statistical import Agreement, Positive

SOURCE = "this toolkit"
Point = tuple[Overlaps, float, Task]

NEAR = Overlaps(kappa=0.9, nu=0.8, theta=0.1, eta=-0.1, rho=0.05)
FAR = Overlaps(kappa=-0.3, nu=0.5, theta=0.2, eta=0.6, rho=0.4)
OPTIMUM = Overlaps(kappa=1, nu=1)
SWAPPED = Overlaps(kappa=0, nu=0, theta=0.8, eta=1)

POINTS: tuple[Point, ...] = (
    (OPTIMUM, 0.1, Task(d=400, L=10)),
    (SWAPPED, 0.1, Task(d=400, L=10)),
    (FAR, 0.9, Task(d=400, L=10)),
    (NEAR, 0.02, Task(d=10**6, L=100, gamma=1.0)),
    (FAR, 1.5, Task(d=8, L=1, gamma=2.0)),
    (NEAR, 0.4, Task(d=12, L=2, gamma=0.3, epsilon=0.5)),
)
WHOLE: tuple[Point, ...] = ((FAR, 1.0, Task(d=4, L=2, gamma=1.4, epsilon=0.3)),)
PROJECTED: tuple[Point, ...] = ((NEAR, 0.2, Task(d=400, L=3, gamma=0.8, epsilon=0.3)),)


def at_points(make: Callable[..., Quantity], where: Sequence[Point], **how: Any) -> Callable[[int, int], Any]:
    """An estimator of a quantity at all points, each with a seed of its own; remembers what it computed."""

    @cache
    def estimator(seed: int, samples: int) -> SimpleNamespace:
        seeds = np.random.SeedSequence(seed).generate_state(len(where), np.uint64)
        found = [
            estimate(make(*point), samples=samples, seed=int(own), **how)
            for point, own in zip(where, seeds, strict=True)
        ]
        joined = {
            name: np.concatenate([np.ravel(getattr(e, name)) for e in found])
            for name in ("value", "standard_error", "asymmetry")
        }
        return SimpleNamespace(observations=min(e.observations for e in found), **joined)

    return estimator


def risks(
    points: Sequence[Point], change: Callable[[Overlaps, float, Task], Point] | None = None
) -> np.ndarray:
    """The closed form's excess risk at the points, or where `change` takes them."""
    return np.array([excess_risk(*(change(*point) if change else point)) for point in points])


def gradients(points: Sequence[Point]) -> np.ndarray:
    """The closed form's derivatives in the five overlaps at the points."""
    parts = [
        kernels.partial_derivatives(
            *map(float, o.stack()),
            kernels.partial_derivatives_constants(lam, task.signal, task.gamma, task.L),
        )
        for o, lam, task in points
    ]
    return np.concatenate(parts)


def _risk_mutants(points: Sequence[Point]) -> tuple[Mutant, ...]:
    return (
        Mutant("larger by 1%", lambda: 1.01 * risks(points)),
        Mutant(
            "smaller by 1% at one point", lambda: risks(points) * np.where(np.arange(len(points)), 1, 0.99)
        ),
        Mutant("one token more", lambda: risks(points, lambda o, lam, t: (o, lam, _with(t, L=t.L + 1)))),
        Mutant("theta and eta exchanged", lambda: risks(points, _exchanged)),
    )


def _with(task: Task, **change: Any) -> Task:
    return Task(**{"d": task.d, "L": task.L, "gamma": task.gamma, "epsilon": task.epsilon, **change})


def _exchanged(o: Overlaps, lam: float, task: Task) -> Point:
    return Overlaps.unchecked([o.kappa, o.nu, o.eta, o.theta, o.rho]), lam, task


def _agreement(
    name: str, statement: str, make: type[Quantity], points: Sequence[Point], samples: int, **more: Any
) -> Claim:
    how = more.pop("how", {})
    return Claim(
        id=f"sampling.{name}",
        statement=statement,
        subject=lambda: risks(points),
        source="Theorem 1",
        judges=(Agreement(at_points(make, points, **how), samples, f"{len(points)} points"),),
        mutants=_risk_mutants(points),
        **more,
    )


BAYES_TASKS = (Task(d=2, L=2, gamma=0.8), Task(d=4, L=3, gamma=1.5))


@cache
def bayes_differences(seed: int, samples: int) -> SimpleNamespace:
    """Relative differences between the mean posterior variance and the confusions' share, on Sobol points."""
    values, errors, observations = [], [], []
    for index, task in enumerate(BAYES_TASKS):
        kinds = (BayesFromPosterior(task), BayesFromConfusion(task))
        one, two = (
            estimate(q, samples=samples, seed=seed + 2 * index + i, points="sobol")
            for i, q in enumerate(kinds)
        )
        values.append(one.value / two.value - 1)
        errors.append(np.hypot(one.standard_error, two.standard_error) / two.value)
        observations.append(one.observations)
    return SimpleNamespace(value=values, standard_error=errors, observations=min(observations))


class Ladder:
    """Steps of the squared error from Bayes to attention at (k*, v*), and from there to predicting 0."""

    def __init__(self, lam: float, task: Task) -> None:
        self.predictors = (BayesPredictor(task), AttentionPredictor(lam), NullPredictor())

    def __call__(self, tokens: Tokens, y: np.ndarray) -> np.ndarray:
        errors = [(y - predictor(tokens)) ** 2 for predictor in self.predictors]
        return np.diff(np.stack(errors, axis=1), axis=1)


def ladder(sign: float = 1.0) -> Callable[[int, int], Any]:
    """An estimator of the steps of the ladder, with common tokens, at d = 400, L = 10, lam = 0.1."""
    task = Task(d=400, L=10, epsilon=0.1)

    def estimator(seed: int, samples: int) -> SimpleNamespace:
        steps = Expectation(Ladder(0.1, task), task, OPTIMUM, norm=True, value_shape=(2,))
        found = estimate(steps, samples=samples, seed=seed)
        return SimpleNamespace(
            value=sign * found.value,
            standard_error=found.standard_error,
            observations=found.observations,
            asymmetry=found.asymmetry,
        )

    return estimator


def claims() -> list[Claim]:
    """Agreement of every estimator with what it estimates, at a stated error probability and resolution."""
    risk = "risk.five-overlaps"
    return [
        _agreement(
            "vectors",
            r"With tokens drawn whole in $R^d$ the mean of $(Y - T)^2 - \epsilon^2$ is the closed form's excess risk.",
            Vectors,
            WHOLE,
            1_000_000,
            depends_on=(risk,),
        ),
        _agreement(
            "definition",
            r"With location, label noise and all projections drawn, the mean of $(Y - T)^2 - \epsilon^2$ is the closed "
            r"form's excess risk.",
            Definition,
            PROJECTED,
            1_000_000,
            depends_on=(risk, "montecarlo.frame"),
        ),
        _agreement(
            "scores",
            r"With the scores of all tokens drawn, the conditional excess risk averages to the closed form, for "
            r"$d$ to $10^6$ and $L$ to 100.",
            Scores,
            POINTS,
            60_000,
            depends_on=(risk, "montecarlo.scores", "montecarlo.controls"),
        ),
        _agreement(
            "sobol",
            r"On scrambled Sobol points the scores of three tokens give the closed form's excess risk.",
            ThreeScores,
            POINTS[2:4],
            2**15,
            how={"points": SobolPoints(512)},
            depends_on=(risk, "montecarlo.three-scores"),
        ),
        Claim(
            id="sampling.gradient",
            statement="The derivatives of the closed form in the five overlaps are what the estimator of the gradient finds.",
            subject=lambda: gradients(POINTS[2:3]),
            source=SOURCE,
            depends_on=(risk, "montecarlo.gradient", "montecarlo.controls"),
            judges=(Agreement(at_points(RiskGradient, POINTS[2:3]), 60_000, joint=True),),
            mutants=(
                Mutant("larger by 1%", lambda: 1.01 * gradients(POINTS[2:3])),
                Mutant("the other way", lambda: -gradients(POINTS[2:3])),
            ),
        ),
        Claim(
            id="sampling.bayes",
            statement="The mean posterior variance and the importance sampling of confusions give one excess risk of the Bayes predictor.",
            subject=lambda: np.zeros(len(BAYES_TASKS)),
            source=SOURCE,
            depends_on=("montecarlo.posterior", "montecarlo.confusion"),
            judges=(Agreement(bayes_differences, 2**15, "2 tasks", scale=1.0),),
            mutants=(
                Mutant("2% more", lambda: np.full(len(BAYES_TASKS), 0.02)),
                Mutant("1% less in one task", lambda: np.array([0.0, -0.01])),
            ),
        ),
        Claim(
            id="sampling.order",
            statement=r"At $d = 400$, $L = 10$, $\lambda = 0.1$ the Bayes predictor has less risk than attention at "
            r"$(k^*, v^*)$, and that less than predicting 0.",
            subject=ladder,
            source=SOURCE,
            judges=(Positive(20_000, "differences on common tokens"),),
            mutants=(Mutant("the other way round", lambda: ladder(-1.0)),),
        ),
    ]
