"""The probing experiment: a model and word lists in, accuracies by method, layer and set out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import xarray as xr

from numerics import checks
from numerics.probe import results
from numerics.probe.cache import ArrayCache
from numerics.probe.layer import bag_of_words, probe_layer
from numerics.probe.model import Encoder
from numerics.probe.sentences import TRAIN, SentenceSet, sentence_sets
from numerics.probe.states import Progress, States, encode
from numerics.probe.words import WordLists


@dataclass(frozen=True)
class Settings:
    """Sizes, all even, and the seed.

    train, test: sentences in the training set and in each test set. train_tokens, test_tokens: of how many of
    these, at most, all token states are kept, for what needs more than [CLS]. shuffles: how many trainings on
    shuffled labels are averaged. Raises TypeError or ValueError for values out of range.
    """

    seed: int = 0
    train: int = 15_000
    test: int = 1_500
    train_tokens: int = 4_000
    test_tokens: int = 500
    shuffles: int = 3

    def __post_init__(self) -> None:
        checks.integer("seed", self.seed, 0)
        checks.integer("shuffles", self.shuffles, 1)
        for name in ("train", "test", "train_tokens", "test_tokens"):
            if checks.integer(name, getattr(self, name), 2) % 2:
                raise ValueError(f"{name} must be even, for both labels alike, got {getattr(self, name)}")


def hidden_states(
    encoder: Encoder, words: WordLists, cache: Path, settings: Settings, progress: Progress | None = None
) -> dict[str, States]:
    """The states of the training set and of every test set.

    cache: folder to keep them in; what is there is not computed again. progress: told how many sentences of
    how many are done. Raises ValueError for sentences that are too long for the model, and for what
    `sentence_sets` refuses.
    """
    sets = sentence_sets(words, settings.seed, settings.train, settings.test)
    kept = {name: _kept(sentences, settings) for name, sentences in sets.items()}
    return encode(encoder, sets, kept, ArrayCache(cache), progress)


def measure(
    encoder: Encoder,
    states: Mapping[str, States],
    settings: Settings,
    progress: Progress | None = None,
) -> xr.Dataset:
    """Accuracies by method, layer and set, with intervals, see `results.dataset`.

    progress: told how many layers of how many are done.
    """
    sets = {name: some.sentences for name, some in states.items()}
    bag = bag_of_words(sets, settings.seed)
    layers = []
    for layer in range(encoder.layers + 1):
        layers.append([*probe_layer(states, layer, settings.seed, settings.shuffles), bag])
        if progress is not None:
            progress(layer + 1, encoder.layers + 1)
    attributes = {"model": encoder.name, "model_sha256": encoder.digest, **asdict(settings)}
    return results.dataset(layers, states, settings.seed).assign_attrs(attributes)


def _kept(sentences: SentenceSet, settings: Settings) -> np.ndarray:
    """The first sentences: they come in random order, each positive one followed by a negative one."""
    most = settings.train_tokens if sentences.name == TRAIN else settings.test_tokens
    return np.arange(min(most, len(sentences)))
