"""What SGD does: its kernel and its limit, against samples in full dimension"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import njit
from scipy.special import erf

from numerics import Overlaps, Task, frame, full_dimension, gradient_flow, stochastic_gradient_descent
from numerics.high_dimension import high_dimensional_limit, outside_covariance
from numerics.montecarlo.source import SobolSource
from numerics.overlaps import NAMES
from numerics.sgd_kernel import Law, advance
from proofs_check.claim import Claim, Context, Evidence, Kind, Mutant
from proofs_check.judges.statistical import Agreement

Estimator = Callable[[int, int], Any]

LAM, STEP_SIZE, BATCH = 0.8, 0.02, 2
TASK = Task(d=6, L=3, gamma=0.9, epsilon=1.0)
START = Overlaps(kappa=0.3, nu=0.2, theta=-0.3, eta=0.1, rho=-0.7)
"""A start, and steps large enough for every part of the law to show."""

LAMS, STEP_SIZES = LAM * np.array([1.0, 0.7]), STEP_SIZE * np.array([1.0, 1.5])
"""Schedules, to show which step uses which."""

CHUNK = 50_000
"""Samples in full dimension at a time."""

SOBOL = 2**12
"""Points of a scrambled Sobol set."""


@dataclass(frozen=True)
class Vanishing:
    """Tests that the subject, an estimator of `entries` differences on the scale 1, estimates zeros."""

    samples: int
    entries: int
    description: str = ""
    kind: Kind = Kind.STATISTICAL

    def __call__(self, subject: Estimator, context: Context) -> Evidence:
        judge = Agreement(subject, self.samples, self.description, scale=1.0)
        return judge(np.zeros(self.entries), context)


def statistics(o: np.ndarray) -> np.ndarray:
    """The overlaps (5, n) and their products, (20, n): means of all tell means, variances and covariances."""
    rows, columns = np.triu_indices(5)
    return np.concatenate([o, o[rows] * o[columns]])


def difference(change: Callable[[Law], Law]) -> Estimator:
    """Mean statistics after the steps: of SGD in the frame, its law changed, less those of SGD in R^d."""

    def estimator(seed: int, samples: int) -> tuple[np.ndarray, np.ndarray]:
        x = statistics(by_frame(change, samples, np.random.default_rng([seed, 0])))
        mean, variance = full_moments(seed, samples)
        return x.mean(axis=1) - mean, np.sqrt((x.var(axis=1) + variance) / samples)

    return estimator


def by_frame(change: Callable[[Law], Law], samples: int, rng: np.random.Generator) -> np.ndarray:
    """Overlaps (5, samples) after the steps of the kernel."""
    law = change(Law(TASK.signal, TASK.gamma, TASK.epsilon, TASK.L - 1, BATCH, TASK.d - 4))
    states = np.repeat(frame.vectors(START)[None], samples, axis=0)
    advance_each(rng, states, law, LAMS, STEP_SIZES)
    return frame.overlaps(states.T)


@njit(cache=True)
def advance_each(
    rng: np.random.Generator, states: np.ndarray, law: Law, lam: np.ndarray, step_size: np.ndarray
) -> None:
    """Advance every state, one after the other."""
    records = np.empty((1, states.shape[1]))
    for n in range(len(states)):  # rows by index are contiguous: advance is compiled once for all callers
        advance(rng, states[n], law, lam, step_size, records)


@cache
def full_moments(seed: int, samples: int) -> tuple[np.ndarray, np.ndarray]:
    """Means and variances of the statistics of SGD in R^d; a claim and its mutants share them."""
    y = statistics(in_full_dimension(samples, np.random.default_rng([seed, 1])))
    return y.mean(axis=1), y.var(axis=1)


def in_full_dimension(samples: int, rng: np.random.Generator) -> np.ndarray:
    """Overlaps (5, samples) after the steps of SGD on vectors of R^d, by the definition."""
    ends = []
    for first in range(0, samples, CHUNK):
        vectors = full_dimension.copies(START, min(CHUNK, samples - first), TASK.d)
        for lam, step_size in zip(LAMS, STEP_SIZES, strict=True):
            vectors = full_dimension.sgd_step(vectors, lam, step_size, TASK, BATCH, rng)
        ends.append(vectors.overlaps.stack())
    return np.concatenate(ends, axis=1)


@cache
def sampled_covariance(seed: int, samples: int) -> SimpleNamespace:
    """Mean Gram matrix kk, kv, vv of the tokens' coefficients in two gradients, scaled by their deviations.

    In a direction outside the frame tokens have independent components with these deviations, so this is
    the covariance of the gradients' components. Tokens are laid in R^4, which is what the coefficients see,
    on independently scrambled Sobol points.
    """
    streams = np.random.SeedSequence(seed).spawn(samples // SOBOL)
    return _mean(
        np.stack([_products(np.random.default_rng(stream)).mean(axis=1) for stream in streams], axis=1)
    )


def _mean(observations: np.ndarray) -> SimpleNamespace:
    """The means of the rows of independent observations, for a judge."""
    count = observations.shape[1]
    error = observations.std(axis=1, ddof=1) / np.sqrt(count)
    return SimpleNamespace(value=observations.mean(axis=1), standard_error=error, observations=count)


def _products(rng: np.random.Generator) -> np.ndarray:
    """Products kk, kv, vv of the coefficients, summed over the tokens, (3, SOBOL)."""
    points = SobolSource(rng, SOBOL, 4 * TASK.L + 1)
    k, v = frame.vectors(START).reshape(2, 4)
    deviations = np.append(TASK.gamma, np.ones(TASK.L - 1))
    tokens = points.normal(4 * TASK.L).reshape(SOBOL, TASK.L, 4) * deviations[:, None]
    tokens[:, 0, 0] += TASK.signal
    scores, values = tokens @ k, tokens @ v
    label = tokens[:, 0, 1] + TASK.epsilon * points.normal(1)[:, 0]
    error = 2 * (np.sum(erf(LAM * scores) * values, axis=1) - label)[:, None] * deviations
    of_k = error * values * 2 * LAM / np.sqrt(np.pi) * np.exp(-((LAM * scores) ** 2))
    of_v = error * erf(LAM * scores)
    return np.stack([np.sum(p * q, axis=1) for p, q in ((of_k, of_k), (of_k, of_v), (of_v, of_v))])


def covariance(task: Task) -> np.ndarray:
    """The stated kk, kv, vv of a batch of one."""
    return outside_covariance(START, LAM, task, batch_size=1)[[0, 0, 1], [0, 1, 1]]


DIMENSION, RATE, T_END = 20_000, 0.2, 1.0


@cache
def followed(seed: int, samples: int) -> SimpleNamespace:
    """Mean overlaps after DIMENSION * T_END steps of SGD in R^DIMENSION."""
    start = Overlaps.unchecked(np.repeat(START.stack()[:, None], samples, axis=1))
    dataset = stochastic_gradient_descent(
        start,
        LAM,
        TASK,
        step_size=RATE / DIMENSION,
        steps=int(DIMENSION * T_END),
        batch_size=BATCH,
        ambient=DIMENSION,
        seed=seed,
        workers=1,
    )
    ends = np.stack([dataset[name].values[:, -1] for name in NAMES])
    return _mean(ends)


def limit(task: Task = TASK, batch_size: int = BATCH) -> np.ndarray:
    """The overlaps at T_END in the limit."""
    settings = {"rate": RATE, "batch_size": batch_size, "t_end": T_END, "times": [T_END]}
    return _end(high_dimensional_limit(START, LAM, task, **settings))  # type: ignore[arg-type]


def without_noise() -> np.ndarray:
    """The overlaps where the gradient flow has them at the same time."""
    return _end(gradient_flow(START, LAM, TASK, t_end=RATE * T_END, times=[RATE * T_END]))


def _end(dataset: Any) -> np.ndarray:
    return np.array([dataset[name].values[0, -1] for name in NAMES])


def claims() -> list[Claim]:
    """The law of the steps, the covariance of gradients, and the limit."""
    return [
        Claim(
            id="sgd.law",
            statement=r"The kernel of SGD, which draws two Gaussians of each noise token, five of each informative token with its label, and a "
            r"Wishart matrix with d - 4 degrees of freedom, moves the overlaps as SGD on vectors of $R^d$ does, in law.",
            subject=lambda: difference(lambda law: law),
            source="section 5, stochastic gradient descent",
            depends_on=("sgd.closure",),
            judges=(Vanishing(45_000, 20, "20 moments after two steps, against SGD on vectors of R^6"),),
            mutants=(
                Mutant(
                    "d degrees of freedom",
                    lambda: difference(lambda law: law._replace(outside=law.outside + 4)),
                ),
                Mutant("no label noise", lambda: difference(lambda law: law._replace(epsilon=0.0))),
                Mutant(
                    "informative tokens like noise", lambda: difference(lambda law: law._replace(gamma=1.0))
                ),
            ),
        ),
        Claim(
            id="sgd.covariance",
            statement=r"The gradients of $(Y - T)^2$ in k and v have in any direction outside span(k, v, k*, v*) the stated covariance A, "
            r"a polynomial in L, epsilon and one-dimensional Gaussian integrals.",
            subject=lambda: covariance(TASK),
            source="this toolkit",
            depends_on=("dynamics.conditioning", "risk.square-of-sum", "sgd.outside"),
            judges=(Agreement(sampled_covariance, 96 * SOBOL, "coefficients of sampled tokens"),),
            mutants=(
                Mutant("one token more", lambda: covariance(replace(TASK, L=TASK.L + 1))),
                Mutant("no label noise", lambda: covariance(replace(TASK, epsilon=0.0))),
                Mutant("informative tokens like noise", lambda: covariance(replace(TASK, gamma=1.0))),
            ),
        ),
        Claim(
            id="sgd.limit",
            statement=r"SGD with step size c/d follows the limit: after d steps in dimension 20,000 the mean overlaps are those of the "
            r"differential equation with its terms of noise.",
            subject=limit,
            source="this toolkit",
            depends_on=("dynamics.limit", "sgd.covariance", "sgd.law"),
            judges=(Agreement(followed, 24, "SGD in dimension 20,000", scale=1.0),),
            mutants=(
                Mutant("the gradient flow alone", without_noise),
                Mutant("a batch of one", lambda: limit(batch_size=1)),
                Mutant("twice the label noise", lambda: limit(replace(TASK, epsilon=2 * TASK.epsilon))),
            ),
        ),
    ]
