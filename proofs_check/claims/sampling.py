"""What Monte Carlo finds: the closed forms, from the definition"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import integrate, special

from numerics import Overlaps, Task, excess_risk
from numerics.generated import kernels
from numerics.montecarlo import (
    AttentionPredictor,
    BayesFromConfusion,
    BayesFromPosterior,
    BayesPredictor,
    Definition,
    Estimate,
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
TILTED = Overlaps(kappa=0.6, nu=0.3, theta=0.7, eta=0.2, rho=0.5)
SWAPPED = Overlaps(kappa=0, nu=0, theta=0.8, eta=1)

POINTS: tuple[Point, ...] = (
    (OPTIMUM, 0.1, Task(d=400, L=10)),
    (SWAPPED, 0.1, Task(d=400, L=10)),
    (FAR, 0.9, Task(d=400, L=10)),
    (NEAR, 0.02, Task(d=10**6, L=100, gamma=1.0)),
    (FAR, 1.5, Task(d=8, L=1, gamma=2.0)),
    (NEAR, 0.4, Task(d=12, L=2, gamma=0.3, epsilon=0.5)),
)
WHOLE: tuple[Point, ...] = ((TILTED, 1.0, Task(d=6, L=2, gamma=0.5, epsilon=0.3)),)
PROJECTED: tuple[Point, ...] = ((NEAR, 0.2, Task(d=400, L=2, gamma=0.8, epsilon=0.3)),)


def at_points(make: Callable[..., Quantity], where: Sequence[Point], **how: Any) -> Callable[[int, int], Any]:
    """An estimator of a quantity at all points, each with a seed of its own; remembers what it computed."""

    @cache
    def estimator(seed: int, samples: int) -> SimpleNamespace:
        found = [
            estimate(make(*point), samples=samples, seed=own, **how)
            for point, own in zip(where, _seeds(seed, len(where)), strict=True)
        ]
        return _joined(found)

    return estimator


def _seeds(seed: int, count: int) -> list[int]:
    return [int(own) for own in np.random.SeedSequence(seed).generate_state(count, np.uint64)]


def _joined(found: Sequence[Estimate]) -> SimpleNamespace:
    names = ("value", "standard_error", "asymmetry")
    parts = {name: np.concatenate([np.ravel(getattr(e, name)) for e in found]) for name in names}
    return SimpleNamespace(observations=min(e.observations for e in found), **parts)


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


BAYES_TASK = Task(d=4, L=2, gamma=1.0)


@cache
def bayes_estimates(seed: int, samples: int) -> SimpleNamespace:
    """The mean posterior variance, and the confusions' share by importance sampling."""
    kinds = (BayesFromPosterior(BAYES_TASK), BayesFromConfusion(BAYES_TASK))
    seeds = _seeds(seed, len(kinds))
    return _joined([estimate(q, samples=samples, seed=own) for q, own in zip(kinds, seeds, strict=True)])


def bayes_by_quadrature(weight: Callable[[Any], Any] = lambda p: 2 * p * (1 - p)) -> np.ndarray:
    """The excess Bayes risk for two tokens and gamma = 1, where the log-odds are m (m + sqrt(2) G)."""
    m = BAYES_TASK.signal

    def integrand(g: float) -> float:
        return weight(special.expit(m * (m + np.sqrt(2) * g))) * np.exp(-(g**2) / 2) / np.sqrt(2 * np.pi)

    return np.full(2, integrate.quad(integrand, -12, 12, epsabs=1e-13)[0])


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
            700_000,
            depends_on=(risk,),
        ),
        _agreement(
            "definition",
            r"With location, label noise and all projections drawn, the mean of $(Y - T)^2 - \epsilon^2$ is the closed "
            r"form's excess risk.",
            Definition,
            PROJECTED,
            500_000,
            depends_on=(risk, "montecarlo.frame"),
        ),
        _agreement(
            "scores",
            r"With the scores of all tokens drawn, the conditional excess risk averages to the closed form, for "
            r"$d$ to $10^6$ and $L$ to 100.",
            Scores,
            POINTS,
            120_000,
            depends_on=(risk, "montecarlo.scores", "montecarlo.controls"),
        ),
        _agreement(
            "sobol",
            r"On scrambled Sobol points the scores of three tokens give the closed form's excess risk.",
            ThreeScores,
            POINTS[2:3],
            3 * 2**13,
            how={"points": SobolPoints(512)},
            depends_on=(risk, "montecarlo.three-scores"),
        ),
        Claim(
            id="sampling.gradient",
            statement="The derivatives of the closed form in the five overlaps are what the estimator of the gradient finds.",
            subject=lambda: gradients(POINTS[2:3]),
            source=SOURCE,
            depends_on=(risk, "montecarlo.gradient", "montecarlo.controls"),
            judges=(Agreement(at_points(RiskGradient, POINTS[2:3]), 300_000, joint=True),),
            mutants=(
                Mutant("larger by 1%", lambda: 1.01 * gradients(POINTS[2:3])),
                Mutant("the other way", lambda: -gradients(POINTS[2:3])),
            ),
        ),
        Claim(
            id="sampling.bayes",
            statement=r"For $L = 2$ and $\gamma = 1$ the excess risk of the Bayes predictor, an integral over the log-odds, is the mean posterior variance and what importance sampling of confusions finds.",
            subject=bayes_by_quadrature,
            source=SOURCE,
            depends_on=("montecarlo.posterior", "montecarlo.confusion"),
            judges=(Agreement(bayes_estimates, 500_000, "2 estimators"),),
            mutants=(
                Mutant("larger by 1%", lambda: 1.01 * bayes_by_quadrature()),
                Mutant(
                    "the smaller probability for the variance",
                    lambda: bayes_by_quadrature(lambda p: np.minimum(p, 1 - p)),
                ),
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
