"""SGD in high dimension: the gradients' covariance and the limit, against sums over tokens on a grid"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import erf

from numerics import InverseTimeDecay, Overlaps, Task, flow_velocity
from numerics.high_dimension import high_dimensional_limit, outside_covariance
from numerics.overlaps import NAMES
from proofs_check.claim import Claim, Mutant
from proofs_check.judges.numerical import Agreement

SOURCE = "this toolkit"
Point = tuple[Overlaps, float, Task, int]
"""Overlaps, lambda, task and batch size."""

NEAR = Overlaps(kappa=0.9, nu=0.8, theta=0.1, eta=-0.2, rho=0.1)
FAR = Overlaps(kappa=-0.3, nu=0.2, theta=0.4, eta=0.5, rho=-0.6)
POINTS: tuple[Point, ...] = (
    (NEAR, 0.4, Task(d=50, L=4, gamma=0.7, epsilon=0.5), 3),
    (FAR, 1.3, Task(d=6, L=1, gamma=1.4, epsilon=0.0), 1),
    (FAR, 3.0, Task(d=8, L=12, gamma=0.3, epsilon=2.0), 7),
    (NEAR, 0.02, Task(d=10**4, L=2, gamma=0.5, epsilon=0.1), 1),
    (FAR, 60.0, Task(d=6, L=2, gamma=0.5, epsilon=0.3), 2),
)

HERMITE, HERMITE_WEIGHTS = np.polynomial.hermite_e.hermegauss(4)
"""Exact for the fourth powers of values and labels that occur."""


@dataclass(frozen=True)
class Token:
    """A token on a grid of scores, values and labels: weights, its error W - F V or -F V, and the gradients'
    coefficients of the token, scaled by its deviation."""

    weight: np.ndarray
    error: np.ndarray
    of_k: np.ndarray
    of_v: np.ndarray

    def mean(self, *factors: np.ndarray) -> float:
        """Mean of a product."""
        return float(np.sum(self.weight * np.prod(np.broadcast_arrays(*factors), axis=0)))


def token(o: Overlaps, lam: float, task: Task, informative: bool) -> Token:
    """The law of a token's projections on (k, v, v*), by a triangular factor of their covariance."""
    kappa, nu, theta, eta, rho = o.stack()
    length, scale = (task.signal, task.gamma) if informative else (0.0, 1.0)
    factor = np.linalg.cholesky([[1, rho, eta], [rho, 1, nu], [eta, nu, 1]])
    scores = np.linspace(-10, 10, 201 if lam < 5 else 6001)
    grid = (scores[:, None, None], HERMITE[:, None], HERMITE)
    normals = np.stack(np.broadcast_arrays(*grid))
    means = length * np.array([kappa, theta, 0.0])
    score, value, label = means[:, None, None, None] + scale * np.einsum("ij,jabc->iabc", factor, normals)
    gauss = np.exp(-(scores**2) / 2) * (scores[1] - scores[0])
    weight = np.einsum("a,b,c->abc", gauss, HERMITE_WEIGHTS, HERMITE_WEIGHTS) / (2 * np.pi) ** 1.5
    gate = erf(lam * score)
    slope = 2 * lam / np.sqrt(np.pi) * np.exp(-((lam * score) ** 2))
    return Token(weight, informative * label - gate * value, scale * slope * value, scale * gate)


def by_sums(point: Point) -> list[float]:
    """kk, kv and vv: 4 E[error^2 p q] / batch, summed over the tokens, which are independent."""
    o, lam, task, batch = point
    informative, noise = (token(o, lam, task, kind) for kind in (True, False))
    one, many = (np.array([t.mean(t.error), t.mean(t.error**2)]) for t in (informative, noise))
    square = task.epsilon**2

    def summed(p: str, q: str) -> float:
        rest = _sum_of(many, task.L - 1, square)
        total = _weighted(informative, p, q, *rest)
        if task.L > 1:
            first, second = _sum_of(many, task.L - 2, square)
            others = (first + one[0], second + one[1] + 2 * first * one[0])
            total += (task.L - 1) * _weighted(noise, p, q, *others)
        return 4 * total / batch

    return [summed(p, q) for p, q in (("of_k", "of_k"), ("of_k", "of_v"), ("of_v", "of_v"))]


def _sum_of(moments: np.ndarray, count: int, square: float) -> tuple[float, float]:
    """First and second moment of so many independent errors, with label noise."""
    mean, second = moments
    return count * mean, count * (second - mean**2) + (count * mean) ** 2 + square


def _weighted(of: Token, p: str, q: str, first: float, second: float) -> float:
    """E[(error + rest)^2 p q], the rest independent of the token."""
    pair = (getattr(of, p), getattr(of, q))
    return of.mean(of.error**2, *pair) + 2 * first * of.mean(of.error, *pair) + second * of.mean(*pair)


def stated(point: Point, more: int = 0) -> list[float]:
    """The same by the formula."""
    o, lam, task, batch = point
    found = outside_covariance(o, lam, replace(task, L=task.L + more), batch_size=batch)
    return found[[0, 0, 1], [0, 1, 1]].tolist()


RATE, T_END = 0.3, 2.0
LAM = InverseTimeDecay(0.9, 0.5)
TASK = Task(d=10, L=3, gamma=0.8, epsilon=0.7)


def limit_at(_: int, rate: float = RATE) -> list[float]:
    """Overlaps along the limit, at the times by default, and how many of how many runs were told to be done."""
    told: list[int] = []
    found = high_dimensional_limit(
        Overlaps.unchecked(np.stack([NEAR.stack(), FAR.stack()], axis=1)),
        LAM,
        TASK,
        rate=rate,
        batch_size=2,
        t_end=T_END,
        progress=lambda *numbers: told.extend(numbers),
    )
    paths = np.stack([found[name].values[:, [20, 100, 200]] for name in NAMES], axis=1)
    return [*paths.ravel().tolist(), *told]


@cache
def limit_by_sums(_: int) -> list[float]:
    """The same by a Runge-Kutta method: the flow at speed RATE, and k and v moved by noise and normalised.

    Noise adds RATE^2 A to the Gram matrix of k and v a unit of time; k* and v* stay.
    """

    def field(time: float, x: np.ndarray) -> np.ndarray:
        o, lam = Overlaps.unchecked(x), float(LAM(time))
        kk, kv, vv = RATE**2 * np.array(by_sums((o, lam, TASK, 2)))
        of_k, of_v = kk / 2 * np.array([1, 0, 0, 1, 1]), vv / 2 * np.array([0, 1, 1, 0, 1])
        noise = np.array([0, 0, 0, 0, kv]) - (of_k + of_v) * x
        return RATE * flow_velocity(o, lam, TASK).stack() + noise

    settings: dict[str, Any] = {"method": "DOP853", "rtol": 1e-10, "atol": 1e-12}
    settings["t_eval"] = T_END * np.array([0.1, 0.5, 1.0])
    paths = [solve_ivp(field, (0, T_END), start.stack(), **settings).y for start in (NEAR, FAR)]
    return [*np.ravel(paths), 1, 2, 2, 2]


def claims() -> list[Claim]:
    """The covariance, then the limit."""
    return [
        Claim(
            id="limit.covariance",
            statement=r"The stated covariance of the gradients of k and v outside their span with $k^*$ and $v^*$ is the sum over the "
            r"tokens of $4 E[error^2 p q]$, p and q the gradients' coefficients of a token times its deviation, to $10^{-12}$.",
            subject=lambda: stated,
            source=SOURCE,
            depends_on=("sgd.outside",),
            judges=(Agreement(by_sums, POINTS, 1e-12, description="a grid of scores, values and labels"),),
            mutants=(Mutant("one token more", lambda: partial(stated, more=1)),),
        ),
        Claim(
            id="limit.path",
            statement=r"With a schedule of $\lambda$ the limit of SGD in high dimension is the path that the flow and the noise, which adds "
            r"$c^2 A$ to the Gram matrix of k and v before they are normalised, take together, to $10^{-8}$.",
            subject=lambda: limit_at,
            source=SOURCE,
            depends_on=("limit.covariance", "dynamics.limit"),
            judges=(Agreement(limit_by_sums, (0,), 4e-9, joint=True, description="order 8, sums on a grid"),),
            mutants=(
                Mutant("a step size larger by 1e-6", lambda: partial(limit_at, rate=RATE * (1 + 1e-6))),
            ),
        ),
    ]
