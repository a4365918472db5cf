"""Schedules and the settings of iterative algorithms."""

import numpy as np
import pytest

from numerics import InverseTimeDecay, schedules
from numerics.iteration import BLOCK, Iteration


def test_inverse_time_decay_is_its_formula():
    steps = np.array([[0, 1], [10, 10**9]])
    np.testing.assert_array_equal(InverseTimeDecay(2.0, 1e-4)(steps), 2 / (1 + 1e-4 * steps))


@pytest.mark.parametrize(("start", "rate"), [(0, 1), (-1, 1), (1, -1), (np.inf, 1), (1, np.nan)])
def test_inverse_time_decay_refuses(start, rate):
    with pytest.raises(ValueError, match=r"start|rate"):
        InverseTimeDecay(start, rate)


@pytest.mark.parametrize(
    ("schedule", "error", "message"),
    [
        (0, ValueError, "lam must be a finite number > 0, got 0"),
        (np.nan, ValueError, "lam must be a finite number > 0, got nan"),
        ("fast", TypeError, "lam must be a number > 0 or a callable"),
        (None, TypeError, "lam must be"),
        (lambda n: 1 - n, ValueError, "lam must be finite and > 0 everywhere, got 0.0 at 1.0"),
        (lambda n: np.inf / (n - 2), ValueError, "lam must be finite and > 0"),
        (
            lambda n: 1.0,
            ValueError,
            r"lam must return an array of the shape of its argument, \(3,\), got \(\)",
        ),
        (lambda n: n[:-1] + 1, ValueError, "shape"),
        (lambda n: ["a"] * 3, TypeError, "lam must return an array of numbers"),
    ],
)
def test_bad_schedules_name_the_argument(schedule, error, message):
    with pytest.raises(error, match=message):
        schedules.evaluate("lam", schedules.check("lam", schedule), np.arange(3))


def test_schedules_get_floats_so_that_negative_powers_work():
    np.testing.assert_array_equal(schedules.evaluate("lam", lambda n: (n + 1) ** -2, np.arange(2)), [1, 0.25])


def test_descriptions_are_reproducible():
    def halving(n):
        return 0.5**n

    assert schedules.describe(0.5) == 0.5
    assert schedules.describe(InverseTimeDecay(1, 0.5)) == "InverseTimeDecay(start=1.0, rate=0.5)"
    assert "0x" not in schedules.describe(halving)


@pytest.mark.parametrize(
    ("steps", "every"),
    [(0, None), (1, 1), (7, None), (60, 4), (3 * BLOCK + 1, 1), (5 * BLOCK, 5 * BLOCK // 2)],
)
def test_blocks_cover_every_step_once_and_end_at_the_records(steps, every):
    iteration = Iteration(InverseTimeDecay(1, 0.1), 0.1, steps, every)
    seen, recorded = [], {0: 0}
    for block in iteration.blocks():
        assert 0 < block.lam.size <= BLOCK
        steps_here = np.arange(block.start, block.start + block.lam.size)
        np.testing.assert_array_equal(block.lam, 1 / (1 + 0.1 * steps_here))
        seen.extend(steps_here)
        for row in range(block.rows.start, block.rows.stop):
            recorded[row] = block.start + (row - block.slot + 1) * block.stride
    assert seen == list(range(steps))
    assert [recorded[row] for row in range(len(recorded))] == list(iteration.recorded)


def test_recorded_lam_is_that_of_the_step_that_led_there():
    np.testing.assert_allclose(Iteration(InverseTimeDecay(1, 1), 0.1, 4, 2).recorded_lam(), [1, 1 / 2, 1 / 4])


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"steps": -1}, ValueError, "steps must be >= 0"),
        ({"steps": 1.5}, TypeError, "steps must be an integer"),
        ({"record_every": 3}, ValueError, "record_every must divide steps=10, got 3"),
        ({"record_every": 0}, ValueError, "record_every must be >= 1"),
        ({"step_size": 0}, ValueError, "step_size must be a finite number > 0"),
        ({"step_size": -0.1}, ValueError, "step_size must be a finite number > 0"),
        ({"lam": -1}, ValueError, "lam must be a finite number > 0"),
    ],
)
def test_bad_settings_name_the_argument(changes, error, message):
    with pytest.raises(error, match=message):
        Iteration(**({"lam": 1, "step_size": 0.1, "steps": 10, "record_every": 5} | changes))
