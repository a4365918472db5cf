"""The branch-free error function against SciPy's."""

import numpy as np
from scipy import special

from numerics.montecarlo.erf import erf


def test_within_four_units_in_the_last_place_of_scipy():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.standard_normal(2000) * 10.0**e for e in range(-12, 2)])
    expected = special.erf(x)
    got = np.array([erf(float(t)) for t in x])
    assert np.max(np.abs(got - expected) / np.spacing(np.abs(expected))) <= 4


def test_at_the_ends():
    assert [erf(0.0), erf(6.0), erf(-6.0), erf(1e300), erf(-1e300)] == [0, 1, -1, 1, -1]
