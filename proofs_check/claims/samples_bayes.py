"""Samples by hand: posteriors and predictors from given tokens, and where random numbers come from"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import mpmath
import numpy as np
from scipy import integrate, special, stats
from scipy.stats import qmc

from numerics import Overlaps, Task
from numerics.montecarlo import (
    AttentionPredictor,
    BayesFromConfusion,
    BayesFromPosterior,
    BayesPredictor,
    Expectation,
    LinearPredictor,
    NullPredictor,
    PosteriorWeights,
    TokenLaw,
    Tokens,
    predictor_risk,
)
from numerics.montecarlo.bayes import BayesQuantity
from numerics.montecarlo.erf import erf
from numerics.montecarlo.source import MirroredSource, RandomSource, SobolSource, Source
from proofs_check.claim import Claim, Mutant
from proofs_check.claims.samples import (
    FLAT,
    MANY,
    ONE,
    TURNED,
    Recorded,
    Sample,
    by_hand,
    changed,
    found,
    placed,
)
from proofs_check.judges.numerical import Agreement

SOURCE = "this toolkit"
Pair = tuple[np.ndarray, np.ndarray]


def ratios(task: Task, along: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Likelihood ratios of informative to noise tokens, from <X, k*> and the squared length outside k*."""
    degrees, variance = task.d - 1, task.gamma**2
    informative = stats.norm.logpdf(along, signal(task), task.gamma) - np.log(variance)
    informative += stats.chi2.logpdf(rest / variance, degrees)
    return np.exp(informative - stats.norm.logpdf(along) - stats.chi2.logpdf(rest, degrees))


def signal(task: Task) -> float:
    """E <X, k*> of the informative token."""
    return float(np.sqrt(task.d / 2))


def read(source: Recorded, laws: list[tuple[float, float]]) -> Pair:
    """<X, k*> and squared lengths outside, (rows, L), of tokens N(mean k*, scale^2 I); the last law is the others'."""
    normals, squares = np.hstack(source.normals), np.hstack(source.squares)
    filled = laws + laws[-1:] * (normals.shape[1] - len(laws))
    means, scales = np.transpose(filled[: normals.shape[1]])
    return means + scales * normals, scales**2 * squares


def posterior(q: BayesQuantity, source: Recorded) -> Pair:
    """Posterior probabilities and squared lengths outside k*, the informative token first."""
    along, rest = read(source, [(signal(q.task), q.task.gamma), (0.0, 1.0)])
    r = ratios(q.task, along, rest)
    return r / r.sum(axis=1, keepdims=True), rest


def from_posterior(q: BayesFromPosterior, source: Recorded) -> tuple[np.ndarray, ...]:
    """The variance of a value that is one of <X_l, v*>, each a mixture's part with the same mean."""
    p, rest = posterior(q, source)
    variances = rest / _degrees(q, source)
    return ((p * variances).sum(axis=1) - (p**2 * variances).sum(axis=1),)


def from_weights(q: PosteriorWeights, source: Recorded) -> tuple[np.ndarray, ...]:
    """Whether the informative token's probability is at most so large."""
    p, _ = posterior(q, source)
    _degrees(q, source)
    return ((p[:, :1] <= np.array(LEVELS)).astype(float),)


def from_confusion(q: BayesFromConfusion, source: Recorded) -> tuple[np.ndarray, ...]:
    """Two tokens from the normalised root of both densities, the others noise; all by quadrature."""
    overlap, mean, variance = root_law(signal(q.task), q.task.gamma)
    outside, _, other = root_law(0.0, q.task.gamma)
    along, rest = read(source, [(mean, variance**0.5)] * 2 + [(0.0, 1.0)])
    rest[:, :2] *= other / variance
    r = ratios(q.task, along, rest)
    both = np.sqrt(r[:, 0] * r[:, 1]) * (rest[:, 0] + rest[:, 1]) / (2 * _degrees(q, source))
    coefficient = overlap * outside ** (q.task.d - 1)
    return ((q.task.L - 1) * coefficient**2 * both / r.sum(axis=1),)


def _degrees(q: BayesQuantity, source: Recorded) -> int:
    """Directions outside k*, if that is what has been asked for."""
    return q.task.d - 1 if set(source.degrees) == {q.task.d - 1} else 0


@cache
def root_law(mean: float, scale: float) -> tuple[float, float, float]:
    """Integral, mean and variance of the root of the densities of N(0, 1) and N(mean, scale^2) on the line."""

    def root(x: float) -> float:
        return float(np.sqrt(stats.norm.pdf(x) * stats.norm.pdf(x, mean, scale)))

    total, first, second = (
        integrate.quad(lambda x, n=n: x**n * root(x), -15, 18, epsabs=1e-13, limit=200)[0] for n in range(3)
    )
    return total, first / total, second / total - (first / total) ** 2


@dataclass(frozen=True)
class Everything:
    """Projections and squared lengths of the tokens, the label, and what predictors make of them."""

    task: Task
    lam: float

    def __call__(self, tokens: Tokens, y: np.ndarray) -> np.ndarray:
        named = (NullPredictor(), LinearPredictor(self.task), BayesPredictor(self.task))
        predictions = [predictor(tokens) for predictor in (*named, AttentionPredictor(self.lam))]
        own = (tokens.k_star, tokens.v_star, tokens.k, tokens.v, tokens.squared_norm)
        return np.column_stack([*(a for a in own if a is not None), y, *predictions])


def from_tokens(q: Expectation, source: Recorded) -> tuple[np.ndarray, ...]:
    """The same from the coordinates in the frame and chi-squares for the directions outside."""
    task, (*coordinates, noise) = q.task, source.normals
    axes = np.eye(2) if q.overlaps is None else TokenLaw(task, q.overlaps).loadings()
    x = placed(q, source, np.hstack(coordinates).reshape(source.rows, axes.shape[1], task.L))
    here = np.arange(task.L) == source.locations[:, None]
    outside = np.where(here, task.gamma**2, 1.0) * (source.squares[0] if source.squares else 0.0)
    squares = (x**2).sum(axis=1) + outside
    along, value = x[:, 0], x[:, 1]
    k, v = np.moveaxis(np.tensordot(x, axes, axes=(1, 1)), 2, 0)
    y = (value * here).sum(axis=1) + task.epsilon * noise[:, 0]
    r = ratios(task, along, squares - along**2)
    bayes = (r * value).sum(axis=1) / r.sum(axis=1)
    attention = (special.erf(LAM * k) * v).sum(axis=1)
    linear = value @ best_coefficients(task)
    if isinstance(q.function, Everything):
        return (np.column_stack([along, value, k, v, squares, y, 0 * y, linear, bayes, attention]),)
    best: Any = q.function
    return ((y - (linear if isinstance(best.predictor, LinearPredictor) else bayes)) ** 2,)


def best_coefficients(task: Task) -> np.ndarray:
    """The regression of Y on all <X_l, v*>, from their covariances: one in L times each is the informative one."""
    covariance = np.eye(task.L) * (task.gamma**2 + task.L - 1) / task.L
    return np.linalg.solve(covariance, np.full(task.L, task.gamma**2 / task.L))


LAM = 0.8
FEW, ALONE, CLOSE = Task(d=6, L=5, gamma=0.7), Task(d=9, L=1, gamma=1.6), Task(d=2, L=2, gamma=1.3)
LONG = Task(d=3, L=4, gamma=1.2, epsilon=0.4)
LEVELS = (0.1, 0.5, 0.9)
"""Probabilities at which a posterior's law is told by default."""

POSTERIORS = (
    *(
        Sample(kind(task), hand, rows)
        for kind, hand in ((BayesFromPosterior, from_posterior), (BayesFromConfusion, from_confusion))
        for task, rows in ((FEW, 12), (CLOSE, 12), (LONG, MANY // 2))
    ),
    Sample(BayesFromPosterior(ALONE), from_posterior, 12),
    Sample(PosteriorWeights(FEW), from_weights, 100),
    Sample(PosteriorWeights(LONG), from_weights, MANY // 2),
)


def everything(task: Task, o: Overlaps) -> Sample:
    """Everything about the tokens of a task, in the frame that these overlaps need."""
    size = 5 * task.L + 5
    return Sample(
        Expectation(Everything(task, LAM), task, o, norm=True, value_shape=(size,)), from_tokens, 12
    )


PREDICTED = (
    everything(LONG, FLAT),
    everything(replace(LONG, d=2), TURNED),
    everything(replace(LONG, d=4), ONE),
    everything(replace(LONG, d=5, gamma=0.6), ONE),
    Sample(predictor_risk(BayesPredictor(FEW), FEW, ONE), from_tokens, 12),
    Sample(predictor_risk(LinearPredictor(LONG), LONG), from_tokens, 12),
    Sample(predictor_risk(LinearPredictor(CLOSE), CLOSE), from_tokens, 12),
)

KINDS = (RandomSource, MirroredSource, SobolSource)
ROWS, DEGREES, COUNT = 16, 5, 7


def handed_out(kind: Any, largest: float = 1 - 2.0**-53) -> list[float]:
    """Two normals a row, three chi-squares, a location and one normal more.

    And of Sobol points the last location of all, and where in their cells points are.
    """
    rng = np.random.default_rng(4)
    further = {RandomSource: (ROWS,), MirroredSource: (ROWS // 2,), SobolSource: (ROWS, 7)}[kind]
    source = kind(rng, *further)
    columns = (source.normal(2), source.chisquare(DEGREES, 3), source.location(COUNT), source.normal(1))
    numbers = [*np.column_stack(columns).ravel().tolist(), source.rows]
    if kind is not SobolSource:
        return numbers
    cells = np.mod(source.points[1] * 2.0**53, 1024)
    source.points[0], source.used = largest, 0
    return [*numbers, *cells, source.location(3)[0]]


def from_generator(kind: type[Source]) -> list[float]:
    """The same from NumPy's generator and SciPy's points and laws."""
    rng = np.random.default_rng(4)
    if kind is SobolSource:
        u = qmc.Sobol(7, bits=52, rng=rng).random(ROWS) + 2.0**-53
        parts = [stats.norm.ppf(u[:, :2]), stats.chi2.ppf(u[:, 2:5], DEGREES), np.floor(COUNT * u[:, 5:6])]
        drawn = np.column_stack([*parts, stats.norm.ppf(u[:, 6:])])
        return [*drawn.ravel().tolist(), ROWS, *np.mod(u[1] * 2.0**53, 1024), 2.0]
    rows = ROWS if kind is RandomSource else ROWS // 2
    normals, squares = rng.standard_normal((rows, 2)), rng.chisquare(DEGREES, (rows, 3))
    half = np.column_stack([normals, squares, rng.integers(COUNT, size=rows), rng.standard_normal(rows)])
    signs = np.array([-1, -1, 1, 1, 1, 1, -1])
    drawn = half if kind is RandomSource else np.concatenate([half, signs * half])
    return [*drawn.ravel().tolist(), ROWS]


ARGUMENTS = tuple(
    float(x)
    for x in (
        *np.random.default_rng(0).uniform(-6.5, 6.5, 400),
        *(
            sign * (j + side * (0.5 - 1e-9)) / 8
            for j in range(0, 48, 5)
            for side in (-1, 1)
            for sign in (-1, 1)
        ),
        *(sign * 10.0**-n for n in range(0, 300, 30) for sign in (-1, 1)),
        *(0.0, 5.9, 5.99, 6.0, 6.1, -1e300),
    )
)


def error_function(x: float, scale: float = 1.0) -> float:
    """The error function of the inner loops."""
    return float(erf(scale * x))


def claims() -> list[Claim]:
    """What is computed of random numbers, and the numbers, redone."""
    return [
        Claim(
            id="samples.erf",
            statement="The error function of the inner loops is right to 4 units in the last place, for small, large and negative arguments.",
            subject=lambda: error_function,
            source=SOURCE,
            judges=(Agreement(mpmath.erf, ARGUMENTS, 4 * 2.0**-52, description="mpmath"),),
            mutants=(Mutant("a larger argument", lambda: lambda x: error_function(x, 1 + 1e-14)),),
        ),
        Claim(
            id="samples.sources",
            statement="Independent, mirrored and Sobol numbers are NumPy's and SciPy's: mirrored rows have the other sign in the normals "
            "alone, and Sobol points go column by column through the inverse distribution functions, in the last cell too.",
            subject=lambda: handed_out,
            source=SOURCE,
            judges=(Agreement(from_generator, KINDS, 1e-12, description="NumPy and SciPy"),),
            mutants=(Mutant("no last cell", lambda: lambda kind: handed_out(kind, largest=0.5)),),
        ),
        Claim(
            id="samples.posterior",
            statement="Given random numbers for the tokens the estimators of the Bayes risk, from posteriors and from confusions, and "
            "of the posterior's law are what ratios of SciPy's densities and quadratures of their roots give, also if tokens are drawn "
            "a few at a time.",
            subject=lambda: found,
            source=SOURCE,
            depends_on=("montecarlo.odds",),
            judges=(Agreement(by_hand, POSTERIORS, 1e-9, absolute=1e-13, description="densities"),),
            mutants=(Mutant("one token more", changed(task=replace(FEW, L=6))),),
        ),
        Claim(
            id="samples.predictors",
            statement="Projections, squared lengths, labels and predictions are what the tokens' coordinates give, in $R^2$, $R^3$ and $R^4$ "
            "too: the best linear predictor by regression, the Bayes predictor by SciPy's densities.",
            subject=lambda: found,
            source=SOURCE,
            depends_on=("samples.frame",),
            judges=(Agreement(by_hand, PREDICTED, 1e-9, absolute=1e-12, description="token by token"),),
            mutants=(Mutant("overlaps of another run", changed(overlaps=Overlaps(kappa=1, nu=1))),),
        ),
    ]
