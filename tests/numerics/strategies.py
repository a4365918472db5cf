"""Hypothesis strategies: parameters over all magnitudes, overlaps on every face of the Gram cone."""

import math

import numpy as np
from hypothesis import strategies as st

from numerics import Overlaps, Task


def log_uniform(low, high):
    """Numbers between low and high, uniform in the logarithm; the ends are favoured when it shrinks."""
    return st.floats(math.log(low), math.log(high)).map(math.exp)


tasks = st.builds(
    Task, d=log_uniform(1, 1e15).map(int), L=log_uniform(1, 1e9).map(int), gamma=log_uniform(1e-8, 1e8)
)
lams = log_uniform(1e-12, 1e6)


@st.composite
def overlaps(draw):
    """Admissible overlaps of drawn vectors, k = +-k*, k = +-v*, v = +-k and low rank included."""
    d = draw(st.integers(2, 7))
    coordinate = st.sampled_from([0.0, 1.0, -1.0]) | st.floats(-1, 1)
    vectors = []
    for _ in range(2):
        x = np.array(draw(st.lists(coordinate, min_size=d, max_size=d)))
        if np.linalg.norm(x) < 1e-3:
            x = np.eye(d)[0]
        vectors.append(x / np.linalg.norm(x))
    k, v = vectors
    if draw(st.booleans()):
        v = draw(st.sampled_from([k, -k, v]))
    return Overlaps(kappa=k[0], nu=v[1], theta=v[0], eta=k[1], rho=float(np.clip(k @ v, -1, 1)))
