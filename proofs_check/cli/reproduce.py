"""slr reproduce: the paper's experiments, each a figure and its data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from numerics.experiments import Experiment


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The experiment.", show_default="all five")
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for NAME.png and NAME.nc.")
    ] = Path("figures"),
    runs: Annotated[int, typer.Option(help="Number of runs.")] = 30,
    seed: Annotated[int, typer.Option(help="Seed of the starts and of the samples.")] = 0,
    d: Annotated[int | None, typer.Option("--d", help="Dimension.", show_default="the paper's")] = None,
    tokens: Annotated[int | None, typer.Option("--L", help="Tokens.", show_default="the paper's")] = None,
    gamma: Annotated[
        float | None, typer.Option(help="Informative token's scale.", show_default="the paper's")
    ] = None,
    lam: Annotated[
        float | None, typer.Option(help="A constant lambda.", show_default="the paper's lambda or schedule")
    ] = None,
    steps: Annotated[int | None, typer.Option(help="Number of steps.", show_default="the paper's")] = None,
    workers: Annotated[int | None, typer.Option(help="Threads for SGD.", show_default="one a core")] = None,
) -> None:
    """Run the paper's experiments and write a figure and a netCDF file of each.

    NAME: manifold, sphere_small_lambda, sphere_large_lambda, sphere_schedule or sgd.

    Examples:

      slr reproduce --out figures

      slr reproduce sphere_small_lambda --runs 200 --lam 0.2 --seed 1
    """
    from rich.console import Console

    from numerics.experiments import EXPERIMENTS

    if name is not None and name not in EXPERIMENTS:
        raise typer.BadParameter(f"NAME must be one of {', '.join(EXPERIMENTS)}, got {name!r}")
    task = {key: value for key, value in (("d", d), ("L", tokens), ("gamma", gamma)) if value is not None}
    console = Console()
    for chosen in [name] if name else EXPERIMENTS:
        try:
            experiment = EXPERIMENTS[chosen].changed(task, lam=lam, steps=steps)
            text = _run(chosen, experiment, out, runs, seed, workers)
        except (TypeError, ValueError) as error:
            raise typer.BadParameter(str(error)) from None
        except OSError as error:
            raise typer.BadParameter(f"cannot write to {out}: {error.strerror}") from None
        console.print(f"[bold]{chosen}[/bold]: {text}", highlight=False)


def _run(name: str, experiment: Experiment, out: Path, runs: int, seed: int, workers: int | None) -> str:
    """Run one experiment with a progress bar and write its files; returns where the runs end."""
    from matplotlib import pyplot as plt

    from numerics import datasets
    from numerics.plotting import save
    from numerics.plotting.overview import endings, overview
    from proofs_check.cli._progress import bar

    with bar(name) as progress:
        dataset = experiment.run(runs=runs, seed=seed, workers=workers, progress=progress)
    datasets.save(dataset, out / f"{name}.nc")
    figure = overview(dataset)
    save(figure, out / f"{name}.png")
    plt.close(figure)
    return endings(dataset)
