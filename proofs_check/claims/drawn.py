"""What is drawn: random starts, and the weights that attention gives to tokens"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import integrate, special, stats

from numerics import Overlaps, Task
from numerics.montecarlo import AttentionWeights, PosteriorWeights, Quantity, estimate
from numerics.starts import On, random_starts
from proofs_check.claim import Claim, Mutant
from proofs_check.judges import numerical
from proofs_check.judges.statistical import Agreement

SOURCE = "this toolkit"
DIMENSION = 4
"""Of the spheres; on M starts are drawn in two dimensions more, for spheres of this dimension."""


def means(values: np.ndarray) -> SimpleNamespace:
    """Means over the last axis, with their errors."""
    count, centred = values.shape[-1], values - values.mean(axis=-1, keepdims=True)
    deviation = centred.std(axis=-1)
    skewness = (centred**3).mean(axis=-1) / deviation**3
    return SimpleNamespace(
        value=values.mean(axis=-1),
        standard_error=deviation / np.sqrt(count),
        asymmetry=skewness / np.sqrt(count),
        observations=count,
    )


@cache
def drawn_starts(seed: int, samples: int) -> SimpleNamespace:
    """Moments of random starts on the spheres, then on the manifold."""
    rng = np.random.default_rng(seed)
    o = Overlaps.random(samples, Task(DIMENSION, 1), rng)
    squares = [o.kappa**2, o.nu**2, o.theta**2, o.eta**2, o.rho**2]
    sphere = [*squares, o.kappa**4, (o.kappa * o.theta + o.eta * o.nu) * o.rho, (o.kappa * o.nu) ** 2]
    o = Overlaps.random(samples, Task(DIMENSION + 2, 1), rng, on="manifold")
    manifold = [o.kappa**2, o.nu**2, o.kappa**4, (o.kappa * o.nu) ** 2]
    return means(np.stack([*sphere, *manifold]))


def moments_of_starts(d: int = DIMENSION) -> np.ndarray:
    """The same from the law of uniform points of the unit sphere of R^d."""
    square, fourth = 1 / d, 3 / (d * (d + 2))
    sphere = [*[square] * 5, fourth, 2 * square**2, square**2]
    return np.array([*sphere, square, square, fourth, square**2])


STARTED = ((Task(7, 1), 3, "sphere"), (Task(4, 2), 0, "sphere"), (Task(9, 1), 5, "manifold"))
"""Tasks, seeds, and where to start."""


def starts(setting: tuple[Task, int, On], first: int = 0) -> np.ndarray:
    """Random starts of two runs, from the first one on."""
    task, seed, on = setting
    return random_starts(first + 2, task, seed, on).stack()[:, first:]


def starts_by_hand(setting: tuple[Task, int, On]) -> np.ndarray:
    """The same from the numbers of the streams (seed, run, 0)."""
    task, seed, on = setting
    streams = [np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(run, 0))) for run in range(2)]
    drawn = vectors_on_spheres if on == "sphere" else coordinates_on_manifold
    return np.transpose([drawn(rng, task.d) for rng in streams])


def vectors_on_spheres(rng: np.random.Generator, d: int) -> list[float]:
    """Overlaps of normalised vectors along k*, v* and two more axes, the first along the rest of k."""
    inside, rests = rng.standard_normal((2, 2)), np.sqrt(rng.chisquare(d - 2, 2))
    turn = rng.standard_normal(), np.sqrt(rng.chisquare(d - 3))
    k = np.array([inside[0, 0], inside[1, 0], rests[0], 0])
    v = np.array([inside[0, 1], inside[1, 1], *(rests[1] * np.array(turn) / np.hypot(*turn))])
    k, v = k / np.linalg.norm(k), v / np.linalg.norm(v)
    return [k[0], v[1], v[0], k[1], k @ v]


def coordinates_on_manifold(rng: np.random.Generator, d: int) -> list[float]:
    """kappa and nu: first coordinates of points of spheres in two dimensions less."""
    points = [np.array([rng.standard_normal(), np.sqrt(rng.chisquare(d - 3))]) for _ in range(2)]
    return [*(point[0] / np.linalg.norm(point) for point in points), 0, 0, 0]


def estimated(quantity: Quantity) -> Callable[[int, int], Any]:
    """An estimator of a quantity that remembers what it computed."""
    return cache(lambda seed, samples: estimate(quantity, samples=samples, seed=seed))


LEVELS = (-0.6, -0.1, 0.4, 0.9)
TASK, LAM, KAPPA = Task(d=20, L=3, gamma=0.8), 0.5, 0.6


def attention_law(lam: float = LAM, gamma: float = TASK.gamma) -> np.ndarray:
    """P(erf(lam <X, k>) <= a) for the informative token and for a noise token, whose scores are Gaussian."""
    scores = special.erfinv(np.array(LEVELS)) / lam
    informative = stats.norm.cdf(scores, loc=TASK.signal * KAPPA, scale=gamma)
    return np.concatenate([informative, stats.norm.cdf(scores)])


SHARES = (0.2, 0.5, 0.9)
NOISY, CLEAR, THREE = (Task(d=4, L=2, gamma=1.3), Task(d=4, L=2, gamma=0.8), Task(d=4, L=3, gamma=1.0))


def two_tokens_law(task: Task, norms: float = 1.0) -> np.ndarray:
    """P(p_{J0} <= a) for two tokens, from the characteristic function of the difference of their log-odds.

    A token's log-odds, m x / gamma^2 + (1 - 1 / gamma^2) |X|^2 / 2 with x along k*, is a quadratic form of a
    Gaussian vector. norms: a factor of its second term, for mutants.
    """
    m, gamma, d = task.signal, task.gamma, task.d
    square = norms * (1 - 1 / gamma**2)

    def transform(t: float, mean: float, deviation: float) -> complex:
        curvature = 1 / deviation**2 - 1j * t * square
        linear = mean / deviation**2 + 1j * t * m / gamma**2
        exponent = (linear**2 / curvature - (mean / deviation) ** 2) / 2
        return complex(np.exp(exponent) * (deviation**2 * curvature) ** (-d / 2))

    def integrand(t: float, level: float) -> float:
        difference = transform(t, m, gamma) * transform(-t, 0.0, 1.0)
        return float((np.exp(-1j * t * level) * difference).imag / t)

    integrals = [
        integrate.quad(integrand, 0, np.inf, args=(level,), limit=400)[0] for level in special.logit(SHARES)
    ]
    return 0.5 - np.array(integrals) / np.pi


def three_tokens_law(task: Task, others: float = 1.0) -> np.ndarray:
    """P(p_{J0} <= a) for three tokens at gamma = 1, where log-odds are Gaussian: J0's token and one other's on a grid.

    others: a factor of the other tokens' odds, for mutants.
    """
    m, grid = task.signal, np.linspace(-8, 8, 801)
    weights = stats.norm.pdf(grid) * (grid[1] - grid[0])
    levels = []
    for share in SHARES:
        bound = np.log((1 / share - 1) / others) + m * (m + grid[:, None])  # of the sum of the others' odds
        rest = -np.expm1(m * grid - bound)
        with np.errstate(divide="ignore", invalid="ignore"):
            exceeds = np.where(rest > 0, stats.norm.sf((bound + np.log(rest)) / m), 1.0)
        levels.append(weights @ exceeds @ weights)
    return np.array(levels)


def posterior_laws(norms: float = 1.0, others: float = 1.0) -> np.ndarray:
    """The law of p_{J0} in all three tasks."""
    two = [two_tokens_law(task, norms) for task in (NOISY, CLEAR)]
    return np.concatenate([*two, three_tokens_law(THREE, others)])


@cache
def drawn_posteriors(seed: int, samples: int) -> SimpleNamespace:
    """The same, sampled."""
    found = [
        estimate(PosteriorWeights(task, SHARES), samples=samples, seed=seed + i)
        for i, task in enumerate((NOISY, CLEAR, THREE))
    ]
    names = ("value", "standard_error", "asymmetry")
    joined = {name: np.concatenate([getattr(e, name) for e in found]) for name in names}
    return SimpleNamespace(observations=samples, **joined)


def claims() -> list[Claim]:
    """Laws of what is drawn against samples."""
    weights = AttentionWeights(Overlaps(kappa=KAPPA), LAM, TASK, LEVELS)
    return [
        Claim(
            id="drawn.starts",
            statement=r"Random starts have the moments of two uniform points of the unit sphere of $R^d$, and on $M$ "
            r"those of coordinates of uniform points of the unit sphere of $R^{d-2}$.",
            subject=lambda: moments_of_starts(),
            source=SOURCE,
            judges=(Agreement(drawn_starts, 60_000, "12 moments", scale=1.0),),
            mutants=(Mutant("one dimension more", lambda: moments_of_starts(DIMENSION + 1)),),
        ),
        Claim(
            id="drawn.streams",
            statement="The random start of run $i$ is made of the numbers of NumPy's stream (seed, $i$, 0), whatever other runs there are.",
            subject=lambda: starts,
            source=SOURCE,
            depends_on=("drawn.starts",),
            judges=(numerical.Agreement(starts_by_hand, STARTED, 1e-12, description="NumPy's streams"),),
            mutants=(Mutant("another run's", lambda: lambda setting: starts(setting, first=1)),),
        ),
        Claim(
            id="drawn.attention",
            statement=r"The weights $erf(\lambda \langle X, k \rangle)$ of the informative and of a noise token have the "
            r"distribution functions that their Gaussian scores imply.",
            subject=lambda: attention_law(),
            source=SOURCE,
            depends_on=("laws.informative", "laws.noise"),
            judges=(Agreement(estimated(weights), 90_000, f"{len(LEVELS)} levels", scale=1.0),),
            mutants=(
                Mutant("lambda for lambda^2", lambda: attention_law(lam=LAM**0.5)),
                Mutant("gamma^2 for gamma", lambda: attention_law(gamma=TASK.gamma**2)),
            ),
        ),
        Claim(
            id="drawn.posterior",
            statement=r"The posterior probability of the informative token has, for two tokens and $\gamma \ne 1$ and for "
            r"three and $\gamma = 1$, the distribution function that follows from the law of the log-odds.",
            subject=lambda: posterior_laws(),
            source=SOURCE,
            depends_on=("bayes.posterior", "montecarlo.odds"),
            judges=(Agreement(drawn_posteriors, 90_000, "3 tasks", scale=1.0),),
            mutants=(
                Mutant("norms tell nothing", lambda: posterior_laws(norms=0.0)),
                Mutant("one token's odds count twice", lambda: posterior_laws(others=1.5)),
            ),
        ),
    ]
