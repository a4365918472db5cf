"""Templated sentences in which one word decides the label: the training set and its shifted test sets."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from numerics import checks
from numerics.probe.words import ASIDE, LABEL, WordLists, slots_of

TRAIN, HELD_OUT = "train", "held out"
ABSENT = -1
MARK = "\0"


@dataclass(frozen=True)
class Recipe:
    """What a set is made of: a group of templates, and the version of its neutral and deciding words."""

    templates: str = "train"
    neutral: str = "train"
    label: str = "train"


TEST_SETS = {
    HELD_OUT: Recipe(),
    "word order": Recipe(templates="word order"),
    "sentence order": Recipe(templates="sentence order"),
    "neutral words": Recipe(neutral="new"),
    "label words": Recipe(label="new"),
    "structure": Recipe(templates="structure"),
    "neutral + label words": Recipe(neutral="new", label="new"),
    "structure + neutral words": Recipe(templates="structure", neutral="new"),
    "everything": Recipe(templates="structure and order", neutral="new", label="new"),
}
"""What changes against the training set, one at a time and together."""


@dataclass(frozen=True, eq=False)
class SentenceSet:
    """Sentences with their labels and how they came about.

    texts: n sentences. labels: (n,) int8, +1 or -1. spans: (n, 2), where the deciding word begins and ends
    in the text. fillers: (n, slots) integers, which word fills each of `slots`: the template comes first, the
    deciding word last (counted through both polarities, positive ones first); ABSENT where there is no slot.
    """

    name: str
    texts: tuple[str, ...]
    labels: np.ndarray
    spans: np.ndarray
    fillers: np.ndarray
    slots: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def label_words(self) -> np.ndarray:
        """(n,) index of each sentence's deciding word."""
        return self.fillers[:, -1]

    def take(self, index: np.ndarray) -> SentenceSet:
        """The sentences that `index`, an array of integers, selects."""
        return replace(
            self,
            texts=tuple(self.texts[i] for i in index),
            labels=self.labels[index],
            spans=self.spans[index],
            fillers=self.fillers[index],
        )


def sentence_sets(
    words: WordLists, seed: int, train: int = 15_000, test: int = 1_500
) -> dict[str, SentenceSet]:
    """The training set and each of TEST_SETS: balanced samples of the cartesian products of their lists.

    train, test: how many sentences, even numbers >= 2; a product that has fewer is taken whole. "held out" is
    drawn together with the training set and without replacement. No sentence is in both the training and a
    test set.

    Raises TypeError or ValueError for bad sizes, and ValueError for lists that would put a training sentence
    into a test set.
    """
    train, test = _even("train", train), _even("test", test)
    sets: dict[str, SentenceSet] = {}
    for name, recipe, child in zip(
        TEST_SETS, TEST_SETS.values(), np.random.SeedSequence(seed).spawn(len(TEST_SETS)), strict=True
    ):
        rng = np.random.default_rng(child)
        if name == HELD_OUT:
            sets[TRAIN], sets[name] = _split(_sample(name, words, recipe, train + test, rng), train, test)
        else:
            sets[name] = _sample(name, words, recipe, test, rng)
    _check_disjoint(sets)
    return sets


def _sample(name: str, words: WordLists, recipe: Recipe, n: int, rng: np.random.Generator) -> SentenceSet:
    """n distinct sentences, as many from each template and polarity, a positive before each negative one."""
    templates = words.templates[recipe.templates]
    fill = {slot: versions[recipe.neutral] for slot, versions in words.neutral.items()}
    fill = {ASIDE: words.polar(recipe.label)} | fill | {LABEL: words.polar(recipe.label)}
    shares = [len(part) for part in np.array_split(np.arange(n // 2), len(templates))]
    rows = [_rows(t, templates[t], fill, share, rng) for t, share in enumerate(shares)]
    fillers = rng.permutation(np.concatenate(rows)).reshape(-1, 1 + len(fill))
    half = len(fill[LABEL]) // 2
    sentences = [_write(templates[row[0]], _words(fill, row[1:])) for row in fillers]
    return SentenceSet(
        name=name,
        texts=tuple(text for text, _ in sentences),
        labels=np.where(fillers[:, -1] < half, 1, -1).astype(np.int8),
        spans=np.array([span for _, span in sentences]),
        fillers=fillers,
        slots=("template", *fill),
    )


def _rows(
    number: int, template: str, fill: Mapping[str, Sequence[str]], share: int, rng: np.random.Generator
) -> np.ndarray:
    """(pairs, 2, 1 + slots) fillers of one template: pairs of a positive and a negative sentence."""
    present = set(slots_of(template))
    sizes = [len(fill[slot]) if slot in present else 1 for slot in fill]
    sizes[-1] //= 2
    total = math.prod(sizes)
    polarities = []
    for polarity in range(2):
        flat = rng.choice(total, min(share, total), replace=False)
        index = np.stack(np.unravel_index(flat, sizes), axis=-1)
        index[:, -1] += polarity * sizes[-1]
        index[:, [slot not in present for slot in fill]] = ABSENT
        polarities.append(np.insert(index, 0, number, axis=1))
    return np.stack(polarities, axis=1)


def _words(fill: Mapping[str, Sequence[str]], row: np.ndarray) -> dict[str, str]:
    return {slot: fill[slot][i] for slot, i in zip(fill, row, strict=True) if i != ABSENT}


def _write(template: str, words: Mapping[str, str]) -> tuple[str, tuple[int, int]]:
    """The sentence, and where its deciding word stands."""
    marked = template.format(**{**words, LABEL: f"{MARK}{words[LABEL]}{MARK}"})
    marked = re.sub(r"\s+", " ", marked).strip()
    marked = re.sub(r" (?=[.,;:?!])", "", marked)
    marked = re.sub(rf"(?:^|(?<=[.?!] )){MARK}?[a-z]", lambda first: first[0].upper(), marked)
    before, word, after = marked.split(MARK)
    return before + word + after, (len(before), len(before) + len(word))


def _split(both: SentenceSet, train: int, test: int) -> tuple[SentenceSet, SentenceSet]:
    """The first pairs of sentences for training, the others held out, in the ratio asked for."""
    pairs = len(both) // 2
    held_out = max(1, pairs * test // (train + test))
    cut = 2 * (pairs - held_out)
    if cut == 0:
        raise ValueError("templates / train must give at least two sentences of each polarity, got one")
    index = np.arange(len(both))
    return replace(both.take(index[:cut]), name=TRAIN), both.take(index[cut:])


def _check_disjoint(sets: Mapping[str, SentenceSet]) -> None:
    known = {text.lower() for text in sets[TRAIN].texts}
    for name, sentences in sets.items():
        common = [text for text in sentences.texts if text.lower() in known]
        if name != TRAIN and common:
            raise ValueError(
                f"no sentence of the test set {name!r} may be a training sentence, got {common[0]!r} in both"
            )


def _even(name: str, value: Any) -> int:
    number = checks.integer(name, value, 2)
    if number % 2:
        raise ValueError(f"{name} must be even, so that half of the sentences have each label, got {number}")
    return number
