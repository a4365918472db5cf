"""slr probe: linear probing of a BERT-family model, the experiment that motivates the task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    import xarray as xr

    from numerics.probe.experiment import Settings
    from numerics.probe.words import WordLists

NAME = "linear_probing"


def probe(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for figures and data.")] = Path(
        "figures"
    ),
    model: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of a BERT checkpoint.", show_default="a packaged MiniLM"),
    ] = None,
    words: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE",
            help="Sentences: [bold]plain[/bold] (as in the paper), [bold]contrast[/bold] (which words a "
            "sentence holds does not tell its label) or a JSON file of word lists.",
        ),
    ] = "plain",
    show_words: Annotated[
        bool, typer.Option("--show-words", help="Print the word lists as JSON and stop.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the samples and of every training.")] = 0,
    train: Annotated[int, typer.Option(help="Training sentences.")] = 15_000,
    test: Annotated[int, typer.Option(help="Sentences in each test set.")] = 1_500,
    cache: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder to keep hidden states in.", show_default="OUT/cache"),
    ] = None,
) -> None:
    """Read the label of templated sentences off a BERT model, layer by layer, and find the word that decides.

    Needs the extra: pip install 'single-location-regression\\[probe]'. A run that is stopped goes on where it
    was, from the cache. Writes figures (PNG, SVG), tables (CSV) and the whole data (netCDF).

    Examples:

      slr probe --out figures

      slr probe --words contrast --out figures/contrast

      slr probe --model bert-base-uncased --out figures/bert
    """
    from numerics.probe.words import built_in_text

    try:
        if show_words:
            typer.echo(built_in_text(words), nl=False)
            return
        data = _run(_words(words), model, out, cache or out / "cache", _settings(seed, train, test))
        _write(data.assign_attrs(words=words), out)
    except ModuleNotFoundError as error:
        typer.echo(f"slr probe: {error}", err=True)
        raise typer.Exit(2) from None
    except (TypeError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    except OSError as error:
        raise typer.BadParameter(f"cannot write to {out}: {error}") from None
    _print(data)


def _words(words: str) -> WordLists:
    from numerics.probe.words import BUILT_IN, WordLists

    return WordLists.built_in(words) if words in BUILT_IN else WordLists.read(words)


def _settings(seed: int, train: int, test: int) -> Settings:
    from numerics.probe.experiment import Settings

    return Settings(seed=seed, train=train, test=test)


def _run(words: WordLists, model: Path | None, out: Path, cache: Path, settings: Settings) -> xr.Dataset:
    from numerics.files import ensure_writable
    from numerics.probe.experiment import hidden_states, measure
    from numerics.probe.model import load_encoder
    from proofs_check.cli._progress import bar

    encoder = load_encoder(model)
    ensure_writable(out / f"{NAME}.nc")
    with bar("encoding") as progress:
        states = hidden_states(encoder, words, cache, settings, progress)
    with bar("probing") as progress:
        return measure(encoder, states, settings, progress)


def _write(data: xr.Dataset, out: Path) -> None:
    from matplotlib import pyplot as plt

    from numerics import datasets, files, plotting
    from numerics.probe.figure import draw
    from numerics.probe.layer import ACCURACY, LOCATION
    from numerics.probe.results import table

    datasets.save(data, out / f"{NAME}.nc")
    for quantity in (ACCURACY, LOCATION):
        files.write_text(out / f"{NAME}_{quantity}.csv", table(data, quantity))
        figure = draw(data, quantity)
        for suffix in ("png", "svg"):
            plotting.save(figure, out / f"{NAME}_{quantity}.{suffix}")
        plt.close(figure)


def _print(data: xr.Dataset) -> None:
    """What the probe of [CLS] reads off the embeddings and the later layers, beside the others."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    layers = data.sizes["layer"] - 1
    title = f"Accuracy of the linear probe of \\[CLS]; words, erf: others at layer {layers}"
    table = Table("set", title=title, box=SIMPLE_HEAD, padding=0, pad_edge=False)
    for heading in ("layer 0", f"1 to {layers}", f"layer {layers}", "95%", "words", "erf"):
        table.add_column(heading, justify="right")
    for name in data["set"].values:
        at = data.sel(set=name)
        first, *later = at["accuracy"].sel(probe="[CLS]").values
        last = at.isel(layer=-1).sel(probe="[CLS]")
        others = at.isel(layer=-1)["accuracy"].sel(probe=["bag of words", "erf predictor"])
        table.add_row(
            str(name),
            f"{first:.3f}",
            f"{min(later):.3f}-{max(later):.3f}",
            f"{float(last['accuracy']):.3f}",
            f"{float(last['accuracy_lower']):.3f}-{float(last['accuracy_upper']):.3f}",
            *(f"{other:.3f}" for other in others.values),
        )
    Console().print(table)
