"""Hidden states of a tiny BERT: what they are, how they are kept, and how a stopped run goes on."""

import dataclasses
import json
import shutil

import numpy as np
import pytest

from numerics.probe.cache import ArrayCache
from numerics.probe.model import load_encoder
from numerics.probe.sentences import TRAIN, sentence_sets
from numerics.probe.states import encode
from numerics.probe.words import WordLists


@pytest.fixture(scope="module")
def sets():
    return sentence_sets(WordLists.built_in(), seed=0, train=60, test=20)


@pytest.fixture(scope="module")
def kept(sets):
    return {name: np.arange(0, len(sentences), 3) for name, sentences in sets.items()}


@pytest.fixture
def states(encoder, sets, kept, tmp_path):
    return encode(encoder, sets, kept, ArrayCache(tmp_path / "cache"))


class Counting:
    """An encoder's network that counts the sentences that it sees and fails after `most`."""

    def __init__(self, network, most=np.inf):
        self.network, self.most, self.seen = network, most, 0

    def __call__(self, input_ids, **arguments):
        if self.seen >= self.most:
            raise KeyboardInterrupt
        self.seen += len(input_ids)
        return self.network(input_ids=input_ids, **arguments)


def test_states_are_those_of_each_sentence_alone(encoder, sets, states):
    for name, some in states.items():
        for i, row in enumerate(some.kept[:3]):
            (tokens,) = encoder.tokenize([sets[name].texts[row]])
            alone, attention = encoder.hidden_states(tokens.ids[None])
            n = len(tokens)
            for layer in range(encoder.layers + 1):
                np.testing.assert_allclose(some.cls(layer)[row], alone[layer, 0, 0], atol=1e-5)
                kept = some.token_states(layer)[i]
                np.testing.assert_allclose(kept[:n], alone[layer, 0], rtol=1e-3, atol=1e-3)
                assert (kept[n:] == 0).all()
            np.testing.assert_allclose(some.attention(2)[i, :n], attention[1, 0].T, atol=1e-5)
            np.testing.assert_allclose(attention.sum(axis=-1), 1, atol=1e-5)


def test_masks_mark_the_words_and_the_pieces_of_the_deciding_one(encoder, sets, states):
    tokens = encoder.tokenizer.convert_ids_to_tokens
    pieces = set()
    for name, some in states.items():
        for i, row in enumerate(some.kept):
            text, (begin, end) = sets[name].texts[row], sets[name].spans[row]
            names = tokens(encoder.tokenize([text])[0].ids.tolist())
            deciding = [t for t, mark in zip(names, some.deciding[i], strict=False) if mark]
            assert "".join(deciding).replace("##", "") == text[begin:end].lower()
            assert [t for t, mark in zip(names, some.words[i], strict=False) if mark] == names[1:-1]
            assert not some.words[i, len(names) :].any()
            pieces.add(len(deciding))
    assert pieces == {1, 2}


def test_embeddings_of_cls_are_the_same_in_every_sentence(states):
    first = states[TRAIN].cls(0)
    np.testing.assert_allclose(first, np.broadcast_to(first[0], first.shape), atol=1e-6)


def test_nothing_is_computed_twice_and_a_stopped_run_goes_on(encoder, sets, kept, tmp_path):
    total = sum(len(sentences) for sentences in sets.values())
    cache = ArrayCache(tmp_path)
    stopped = Counting(encoder.network, most=total // 3)
    with pytest.raises(KeyboardInterrupt):
        encode(dataclasses.replace(encoder, network=stopped), sets, kept, cache)
    rest = Counting(encoder.network)
    done = []
    first = encode(
        dataclasses.replace(encoder, network=rest), sets, kept, cache, lambda *now: done.append(now)
    )
    assert stopped.seen + rest.seen == total
    assert done[-1] == (total, total)
    none = Counting(encoder.network, most=0)
    again = encode(dataclasses.replace(encoder, network=none), sets, kept, cache)
    np.testing.assert_array_equal(first[TRAIN].cls(1), again[TRAIN].cls(1))


def test_another_model_or_text_is_computed_anew(encoder, sets, kept, tmp_path):
    cache = ArrayCache(tmp_path)
    encode(encoder, sets, kept, cache)
    counting = Counting(encoder.network)
    other = dataclasses.replace(encoder, network=counting, digest="another")
    encode(other, {TRAIN: sets[TRAIN]}, {TRAIN: kept[TRAIN]}, cache)
    assert counting.seen == len(sets[TRAIN])


def test_the_digest_follows_the_weights(checkpoint, encoder, tmp_path):
    copy = shutil.copytree(checkpoint, tmp_path / "copy")
    assert load_encoder(copy).digest == encoder.digest
    raw = bytearray((copy / "model.safetensors").read_bytes())
    raw[-1] ^= 1
    (copy / "model.safetensors").write_bytes(raw)
    assert load_encoder(copy).digest != encoder.digest


def test_a_sentence_that_is_too_long_is_refused(encoder):
    with pytest.raises(ValueError, match="at most 40 tokens for tiny-bert0, got 52"):
        encoder.tokenize(["dog " * 50])


def _edit_config(folder, **changes):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))


DAMAGES = {
    "no folder": (shutil.rmtree, "must be a BERT checkpoint"),
    "no config": (lambda folder: (folder / "config.json").unlink(), "must be a BERT checkpoint"),
    "config not JSON": (lambda folder: (folder / "config.json").write_text("{"), "must be a BERT checkpoint"),
    "another type": (
        lambda folder: _edit_config(folder, model_type="gpt2"),
        "of type 'bert', got 'gpt2'",
    ),
    "no weights": (lambda folder: (folder / "model.safetensors").unlink(), "must hold its weights"),
    "no vocabulary": (lambda folder: (folder / "vocab.txt").unlink(), "must hold its vocabulary"),
    "weights cut": (
        lambda folder: (folder / "model.safetensors").write_bytes(
            (folder / "model.safetensors").read_bytes()[:1000]
        ),
        "must be a BERT checkpoint",
    ),
    "weights lacking": (
        lambda folder: _edit_config(folder, num_hidden_layers=3),
        "must hold every weight of a BERT encoder",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_no_checkpoint_is_refused_with_a_remedy(checkpoint, tmp_path, damage):
    folder = shutil.copytree(checkpoint, tmp_path / "model")
    spoil, message = DAMAGES[damage]
    spoil(folder)
    with pytest.raises(ValueError, match=message) as error:
        load_encoder(folder)
    assert "slr probe --model" in str(error.value)
