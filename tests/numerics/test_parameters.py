"""Task and Overlaps: what they accept, what they refuse, and the laws of random starts."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from numerics import Overlaps, Task, excess_risk
from numerics.overlaps import GRAM_TOLERANCE, NAMES

TASK = Task(d=400, L=10)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"d": 0}, ValueError, "d must be >= 1, got 0"),
        ({"d": 2.5}, TypeError, "d must be an integer >= 1, got 2.5"),
        ({"d": math.nan}, ValueError, "d must be a finite integer"),
        ({"d": True}, TypeError, "d must be an integer"),
        ({"L": 0}, ValueError, "L must be >= 1, got 0"),
        ({"L": "ten"}, TypeError, "L must be an integer >= 1, got 'ten'"),
        ({"gamma": 0.0}, ValueError, "gamma must be a finite number > 0, got 0.0"),
        ({"gamma": math.inf}, ValueError, "gamma must be a finite number > 0, got inf"),
        ({"gamma": 1j}, TypeError, "gamma"),
        ({"epsilon": -1e-9}, ValueError, "epsilon must be a finite number >= 0, got -1e-09"),
    ],
)
def test_task_refuses(changes, error, message):
    with pytest.raises(error, match=message):
        Task(**{"d": 400, "L": 10, **changes})


def test_task_takes_whole_floats_and_numpy_numbers():
    assert Task(d=1e12, L=np.int64(3), gamma=np.float32(0.5)) == Task(d=10**12, L=3, gamma=0.5)


@pytest.mark.parametrize("lam", [0.0, -1.0, math.nan, math.inf])
def test_lam_must_be_positive_and_finite(lam):
    with pytest.raises(ValueError, match="lam must be finite numbers > 0"):
        excess_risk(Overlaps(1, 1), lam, TASK)


def test_lam_must_broadcast():
    with pytest.raises(ValueError, match="lam must have a shape that broadcasts"):
        excess_risk(Overlaps(np.zeros(3)), [0.1, 0.2], TASK)


@pytest.mark.parametrize(
    ("overlaps", "error", "message"),
    [
        ({"kappa": math.nan}, ValueError, "kappa must be finite numbers, got nan"),
        ({"nu": [0.0, math.inf]}, ValueError, "nu must be finite numbers, got inf at index"),
        ({"theta": "x"}, TypeError, "theta must be finite numbers, got 'x'"),
        ({"eta": [[0.0], [0.0, 1.0]]}, TypeError, "eta must be numbers in an array of one shape"),
        ({"kappa": np.zeros(2), "nu": np.zeros(3)}, ValueError, "shapes that broadcast together"),
        ({"kappa": 1.1}, ValueError, "positive semi-definite"),
        ({"kappa": 1, "nu": 1, "rho": 0.1}, ValueError, "positive semi-definite"),
        ({"kappa": 0.8, "eta": 0.8}, ValueError, "positive semi-definite"),
        ({"kappa": [0.1, 0.8], "eta": 0.8}, ValueError, "kappa=0.8"),
    ],
)
def test_overlaps_refuse(overlaps, error, message):
    with pytest.raises(error, match=message):
        Overlaps(**overlaps)


def test_overlaps_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        Overlaps(0.5).kappa[...] = 0


@given(st.integers(2, 9), st.integers(0, 2**32 - 1))
def test_overlaps_of_vectors_are_admissible_and_agree_with_the_full_gram_matrix(d, seed):
    k, v = np.random.default_rng(seed).standard_normal((2, d))
    k, v = k / np.linalg.norm(k), v / np.linalg.norm(v)
    o = Overlaps(kappa=k[0], nu=v[1], theta=v[0], eta=k[1], rho=k @ v)
    vectors = np.stack([k, v, np.eye(d)[0], np.eye(d)[1]])
    assert np.linalg.eigvalsh(vectors @ vectors.T)[0] > -1e-14
    assert o.distance == pytest.approx(math.sqrt(v[0] ** 2 + k[1] ** 2 + (k @ v) ** 2))


@given(st.lists(st.floats(-1.2, 1.2), min_size=5, max_size=5))
def test_admissible_exactly_when_the_gram_matrix_is_semidefinite(values):
    kappa, nu, theta, eta, rho = values
    gram = np.array([[1, rho, kappa, eta], [rho, 1, theta, nu], [kappa, theta, 1, 0], [eta, nu, 0, 1]])
    smallest = np.linalg.eigvalsh(gram)[0]
    if smallest > 10 * GRAM_TOLERANCE:
        Overlaps(*values)
    elif smallest < -10 * GRAM_TOLERANCE:
        with pytest.raises(ValueError, match="positive semi-definite"):
            Overlaps(*values)


@pytest.mark.parametrize("d", [2, 3, 5, 80])
def test_sphere_starts_have_the_law_of_drawn_vectors(d):
    n, rng = 4000, np.random.default_rng(7)
    drawn = rng.standard_normal((2, n, d))
    k, v = drawn / np.linalg.norm(drawn, axis=2, keepdims=True)
    direct = np.stack([k[:, 0], v[:, 1], v[:, 0], k[:, 1], (k * v).sum(1)])
    exact = Overlaps.random(n, Task(d, 1), rng).stack()
    statistics = [direct, exact, direct[4] * direct[0] * direct[2], exact[4] * exact[0] * exact[2]]
    pairs = [*zip(statistics[0], statistics[1], strict=True), (statistics[2], statistics[3])]
    assert min(stats.ks_2samp(a, b).pvalue for a, b in pairs) > 1e-5


@pytest.mark.parametrize("d", [3, 4, 30])
def test_manifold_starts_are_on_the_manifold_with_coordinates_of_a_sphere(d):
    o = Overlaps.random(4000, Task(d, 1), np.random.default_rng(3), on="manifold")
    assert o.distance.max() == 0
    assert abs((o.kappa**2).mean() * (d - 2) - 1) < 0.1
    Overlaps(**{name: getattr(o, name) for name in NAMES})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((-1, TASK, np.random.default_rng(0)), ValueError, "n must be >= 0"),
        ((2, TASK, 0), TypeError, "rng must be a numpy.random.Generator, got 0"),
        ((2, Task(1, 1), np.random.default_rng(0)), ValueError, "d .for random starts. must be >= 2"),
        (
            (2, TASK, np.random.default_rng(0), "torus"),
            ValueError,
            "on must be 'sphere' or 'manifold', got 'torus'",
        ),
    ],
)
def test_random_starts_refuse(arguments, error, message):
    with pytest.raises(error, match=message):
        Overlaps.random(*arguments)
