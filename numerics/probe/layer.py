"""What is measured at one layer: probes of [CLS] and of tokens, controls, and the search for the location."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from numerics.probe.erf_predictor import train_erf_predictor
from numerics.probe.linear import BagOfWords, LinearProbe, choose_penalty, fit_linear
from numerics.probe.location import chance, fit_locator, located
from numerics.probe.sentences import TEST_SETS, TRAIN, SentenceSet
from numerics.probe.states import States

ACCURACY, LOCATION = "accuracy", "location"
LOCATOR_PENALTY = 1e-3


@dataclass(frozen=True)
class Measurement:
    """How right a method was on each sentence of each set, in [0, 1]: on all of them, or on those kept.

    quantity: "accuracy" of the label, or "location" of the deciding token.
    """

    quantity: str
    method: str
    right: Mapping[str, np.ndarray]


def probe_layer(states: Mapping[str, States], layer: int, seed: int, shuffles: int) -> list[Measurement]:
    """All measurements at a layer; one layer's states are in memory at a time."""
    rng = np.random.default_rng([seed, layer])
    return (
        _cls_probes(states, layer, seed, shuffles, rng)
        + _token_probes(states, layer, seed, rng)
        + _attention(states, layer)
    )


def bag_of_words(sets: Mapping[str, SentenceSet], seed: int) -> Measurement:
    """The control that knows the words of a sentence but not where they stand; the same at every layer."""
    train = sets[TRAIN]
    bag = BagOfWords(train.texts)
    counts = bag(train.texts)
    probe = fit_linear(counts, train.labels, choose_penalty(counts, train.labels, seed))
    right = {name: probe.predict(bag(some.texts)) == some.labels for name, some in sets.items()}
    return Measurement(ACCURACY, "bag of words", right)


def _cls_probes(
    states: Mapping[str, States], layer: int, seed: int, shuffles: int, rng: np.random.Generator
) -> list[Measurement]:
    """The probe of [CLS], and the same trained on labels that say nothing about the sentence."""
    features = {name: some.cls(layer) for name, some in states.items()}
    labels = {name: some.sentences.labels for name, some in states.items()}
    kept = states[TRAIN].kept
    penalty = choose_penalty(features[TRAIN][kept], labels[TRAIN][kept], seed)

    def right(taught: np.ndarray, asked: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        probe = fit_linear(features[TRAIN], taught, penalty)
        return {name: probe.predict(some) == asked[name] for name, some in features.items()}

    shuffled = [right(rng.permutation(labels[TRAIN]), labels) for _ in range(shuffles)]
    flipped = _flipped_words(states, rng)
    return [
        Measurement(ACCURACY, "[CLS]", right(labels[TRAIN], labels)),
        Measurement(
            ACCURACY,
            "shuffled labels",
            {name: np.mean([some[name] for some in shuffled], axis=0) for name in features},
        ),
        Measurement(ACCURACY, "shuffled words", right(flipped[TRAIN], flipped)),
    ]


def _flipped_words(states: Mapping[str, States], rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Labels after half of the training words of each polarity swapped sides: a control task.

    A probe that does as well on these has learned which word decides and looks its label up; it can know
    nothing about words that are new, whose labels stay.
    """
    half = int(states[TRAIN].sentences.label_words.max() + 1) // 2
    signs = np.concatenate([rng.permutation(np.arange(half) < half // 2) for _ in range(2)])
    flips = np.where(signs, -1, 1)
    known = [name for name in states if name == TRAIN or TEST_SETS[name].label == TRAIN]
    return {
        name: some.sentences.labels * (flips[some.sentences.label_words] if name in known else 1)
        for name, some in states.items()
    }


def _token_probes(
    states: Mapping[str, States], layer: int, seed: int, rng: np.random.Generator
) -> list[Measurement]:
    """A probe that is told where the deciding token is; the erf predictor and a locator, which are not.

    "located token" is what the theory's structure comes to: one linear form says where, another one what.
    """
    train = states[TRAIN]
    tokens, labels = train.token_states(layer), train.sentences.labels[train.kept]
    deciding = _deciding_state(tokens, train.deciding)
    probe = fit_linear(deciding, labels, choose_penalty(deciding, labels, seed))
    locator = fit_locator(tokens, train.words, train.deciding, LOCATOR_PENALTY, rng)
    predictor = train_erf_predictor(tokens, train.words, labels, rng)
    guesses: dict[tuple[str, str], Callable[[np.ndarray, States], np.ndarray]] = {
        (ACCURACY, "deciding token"): lambda x, some: probe.predict(_deciding_state(x, some.deciding)),
        (ACCURACY, "located token"): lambda x, some: probe.predict(_located_state(x, locator, some.words)),
        (ACCURACY, "erf predictor"): lambda x, some: predictor.predict(x, some.words),
        (LOCATION, "linear probe"): lambda x, some: locator.score(x),
        (LOCATION, "erf predictor"): lambda x, some: np.abs(predictor.contributions(x, some.words)),
    }
    right: dict[tuple[str, str], dict[str, np.ndarray]] = {key: {} for key in guesses}
    for name, some in states.items():
        x = some.token_states(layer)
        for (quantity, method), guess in guesses.items():
            right[quantity, method][name] = (
                guess(x, some) == some.sentences.labels[some.kept]
                if quantity == ACCURACY
                else located(guess(x, some), some.words, some.deciding)
            )
    return [Measurement(*key, by_set) for key, by_set in right.items()]


def _deciding_state(tokens: np.ndarray, deciding: np.ndarray) -> np.ndarray:
    """(m, dimension) state of the deciding word: the mean of its pieces."""
    total = np.einsum("mtd,mt->md", tokens, deciding.astype(tokens.dtype))
    return total / deciding.sum(axis=1, keepdims=True, dtype=tokens.dtype)


def _located_state(tokens: np.ndarray, locator: LinearProbe, words: np.ndarray) -> np.ndarray:
    """(m, dimension) state of the token of the text that the locator scores highest."""
    best = np.where(words, locator.score(tokens), -np.inf).argmax(axis=1)
    return tokens[np.arange(len(tokens)), best]


def _attention(states: Mapping[str, States], layer: int) -> list[Measurement]:
    """The token of the text that [CLS] attends to most in the block that leads to the layer."""
    guessing = Measurement(
        LOCATION, "chance", {name: chance(some.words, some.deciding) for name, some in states.items()}
    )
    if layer == 0:
        return [guessing]
    heads, mean = {}, {}
    for name, some in states.items():
        weights = some.attention(layer)
        heads[name] = located(weights, some.words, some.deciding)
        mean[name] = located(weights.mean(axis=-1), some.words, some.deciding)
    best = int(heads[TRAIN].mean(axis=0).argmax())
    return [
        guessing,
        Measurement(LOCATION, "attention, all heads", mean),
        Measurement(LOCATION, "attention, best head", {name: some[:, best] for name, some in heads.items()}),
    ]
