"""Monte Carlo: time to a standard error against a vectorised NumPy sampler in R^d, rates, and memory."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy.special import erf

from numerics import Overlaps, Task, estimate_risk
from numerics.montecarlo import Estimate
from numerics.montecarlo.streams import Stage, generator

OVERLAPS = Overlaps(kappa=0.9, nu=0.8, theta=0.1, eta=-0.1, rho=0.05)
LAM = 0.5
MIB = 2**20


def run() -> None:
    """Print every figure with what it is compared to."""
    estimate_risk(OVERLAPS, LAM, Task(d=4, L=2), samples=100)
    _time_to_standard_error()
    _cost_of_dimension()
    _normals_per_second()
    _memory()


def _time_to_standard_error() -> None:
    """Seconds times squared standard error: the time to a standard error of 1, the same for any number of
    samples."""
    task = Task(d=400, L=10)
    plain = _best(lambda: numpy_sampler(task, 4000))
    print(f"d = 400, L = 10, seconds to a standard error of 1e-3: NumPy in R^d {plain * 1e6:.3g}")
    for options in (
        {"estimator": "definition", "samples": 400_000},
        {"samples": 400_000, "control_variates": False},
        {"samples": 4_000_000},
        {"samples": 2**19, "points": "sobol"},
        {"estimator": "three-scores", "samples": 2**19, "points": "sobol"},
    ):
        fast = _best(lambda options=options: _cost(estimate_risk(OVERLAPS, LAM, task, **options)))
        print(f"  {options}: {fast * 1e6:.3g}, {plain / fast:,.0f} times faster")


def numpy_sampler(task: Task, samples: int, chunk: int = 500) -> float:
    """The plain way: draw X whole in R^(L x d), vectorised over samples. Seconds times squared standard
    error."""
    rng = np.random.default_rng(0)
    k, v, k_star, v_star = _vectors(task.d)
    start, errors = time.perf_counter(), []
    for _ in range(0, samples, chunk):
        rows, location = np.arange(chunk), rng.integers(task.L, size=chunk)
        x = rng.standard_normal((chunk, task.L, task.d))
        x[rows, location] = task.gamma * x[rows, location] + task.signal * k_star
        prediction = (erf(LAM * (x @ k)) * (x @ v)).sum(axis=1)
        errors.append((x[rows, location] @ v_star - prediction) ** 2)
    squares = np.concatenate(errors)
    return (time.perf_counter() - start) * squares.var(ddof=1) / squares.size


def _vectors(d: int) -> tuple[np.ndarray, ...]:
    """k, v, k*, v* with the overlaps."""
    gram = np.eye(4)
    kappa, nu, theta, eta, rho = OVERLAPS.stack()
    for (i, j), value in {(0, 2): kappa, (0, 3): eta, (1, 2): theta, (1, 3): nu, (0, 1): rho}.items():
        gram[i, j] = gram[j, i] = value
    vectors = np.zeros((4, d))
    vectors[:, :4] = np.linalg.cholesky(gram)
    return tuple(vectors)


def _cost_of_dimension() -> None:
    pairs = [(_seconds(400), _seconds(10**6)) for _ in range(7)]
    few, many = (min(times) for times in zip(*pairs, strict=True))
    print(f"4e6 samples at L = 10: d = 400 {few:.3f} s, d = 1e6 {many:.3f} s, ratio {many / few:.2f}")


def _seconds(d: int) -> float:
    return estimate_risk(OVERLAPS, LAM, Task(d=d, L=10), samples=4_000_000).seconds


def _normals_per_second() -> None:
    """One thread each."""
    task, samples = Task(d=400, L=100), 400_000
    draws = np.empty(2**17)
    bare = {
        "the same generator": generator(0, Stage.MAIN, 0),
        "numpy.random.default_rng": np.random.default_rng(0),
    }
    with ThreadPoolExecutor(1) as thread:
        for lam in (0.1, 1.0):
            engine = _best(lambda lam=lam: _engine_seconds(lam, task, samples, thread))
            print(f"engine at L = 100, lam = {lam}: {samples * task.L / engine / 1e6:.0f}e6 normals a second")
            for name, rng in bare.items():
                best = _best(lambda rng=rng: _timed(lambda: rng.standard_normal(out=draws), 100)) / draws.size
                share = samples * task.L * best / engine
                print(f"  {name}, bare: {1 / best / 1e6:.0f}e6; ratio {share:.2f}")


def _engine_seconds(lam: float, task: Task, samples: int, thread: ThreadPoolExecutor) -> float:
    return estimate_risk(OVERLAPS, lam, task, samples=samples, executor=thread).seconds


def _memory() -> None:
    """Peak of the memory that a run takes."""
    for L, samples in ((10, 4_000_000), (10_000, 2000), (10**7, 4)):
        tracemalloc.start()
        estimated = estimate_risk(OVERLAPS, LAM, Task(d=400, L=L), samples=samples)
        peak = tracemalloc.get_traced_memory()[1] / MIB
        tracemalloc.stop()
        print(f"L = {L:,}, {samples:,} samples: peak {peak:.0f} MiB of 256 MiB, {estimated.seconds:.2f} s")


def _cost(estimated: Estimate) -> float:
    return estimated.seconds * estimated.standard_error**2


def _timed(action: Callable[[], Any], repetitions: int) -> float:
    start = time.perf_counter()
    for _ in range(repetitions):
        action()
    return (time.perf_counter() - start) / repetitions


def _best(measure: Callable[[], float]) -> float:
    return min(measure() for _ in range(5))
