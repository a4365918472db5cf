"""The five overlaps of (k, v) with (k*, v*): the order parameters of risk and dynamics."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from numerics import checks, display
from numerics.task import Task

NAMES = ("kappa", "nu", "theta", "eta", "rho")

GRAM_TOLERANCE = 1e-12
"""Overlaps are admissible when the smallest eigenvalue of the residual Gram matrix is at least minus this."""


@dataclass(frozen=True, eq=False, repr=False)
class Overlaps:
    """Overlaps of unit vectors k, v in R^d with the orthonormal pair (k*, v*).

    kappa = <k, k*>, nu = <v, v*>, theta = <v, k*>, eta = <k, v*>, rho = <k, v>: scalars or arrays that
    broadcast together; they are stored as read-only float64 arrays of one shape.

    They are admissible when the Gram matrix of (k, v, k*, v*) is positive semi-definite. As (k*, v*) is
    orthonormal this holds exactly when the Gram matrix of the residuals of k and v outside span(k*, v*),
    [[1 - kappa^2 - eta^2, rho - kappa theta - eta nu], [., 1 - nu^2 - theta^2]], is; its smallest
    eigenvalue may be as low as -GRAM_TOLERANCE, to allow for rounding.

    Accuracy: the numbers are kept as given; overlaps a few ulps outside the cone of Gram matrices are taken
    (tests/numerics/test_edges.py), and those farther than ten times the tolerance refused
    (tests/numerics/test_parameters.py).

    Raises TypeError for what is not a number, ValueError for non-finite numbers, shapes that do not
    broadcast, and overlaps that no unit vectors have.

    >>> Overlaps(kappa=1, nu=[0.5, 1]).shape
    (2,)
    >>> Overlaps(kappa=0.5, nu=1)
    Overlaps(kappa=0.5, nu=1.0, theta=0.0, eta=0.0, rho=0.0)
    >>> Overlaps(kappa=1, nu=1, rho=0.5)
    Traceback (most recent call last):
    ValueError: overlaps must have a positive semi-definite Gram matrix of (k, v, k*, v*), got kappa=1.0, \
nu=1.0, theta=0.0, eta=0.0, rho=0.5, whose smallest residual eigenvalue is -0.5 (allowed: >= -1e-12)
    """

    kappa: np.ndarray
    nu: np.ndarray
    theta: np.ndarray
    eta: np.ndarray
    rho: np.ndarray

    def __init__(
        self, kappa: Any = 0.0, nu: Any = 0.0, theta: Any = 0.0, eta: Any = 0.0, rho: Any = 0.0
    ) -> None:
        arrays = [
            checks.reals(name, value) for name, value in zip(NAMES, (kappa, nu, theta, eta, rho), strict=True)
        ]
        _store(self, arrays)
        _check_gram(self)

    @classmethod
    def unchecked(cls, values: Any) -> Overlaps:
        """Overlaps from an array of shape (5, ...) without the Gram check: velocities, differences, results.

        >>> Overlaps.unchecked(np.zeros((5, 3))).shape
        (3,)
        """
        self = object.__new__(cls)
        _store(self, [np.asarray(row, dtype=np.float64) for row in values])
        return self

    @classmethod
    def random(
        cls, n: int, task: Task, rng: np.random.Generator, on: Literal["sphere", "manifold"] = "sphere"
    ) -> Overlaps:
        """Overlaps of n random starts, exact in law at a cost free of d.

        on="sphere": k and v independent and uniform on the unit sphere; needs d >= 2.
        on="manifold": that law conditioned on theta = eta = rho = 0. The density of the five overlaps is
        proportional to det(Gram)^((d-5)/2), so kappa and nu are independent and each is distributed as a
        coordinate of a uniform point of the unit sphere of R^(d-2); needs d >= 3.

        Accuracy: the law is exact up to rounding (tests/numerics/test_parameters.py), and the overlaps are
        admissible for d to 1e15 (tests/numerics/test_edges.py).

        Returns Overlaps of shape (n,). Raises TypeError or ValueError for a bad n, d, rng or on.

        >>> Overlaps.random(3, Task(d=10**9, L=10), np.random.default_rng(0)).shape
        (3,)
        """
        n = checks.integer("n", n, 0)
        if not isinstance(rng, np.random.Generator):
            raise TypeError(f"rng must be a numpy.random.Generator, got {rng!r}")
        if on == "sphere":
            return cls.unchecked(_sphere(n, checks.integer("d (for random starts)", task.d, 2), rng))
        if on == "manifold":
            return cls.unchecked(
                _manifold(n, checks.integer("d (for starts on the manifold)", task.d, 3), rng)
            )
        raise ValueError(f"on must be 'sphere' or 'manifold', got {on!r}")

    @property
    def shape(self) -> tuple[int, ...]:
        """The common shape of the five arrays."""
        return self.kappa.shape

    @property
    def distance(self) -> np.ndarray:
        """Distance to the manifold M, sqrt(theta^2 + eta^2 + rho^2); the shape of the overlaps."""
        return np.hypot(np.hypot(self.theta, self.eta), self.rho)

    def stack(self) -> np.ndarray:
        """Array of shape (5, ...) in the order kappa, nu, theta, eta, rho."""
        return np.stack([getattr(self, name) for name in NAMES])

    def __getitem__(self, index: Any) -> Overlaps:
        """Overlaps of the runs that `index` selects."""
        return Overlaps.unchecked([getattr(self, name)[index] for name in NAMES])

    def __repr__(self) -> str:
        rows = (getattr(self, name) for name in NAMES)
        if self.shape == ():
            values = [f"{name}={float(row)!r}" for name, row in zip(NAMES, rows, strict=True)]
        else:
            texts = (np.array2string(row, precision=4, threshold=8, edgeitems=3) for row in rows)
            values = [f"{name}={text}" for name, text in zip(NAMES, texts, strict=True)]
        return f"Overlaps({', '.join(values)})"

    def _repr_html_(self) -> str:
        rows = [(name, display.cells(getattr(self, name))) for name in NAMES]
        return display.table(rows, f"Overlaps of shape {self.shape}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Overlaps) and np.array_equal(self.stack(), other.stack())

    __hash__ = None  # type: ignore[assignment]


def residual_gram(o: Overlaps) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Entries (kk, vv, kv) of the Gram matrix of the parts of k and v outside span(k*, v*)."""
    kk = (1 - o.kappa) * (1 + o.kappa) - o.eta**2
    vv = (1 - o.nu) * (1 + o.nu) - o.theta**2
    kv = o.rho - o.kappa * o.theta - o.eta * o.nu
    return kk, vv, kv


def _store(o: Overlaps, arrays: list[np.ndarray]) -> None:
    try:
        shaped = np.broadcast_arrays(*arrays)
    except ValueError as error:
        shapes = ", ".join(f"{name}: {a.shape}" for name, a in zip(NAMES, arrays, strict=True))
        raise ValueError(f"overlaps must have shapes that broadcast together, got {shapes}") from error
    for field, array in zip(fields(o), shaped, strict=True):
        own = np.array(array)
        own.flags.writeable = False
        object.__setattr__(o, field.name, own)


def _check_gram(o: Overlaps) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        kk, vv, kv = residual_gram(o)
        smallest = (kk + vv) / 2 - np.hypot((kk - vv) / 2, kv)
    bad = ~(smallest >= -GRAM_TOLERANCE)
    if not bad.any():
        return
    index = tuple(np.argwhere(bad)[0]) if bad.ndim else ()
    values = ", ".join(f"{name}={float(getattr(o, name)[index])!r}" for name in NAMES)
    raise ValueError(
        f"overlaps must have a positive semi-definite Gram matrix of (k, v, k*, v*), got {values}, whose "
        f"smallest residual eigenvalue is {float(smallest[index]):.6g} (allowed: >= -{GRAM_TOLERANCE:g})"
    )


def _sphere(n: int, d: int, rng: np.random.Generator) -> np.ndarray:
    """Exact law: two coordinates of each vector, then the angle between the remainders in R^(d-2)."""
    first, second = rng.standard_normal((2, 2, n))
    rest = np.sqrt(_chisquare(d - 2, (2, n), rng))
    norm = np.sqrt(first**2 + second**2 + rest**2)
    (kappa, theta), (eta, nu), (rest_k, rest_v) = first / norm, second / norm, rest / norm
    rho = kappa * theta + eta * nu + rest_k * rest_v * _coordinate(n, d - 2, rng)
    return np.stack([kappa, nu, theta, eta, rho])


def _manifold(n: int, d: int, rng: np.random.Generator) -> np.ndarray:
    zero = np.zeros(n)
    return np.stack([_coordinate(n, d - 2, rng), _coordinate(n, d - 2, rng), zero, zero, zero])


def _coordinate(n: int, dimension: int, rng: np.random.Generator) -> np.ndarray:
    """First coordinate of n uniform points of the unit sphere of R^dimension."""
    first = rng.standard_normal(n)
    return first / np.sqrt(first**2 + _chisquare(dimension - 1, n, rng))


def _chisquare(degrees: int, shape: int | tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
    return rng.chisquare(degrees, shape) if degrees > 0 else np.zeros(shape)
