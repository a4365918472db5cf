"""Critical points: found, proved, counted; what the proofs rest on encloses what it must."""

import json
from dataclasses import replace

import numpy as np
import pytest
from flint import arb, arb_mat

from numerics import Overlaps, Task, excess_risk, flow_velocity
from numerics.arb import ARB, precision
from numerics.landscape import (
    basins,
    branches,
    certify,
    completeness,
    cover,
    find,
    krawczyk,
    listed,
    report,
    square,
    thresholds,
)
from numerics.landscape.basins import UNEXPLAINED, Share
from numerics.landscape.intervals import Interval, half_angle
from numerics.landscape.jets import Jet, coordinates
from numerics.landscape.lagrange import Lagrange
from numerics.landscape.parameters import Parameters
from numerics.landscape.points import CriticalPoint
from numerics.landscape.profile import CELLS, NAMES, IntervalProfile, PointProfile
from numerics.landscape.share_grid import share_grid

TASK = Task(d=400, L=10)


@pytest.fixture(scope="module")
def small():
    return find.critical_points(Parameters.of_task(0.1, TASK))


def contains(interval, value):
    return np.all((interval.lo <= value) & (value <= interval.hi))


def random_intervals(rng, n, low=-3.0, high=3.0):
    ends = np.sort(rng.uniform(low, high, (2, n)), axis=0)
    return Interval(*ends), ends[0] + (ends[1] - ends[0]) * rng.uniform(size=n)


@pytest.mark.parametrize("operation", ["+", "-", "*", "/", "**2", "sqrt"])
def test_interval_arithmetic_encloses(operation):
    rng = np.random.default_rng(0)
    (one, x), (other, y) = (random_intervals(rng, 5000) for _ in range(2))
    with np.errstate(all="ignore"):
        cases = {
            "+": (one + other, x + y),
            "-": (one - 2.5, x - 2.5),
            "*": (one * other, x * y),
            "/": (one / other, x / y),
            "**2": (one**2, x**2),
            "sqrt": ((one**2).sqrt(), np.abs(x)),
        }
    assert contains(*cases[operation])


def test_half_angles_are_enclosed_and_tight():
    x, at = random_intervals(np.random.default_rng(1), 5000)
    sine, cosine = half_angle(x)
    angle = 2 * np.arctan(at)
    assert contains(sine + Interval(-1e-15, 1e-15), np.sin(angle))
    assert contains(cosine + Interval(-1e-15, 1e-15), np.cos(angle))
    assert sine.hi.max() == 1.0
    assert cosine.hi.max() == 1.0


@pytest.mark.parametrize("lam", [0.1, 0.9])
def test_the_profile_is_enclosed_on_boxes(lam):
    """Never once outside: against Arb at 100 bits, at random points of random intervals."""
    parameters = Parameters.of_task(lam, TASK)
    rng = np.random.default_rng(2)
    centre, width = rng.uniform(-0.5 / CELLS, 1, 60), 10.0 ** rng.uniform(-9, -0.3, 60)
    box = Interval(np.maximum(centre - width, -0.02), np.minimum(centre + width, 1.0))
    at = box.lo + (box.hi - box.lo) * rng.uniform(size=60)
    found = IntervalProfile(parameters)(Jet(box, {0: 1.0}))
    with precision(100):
        exact = PointProfile(ARB, parameters.balls())
        for i, x in enumerate(at):
            for name, jet in exact(Jet(arb(x), {0: arb(1)})).items():
                for ball, interval in (
                    (jet.value, found[name].value),
                    (jet.slopes[0], found[name].slopes[0]),
                ):
                    inside = arb(interval.lo[i]) <= ball <= arb(interval.hi[i])
                    assert inside or ball.contains(interval.lo[i]), (name, x)
    assert set(found) == set(NAMES)


def test_jets_agree_with_differences():
    chart = find.search.charts(Parameters.of_task(0.3, TASK))[2]
    at, h = np.array([0.4, 0.6, 0.3]), 1e-6
    jets = chart.equations(coordinates(list(at)))
    for i in range(3):
        step = h * np.eye(3)[i]
        ahead, behind = (chart.equations(coordinates(list(at + s * step))) for s in (1, -1))
        for jet, plus, minus in zip(jets, ahead, behind, strict=True):
            assert jet.slopes[i] == pytest.approx((plus.value - minus.value) / (2 * h), rel=1e-6, abs=1e-6)


def test_known_points_and_their_index_at_small_lam(small):
    names = {point.name: point for point in small}
    assert len(small) == 12
    assert all(point.certified for point in small)
    assert names["oracle"].index == names["role-swapped"].index == 0
    assert names["role-swapped"].overlaps[2] == pytest.approx(0.6297722698689318, abs=1e-15)
    assert names["orthogonal"].index == 2
    assert names["orthogonal"].nullity == 2 * 400 - 7
    assert names["complete swap"].index == 399
    assert names["planar maximum"].index == 2 * 399


@pytest.mark.parametrize(("d", "lam"), [(5, 0.4), (6, 1.5)])
def test_euler_characteristic(d, lam):
    """Morse-Bott: the orbits' signed Euler characteristics sum to that of S^(d-1) x S^(d-1)."""

    def sphere(n):
        return 1 + (-1) ** n

    orbits = [1, sphere(d - 3), sphere(d - 3) * sphere(d - 4)]
    points = find.critical_points(Parameters.of_task(lam, Task(d, 3)), starts=256)
    total = sum(len(point.images) * (-1) ** point.index * orbits[point.rank] for point in points)
    assert total == sphere(d - 1) ** 2


def test_risk_and_flow_agree_with_the_kernels(small):
    for point in small:
        o = Overlaps.unchecked(np.array(point.overlaps))
        assert float(excess_risk(o, 0.1, TASK)) == pytest.approx(point.excess_risk, rel=1e-12)
        assert np.abs(flow_velocity(o, 0.1, TASK).stack()).max() < 1e-10
        for image in point.images:
            o = Overlaps.unchecked(np.array(image))
            assert float(excess_risk(o, 0.1, TASK)) == pytest.approx(point.excess_risk, rel=1e-12)


def test_a_shifted_point_is_not_proved():
    parameters = Parameters.of_task(0.1, TASK)
    with precision(128):
        system = Lagrange(parameters, 3)
        shifted = system.completed(
            [arb(0), arb(1), arb(0)], [arb("0.63"), arb(0), (1 - arb("0.63") ** 2).sqrt()]
        )
        assert krawczyk.prove(system.function, system.jacobian, [x.mid() for x in shifted]) is None


def test_inertia():
    with precision(64):
        assert krawczyk.inertia(arb_mat([[2, 1], [1, -3]])) == krawczyk.Inertia(1, 1)
        assert krawczyk.inertia(arb_mat([[1, 1], [1, 1]])) is None


def test_undecided_is_said_and_not_certified():
    parameters = Parameters.of_task(0.9, TASK)
    chart = find.search.charts(parameters)[0]
    point = certify.critical_point(parameters, chart, [0.73245452, -0.16486394], last_bits=64)
    assert point is None
    point = certify.critical_point(parameters, chart, [0.73245452, -0.16486394])
    assert point.certified


@pytest.mark.slow
def test_extreme_parameters_are_certified():
    for lam, task in ((0.1, Task(10**6, 10)), (1e-3, Task(100, 1)), (50.0, Task(30, 3))):
        points = find.critical_points(Parameters.of_task(lam, task), starts=256)
        assert {"oracle", "role-swapped", "negated oracle"} <= {p.name for p in points if p.certified}


def test_shares_explain_every_run(small):
    found = basins.shares(small, 0.1, TASK, runs=20, seed=1)
    assert found[basins.UNEXPLAINED].arrived == 0
    assert found["oracle"].arrived + found["role-swapped"].arrived == 20
    low, high = found["oracle"].interval
    assert low < 0.5 < high


def test_the_report_is_json():
    found = report.landscape(0.1, Task(20, 4), runs=0)
    data = json.loads(found.to_json())
    entries = {entry["name"]: entry for entry in data["critical_points"]}
    assert entries["oracle"]["certified"] is True
    assert {"kappa", "nu", "theta", "eta", "rho", "excess_risk", "index", "share"} <= set(entries["oracle"])
    assert sum(entry["global_minimum"] for entry in entries.values()) == 1
    with pytest.raises(KeyError, match="no critical point is called 'x'"):
        found["x"]


@pytest.mark.parametrize(
    ("lam", "task", "message"),
    [(0.0, TASK, "lam"), (0.1, Task(3, 10), "d"), (float("nan"), TASK, "lam")],
)
def test_bad_parameters_are_refused(lam, task, message):
    with pytest.raises(ValueError, match=message):
        report.landscape(lam, task)


@pytest.mark.parametrize("d", [(4, 3), 3, "x", None])
def test_bad_boxes_are_refused(d):
    with pytest.raises((TypeError, ValueError), match="d must be"):
        Parameters.of(lam="0.1", d=d, L=10, gamma_squared="1/2")


def test_no_critical_point_is_missing(small):
    found = completeness.completeness(Parameters.of_task(0.1, TASK), small, cells=200_000)
    assert found.complete
    assert found.cells > 1000


def test_a_missing_point_leaves_a_cell_that_resists(small):
    known = [point for point in small if point.name != "planar saddle 1"]
    parameters = Parameters.of_task(0.1, TASK)
    chart = find.search.charts(parameters)[1]
    profile = IntervalProfile(parameters)
    boxes = completeness.Region(parameters, profile, tuple(known), 0).known(chart)
    found = cover.cover(chart.with_profile(profile), boxes, cells=5_000, seconds=60)
    assert not found.complete
    s, x = (0.95726022, -0.42401918)
    assert abs(np.mean(found.resisting[0]) - s) < 1e-3
    assert abs(np.mean(found.resisting[1]) - x) < 1e-3


EQUILIBRIA = ((0, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))


def test_the_square_of_the_manifold_on_a_box_of_parameters():
    box = Parameters.of(lam=("0.09", "0.11"), d=(380, 420), L=10, gamma_squared=("0.45", "0.55"))
    found = square.equilibria(box, EQUILIBRIA)
    assert found.proved
    assert sorted(found.types.values()) == ["saddle", "sink", "sink", "source", "source"]
    wrong = square.equilibria(Parameters.of_task(0.1, TASK), EQUILIBRIA[1:])
    assert not wrong.proved
    assert all(abs(float(low)) < 1e-6 for low, _ in wrong.resisting[1])


def test_thresholds_separate_the_signs():
    (zero,) = thresholds.threshold("oracle", d=400, L=10, gamma_squared="1/2").zeros
    assert float(zero[0]) == pytest.approx(0.8924379482, abs=1e-10)
    for lam, index in ((0.8924, 0), (0.8925, 1)):
        assert certify.on_manifold(Parameters.of_task(lam, TASK), 1).index == index


def test_thresholds_say_what_they_cannot_decide():
    found = thresholds.threshold("tie", d=400, L=10, gamma_squared="1/2", cells=5)
    assert found.resisting
    with pytest.raises(ValueError, match="name must be one of"):
        thresholds.threshold("x", d=400, L=10, gamma_squared="1/2")


ROW = listed.Listed(
    "planar saddle 1", ("0.043652254607", "0.999046786025"), ("0.718803114376", "-0.695213695754"), 398
)


@pytest.mark.parametrize(
    ("k", "unique"),
    [(ROW.k, True), (("0.043652354607", ROW.k[1]), False), (("0.5", "0.5"), False)],
)
def test_a_listed_point_is_the_only_one_in_its_box_or_none_is(k, unique):
    found = listed.examined(Parameters.of_task(0.1, TASK), replace(ROW, k=k))
    assert found.unique is unique
    assert found.index == (398 if unique else None)


def test_the_oracle_is_examined_where_its_curvature_is_below_the_working_precision():
    oracle = listed.Listed("oracle", ("1", "0"), ("0", "1"), 1)
    found = listed.examined(Parameters.of_task(0.9, TASK), oracle)
    assert found.unique
    assert found.index == 1


def test_the_third_minimum_has_a_name():
    points = find.critical_points(Parameters.of_task(0.9, TASK), starts=256)
    assert [p.name for p in points if p.kind == "minimum"] == ["tilted oracle", "role-swapped"]
    assert all(p.certified for p in points)


def test_destinations_are_reached_or_approached(small):
    minima = [point for point in small if point.kind == "minimum"]
    before = Overlaps.unchecked(np.array([[0.5, 0.6, 0, 0, 0], [0.99, 1, 0, 0, 0], [0.5, 0.6, 0, 0, 0]]).T)
    after = Overlaps.unchecked(np.array([[0.6, 0.6, 0, 0, 0], [0.99, 1, 0, 0, 0], [0.5, 0.6, 0, 0, 0]]).T)
    assert list(basins.destinations(before, after, minima)) == ["oracle", "oracle", ""]


def test_a_zero_of_a_singular_chart_is_no_critical_point():
    """At lam = 0.3 the turned chart is singular near a candidate of the search."""
    points = find.critical_points(Parameters.of_task(0.3, TASK), starts=256)
    assert all(point.certified for point in points)


def test_the_budget_of_a_proof_is_in_seconds(small):
    found = completeness.completeness(Parameters.of_task(0.1, TASK), small, seconds=0.0)
    assert set(found.left) == set(found.covers)
    assert all(part.resisting for part in found.left.values())


@pytest.fixture(scope="module")
def told():
    return report.landscape(0.1, Task(20, 4), runs=6, seconds=30.0)


def test_a_landscape_survives_json(told):
    assert report.Landscape.from_json(told.to_json()) == told
    without_runs = report.landscape(0.1, Task(20, 4), runs=0)
    assert report.Landscape.from_json(without_runs.to_json()) == without_runs
    assert without_runs.complete is None


def made_landscape():
    """A minimum that 5 of 8 runs reach, one more drifts to, and a saddle; 2 runs are lost."""
    overlaps = (1.0, 1.0, 0.0, 0.0, 0.0)
    minimum = CriticalPoint(overlaps, 0.25, 0.0, 0, 0, 0, certified=True, dimension=20, name="oracle")
    saddle = CriticalPoint((0.0,) * 5, 0.5, 0.0, 2, 2, 33, certified=False, dimension=20, name="orthogonal")
    shares = {"oracle": Share(8, 5, 1), UNEXPLAINED: Share(8, 2, 0)}
    settings = {"runs": 8, "seed": 3, "t_end": 10.0, "seconds": 0.0}
    return report.Landscape(0.1, Task(20, 4), (minimum, saddle), shares, settings)


def test_shares_are_told():
    made = made_landscape()
    first, second = made.as_dict()["critical_points"]
    assert (first["global_minimum"], first["share"], first["drifting_runs"]) == (True, 0.75, 1)
    assert first["share_interval"] == list(Share(8, 5, 1).interval)
    assert (second["global_minimum"], second["share"], second["drifting_runs"]) == (False, 0.0, 0)
    assert second["share_interval"] == list(Share(8, 0, 0).interval)
    assert made.as_dict()["unexplained_runs"] == made.unexplained_runs == 2
    assert report.Landscape.from_json(made.to_json()) == made


def test_a_landscape_is_shown():
    html = made_landscape()._repr_html_()
    low, high = Share(8, 5, 1).interval
    oracle = f"<td>0.25</td><td>0</td><td>minimum</td><td>0.750 ({low:.3f}, {high:.3f})</td>"
    assert (
        f"<tr><th>oracle</th><td>1.0000</td><td>1.0000</td><td>0.0000</td>{'<td>0.0000</td>' * 2}{oracle}"
        in html
    )
    assert "<td>0.5</td><td>2</td><td>saddle, not proved</td><td></td>" in html
    assert "2 critical points, 1 certified, minima: oracle; others not excluded" in repr(made_landscape())


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"d": 20, "L": 4}'])
def test_a_text_without_a_landscape_is_refused(text):
    with pytest.raises(ValueError, match="the text holds no landscape"):
        report.Landscape.from_json(text)


def test_a_landscape_explains_itself(told):
    assert "certified" in repr(told)
    html = told._repr_html_()
    assert html.startswith("<table><caption>Landscape at lambda = 0.1, d = 20, L = 4")
    assert all(f"<tr><th>{point.name}</th>" in html for point in told.points)


def test_the_report_says_what_is_not_covered():
    found = report.landscape(0.9, Task(40, 4), runs=0, seconds=1e-3)
    data = json.loads(found.to_json())
    assert data["complete"] is False
    assert any(part["resisting"] for part in data["parts"].values())
    assert "resists" in report.completeness_text(found)


def test_branches_follow_the_points():
    task = Task(20, 4)
    lams = branches.grid(task, points=3)[:3]
    landscapes = branches.landscapes(lams, task)
    found = branches.branches(landscapes)
    oracle = next(branch for branch in found if branch.points[0].name == "oracle")
    assert oracle.lams == tuple(lams)
    assert {point.name for point in oracle.points} == {"oracle"}
    assert sum(len(branch.lams) for branch in found) == sum(len(landscape.points) for landscape in landscapes)


def test_threshold_curves_are_the_thresholds():
    curves = branches.threshold_curves([Task(25, 1)])
    assert np.isnan(curves["oracle"])
    (zero,) = thresholds.threshold("complete swap", d=25, L=1, gamma_squared="1/2").zeros
    assert curves["complete swap"] == pytest.approx(float(zero[0]), abs=1e-10)


def test_the_fine_scale_encloses_and_is_tighter():
    """On a short span of kappa the enclosures meet the usual ones and are narrower; beyond is nothing."""
    parameters = Parameters.of_task(0.9, TASK)
    usual, fine = IntervalProfile(parameters), IntervalProfile(parameters, (0.2, 0.21))
    at = Jet(Interval(np.array([0.2052, 0.2069]), np.array([0.20520001, 0.2069])), {0: 1.0})
    wide, narrow = usual(at), fine(at)
    for name in NAMES:
        one, other = wide[name].value, narrow[name].value
        assert np.all((one.lo <= other.hi) & (other.lo <= one.hi))
        assert np.all(other.hi - other.lo <= 1.01 * (one.hi - one.lo))
    beyond = fine(Jet(Interval(np.array([0.1]), np.array([0.2])), {0: 1.0}))
    assert np.isinf(beyond["gate"].value.hi).all()


def test_shares_over_a_grid():
    calls = []
    tasks = [Task(40, 4), Task(20, 4)]
    found = share_grid([0.1, 0.2], tasks, runs=4, progress=lambda *done: calls.append(done))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert dict(found.sizes) == {"task": 2, "lam": 2, "end": 4}
    np.testing.assert_allclose(found.share.sum("end"), 1.0)
    assert bool(((found.low <= found.share) & (found.share <= found.high)).all())
    assert list(found.d.values) == [40, 20]
