"""The measurements as a dataset with intervals, and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

from numerics.probe.layer import ACCURACY, LOCATION, Measurement
from numerics.probe.resampling import intervals
from numerics.probe.states import States

SUFFIXES = ("", "_lower", "_upper", "_sentences")
COLUMNS = ("value", "lower", "upper", "sentences")


def dataset(layers: Sequence[Sequence[Measurement]], states: Mapping[str, States], seed: int) -> xr.Dataset:
    """Means of all measurements with the ends of their intervals.

    layers: the measurements at layer 0 (the embeddings), 1, ... Returns variables accuracy (probe, layer,
    set) and location (locator, layer, set), each with _lower, _upper and _sentences (over how many it is);
    NaN, 0 sentences, where a method has no value.
    """
    variables: dict[str, tuple[tuple[str, ...], np.ndarray]] = {}
    coordinates: dict[str, Any] = {"layer": np.arange(len(layers)), "set": list(states)}
    for quantity, axis in ((ACCURACY, "probe"), (LOCATION, "locator")):
        right = {
            (measurement.method, layer): measurement.right
            for layer, measurements in enumerate(layers)
            for measurement in measurements
            if measurement.quantity == quantity
        }
        methods = list(dict.fromkeys(method for layer in layers for method in _methods(layer, quantity)))
        coordinates[axis] = methods
        columns = [_summary(right, methods, len(layers), some, seed) for some in states.values()]
        for suffix, values in zip(SUFFIXES, zip(*columns, strict=True), strict=True):
            variables[quantity + suffix] = ((axis, "layer", "set"), np.stack(values, axis=-1))
    return xr.Dataset(variables, coordinates)


def table(data: xr.Dataset, quantity: str) -> str:
    """CSV text of one quantity: a row for each method, layer and set that has a value."""
    names = [quantity + suffix for suffix in SUFFIXES]
    frame = data[names].rename(dict(zip(names, COLUMNS, strict=True))).to_dataframe().dropna()
    return frame.to_csv(float_format="%.6g", lineterminator="\n")


def _methods(measurements: Sequence[Measurement], quantity: str) -> list[str]:
    return [measurement.method for measurement in measurements if measurement.quantity == quantity]


def _summary(
    right: Mapping[tuple[str, int], Mapping[str, np.ndarray]],
    methods: Sequence[str],
    layers: int,
    states: States,
    seed: int,
) -> tuple[np.ndarray, ...]:
    """Mean, lower end, upper end and number of sentences on one set, each (methods, layers)."""
    summary = [np.full((len(methods), layers), np.nan) for _ in range(3)]
    counts = np.zeros((len(methods), layers), dtype=np.int64)
    sentences = states.sentences
    for subset in (sentences, sentences.take(states.kept)):
        places = [
            (methods.index(method), layer)
            for (method, layer), by_set in right.items()
            if len(by_set[sentences.name]) == len(subset) and not counts[methods.index(method), layer]
        ]
        if not places:
            continue
        columns = np.stack([right[methods[i], layer][sentences.name] for i, layer in places], axis=1)
        index = tuple(np.array(places).T)
        counts[index] = len(subset)
        for out, values in zip(
            summary, (columns.mean(axis=0), *intervals(subset, columns, seed)), strict=True
        ):
            out[index] = values
    return (*summary, counts)
