"""Word lists and sentence templates: what the probing sentences are made of, and what they must satisfy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Formatter
from typing import Any

TEMPLATE_GROUPS = ("train", "word order", "sentence order", "structure", "structure and order")
VERSIONS = ("train", "new")
POLARITIES = ("positive", "negative")
LABEL, ASIDE = "label", "aside"

BUILT_IN = ("plain", "contrast")
"""plain: as in the paper, the word that does not decide is one of four, two of which decide elsewhere.
contrast: it is any of the deciding words, so that which words a sentence holds does not tell its label."""

MEND = (
    "start from built-in lists: slr probe --show-words > words.json; use them: slr probe --words words.json"
)


@dataclass(frozen=True)
class WordLists:
    """Templates and the words of their slots.

    templates: for each of TEMPLATE_GROUPS the sentences, with slots in braces. {label} stands once in each
        and holds the word that decides; {aside} may stand there too and holds a deciding word that decides
        nothing there, if it is no neutral slot.
    neutral: for every other slot and each of VERSIONS its words; "" leaves the slot out. A slot with one list
        for both versions never changes.
    label: for each of VERSIONS the deciding words by polarity, as many positive as negative ones, so that a
        set of sentences is balanced and guessing scores exactly 1/2.

    The words of "new" are not among those of "train". Raises ValueError for lists that break any of this.

    >>> WordLists.built_in().label["train"]["negative"][:2]
    ('nasty', 'dreadful')
    """

    templates: Mapping[str, tuple[str, ...]]
    neutral: Mapping[str, Mapping[str, tuple[str, ...]]]
    label: Mapping[str, Mapping[str, tuple[str, ...]]]

    def __post_init__(self) -> None:
        _check_keys("templates", self.templates, TEMPLATE_GROUPS)
        _check_keys("label", self.label, VERSIONS)
        for version in VERSIONS:
            _check_keys(f"label / {version}", self.label[version], POLARITIES)
            _check_polarities(version, self.label[version])
        for slot, versions in self.neutral.items():
            _check_keys(f"neutral / {slot}", versions, VERSIONS)
            for version in VERSIONS:
                _check_words(f"neutral / {slot} / {version}", versions[version], blank=True)
            if versions["train"] != versions["new"]:
                _check_disjoint(f"neutral / {slot}", versions["train"], versions["new"])
        _check_disjoint("label", self.polar("train"), self.polar("new"))
        for group, templates in self.templates.items():
            _check_words(f"templates / {group}", templates, blank=False)
            for template in templates:
                self._check_template(group, template)

    @classmethod
    def built_in(cls, name: str = "plain") -> WordLists:
        """Lists that the toolkit ships, by their name in BUILT_IN."""
        return cls._from_text(f"the built-in lists {name!r}", built_in_text(name))

    @classmethod
    def read(cls, path: str | Path) -> WordLists:
        """Lists from a JSON file of the form that `built_in_text` shows; ValueError if it isn't one."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(
                f"words must be a readable JSON file, got {str(path)!r} ({error}); {MEND}"
            ) from error
        return cls._from_text(str(path), text)

    @classmethod
    def _from_text(cls, where: str, text: str) -> WordLists:
        try:
            raw = json.loads(text)
            return cls(
                templates={group: _strings(words) for group, words in raw["templates"].items()},
                neutral={slot: _neutral(lists) for slot, lists in raw["neutral"].items()},
                label={version: _versions(lists) for version, lists in raw["label"].items()},
            )
        except (KeyError, AttributeError, TypeError) as error:
            raise ValueError(
                f"{where} must be a JSON object with templates, neutral and label, each with lists of words "
                f"({type(error).__name__}: {error}); {MEND}"
            ) from error
        except ValueError as error:
            raise ValueError(f"{where}: {error}; {MEND}") from error

    def polar(self, version: str) -> tuple[str, ...]:
        """The deciding words of a version, positive ones first."""
        return tuple(word for polarity in POLARITIES for word in self.label[version][polarity])

    def _check_template(self, group: str, template: str) -> None:
        try:
            slots = slots_of(template)
        except ValueError as error:
            raise ValueError(f"templates / {group} must close each brace, got {template!r}") from error
        allowed = {LABEL, ASIDE, *self.neutral}
        if slots.count(LABEL) != 1 or len(set(slots)) != len(slots) or not set(slots) <= allowed:
            raise ValueError(
                f"templates / {group} must hold {{label}} once and other slots at most once, out of "
                f"{sorted(allowed)}, got {template!r}"
            )


def built_in_text(name: str = "plain") -> str:
    """Built-in lists as JSON text, to start one's own from; ValueError if `name` is not in BUILT_IN."""
    if name not in BUILT_IN:
        raise ValueError(f"words must be one of {list(BUILT_IN)} or a file, got {name!r}")
    return resources.files("numerics.probe").joinpath(f"{name}.json").read_text(encoding="utf-8")


def slots_of(template: str) -> list[str]:
    """Names of the slots of a template, in order.

    >>> slots_of("The {place} is {aside}. My {animal} is {label}.")
    ['place', 'aside', 'animal', 'label']
    """
    return [name for _, name, _, _ in Formatter().parse(template) if name is not None]


def _strings(words: Any) -> tuple[str, ...]:
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"not a list of words: {words!r}")
    return tuple(word.strip() for word in words)


def _versions(lists: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {key: _strings(words) for key, words in lists.items()}


def _neutral(lists: Any) -> dict[str, tuple[str, ...]]:
    return dict.fromkeys(VERSIONS, _strings(lists)) if isinstance(lists, list) else _versions(lists)


def _check_keys(where: str, mapping: Mapping[str, Any], keys: Sequence[str]) -> None:
    if set(mapping) != set(keys):
        raise ValueError(f"{where} must have exactly the entries {list(keys)}, got {sorted(mapping)}")


def _check_polarities(version: str, words: Mapping[str, tuple[str, ...]]) -> None:
    for polarity in POLARITIES:
        _check_words(f"label / {version} / {polarity}", words[polarity], blank=False)
    _check_disjoint(f"label / {version}", *(words[polarity] for polarity in POLARITIES))
    counts = [len(words[polarity]) for polarity in POLARITIES]
    if counts[0] != counts[1]:
        raise ValueError(
            f"label / {version} must have as many positive as negative words, got {counts[0]} and {counts[1]}"
        )


def _check_words(where: str, words: Sequence[str], *, blank: bool) -> None:
    if not words:
        raise ValueError(f"{where} must hold at least one word, got an empty list")
    if not blank and not all(words):
        raise ValueError(f"{where} must hold no blank, got {list(words)}")
    if len({word.lower() for word in words}) != len(words):
        raise ValueError(f"{where} must hold each word once, got {list(words)}")


def _check_disjoint(where: str, first: Sequence[str], second: Sequence[str]) -> None:
    common = {word.lower() for word in first} & {word.lower() for word in second}
    if common:
        raise ValueError(f"{where} must not hold a word in both of its lists, got {sorted(common)} in both")
