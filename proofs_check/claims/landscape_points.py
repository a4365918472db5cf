"""What is said of each critical point that the search finds, against the risk on the spheres in R^d itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
from scipy.linalg import block_diag, null_space

from numerics import Overlaps, Task, excess_risk, flow_velocity
from numerics.arrays import ARRAYS
from numerics.generated import closed_forms
from numerics.landscape.find import EXACT
from numerics.landscape.parameters import LARGEST, Parameters
from numerics.landscape.points import CriticalPoint, Five
from proofs_check.claim import Claim, Context, Kind, Mutant
from proofs_check.claims import cells
from proofs_check.claims.admissible import gram
from proofs_check.judges.exact import Step, Steps

TASK = Task(cells.SETTING["d"], cells.SETTING["L"])
NUMBERS = TASK.signal, TASK.gamma, float(TASK.L)
LAM = float(cells.SETTING["lam"])
STEP = 1e-3
"""Of finite differences: zero eigenvalues come out as 1e-7, all others are larger than 0.05."""
FLAT = 1e-4
"""Eigenvalues smaller than this are taken for zero."""
CLOSE = 1e-12


def point_steps(points: Sequence[CriticalPoint], _: Context) -> Iterator[Step]:
    """Gradient, Hessian, orbit, risk, name of each point; and whether they are all that Newton's method finds."""
    risks = [point.excess_risk for point in points]
    yield Step("the points come in order of risk", risks == sorted(risks))
    names = [point.name for point in points]
    yield Step("every name stands once", len(set(names)) == len(names))
    for name, overlaps in EXACT.items():
        at = [p.name for p in points if np.allclose(p.overlaps, overlaps, atol=CLOSE)]
        yield Step(f"{overlaps} is the {name}", at in ([name], []) or (at == ["role-swapped"]), str(at))
    for point in points:
        yield from _told(point)
    near = [[_is_near(point, place) for point in points] for place in resting()]
    yield Step("Newton's method ends at no other points", all(map(any, near)))
    missed = [point.name for point, met in zip(points, zip(*near, strict=True), strict=True) if not any(met)]
    yield Step("and at each of them", not missed, ", ".join(missed))


def _told(point: CriticalPoint) -> Iterator[Step]:
    name, o = point.name, Overlaps.unchecked(np.array(point.overlaps))
    yield Step(f"{name}: certified, to rounding", point.certified and point.radius < 1e-15)
    yield Step(f"{name}: the flow rests", bool(np.abs(flow_velocity(o, LAM, TASK).stack()).max() < CLOSE))
    error = abs(point.excess_risk - float(excess_risk(o, LAM, TASK)))
    yield Step(f"{name}: its risk", error < CLOSE)
    eigenvalues = np.array(hessian_eigenvalues(point.overlaps))
    index, nullity = int((eigenvalues < -FLAT).sum()), int((np.abs(eigenvalues) <= FLAT).sum())
    yield Step(f"{name}: index {point.index}", index == point.index, str(index))
    yield Step(f"{name}: nullity {point.nullity}", nullity == point.nullity, str(nullity))
    kind = "minimum" if index == 0 else "maximum" if index + nullity == len(eigenvalues) else "saddle"
    yield Step(f"{name}: a {kind}", point.kind == kind, point.kind)
    yield Step(f"{name}: its images", _same(point.images, _reflected(point)))


STARTS, NEWTON_STEPS = 300, 25
LONGEST, MOVE = 0.2, 1e-6
"""Newton steps are cut to this length; derivatives are differences over this one."""


@cache
def resting() -> list[np.ndarray]:
    """Admissible overlaps at which the flow rests: Newton's method on their velocities, from random vectors."""
    rng = np.random.default_rng(0)
    o = np.concatenate([_random_overlaps(d, rng) for d in (2, 3, 4)], axis=1)
    for _ in range(NEWTON_STEPS):
        here = _velocity(o)
        columns = [_velocity(o + move) - here for move in MOVE * np.eye(5)[..., None]]
        inverses = np.linalg.pinv(np.stack(columns, axis=1).transpose(2, 0, 1), rcond=1e-8)
        step = MOVE * np.einsum("nij,jn->in", inverses, here)
        o = o - step * np.minimum(1, LONGEST / np.maximum(np.linalg.norm(step, axis=0), 1e-300))
        o = o[:, np.abs(o).max(axis=0) < 2]
    rests = np.abs(_velocity(o)).max(axis=0) < CLOSE
    return [place for place in o[:, rests].T if np.linalg.eigvalsh(gram(place))[0] > -1e-8]


def _random_overlaps(dimension: int, rng: np.random.Generator) -> np.ndarray:
    """Of uniform unit vectors."""
    k, v = (x / np.linalg.norm(x, axis=0) for x in rng.standard_normal((2, dimension, STARTS // 3)))
    return np.stack([k[0], v[1], v[0], k[1], np.sum(k * v, axis=0)])


def _velocity(o: np.ndarray) -> np.ndarray:
    """Of the overlaps (5, n): the inner products of k' = -grad_k and v' = -grad_v with k*, v*, v and k."""
    kappa, nu, theta, eta, rho = o
    arguments = [*o, LAM, *NUMBERS]
    in_kappa, in_nu, in_theta, in_eta, in_rho = closed_forms.partial_derivatives(ARRAYS, *arguments)
    along_k = in_kappa * kappa + in_eta * eta + in_rho * rho
    along_v = in_theta * theta + in_nu * nu + in_rho * rho
    return np.stack(
        [
            along_k * kappa - in_kappa - in_rho * theta,
            along_v * nu - in_nu - in_rho * eta,
            along_v * theta - in_theta - in_rho * kappa,
            along_k * eta - in_eta - in_rho * nu,
            (along_k + along_v) * rho
            - (in_kappa * theta + in_eta * nu + in_theta * kappa + in_nu * eta)
            - 2 * in_rho,
        ]
    )


def _is_near(point: CriticalPoint, place: np.ndarray) -> bool:
    return bool(np.abs(np.array(point.images) - place).max(axis=1).min() < 1e-6)


def vectors(overlaps: Five) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors k and v in R^d with these overlaps; k* and v* are the first two axes."""
    kappa, nu, theta, eta, rho = overlaps
    k, v = np.zeros(TASK.d), np.zeros(TASK.d)
    k[:2], v[:2] = (kappa, eta), (theta, nu)
    k[2] = np.sqrt(max(1.0 - float(k @ k), 0.0))
    v[2] = (rho - k[:2] @ v[:2]) / k[2] if k[2] > 1e-8 else 0.0
    v[3] = np.sqrt(max(1.0 - float(v @ v), 0.0))
    return k / np.linalg.norm(k), v / np.linalg.norm(v)


@cache
def hessian_eigenvalues(overlaps: Five, lam: float = LAM) -> np.ndarray:
    """Eigenvalues of the Hessian of the risk on the two spheres at a critical point, by finite differences."""
    k, v = vectors(overlaps)
    tangent = block_diag(null_space(k[None]), null_space(v[None])).T
    size = len(tangent)
    i, j = np.triu_indices(size)
    total = sum(
        s * t * _risks(k, v, lam, STEP * (s * tangent[i] + t * tangent[j])) for s in (1, -1) for t in (1, -1)
    )
    hessian = np.zeros((size, size))
    hessian[i, j] = hessian[j, i] = total / (2 * STEP) ** 2
    return np.linalg.eigvalsh(hessian)


def _risks(k: np.ndarray, v: np.ndarray, lam: float, moves: np.ndarray) -> np.ndarray:
    """The risk at (k, v) + moves (n, 2 d), both normalised."""
    p, q = k + moves[:, : TASK.d], v + moves[:, TASK.d :]
    p, q = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (p, q))
    overlaps = p[:, 0], q[:, 1], q[:, 0], p[:, 1], np.sum(p * q, axis=1)
    return np.asarray(closed_forms.excess_risk(ARRAYS, *overlaps, lam, *NUMBERS))


def _reflected(point: CriticalPoint) -> list[tuple[float, ...]]:
    """Overlaps after (k, v) to (-k, -v) and the reflection of v*, which turns the label round, with v."""
    k, v = vectors(point.overlaps)
    mirror = np.ones(TASK.d)
    mirror[1] = -1
    pairs = [(s * k, s * v) for s in (1, -1)]
    pairs += [(mirror * p, -mirror * q) for p, q in pairs]
    return [(p[0], q[1], q[0], p[1], p @ q) for p, q in pairs]


def _same(images: Sequence[Sequence[float]], expected: Sequence[Sequence[float]]) -> bool:
    """Whether two lists hold the same overlaps, and the first one none of them twice."""
    near = np.abs(np.array(images)[:, None] - np.array(expected)).max(axis=2) < 1e-7
    among = np.abs(np.array(images)[:, None] - np.array(images)).max(axis=2) < 1e-7
    return bool(near.any(axis=0).all() and near.any(axis=1).all() and among.sum() == len(images))


def _altered(name: str, **fields: Any) -> list[CriticalPoint]:
    return [replace(p, **fields) if p.name == name else p for p in cells.points()]


SQUARES = ("1/2", "1/3", "9/100", "1600", "123457/1000000", "999/1000000")
OTHERS = (0.1234567, sqrt(1 / 1_200_001))
"""gamma^2 that are meant by the roots, and gamma that are the root of no short fraction."""

BOX: dict[str, Any] = {"lam": ("1/10", "3/20"), "d": (300, 500), "L": 3, "gamma_squared": ("3/5", "3/4")}
HALVES = (300, 400), (400, 500)

Given = Callable[[float, Task], Parameters]


def given_steps(given: Given, _: Context) -> Iterator[Step]:
    """Roots of fractions and other numbers for gamma."""
    for text in SQUARES:
        found = given(0.1, Task(5, 3, sqrt(Fraction(text))))
        expected = Fraction(1, 10), Fraction(5), Fraction(text), Fraction(3)
        yield Step(f"gamma^2 = {text}", tuple(vars(found).values()) == expected, found.described())
    for gamma in OTHERS:
        found = given(0.1, Task(5, 3, gamma))
        yield Step(f"gamma = {gamma} as it is", found.gamma_squared == Fraction(gamma) ** 2)
        numbers = (0.1, sqrt(5 / 2), gamma, 3.0)
        yield Step(f"gamma = {gamma}, m = sqrt(5 / 2)", np.allclose(found.floats(), numbers, rtol=1e-15))
    halves = [Parameters.of(**{**BOX, "d": half}) for half in HALVES]
    yield Step("a box is cut across its relatively widest side", Parameters.of(**BOX).halves() == halves)


def rounded(lam: float, task: Task) -> Parameters:
    """A false variant that takes every gamma^2 for a short fraction."""
    found = Parameters.of_task(lam, task)
    return replace(found, gamma_squared=Fraction(task.gamma**2).limit_denominator(LARGEST))


def claims() -> list[Claim]:
    return [
        Claim(
            id="landscape.described",
            statement=f"For {cells.IN_WORDS} the flow rests at each critical point that is found, and its risk, its Morse index and "
            "nullity in $R^d$, its kind and its images under the symmetries are those of the risk on the two spheres; Newton's "
            f"method on the flow of the overlaps, from {STARTS} random vectors, ends at each of them and nowhere else.",
            subject=cells.points,
            source="this toolkit",
            judges=(Steps(point_steps, kind=Kind.NUMERICAL),),
            mutants=(
                Mutant("the oracle a saddle", lambda: _altered("oracle", index=1)),
                Mutant("nullity one less", lambda: _altered("orthogonal", nullity=2 * TASK.d - 8)),
                Mutant("a shifted overlap", lambda: _altered("role-swapped", overlaps=(0, 0, 0.9, 1, 0))),
                Mutant(
                    "no oblique saddle", lambda: [p for p in cells.points() if p.name != "oblique saddle"]
                ),
            ),
            depends_on=("risk.five-overlaps", "risk.symmetry", "risk.reflection"),
            derivation="The Hessian by finite differences along all $2 (d - 1)$ tangent directions.",
        ),
        Claim(
            id="landscape.given",
            statement="The double for $\\lambda$ is taken for the decimal that it is written as, and $\\gamma^2$ for a fraction with a "
            "denominator up to $10^6$ if $\\gamma$ is its root, rounded; any other $\\gamma$ is taken for the number that it is. "
            "A box of parameters is cut across its relatively widest side.",
            subject=lambda: Parameters.of_task,
            source="this toolkit",
            judges=(Steps(given_steps, kind=Kind.NUMERICAL),),
            mutants=(Mutant("always a fraction", lambda: rounded),),
        ),
    ]
