"""Results show themselves, as text and as HTML."""

import numpy as np

from numerics import Overlaps, Task, display
from numerics.montecarlo import estimate_risk

TASK = Task(d=400, L=10)


def test_the_text_of_one_run_evaluates_to_it():
    o = Overlaps(kappa=1 / 3, nu=-0.5, eta=1e-17)
    assert eval(repr(o)) == o


def test_the_text_of_many_runs_is_short():
    assert len(repr(Overlaps.random(1000, TASK, np.random.default_rng(0)))) < 500


def test_overlaps_as_html():
    html = Overlaps(kappa=np.linspace(0, 0.5, 20), nu=0.25)._repr_html_()
    assert html.count("<tr>") == 5
    assert html.count("…") == 5
    assert "<td>0.25</td>" in html


def test_estimates_as_html_carry_their_parameters():
    estimate = estimate_risk(Overlaps(kappa=0.5, nu=0.5), 0.1, TASK, samples=1000, seed=7)
    html = estimate._repr_html_()
    for text in (f"{estimate.value:.8g}", "seed 7", "standard error", "1,000"):
        assert text in html


def test_html_is_escaped():
    assert display.table([("<k>", ["a&b"])]) == "<table><tr><th>&lt;k&gt;</th><td>a&amp;b</td></tr></table>"
