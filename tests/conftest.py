"""Hypothesis profiles, quick by default, and a tiny BERT with random weights, made on the spot."""

import warnings

import pytest
from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "print_blob": True, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=40, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=500, **_COMMON)
settings.load_profile("quick")


@pytest.fixture(scope="session")
def timeless():
    """A function that takes a report's times away."""

    def without(value):
        if isinstance(value, dict):
            return {key: without(item) for key, item in value.items() if key not in ("seconds", "started")}
        return [without(item) for item in value] if isinstance(value, list) else value

    return without


def _vocabulary():
    """Whole words for most of the built-in lists; "lovely", "awful" and "gorgeous" come in two pieces."""
    from numerics.probe.words import WordLists

    words = WordLists.built_in("contrast")
    texts = [t for group in words.templates.values() for t in group]
    found = {w.strip("{},.?").lower() for text in texts for w in text.split()}
    found |= {w for lists in words.neutral.values() for version in lists.values() for w in version}
    found |= {
        *words.polar("train"),
        *words.polar("new"),
        "clean",
        "dirty",
        "thanks",
        "letter",
        "knows",
        "for",
    }
    found -= {"", "lovely", "awful", "gorgeous"}
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    return [*special, *".,?", "love", "##ly", "aw", "##ful", "gor", "##geous", *sorted(found)]


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory):
    """Folder of the tiny BERT; skips if the extra is not installed."""
    folder = tmp_path_factory.mktemp("tiny-bert")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch = pytest.importorskip("torch")
        transformers = pytest.importorskip("transformers")
        pytest.importorskip("sklearn")
        words = _vocabulary()
        (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
        torch.manual_seed(0)
        torch.set_num_threads(1)
        config = transformers.BertConfig(
            vocab_size=len(words),
            hidden_size=24,
            num_hidden_layers=2,
            num_attention_heads=3,
            intermediate_size=48,
            max_position_embeddings=40,
            initializer_range=0.3,
        )
        transformers.BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    return folder
