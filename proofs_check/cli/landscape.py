"""slr landscape: the critical points for one set of parameters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from proofs_check.cli import _files

if TYPE_CHECKING:
    from rich.table import Table

    from numerics.landscape.basins import Share
    from numerics.landscape.report import Landscape


def landscape(
    d: Annotated[int, typer.Option("--d", help="Dimension, at least 4.")] = 400,
    tokens: Annotated[int, typer.Option("--L", help="Tokens.")] = 10,
    gamma: Annotated[float, typer.Option(help="Informative token's scale.")] = 2**-0.5,
    lam: Annotated[float, typer.Option(help="Lambda.")] = 0.1,
    runs: Annotated[int, typer.Option(min=0, help="Uniform starts of the gradient flow.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the search and of the starts.")] = 0,
    seconds: Annotated[
        float, typer.Option(min=0, help="To spend on a proof that there are no other critical points.")
    ] = 15.0,
    json: Annotated[Path | None, _files.option("json", "Write the landscape as JSON.")] = None,
    figure: Annotated[
        Path | None, _files.option("figure", "Draw the landscape: a .png, .svg or .pdf file.")
    ] = None,
) -> None:
    """List the critical points of the risk with overlaps, risk, Morse index and share of random starts.

    Existence, local uniqueness and index of a certified point are proved in ball arithmetic. The index counts
    the directions in R^d along which the risk decreases. That there are no other points is proved as well, if
    the time suffices; else a cell that resisted is named.

    The figure shows the flow on M with its separatrix, the critical points of low index over lambda, and the
    thresholds in lambda over d; it takes about a minute.

    Examples:

      slr landscape --lam 0.1

      slr landscape --d 400 --L 10 --lam 0.9 --json landscape.json

      slr landscape --lam 0.9 --runs 0 --seconds 0 --figure landscape.pdf
    """
    from rich.console import Console

    from numerics import Task
    from numerics.landscape import report
    from proofs_check.cli._progress import bar

    try:
        if figure:
            from numerics.plotting.look import file_kind

            file_kind(figure)
        with bar("runs") as progress:
            found = report.landscape(
                lam, Task(d, tokens, gamma), runs=runs, seed=seed, seconds=seconds, progress=progress
            )
    except (TypeError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    console = Console()
    console.print(table(found))
    for line in lines(found):
        console.print(line, highlight=False)
    if json:
        from numerics.files import write_text

        write_text(json, found.to_json())
    if figure:
        _draw(found, figure)


def _draw(found: Landscape, path: Path) -> None:
    from matplotlib import pyplot as plt

    from numerics import Task
    from numerics.landscape import branches
    from numerics.plotting import landscape, save
    from proofs_check.cli._progress import bar

    task, dimensions = found.task, branches.dimensions(found.task)
    try:
        with bar("lambdas") as progress:
            along = branches.landscapes(branches.grid(task), task, progress=progress)
        with bar("thresholds") as progress:
            tasks = [Task(d, task.L, task.gamma) for d in dimensions]
            curves = branches.threshold_curves(tasks, progress=progress)
        drawn = landscape.overview(found.lam, task, branches.branches(along), dimensions, curves)
        save(drawn, path)
        plt.close(drawn)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    except OSError as error:
        raise typer.BadParameter(f"cannot write {path}: {error.strerror}") from None


def table(found: Landscape) -> Table:
    """The critical points, the lowest risk first."""
    from rich.table import Table

    task = found.task
    title = f"d = {task.d}, L = {task.L}, gamma = {task.gamma:.6g}, lambda = {found.lam:g}"
    result = Table(title=title, box=None, title_justify="left", pad_edge=False)
    result.add_column("critical point")
    for name in ("kappa", "nu", "theta", "eta", "rho", "risk", "index"):
        result.add_column(name, justify="right")
    result.add_column("")
    for point in found.points:
        overlaps = (f"{overlap + 0.0:.3f}".replace("-0.000", "0.000") for overlap in point.overlaps)
        index = "?" if point.index is None else str(point.index)
        mark = "certified" if point.certified else "not proved"
        result.add_row(point.name, *overlaps, f"{point.excess_risk:.5g}", index, mark)
    return result


def lines(found: Landscape) -> list[str]:
    """What is a minimum, which is global, the shares of starts, and whether there may be other points."""
    from numerics.landscape.report import completeness_text

    lowest = "global" if found.complete else "lowest"
    minima = [
        f"{point.name}: {lowest if number == 0 else 'local'} minimum{_share(found.shares.get(point.name))}"
        for number, point in enumerate(found.minima)
    ]
    lost = found.unexplained_runs
    ends = [f"{lost} runs end at none of these"] if lost else []
    return [*minima, *ends, f"critical points: {completeness_text(found)}"]


def _share(share: Share | None) -> str:
    if share is None:
        return ""
    low, high = share.interval
    slow = f", {share.drifting} runs still on their way" if share.drifting else ""
    return f", share of starts {share.value:.3f} [{low:.3f}, {high:.3f}]{slow}"
