"""The engine: reproducible on any executor, resumable, bounded in memory, stopping as it says."""

import json
import tracemalloc
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from numerics import Overlaps, Task, estimate_risk, excess_risk
from numerics.montecarlo import (
    BayesFromConfusion,
    Definition,
    Estimate,
    Expectation,
    Scores,
    Vectors,
    estimate,
    replay,
)
from numerics.montecarlo.points import SOBOL_NUMBERS, points_by_name
from tests.numerics.montecarlo.quantities import FUSE, Constant, Exponential, Killed, Slow, second_moment

TASK = Task(d=400, L=10)
OVERLAPS = Overlaps(kappa=0.5, nu=0.3, theta=0.2, eta=0.1, rho=0.25)
MIB = 2**20


class Backwards(Executor):
    """Runs what it is given only when a result is asked for, and the last first."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, /, *arguments, **keywords):
        future = _Lazy(self, function, arguments, keywords)
        self.waiting.append(future)
        return future


class _Lazy(Future):
    def __init__(self, executor, *call):
        super().__init__()
        self.executor, self.call = executor, call

    def result(self, timeout=None):
        while self.executor.waiting:
            last = self.executor.waiting.pop()
            function, arguments, keywords = last.call
            last.set_result(function(*arguments, **keywords))
        return super().result(0)


def risk(**options):
    return estimate_risk(OVERLAPS, 0.5, TASK, samples=123_457, seed=5, **options)


def same(a, b):
    return (a.value, a.standard_error, a.samples) == (b.value, b.standard_error, b.samples)


@pytest.mark.parametrize("workers", [1, 2, 16])
def test_same_bits_for_any_number_of_workers(workers):
    with ThreadPoolExecutor(workers) as threads:
        assert same(risk(executor=threads), risk())


@pytest.mark.parametrize("chunk", [1, 1000, 20_000, 10**9])
def test_same_bits_for_any_chunk(chunk):
    assert same(risk(chunk=chunk), risk())


def test_same_bits_in_whatever_order_chunks_are_computed():
    assert same(risk(executor=Backwards(), chunk=1), risk())


@pytest.mark.parametrize("points", ["random", "antithetic", "sobol"])
def test_same_bits_under_an_error_target(points):
    options = {"relative_error": 1e-3, "points": points, "seed": 3}
    with ThreadPoolExecutor(3) as threads:
        one = estimate_risk(OVERLAPS, 0.5, Task(d=9, L=3), executor=threads, chunk=1, **options)
    assert same(one, estimate_risk(OVERLAPS, 0.5, Task(d=9, L=3), **options))


def test_seeds_matter():
    assert risk().value != estimate_risk(OVERLAPS, 0.5, TASK, samples=123_457, seed=6).value


@pytest.mark.slow
def test_same_bits_in_other_processes():
    with ProcessPoolExecutor(2) as processes:
        assert same(risk(executor=processes), risk())
        g = Expectation(second_moment, TASK)
        here = estimate(g, samples=50_000)
        assert same(estimate(g, samples=50_000, executor=processes), here)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_same_bits_on_a_dask_cluster():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert same(risk(executor=client.get_executor()), risk())


@pytest.mark.parametrize("samples", [1, 2, 7, 1000, 16_384, 16_385, 40_000])
def test_exactly_as_many_samples_as_asked_for(samples):
    estimated = estimate(Exponential(), samples=samples)
    assert (estimated.samples, estimated.stopped, estimated.pilot_samples) == (samples, "samples", 0)
    assert np.isfinite(estimated.standard_error) == (samples > 1)


def test_the_value_is_the_mean_of_the_replayed_samples():
    blocks = np.concatenate([replay(Exponential(), seed=4, block=block) for block in (0, 1)])
    estimated = estimate(Exponential(), samples=len(blocks), seed=4)
    assert estimated.value == pytest.approx(blocks.mean(), rel=1e-14)
    assert estimated.standard_error == pytest.approx(blocks.std(ddof=1) / len(blocks) ** 0.5, rel=1e-12)
    centred = blocks - blocks.mean()
    skewness = (centred**3).mean() / (centred**2).mean() ** 1.5
    assert estimated.asymmetry == pytest.approx(skewness / len(blocks) ** 0.5, rel=1e-9)


@pytest.mark.parametrize("points", ["random", "antithetic", "sobol"])
@pytest.mark.parametrize("target", [{"relative_error": 0.03}, {"absolute_error": 0.2}])
def test_error_targets_are_met(points, target):
    estimated = estimate_risk(OVERLAPS, 0.9, TASK, points=points, estimator="three-scores", **target)
    low, high = estimated.interval
    allowed = target.get("absolute_error", 0.03 * estimated.value)
    assert estimated.stopped == "target"
    assert (high - low) / 2 <= allowed * (1 + 1e-12)
    assert abs(estimated.value - excess_risk(OVERLAPS, 0.9, TASK)) < 3 * allowed


def test_a_run_to_a_target_is_repeated_by_its_samples():
    run = estimate_risk(OVERLAPS, 0.9, TASK, relative_error=0.01, seed=8)
    assert run.samples < 2000
    assert same(run, estimate_risk(OVERLAPS, 0.9, TASK, samples=run.samples, seed=8))


def test_a_tighter_level_takes_more_samples():
    few, many = (estimate(Exponential(), relative_error=0.01, level=level) for level in (0.9, 0.999))
    assert many.samples > 3 * few.samples


def test_a_samples_budget_ends_a_run_short_of_its_target():
    estimated = estimate(Exponential(), relative_error=1e-6, samples=20_000)
    assert (estimated.samples, estimated.stopped) == (20_000, "samples")


def test_a_time_budget_ends_a_run_and_the_samples_replay_it():
    timed = estimate(Slow(), seconds=0.3)
    assert timed.stopped == "seconds"
    again = estimate(Exponential(), samples=timed.samples)
    assert (timed.value, timed.standard_error) == (again.value, again.standard_error)


def test_an_unreachable_target_is_refused():
    with pytest.raises(ValueError, match="out of reach"):
        estimate(Exponential(), relative_error=1e-12)


def test_a_constant_meets_any_target():
    assert estimate(Constant(0.0), relative_error=1e-9).standard_error == 0
    assert estimate(Constant(2.5), relative_error=1e-9).value == 2.5


def test_a_killed_run_resumes_to_the_same_bits(tmp_path):
    file, samples = tmp_path / "run.json", 20 * 16_384 + 17
    FUSE[0] = 12
    with ThreadPoolExecutor(1) as thread, pytest.raises(KeyboardInterrupt):
        estimate(Killed(), samples=samples, checkpoint=file, executor=thread, chunk=1)
    blocks = json.loads(file.read_text())["stages"]["MAIN"]["blocks"]
    assert 0 < blocks < 12
    FUSE[0] = -1
    resumed = estimate(Killed(), samples=samples, checkpoint=file)
    assert -FUSE[0] - 1 == 21 - blocks
    assert same(resumed, estimate(Exponential(), samples=samples))
    assert resumed.seconds > 0


def test_a_finished_run_is_refined_from_its_checkpoint(tmp_path):
    file = tmp_path / "run.json"
    options = {"checkpoint": file, "seed": 2}
    estimate(Exponential(), relative_error=0.01, **options)
    refined = estimate(Exponential(), relative_error=0.003, **options)
    assert same(refined, estimate(Exponential(), relative_error=0.003, seed=2))
    coarse = estimate(Exponential(), relative_error=0.1, **options)
    assert coarse.stopped == "target"
    with pytest.raises(ValueError, match=r"at least the \d+ of the checkpoint"):
        estimate(Exponential(), samples=10, **options)


def test_a_checkpoint_of_something_else_is_refused(tmp_path):
    file = tmp_path / "run.json"
    estimate(Exponential(), samples=100, checkpoint=file)
    for quantity, options in (
        (Exponential(2.0), {}),
        (Exponential(), {"seed": 1}),
        (Exponential(), {"points": "antithetic"}),
    ):
        with pytest.raises(ValueError, match="same quantity, seed"):
            estimate(quantity, samples=100, checkpoint=file, **options)
    file.write_text("{}")
    with pytest.raises(ValueError, match="not readable"):
        estimate(Exponential(), samples=100, checkpoint=file)


def test_progress_is_told():
    told = []
    estimate(Exponential(), samples=100_000, progress=told.append, chunk=1)
    assert [p.samples for p in told] == [*range(16_384, 100_001, 16_384), 100_000]
    assert {p.planned for p in told} == {100_000}


@pytest.mark.parametrize(
    ("quantity", "samples"),
    [
        (Scores(OVERLAPS, 0.5, TASK), 400_000),
        (Scores(OVERLAPS, 0.5, Task(d=400, L=10_000)), 300),
        (Scores(OVERLAPS, 0.5, Task(d=10**6, L=10**7)), 2),
        (Definition(OVERLAPS, 0.5, Task(d=400, L=10**6)), 2),
        (BayesFromConfusion(Task(d=400, L=10**6)), 2),
        (Scores(Overlaps(kappa=np.linspace(0, 1, 20_000), nu=0.5), 0.5, TASK), 20),
        (Vectors(OVERLAPS, 0.5, Task(d=400, L=10_000)), 2),
        (Expectation(second_moment, Task(d=400, L=10**6)), 2),
    ],
)
def test_memory_is_bounded(quantity, samples):
    with ThreadPoolExecutor(2) as threads:
        tracemalloc.start()
        estimate(quantity, samples=samples, executor=threads, control_variates=False)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 256 * MIB


def test_memory_of_sobol_points_is_bounded():
    tracemalloc.start()
    quantity = Scores(OVERLAPS, 0.5, Task(d=400, L=1000))
    points = points_by_name("sobol", quantity, None)
    assert points.size * quantity.dimension > SOBOL_NUMBERS // 4
    points.observe(quantity, np.random.default_rng(0), 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 256 * MIB


def test_estimates_save_and_load(tmp_path):
    for o in (OVERLAPS, Overlaps(kappa=[0.1, 0.2], nu=0.5)):
        estimated = estimate_risk(o, 0.5, TASK, samples=20_000)
        estimated.save(tmp_path / "estimate.json")
        loaded = Estimate.load(tmp_path / "estimate.json")
        assert np.array_equal(loaded.value, estimated.value)
        assert np.array_equal(loaded.interval, estimated.interval)
        assert repr(loaded) == repr(estimated)
    (tmp_path / "other.json").write_text('{"value": 1}')
    with pytest.raises(ValueError, match="does not hold a saved estimate"):
        Estimate.load(tmp_path / "other.json")


def test_an_estimate_explains_itself():
    text = repr(estimate_risk(OVERLAPS, 0.5, TASK, samples=20_000, seed=9))
    for part in ("Scores", "±", "0.95 interval", "20,000 samples", "seed 9", "stopped by samples"):
        assert part in text


def test_a_value_carried_by_rare_samples_is_flagged():
    estimated = estimate_risk(Overlaps(kappa=1, nu=1), 0.9, Task(d=50, L=1), samples=50_000)
    assert estimated.doubtful
    assert "interval doubtful" in repr(estimated)
    assert not risk().doubtful


def test_an_estimate_of_several_numbers_is_shown_with_six_digits():
    """From more than eight numbers on those in the middle are left out."""
    one = estimate_risk(OVERLAPS, 0.5, TASK, samples=20_000, seed=9)
    for count, shown in ((2, "[0.123457 0.123457]"), (9, "[0.123457 0.123457 0.123457 ... 0.123457")):
        several = replace(one, value=np.full(count, 0.123456789), standard_error=np.full(count, 0.0123))
        assert shown in repr(several)
        assert "with standard errors up to 0.012" in repr(several)
    assert "..." not in repr(replace(one, value=np.full(8, 0.1), standard_error=np.full(8, 0.1)))
