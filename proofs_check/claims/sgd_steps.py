"""What a step of SGD computes: the kernel against vectors of R^6, random number by random number"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.special import erf

from numerics import InverseTimeDecay, Overlaps, Task, frame, full_dimension, stochastic_gradient_descent
from numerics.full_dimension import Vectors
from numerics.iteration import NonFiniteError
from numerics.overlaps import NAMES
from numerics.schedules import Schedule
from numerics.sgd_kernel import orthonormal_frame
from proofs_check.claim import Claim, Mutant
from proofs_check.judges.numerical import Agreement

INSIDE, AXES = 4, 6
"""Directions f1..f4 of the frame, and with two in which the remainders of the gradients lie."""

STEPS, EVERY = 6, 3
FADING, SHORTER = InverseTimeDecay(0.8, 0.3), InverseTimeDecay(0.05, 0.5)


@dataclass(frozen=True)
class Setting:
    """Starts of shape (runs,) and what SGD is told; further: where it differs from the defaults."""

    starts: Overlaps
    task: Task
    lam: Schedule = FADING
    step_size: Schedule = SHORTER
    batch_size: int = 2
    further: dict[str, Any] = field(default_factory=dict)

    @property
    def runs(self) -> Sequence[int]:
        """The numbers of the runs."""
        return self.further.get("runs", range(self.starts.shape[0]))

    @property
    def dimension(self) -> int:
        """That of the space of the tokens."""
        return self.further.get("ambient", self.task.d)

    def generator(self, run: int) -> np.random.Generator:
        """A run's stream."""
        streams = np.random.SeedSequence(self.further.get("seed", 0), spawn_key=(run,))
        return np.random.Generator(np.random.SFC64(streams))


ANYWHERE = Overlaps.random(5, Task(d=6, L=1), np.random.default_rng(0))
ALONG = Overlaps(kappa=[1, 1], theta=[1, -1], rho=[1, -1], nu=0)
PLANE = Overlaps(kappa=[0, 0.6], eta=[-1, 0.8], theta=[0, 0.8], nu=[1, 0.6], rho=[-1, 0.96])
SETTINGS = (
    Setting(ANYWHERE, Task(d=6, L=3, gamma=0.9, epsilon=0.7), further={"seed": 3, "runs": (5, 2, 9, 0, 1)}),
    Setting(
        ANYWHERE, Task(d=8, L=1, gamma=0.5), lam=2.0, batch_size=3, further={"ambient": 40, "workers": 1}
    ),
    Setting(ALONG, Task(d=7, L=2, gamma=1.3), further={"seed": 0}),
    Setting(PLANE, Task(d=9, L=4), batch_size=1),
    Setting(Overlaps(kappa=[0], eta=1, theta=1, nu=0), Task(d=6, L=2), lam=1e-200),
    Setting(ANYWHERE, Task(d=6, L=2), step_size=lambda n: np.where(n < 3, 0.1, 1e200)),
)
"""Runs with three tokens and with one; from k = v, k = -v, and k and v in the plane of k* and v*; with attention
that moves nothing; and with a step that is not finite.
"""


def kernel(setting: Setting) -> list[float]:
    """Recorded overlaps, dimension, and the number of steps done; of a step that fails run, number and state."""
    done: list[int] = []
    try:
        dataset = stochastic_gradient_descent(
            setting.starts,
            setting.lam,
            setting.task,
            step_size=setting.step_size,
            steps=STEPS,
            batch_size=setting.batch_size,
            record_every=EVERY,
            progress=lambda *steps: done.extend(steps),
            **setting.further,
        )
    except NonFiniteError as error:
        return [error.run, error.step, *error.state.stack().tolist()]
    recorded = np.stack([dataset[name].values for name in NAMES])
    return [*recorded.ravel().tolist(), dataset.attrs["ambient"], *done]


def vectors(setting: Setting) -> list[float]:
    """The same by steps on vectors of R^6."""
    starts = setting.starts.stack().T
    paths = [
        list(_path(setting, o, setting.generator(run))) for o, run in zip(starts, setting.runs, strict=True)
    ]
    for path, run in zip(paths, setting.runs, strict=True):
        if len(path) <= STEPS:
            return [run, len(path) - 1, *path[-1]]
    recorded = np.array([path[::EVERY] for path in paths])
    return [*recorded.transpose(2, 0, 1).ravel().tolist(), setting.dimension, STEPS, STEPS]


def _path(setting: Setting, o: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """The overlaps (5,) from the start on, to before the first step that is not finite."""
    coordinates = frame.vectors(Overlaps.unchecked(o)).reshape(2, INSIDE)
    yield o
    for n in range(STEPS):
        lam, step_size = (_at(schedule, n) for schedule in (setting.lam, setting.step_size))
        x = _in_frame(*coordinates)
        stepped = _stepped(x, _gradients(x, lam, setting, rng), step_size)
        with np.errstate(over="ignore"):
            if not np.isfinite(np.sum(stepped**2)):
                return
        coordinates = _coordinates(stepped, x)
        yield frame.overlaps(coordinates.ravel())


def _stepped(x: Vectors, gradients: np.ndarray, step_size: float) -> np.ndarray:
    """k and v, (2, AXES), moved against the tangent parts of the gradients; not normalised."""
    places = np.concatenate([x.k, x.v])
    return places - step_size * full_dimension.tangent(places, gradients)


def _coordinates(stepped: np.ndarray, x: Vectors) -> np.ndarray:
    """Coordinates (2, INSIDE) of the normalised vectors along k*, v*, e1, e2.

    e1 lies along what one of them has outside the plane of k* and v*: the one that has more.
    """
    truth = np.stack([x.k_star, x.v_star])
    inside = stepped @ truth.T
    rest = stepped - inside @ truth
    order = slice(None, None, 1 if np.linalg.norm(rest[0]) >= np.linalg.norm(rest[1]) else -1)
    whole = np.hstack([inside, _root(rest[order])[order]])
    return whole / np.linalg.norm(whole, axis=1, keepdims=True)


def _at(schedule: Schedule, n: int) -> float:
    return float(schedule(np.array(n))) if callable(schedule) else schedule


def _in_frame(k: np.ndarray, v: np.ndarray) -> Vectors:
    """k, v, k*, v* along f1..f6, from coordinates (4,) along k*, v*, e1, e2, which are the axes.

    f1..f4 are the axes after two reflections, which map k to the first and the rest of v to the second; but
    f1 = k.
    """
    first = _reflection(k, 0)
    axes = first @ _reflection(np.append(0, (first @ v)[1:]), 1)
    axes[:, 0] = k
    k, v, k_star, v_star = np.pad([k @ axes, v @ axes, *axes[:2]], ((0, 0), (0, AXES - INSIDE)))
    return Vectors(k[None], v[None], k_star, v_star)


def _reflection(x: np.ndarray, axis: int) -> np.ndarray:
    """The reflection that maps x to a multiple of an axis on its other side; none if x = 0."""
    if not x.any():
        return np.eye(INSIDE)
    normal = x + np.copysign(np.linalg.norm(x), x[axis]) * np.eye(INSIDE)[axis]
    return np.eye(INSIDE) - 2 * np.outer(normal, normal) / (normal @ normal)


def _gradients(x: Vectors, lam: float, setting: Setting, rng: np.random.Generator) -> np.ndarray:
    """Batch means of the gradients of (Y - T)^2 in k and v along f1..f6, shape (2, AXES).

    Noise tokens are drawn along f1 and f2; what they add to the gradients along f3 and f4, and what all tokens
    add beyond, is drawn given the tokens' coefficients.
    """
    task, size = setting.task, setting.batch_size
    tokens, label_noise = np.zeros((size, task.L, AXES)), np.empty(size)
    for sample in range(size):
        tokens[sample, 0, :INSIDE] = task.gamma * rng.standard_normal(INSIDE)
        tokens[sample, 0] += task.signal * x.k_star
        label_noise[sample] = task.epsilon * rng.standard_normal()
        tokens[sample, 1:, :2] = rng.standard_normal((task.L - 1, 2))
    scores, values = tokens @ x.k[0], tokens @ x.v[0]
    attention = erf(lam * scores)
    error = (attention * values).sum(axis=1) - tokens[:, 0] @ x.v_star - label_noise
    slope = 2 * lam / math.sqrt(math.pi) * np.exp(-((lam * scores) ** 2))
    coefficients = 2 / size * error[:, None] * np.stack([slope * values, attention])
    gradients = np.einsum("gsl,sla->ga", coefficients, tokens)
    noise = _root(coefficients[..., 1:])
    gradients[:, 2] += noise @ rng.standard_normal(2)
    gradients[:, 3] += noise @ rng.standard_normal(2)
    coefficients[..., 0] *= task.gamma
    freedom = setting.dimension - INSIDE
    bartlett = np.zeros((2, 2))
    bartlett[0, 0] = math.sqrt(rng.chisquare(freedom))
    bartlett[1, 0] = rng.standard_normal()
    bartlett[1, 1] = math.sqrt(rng.chisquare(freedom - 1))
    gradients[:, INSIDE:] = _root(coefficients) @ bartlett
    return gradients


def _root(coefficients: np.ndarray) -> np.ndarray:
    """The lower triangular root of the Gram matrix of two rows, its diagonal >= 0, by orthogonalisation."""
    rows = np.pad(coefficients.reshape(2, -1), ((0, 0), (0, 2)))
    upper = np.linalg.qr(rows.T).R
    return upper.T * np.copysign(1.0, np.diag(upper))


PAIRS = (*np.random.default_rng(1).standard_normal((6, 2, INSIDE)), *np.eye(INSIDE)[[[0, 0], [2, 0], [3, 3]]])
"""k and v of any length, and along axes."""


def kernel_frame(pair: np.ndarray) -> list[float]:
    """Components of k* and v* along f1..f4, and of v along f1 and f2."""
    return list(orthonormal_frame((pair / np.linalg.norm(pair, axis=1, keepdims=True)).ravel()))


def plain_frame(pair: np.ndarray) -> np.ndarray:
    """The same by matrices."""
    x = _in_frame(*pair / np.linalg.norm(pair, axis=1, keepdims=True))
    return np.concatenate([x.k_star[:INSIDE], x.v_star[:INSIDE], x.v[0, :2]])


def after(change: Callable[[Setting], Setting]) -> Callable[[Setting], list[float]]:
    """What the kernel finds in changed settings."""
    return lambda setting: kernel(change(setting))


def told(setting: Setting, **further: Any) -> Setting:
    """The setting with something else told."""
    return replace(setting, further={**setting.further, **further})


def claims() -> list[Claim]:
    """The steps of SGD."""
    return [
        Claim(
            id="sgd.frame",
            statement=r"For unit vectors k, v of $R^4$ the components of k*, v* and v along f1..f4 are those along the axes after two reflections "
            r"that map k to the first and the rest of v to the second, f1 = k.",
            subject=lambda: kernel_frame,
            source="this toolkit",
            judges=(Agreement(plain_frame, PAIRS, 1e-14, description="reflections as matrices", joint=True),),
            mutants=(Mutant("k and v exchanged", lambda: lambda pair: kernel_frame(pair[::-1])),),
        ),
        Claim(
            id="sgd.steps",
            statement=r"Run i of SGD takes, with the random numbers of its stream (seed, i), the steps of vectors of $R^6$ along gradients whose "
            r"components on the axes f1..f4 are those of the sampled tokens, completed along f3, f4 and outside by the triangular roots of the "
            r"tokens' Gram matrix and of a Wishart matrix; up to the first step that is not finite.",
            subject=lambda: after(lambda setting: setting),
            source="section 5, stochastic gradient descent",
            depends_on=("sgd.closure", "sgd.frame"),
            judges=(
                Agreement(vectors, SETTINGS, 1e-12, description="reflections and QR, by NumPy", joint=True),
            ),
            mutants=(
                Mutant(
                    "another run's numbers",
                    lambda: after(lambda s: told(s, runs=[run + 1 for run in s.runs])),
                ),
                Mutant(
                    "a batch of one more", lambda: after(lambda s: replace(s, batch_size=s.batch_size + 1))
                ),
                Mutant("one dimension more", lambda: after(lambda s: told(s, ambient=s.dimension + 1))),
            ),
        ),
    ]
