"""Admissible overlaps: five numbers that unit vectors have"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from numerics import Overlaps, frame
from numerics.overlaps import NAMES
from proofs_check.claim import Claim, Context, Mutant
from proofs_check.judges.numerical import Agreement

SOURCE = "section 3"
EDGE = 1e-12
"""How negative the smallest eigenvalue of the Gram matrix of the residuals may be."""

LENGTHS = np.repeat([2.0, 3.0], 4)
"""Of vectors whose overlaps are those of unit vectors: on coordinates of k and of v."""


def gram(values: Sequence[float] | np.ndarray) -> np.ndarray:
    """Gram matrix of (k, v, k*, v*)."""
    kappa, nu, theta, eta, rho = values
    return np.array([[1, rho, kappa, eta], [rho, 1, theta, nu], [kappa, theta, 1, 0], [eta, nu, 0, 1]])


def some_numbers(context: Context) -> list[list[float]]:
    """Five numbers each, of every kind: of vectors, of none, one alone, and within and beyond the edge by a tenth of it."""
    rng = np.random.default_rng(context.seed)
    inside = [_of_vectors(rng.standard_normal((2, d))) for d in (2, 3, 4, 7) for _ in range(5)]
    anything = rng.uniform(-0.8, 0.8, (40, 5)).tolist()
    single = (0.5 * np.eye(5)).tolist()
    edge = [
        [*row, sign * (1 + size * EDGE)]
        for row in np.zeros((1, 4)).tolist()
        for sign in (1, -1)
        for size in (0.9, 1.1)
    ]
    return [*inside, *anything, *single, *edge]


def _of_vectors(vectors: np.ndarray) -> list[float]:
    k, v = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return [float(x) for x in (k[0], v[1], v[0], k[1], k @ v)]


def taken(values: Sequence[float], scale: float = 1.0) -> list[float]:
    """Whether the numbers are taken as overlaps, zeros left out, and the distance to M; what vectors in a frame of R^4 have."""
    try:
        o = Overlaps(**{name: scale * x for name, x in zip(NAMES, values, strict=True) if x})
    except ValueError:
        return [0.0]
    again = frame.overlaps(frame.vectors(o) * LENGTHS)
    alike = [o == other for other in (Overlaps.unchecked(o.stack()), Overlaps.unchecked(o.stack() + EDGE))]
    return [1.0, float(o.distance), *again.tolist(), *map(float, alike)]


def semidefinite(values: Sequence[float]) -> list[float]:
    """The same by eigenvalues, of the Schur complement of (k*, v*)."""
    full = gram(values)
    residual = full[:2, :2] - full[:2, 2:] @ full[2:, :2]
    if np.linalg.eigvalsh(residual)[0] < -EDGE:
        return [0.0]
    return [1.0, float(np.linalg.norm(values[2:])), *values, 1.0, 0.0]


def claims() -> list[Claim]:
    """The claim on which numbers are taken."""
    return [
        Claim(
            id="admissible.gram",
            statement=r"Five numbers are taken as overlaps exactly if the Gram matrix is positive semi-definite, but for $10^{-12}$ in the "
            r"residuals' smallest eigenvalue; then two unit vectors of a frame of $R^4$ have them, and $\sqrt{\theta^2 + \eta^2 + \rho^2}$ is the "
            r"distance to $M$. A number left out is $0$; overlaps are equal if all five numbers are.",
            subject=lambda: taken,
            source=SOURCE,
            depends_on=("laws.gram",),
            judges=(Agreement(semidefinite, some_numbers, 1e-11, absolute=1e-11, description="eigenvalues"),),
            mutants=(Mutant("overlaps larger by a tenth", lambda: partial(taken, scale=1.1)),),
        )
    ]
