"""The word lists and the sentences made of them: balance, what changes, what is refused."""

import json
import re
from collections import Counter, defaultdict

import numpy as np
import pytest

from numerics.probe.sentences import TEST_SETS, TRAIN, sentence_sets
from numerics.probe.words import ASIDE, BUILT_IN, WordLists, built_in_text


@pytest.fixture(scope="module", params=BUILT_IN)
def words(request):
    return WordLists.built_in(request.param)


@pytest.fixture(scope="module")
def sets(words):
    return sentence_sets(words, seed=3, train=2000, test=600)


def changed(change, name="plain"):
    raw = json.loads(built_in_text(name))
    change(raw)
    return json.dumps(raw)


def test_sizes_are_those_of_the_paper():
    sets = sentence_sets(WordLists.built_in(), seed=0)
    assert len(sets[TRAIN]) == 15_000
    assert {len(sets[name]) for name in TEST_SETS} == {1_500}


def test_every_set_is_balanced_over_labels_and_templates(sets):
    for sentences in sets.values():
        assert sentences.labels.sum() == 0
        first = Counter(sentences.fillers[:, 0])
        if sentences.name not in (TRAIN, "held out"):
            assert max(first.values()) - min(first.values()) <= 2


def test_any_even_prefix_is_balanced(sets):
    for sentences in sets.values():
        assert (sentences.labels.reshape(-1, 2) == [1, -1]).all()


def test_no_sentence_is_there_twice_and_no_test_sentence_is_a_training_sentence(sets):
    for sentences in sets.values():
        assert len(set(sentences.texts)) == len(sentences)
        assert sentences.name == TRAIN or not set(sentences.texts) & set(sets[TRAIN].texts)


def test_the_label_is_the_polarity_of_the_word_at_the_span(words, sets):
    for name, sentences in sets.items():
        version = "train" if name == TRAIN else TEST_SETS[name].label
        for text, label, (begin, end) in zip(sentences.texts, sentences.labels, sentences.spans, strict=True):
            polarity = "positive" if label == 1 else "negative"
            assert text[begin:end].lower() in words.label[version][polarity]


def test_a_set_changes_what_its_name_says_and_nothing_else(words, sets):
    fixed = {slot for slot, lists in words.neutral.items() if lists["train"] == lists["new"]}
    new = {w for slot, lists in words.neutral.items() if slot not in fixed for w in lists["new"]} - {""}
    old = {w for slot, lists in words.neutral.items() if slot not in fixed for w in lists["train"]} - {""}
    for name, recipe in TEST_SETS.items():
        used = {word for text in sets[name].texts for word in text.lower().replace(".", "").split()}
        assert bool(used & new) == (recipe.neutral == "new")
        assert bool(used & old) == (recipe.neutral == "train")
        assert bool(used & set(words.polar("new"))) == (recipe.label == "new")
        templates = set(words.templates[recipe.templates])
        assert (templates == set(words.templates["train"])) == (recipe.templates == "train")


def test_the_other_polar_word_says_nothing_about_the_label(sets):
    for sentences in sets.values():
        column = sentences.fillers[:, sentences.slots.index(ASIDE)]
        for word in np.unique(column[column >= 0]):
            mean = sentences.labels[column == word].mean()
            assert abs(mean) < 5 / np.sqrt((column == word).sum())


def test_which_words_a_contrast_sentence_holds_decides_three_quarters_at_most():
    """Swapping the two polar words keeps the bag; where their polarities differ it turns the label over."""

    def fewer(raw):
        for slot in ("place", "possessive", "size", "colour", "animal", "adverb"):
            raw["neutral"][slot] = {key: lists[-1:] for key, lists in raw["neutral"][slot].items()}

    lists = WordLists._from_text("here", changed(fewer, "contrast"))
    both = sentence_sets(lists, seed=0, train=10_000, test=2)
    bags = defaultdict(Counter)
    for name in (TRAIN, "held out"):
        for text, label in zip(both[name].texts, both[name].labels, strict=True):
            bags[tuple(sorted(text.lower().replace(".", "").split()))][int(label)] += 1
    total = sum(sum(bag.values()) for bag in bags.values())
    assert total == 2 * 12 * 12
    assert sum(max(bag.values()) for bag in bags.values()) == 0.75 * total


def test_one_seed_gives_one_sample(words):
    first, again, other = (sentence_sets(words, seed, train=40, test=20) for seed in (1, 1, 2))
    for name in first:
        assert first[name].texts == again[name].texts
        assert first[name].texts != other[name].texts


def test_a_product_that_is_small_is_taken_whole():
    def few(raw):
        raw["neutral"] = {key: {"train": ["a" + key], "new": ["b" + key]} for key in raw["neutral"]}
        for group in raw["templates"]:
            raw["templates"][group] = [f"{group}: {{animal}} is {{label}}."]

    lists = WordLists._from_text("here", changed(few))
    sets = sentence_sets(lists, seed=0, train=100, test=50)
    assert len(sets["everything"]) == 20
    assert len(sets[TRAIN]) + len(sets["held out"]) == 12
    assert len(sets["held out"]) == 4
    assert set(sets["everything"].fillers[:, sets["everything"].slots.index("colour")]) == {-1}


def test_blanks_leave_no_trace():
    text = sentence_sets(WordLists.built_in(), seed=0, train=400, test=200)[TRAIN].texts
    assert not any("  " in t or " ." in t for t in text)
    assert all(part[0].isupper() for t in text for part in t.split(". "))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda raw: raw["neutral"]["animal"].update(train=[]),
            "neutral / animal / train must hold at least",
        ),
        (
            lambda raw: raw["label"]["new"].update(negative=[]),
            "label / new / negative must hold at least one",
        ),
        (lambda raw: raw["label"]["train"].pop("negative"), "label / train must have exactly the entries"),
        (
            lambda raw: raw["label"]["train"]["negative"].pop(),
            "as many positive as negative words, got 6 and 5",
        ),
        (lambda raw: raw["label"]["new"]["positive"].__setitem__(0, "nice"), "got ['nice'] in both"),
        (lambda raw: raw["label"]["train"]["positive"].__setitem__(0, "awful"), "got ['awful'] in both"),
        (lambda raw: raw["label"]["train"]["positive"].__setitem__(0, " "), "must hold no blank"),
        (lambda raw: raw["neutral"]["animal"].update(new=["dog"]), "got ['dog'] in both"),
        (lambda raw: raw["neutral"]["animal"].update(new=["cat", "Cat"]), "must hold each word once"),
        (lambda raw: raw["templates"].update(structure=["No slot."]), "must hold {label} once"),
        (lambda raw: raw["templates"].update(structure=["{label} {label}"]), "must hold {label} once"),
        (lambda raw: raw["templates"].update(structure=["{label} {what}"]), "must hold {label} once"),
        (
            lambda raw: raw["templates"].update(structure=["{label"]),
            "templates / structure must close each brace",
        ),
        (lambda raw: raw["templates"].pop("structure"), "templates must have exactly the entries"),
        (lambda raw: raw.pop("label"), "must be a JSON object with templates, neutral and label"),
        (lambda raw: raw["neutral"]["animal"].update(new=[1]), "must be a JSON object with templates"),
    ],
)
def test_bad_lists_are_refused_with_the_place_and_a_remedy(change, message, tmp_path):
    path = tmp_path / "words.json"
    path.write_text(changed(change), encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        WordLists.read(path)

    assert str(path) in str(error.value)
    assert "slr probe --show-words > words.json" in str(error.value)


@pytest.mark.parametrize("text", ["", "[]", "nothing", '{"templates": []}'])
def test_what_is_no_word_list_is_refused(text, tmp_path):
    path = tmp_path / "words.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="slr probe --show-words"):
        WordLists.read(path)
    with pytest.raises(ValueError, match="must be a readable JSON file"):
        WordLists.read(tmp_path / "none.json")


def test_a_test_set_that_repeats_the_training_set_is_refused():
    lists = WordLists._from_text(
        "here", changed(lambda raw: raw["templates"].update({"word order": raw["templates"]["train"]}))
    )
    with pytest.raises(ValueError, match="test set 'word order' may be a training sentence"):
        sentence_sets(lists, seed=0, train=15_000, test=1_500)


@pytest.mark.parametrize("size", [0, 3, -2])
def test_bad_sizes_are_refused(size):
    with pytest.raises(ValueError, match=f"train must be .*{size}"):
        sentence_sets(WordLists.built_in(), seed=0, train=size)


def test_there_is_no_built_in_list_of_another_name():
    with pytest.raises(ValueError, match="words must be one of"):
        built_in_text("none")
