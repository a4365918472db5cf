"""Every plotting function draws on the axes that it is given, or on new ones, and labels them."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from numerics import Overlaps, Task, excess_risk, gradient_flow, plotting, projected_gradient_descent
from numerics.landscape.branches import Branch
from numerics.landscape.points import CriticalPoint
from numerics.landscape.report import Landscape
from numerics.plotting import landscape

mpl.use("Agg")
TASK = Task(d=400, L=10)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def descent():
    start = Overlaps.random(5, TASK, np.random.default_rng(0))
    return projected_gradient_descent(start, 0.1, TASK, step_size=4e-3, steps=1000, record_every=50)


@pytest.fixture(scope="module")
def flow():
    return gradient_flow(Overlaps(kappa=0.1, nu=0.2), 0.1, TASK, t_end=4)


DRAWINGS = {
    "trajectories": plotting.trajectories,
    "plane": plotting.plane,
    "band": plotting.band,
    "risk_curves": plotting.risk_curves,
    "ensemble": plotting.ensemble,
    "phase_portrait": lambda _, ax=None: plotting.phase_portrait(0.1, TASK, ax=ax),
    "risk_map": lambda _, ax=None: plotting.risk_map(0.1, TASK, ax=ax),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_draws_on_the_given_axes(name, descent):
    _, (other, ax) = plt.subplots(1, 2)
    assert DRAWINGS[name](descent, ax=ax) is ax
    assert not other.has_data()
    assert ax.has_data()


@pytest.mark.parametrize("name", DRAWINGS)
def test_draws_on_new_labelled_axes(name, flow):
    ax = DRAWINGS[name](flow)
    assert ax.get_ylabel()
    assert ax.get_xlabel() or name == "ensemble"
    assert not plt.figure().axes
    ax.figure.canvas.draw()


def test_trajectories_show_the_data(descent):
    lines = plotting.trajectories(descent, "nu").lines
    np.testing.assert_array_equal([line.get_ydata() for line in lines], descent.nu)
    np.testing.assert_array_equal(lines[0].get_xdata(), descent.step)


def test_options_of_lines_are_passed_on(descent):
    ax = plotting.trajectories(descent, "nu", label="mine", color="red")
    assert [line.get_label() for line in ax.lines if line.get_label()[0] != "_"] == ["mine"]
    assert {line.get_color() for line in ax.lines} == {"red"}


def test_the_plane_is_folded_on_request(descent):
    lines = plotting.plane(descent, fold=True).lines
    np.testing.assert_array_equal([line.get_ydata() for line in lines[:5]], abs(descent.nu))


def test_a_band_is_the_median_and_the_quantiles(descent):
    ax = plotting.band(descent, "kappa", level=0.5)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), np.median(descent.kappa, axis=0))
    heights = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert set(np.quantile(descent.kappa, [0.25, 0.75], axis=0).ravel()) <= set(heights)


def test_risk_curves_of_several_datasets_have_a_legend(descent, flow):
    ax = plotting.risk_curves({"first": descent, "second": descent.isel(step=slice(5))})
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["first", "second"]
    assert ax.get_yscale() == "log"


def test_the_ensemble_shows_every_run(descent):
    ax = plotting.ensemble(descent)
    heights = np.concatenate([line.get_ydata() for line in ax.lines[:5]])
    assert set(descent.theta.values[:, -1]) <= set(heights)


def test_the_risk_map_is_the_risk():
    filled = plotting.risk_map(0.3, TASK).collections[0]
    corner = excess_risk(Overlaps(kappa=-1, nu=1), 0.3, TASK)
    assert filled.levels[0] <= excess_risk(Overlaps(kappa=1, nu=1), 0.3, TASK) < corner <= filled.levels[-1]


def test_the_separatrix_passes_between_the_basins():
    drawn = plotting.phase_portrait(0.1, TASK).get_lines()
    x, y = next(line for line in drawn if line.get_label() == "separatrix").get_data()
    for kappa, nu in zip(x[300:500:40], y[300:500:40], strict=True):
        starts = Overlaps(kappa=[kappa - 0.01, kappa + 0.01], nu=nu)
        ends = gradient_flow(starts, 0.1, TASK, t_end=30).nu.values[:, -1]
        assert ends[0] < -0.9
        assert ends[1] > 0.9


@pytest.mark.parametrize("context", ["column", "page", "slides", "notebook"])
def test_styles_change_what_is_inside_only(context):
    before = dict(mpl.rcParams)
    with plotting.style(context):
        assert plt.figure().get_size_inches()[0] == plotting.size(context)[0]
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_saved_figures_are_the_same_byte_for_byte(suffix, tmp_path):
    with plotting.style("column"):
        figures = [plotting.equilibria().figure for _ in range(2)]
        paths = [plotting.save(figure, tmp_path / f"{i}" / f"a.{suffix}") for i, figure in enumerate(figures)]
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda ds, path: plotting.band(ds, "mu"), "variables must be among kappa"),
        (lambda ds, path: plotting.band(ds, level=1), "level must be < 1, got 1.0"),
        (lambda ds, path: plotting.plane(ds.rename(step="year")), "dimension step or time"),
        (lambda ds, path: plotting.style("poster"), "context must be one of 'column', .* got 'poster'"),
        (lambda ds, path: plotting.save(plt.figure(), path / "a.gif"), "path must end in .svg, .pdf or .png"),
    ],
)
def test_bad_input_is_named(call, message, descent, tmp_path):
    with pytest.raises(ValueError, match=message):
        call(descent, tmp_path)


def test_the_bifurcation_diagram_tells_minima_from_other_points():
    def point(overlaps, index, name):
        return CriticalPoint(overlaps, 0.1, 0.0, 0, index, 0, True, 400, name)

    minimum, saddle = (
        point((1, 1, 0, 0, 0), 0, "oracle"),
        point((0.5, 0, 0, 0, 0), 3, "planar saddle"),
    )
    drawn = plotting.bifurcation([Landscape(0.1, TASK, (minimum, saddle))])
    filled, hollow = drawn.lines
    assert sorted(filled.get_ydata()) == [-1, 1]
    assert filled.get_markerfacecolor() != hollow.get_markerfacecolor() == "none"
    assert drawn.get_xlabel()
    assert drawn.get_ylabel()
    with pytest.raises(ValueError, match="variable must be one of kappa"):
        plotting.bifurcation([], "mass")


def test_branches_of_the_landscape_are_drawn_by_kind():
    def point(kappa, index, name):
        return CriticalPoint((kappa, 1.0, 0.0, 0.0, 0.0), 0.1, 0.0, 0, index, 0, True, 400, name)

    lams = (0.1, 0.2, 0.3)
    known = Branch(lams, (point(1.0, 0, "oracle"), point(1.0, 0, "oracle"), point(1.0, 1, "oracle")))
    hidden = Branch(lams, (point(-0.5, 300, "planar saddle"),) * 3)
    ax = landscape.branches([known, hidden])
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"oracle", "saddle of index 1 or 2"}
    heights = {line.get_label(): line.get_ydata() for line in ax.lines}
    np.testing.assert_array_equal(heights["oracle"], [1, 1, np.nan])
    with pytest.raises(ValueError, match="variable must be one of"):
        landscape.branches([known], "mu")


def test_the_landscape_has_three_panels(tmp_path):
    oracle = CriticalPoint((1, 1, 0, 0, 0), 0.1, 0.0, 0, 0, 0, True, 400, "oracle")
    branch = Branch((0.1, 0.2), (oracle, oracle))
    curves = {"oracle": np.array([0.9, 0.89]), "tie": np.array([0.2, np.nan])}
    figure = landscape.overview(0.1, TASK, [branch], [100, 400], curves)
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["(a)", "(b)", "(c)"]
    assert plotting.save(figure, tmp_path / "a.pdf").exists()
