"""slr sweep: the dynamics over a grid of parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def sweep(
    algorithm: Annotated[str, typer.Argument(metavar="ALGORITHM", help="flow, pgd or sgd.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The netCDF file to write.")],
    grid: Annotated[
        list[str],
        typer.Option("--grid", metavar="NAME=V1,V2,...", help="Values of a parameter. May be given again."),
    ],
    fixed: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Another parameter. May be given again."),
    ] = None,
    runs: Annotated[int, typer.Option(help="Number of runs in a cell.")] = 30,
    seed: Annotated[int, typer.Option(help="Seed of the starts and of the samples.")] = 0,
    on: Annotated[str, typer.Option(help="Where runs start: sphere or manifold.")] = "sphere",
    workers: Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="one a core")] = None,
) -> None:
    """Run an algorithm in every cell of a grid and write where its runs end.

    Parameters: d, L, gamma, epsilon, lam and those of the algorithm (step_size, steps, batch_size, t_end). A
    lam or step_size START:RATE is the schedule START / (1 + RATE n). Killed or interrupted, the same command
    takes the sweep up again.

    Examples:

      slr sweep pgd --grid lam=0.05,0.1,0.2 --grid d=100,400 --set L=10 --set step_size=4e-3
      --set steps=20000 --out sweep.nc

      slr sweep sgd --grid lam=1:1e-4,2:1e-4 --set d=80 --set L=10 --set step_size=1e-3
      --set steps=200000 --set batch_size=5 --out sgd.nc
    """
    from rich.console import Console

    from numerics.sweeps import sweep as run
    from numerics.sweeps.run import processes
    from proofs_check.cli._progress import bar

    rows = {name: [value(name, v) for v in text.split(",")] for name, text in map(_pair, grid)}
    others = {name: value(name, text) for name, text in map(_pair, fixed or [])}
    try:
        with bar(f"{algorithm} sweep") as progress, processes(workers) as executor:
            dataset = run(
                algorithm,
                rows,
                out,
                fixed=others,
                runs=runs,
                seed=seed,
                on=on,  # type: ignore[arg-type]
                executor=executor,
                progress=progress,
            )
    except (TypeError, ValueError) as error:
        notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
        raise typer.BadParameter(f"{error}{notes}") from None
    except OSError as error:
        raise typer.BadParameter(f"cannot write {out}: {error.strerror}") from None
    shape = " x ".join(f"{size} {name}" for name, size in dataset.sizes.items())
    Console().print(f"{out}: {shape}", highlight=False)


def value(name: str, text: str) -> Any:
    """A parameter's value: a whole number, a number, or START:RATE for a schedule.

    >>> value("d", "400"), value("lam", "0.1"), value("lam", "2:1e-4")
    (400, 0.1, InverseTimeDecay(start=2.0, rate=0.0001))
    """
    from numerics import InverseTimeDecay

    try:
        if ":" in text:
            start, rate = text.split(":")
            return InverseTimeDecay(float(start), float(rate))
        number = float(text)
        return int(text) if text.lstrip("+-").isdigit() else number
    except ValueError as error:
        raise typer.BadParameter(f"{name} must be a number or START:RATE, got {text!r}: {error}") from None


def _pair(text: str) -> tuple[str, str]:
    name, sign, rest = text.partition("=")
    if not (name and sign and rest):
        raise typer.BadParameter(f"parameters are given as NAME=VALUE, got {text!r}")
    return name, rest
