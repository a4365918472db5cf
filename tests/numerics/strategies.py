"""Hypothesis strategies: parameters over all magnitudes, overlaps on every face of the Gram cone."""

import math

import numpy as np
from hypothesis import strategies as st

from numerics import Overlaps, Task


def log_uniform(low, high):
    """Numbers between low and high: the ends, and numbers uniform in the logarithm."""
    return st.sampled_from([low, high]) | st.floats(math.log(low), math.log(high)).map(math.exp)


tasks = st.builds(
    Task, d=log_uniform(1, 1e15).map(int), L=log_uniform(1, 1e9).map(int), gamma=log_uniform(1e-8, 1e8)
)
lams = log_uniform(1e-12, 1e6)


ULPS = st.lists(st.integers(-3, 3), min_size=5, max_size=5).map(lambda ulps: 2.0**-53 * np.array(ulps))


@st.composite
def overlaps(draw, off=True):
    """Overlaps of drawn vectors, k = +-k*, k = +-v*, v = +-k and low rank included; some a few ulps off."""
    d = draw(st.integers(2, 7))
    coordinate = st.sampled_from([0.0, 1.0, -1.0]) | st.floats(-1, 1)
    axis = st.sampled_from([s * row for s in (1, -1) for row in np.eye(d)[:2]])
    vector = axis | st.lists(coordinate, min_size=d, max_size=d).map(lambda x: _unit(np.array(x)))
    k = draw(vector)
    v = draw(vector | st.sampled_from([k, -k]))
    values = np.array([k[0], v[1], v[0], k[1], np.clip(k @ v, -1, 1)])
    return Overlaps(*(values + draw(st.just(0.0) | ULPS if off else st.just(0.0))))


def _unit(x):
    norm = np.linalg.norm(x)
    return x / norm if norm > 1e-3 else np.eye(len(x))[0]
