"""Samples by hand: what every estimator makes of the random numbers it is given"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.polynomial.hermite_e import hermeval
from scipy.special import erf

from numerics import Overlaps, Task
from numerics.montecarlo import (
    AttentionWeights,
    Definition,
    Observations,
    RiskGradient,
    Scores,
    ThreeScores,
    TokenLaw,
    Vectors,
)
from numerics.montecarlo.quantity import observe
from numerics.montecarlo.source import Source
from proofs_check.claim import Claim, Mutant
from proofs_check.claims.admissible import gram
from proofs_check.judges.numerical import Agreement

SOURCE = "this toolkit"
SHOWN = 3
"""Rows that are compared one by one; the others in their mean."""


class Recorded(Source):
    """NumPy's numbers, kept as they are handed out."""

    def __init__(self, rows: int) -> None:
        self.rows, self.rng = rows, np.random.default_rng(rows)
        self.normals: list[np.ndarray] = []
        self.squares: list[np.ndarray] = []
        self.degrees: list[int] = []
        self.locations: np.ndarray = np.empty(0)

    def normal(self, columns: int) -> np.ndarray:
        self.normals.append(self.rng.standard_normal((self.rows, columns)))
        return self.normals[-1].copy()

    def chisquare(self, degrees: int, columns: int) -> np.ndarray:
        self.degrees.append(degrees)
        self.squares.append(self.rng.chisquare(degrees, (self.rows, columns)))
        return self.squares[-1].copy()

    def location(self, count: int) -> np.ndarray:
        self.locations = self.rng.integers(count, size=self.rows)
        return self.locations.copy()

    @property
    def taken(self) -> int:
        """Numbers that a row has taken."""
        return sum(a.shape[1] for a in (*self.normals, *self.squares)) + (self.locations.size > 0)


@dataclass(frozen=True, eq=False)
class Sample:
    """A quantity, rows of random numbers, and how values and control variates follow from the numbers."""

    quantity: Any
    hand: Callable[[Any, Recorded], tuple[np.ndarray, ...]]
    rows: int = SHOWN

    def observed(self) -> tuple[Observations, Recorded]:
        """The quantity's observations, and the numbers they were made of."""
        source = Recorded(self.rows)
        return observe(self.quantity, source), source


def found(sample: Sample) -> list[float]:
    """Observations and control variates, and numbers that a sample is said to take."""
    observations, _ = sample.observed()
    parts = [part for part in observations if part is not None]
    return [*_summary(parts), sample.quantity.dimension]


@cache
def by_hand(sample: Sample) -> list[float]:
    """The same from the numbers, and how many were taken; a claim and its mutants share it."""
    _, source = sample.observed()
    return [*_summary(sample.hand(sample.quantity, source)), source.taken]


def _summary(parts: Sequence[np.ndarray]) -> list[float]:
    return [float(x) for a in parts for x in (*np.ravel(a[:SHOWN]), *np.ravel(a.mean(axis=0)))]


def changed(**fields: Any) -> Callable[[], Callable[[Sample], list[float]]]:
    """What is found for quantities with other fields."""
    return lambda: lambda sample: found(replace(sample, quantity=replace(sample.quantity, **fields)))


def contribution(
    o: np.ndarray, lam: float, law: tuple[float, float], score: np.ndarray, label: float
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of label W - erf(lam U) V given the score U, of a token N(signal k*, scale^2 I).

    By conditioning in the joint law of U, V, W; o: the five overlaps.
    """
    kappa, nu, theta, eta, rho = o
    signal, scale = law
    covariance = scale**2 * np.array([[1, rho, eta], [rho, 1, nu], [eta, nu, 1]])
    slope = covariance[1:, 0] / covariance[0, 0]
    rest = covariance[1:, 1:] - np.outer(slope, covariance[0, 1:])
    mean = signal * np.array([[theta], [0]]) + np.outer(slope, score - signal * kappa)
    weights = np.stack([-erf(lam * score), np.full_like(score, label)])
    return (weights * mean).sum(axis=0), np.einsum("ir,ij,jr->r", weights, rest, weights)


def informative(q: Any, o: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The informative token's contribution for z = (U - E U) / sd U."""
    signal, gamma = np.sqrt(q.task.d / 2), q.task.gamma
    return contribution(o, q.lam, (signal, gamma), signal * o[0] + gamma * z, 1.0)


def conditional_risk(q: Any, o: np.ndarray, z: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """E[(W - sum_l erf(lam U_l) V_l)^2 | scores]: the squared sum of the means, and the sum of the variances."""
    parts = [informative(q, o, z), *(contribution(o, q.lam, (0, 1), u, 0.0) for u in noise.T)]
    means, variances = zip(*parts, strict=True)
    return np.sum(means, axis=0) ** 2 + np.sum(variances, axis=0)


def runs(q: Any) -> np.ndarray:
    """The overlaps of each run, (width, 5)."""
    return q.o.stack().reshape(5, -1).T


def split(source: Recorded) -> tuple[np.ndarray, np.ndarray]:
    """The informative token's normal and those of the noise tokens."""
    together = np.hstack(source.normals)
    return together[:, 0], together[:, 1:]


def from_scores(q: Scores, source: Recorded) -> tuple[np.ndarray, ...]:
    """Conditional risks and control variates."""
    z, noise = split(source)
    values = np.stack([conditional_risk(q, o, z, noise) for o in runs(q)], axis=1)
    return values, controls(z, noise)


def controls(z: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Hermite polynomials of z and, centred, sums of squares and fourth powers and two products."""
    count = noise.shape[1]
    second, fourth = ((noise**p).sum(axis=1) - mean * count for p, mean in ((2, 1), (4, 3)))
    polynomials = [hermeval(z, np.eye(5)[n]) for n in range(1, 5)]
    return np.stack([*polynomials, second, fourth, z * second, second**2 - 2 * count], axis=1)


def from_gradient(q: RiskGradient, source: Recorded) -> tuple[np.ndarray, ...]:
    """Derivatives of the conditional risks in the overlaps, by steps in the complex plane."""
    z, noise = split(source)
    step = 1e-30j
    parts = [
        [conditional_risk(q, o + step * axis, z, noise).imag / step.imag for o in runs(q)]
        for axis in np.eye(5)
    ]
    return np.moveaxis(np.array(parts), 2, 0), controls(z, noise)


def from_three(q: ThreeScores, source: Recorded) -> tuple[np.ndarray, ...]:
    """The same with the moments of one and of two noise tokens times how many there are."""
    z, noise = split(source)
    others, values = q.task.L - 1, []
    for o in runs(q):
        mean, variance = informative(q, o, z)
        (first, spread), (second, other) = (contribution(o, q.lam, (0, 1), u, 0.0) for u in noise.T)
        squares = others * (first**2 + spread + second**2 + other) / 2
        products = others * (others - 1) * first * second + others * mean * (first + second)
        values.append(mean**2 + variance + squares + products)
    return (np.stack(values, axis=1),)


def placed(q: Any, source: Recorded, x: np.ndarray) -> np.ndarray:
    """Normals (rows, coordinates, L) as tokens: the one at the location scaled and moved along the first axis."""
    here = np.arange(q.task.L) == source.locations[:, None]
    tokens = np.where(here, q.task.gamma, 1.0)[:, None, :] * x
    tokens[:, 0] += np.sqrt(q.task.d / 2) * here
    return tokens


def squared_error(q: Any, source: Recorded, tokens: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """(Y - T)^2 - epsilon^2, token by token, from the tokens' coordinates along k*, v*, ..."""
    axes = TokenLaw(q.task, q.o).loadings()
    k, v = np.pad(axes, ((0, 0), (0, tokens.shape[1] - axes.shape[1])))
    label = tokens[np.arange(source.rows), 1, source.locations] + q.task.epsilon * noise
    for x in np.moveaxis(tokens, 2, 0):
        label -= erf(q.lam * (x @ k)) * (x @ v)
    return label**2 - q.task.epsilon**2


def from_definition(q: Definition, source: Recorded) -> tuple[np.ndarray, ...]:
    """Squared errors from the label's noise and then the tokens' coordinates in the frame."""
    noise, *coordinates = source.normals
    size = 2 + min(2, q.task.d - 2)
    x = np.concatenate([part.reshape(source.rows, size, -1) for part in coordinates], axis=2)
    return (squared_error(q, source, placed(q, source, x), noise[:, 0]),)


def from_vectors(q: Vectors, source: Recorded) -> tuple[np.ndarray, ...]:
    """Squared errors from all coordinates of the tokens, then the label's noise."""
    coordinates, noise = source.normals
    x = coordinates.reshape(source.rows, q.task.L, q.task.d).swapaxes(1, 2)
    return (squared_error(q, source, placed(q, source, x), noise[:, 0]),)


def from_attention(q: AttentionWeights, source: Recorded) -> tuple[np.ndarray, ...]:
    """Whether the weights of an informative and of a noise token are at most so large."""
    z, noise = split(source)
    score = np.sqrt(q.task.d / 2) * q.o.kappa + q.task.gamma * z
    weights = erf(q.lam * np.stack([score, noise[:, 0]], axis=1))
    return (np.stack([weights <= level for level in LEVELS], axis=2).astype(float),)


MANY = 2**15
"""Rows for which noise tokens are drawn a few at a time."""

PAIR = Overlaps(kappa=[0.6, -0.3], nu=[0.3, 0.5], theta=[0.5, 0.2], eta=[0.2, 0.6], rho=[0.4, -0.1])
ONE = PAIR[0]
FLAT = Overlaps(kappa=0.6, eta=0, theta=0, nu=0.6, rho=0.64)
"""Three overlaps: in R^3 k and v have the same part outside the plane of k* and v*."""

TURNED = Overlaps(kappa=0.6, eta=0.8, theta=-0.28, nu=0.96, rho=0.6)
"""In the plane of k* and v*."""

LEVELS = (-0.5, 0.0, 0.5)
"""Weights at which their law is told by default."""

FEW, ALONE, LONG = Task(d=6, L=5, gamma=0.7), Task(d=9, L=1, gamma=1.6), Task(d=7, L=6, gamma=1.2)
CONDITIONED = (
    *(Sample(Scores(PAIR, 0.8, task), from_scores) for task in (FEW, ALONE)),
    Sample(Scores(ONE, 0.8, LONG), from_scores, MANY),
    *(Sample(RiskGradient(PAIR, 0.8, task), from_gradient) for task in (FEW, ALONE)),
    *(Sample(ThreeScores(PAIR, 0.8, task), from_three) for task in (FEW, ALONE)),
    Sample(AttentionWeights(ONE, 0.8, FEW), from_attention, 40),
)
NOISY = Task(d=5, L=5, gamma=0.7, epsilon=0.4)
WHOLE = (
    Sample(Definition(ONE, 0.8, NOISY), from_definition, 12),
    Sample(Definition(ONE, 0.8, NOISY), from_definition, MANY // 4),
    Sample(Definition(FLAT, 0.8, replace(NOISY, d=3)), from_definition, 12),
    Sample(Vectors(FLAT, 0.8, replace(NOISY, d=3)), from_vectors, 12),
    Sample(Definition(TURNED, 0.8, replace(NOISY, d=2)), from_definition, 12),
    Sample(Vectors(ONE, 0.8, NOISY), from_vectors, 12),
)


PLACES = ((ONE, 9), (PAIR[1], 4), (FLAT, 3), (TURNED, 2), (TURNED, 3), (ONE, 3), (FLAT, 2), (ONE, 2))
"""Overlaps and dimensions; in the last three there is no room for such vectors."""


def products(place: tuple[Overlaps, int]) -> np.ndarray:
    """Inner products of k, v, k*, v* from coordinates in the frame, and its size; a zero if there is no room."""
    o, d = place
    try:
        axes = TokenLaw(Task(d=d, L=2), o).loadings()
    except ValueError:
        return np.zeros(1)
    whole = np.vstack([axes, np.eye(2, axes.shape[1])])
    return np.append(whole @ whole.T, axes.shape[1])


def stated(place: tuple[Overlaps, int]) -> np.ndarray:
    """The same as the overlaps say; vectors need as many dimensions as their Gram matrix has rank."""
    o, d = place
    inner = gram(o.stack())
    return np.append(inner, min(d, 4)) if np.linalg.matrix_rank(inner, 1e-9) <= d else np.zeros(1)


def claims() -> list[Claim]:
    """The estimators of the risk, of its gradient and of the law of the weights, redone."""
    return [
        Claim(
            id="samples.scores",
            statement="Given random numbers for the scores the estimators of the risk from all scores and from three, that of the gradient, "
            "their control variates and the attention weights are what conditioning in the joint law of a token's projections gives, "
            "also if tokens are drawn a few at a time; they take as many numbers as they say.",
            subject=lambda: found,
            source=SOURCE,
            depends_on=("laws.informative", "laws.noise"),
            judges=(Agreement(by_hand, CONDITIONED, 1e-9, description="joint laws and complex steps"),),
            mutants=(
                Mutant("a larger lambda", changed(lam=0.81)),
                Mutant("overlaps of another run", changed(o=PAIR[1])),
            ),
        ),
        Claim(
            id="samples.frame",
            statement="In the frame in which tokens are drawn $k$ and $v$ have unit length and the stated overlaps, in $R^2$ and $R^3$ too "
            "if there is room for such vectors.",
            subject=lambda: products,
            source=SOURCE,
            judges=(Agreement(stated, PLACES, 1e-12, absolute=1e-12, description="overlaps"),),
            mutants=(Mutant("one dimension more", lambda: lambda place: products((place[0], place[1] + 1))),),
        ),
        Claim(
            id="samples.tokens",
            statement=r"$(Y - T)^2 - \epsilon^2$ from given locations, label noise and tokens, whole or in the frame, is what it is token by token.",
            subject=lambda: found,
            source=SOURCE,
            depends_on=("samples.frame",),
            judges=(Agreement(by_hand, WHOLE, 1e-9, description="token by token"),),
            mutants=(
                Mutant("a larger lambda", changed(lam=0.81)),
                Mutant("tokens of R^4", changed(task=replace(NOISY, d=4), o=TURNED)),
            ),
        ),
    ]
