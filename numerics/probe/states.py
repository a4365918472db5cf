"""Hidden states of sets of sentences, computed in batches of one length and kept on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from numerics.probe.cache import ArrayCache, content_key, read_array
from numerics.probe.model import Encoder, Tokens
from numerics.probe.sentences import SentenceSet

FORMAT = "states 1"
BATCH_TOKENS = 4096
"""Tokens in a batch: bounds the memory that the encoder takes, whatever the number of sentences."""

Progress = Callable[[int, int], None]
"""Told how many sentences of how many are done."""


@dataclass(frozen=True)
class Chunk:
    """Sentences of one length that were encoded together: their rows in the set, and their states' file."""

    rows: np.ndarray
    with_tokens: bool
    path: Path


class States:
    """The hidden states of a set of n sentences, read from disk one layer at a time.

    Of every sentence there is the state of [CLS]; of those in `kept` (sorted row numbers, m of them) also the
    states of all tokens and the attention of [CLS]. These come padded with zeros to `longest` tokens.

    words: (m, longest) bool, true at tokens of the text, false at [CLS], [SEP] and padding.
    deciding: (m, longest) bool, true at the pieces of the deciding word.
    """

    def __init__(
        self, sentences: SentenceSet, tokens: list[Tokens], kept: np.ndarray, chunks: list[Chunk]
    ) -> None:
        self.sentences = sentences
        self.kept = kept
        self.longest = max((len(tokens[row]) for row in kept), default=0)
        self.words, self.deciding = np.zeros((2, len(kept), self.longest), dtype=bool)
        for i, row in enumerate(kept):
            begin, end = tokens[row].offsets.T
            first, last = sentences.spans[row]
            self.words[i, : len(begin)] = end > begin
            self.deciding[i, : len(begin)] = (end > first) & (begin < last) & (end > begin)
        self._chunks = chunks

    def cls(self, layer: int) -> np.ndarray:
        """(n, dimension) float32: the state of [CLS] after `layer` blocks; layer 0 are the embeddings."""
        parts = [read_array(chunk.path, f"cls_{layer}") for chunk in self._chunks]
        out = np.empty((len(self.sentences), parts[0].shape[-1]), dtype=np.float32)
        for chunk, part in zip(self._chunks, parts, strict=True):
            out[chunk.rows] = part
        return out

    def token_states(self, layer: int) -> np.ndarray:
        """(m, longest, dimension) float32, kept as float16: the states of all tokens after `layer` blocks."""
        return self._padded(f"tokens_{layer}")

    def attention(self, block: int) -> np.ndarray:
        """(m, longest, heads) float32: with which weights [CLS] attends to the tokens in block 1, 2, ..."""
        return self._padded(f"attention_{block}")

    def _padded(self, name: str) -> np.ndarray:
        """Arrays (rows, tokens, width) of the chunks with tokens, put in the order of the kept sentences."""
        parts = [(chunk.rows, read_array(chunk.path, name)) for chunk in self._chunks if chunk.with_tokens]
        out = np.zeros((len(self.kept), self.longest, parts[0][1].shape[-1]), dtype=np.float32)
        for rows, part in parts:
            out[np.searchsorted(self.kept, rows), : part.shape[1]] = part
        return out


def encode(
    encoder: Encoder,
    sets: Mapping[str, SentenceSet],
    kept: Mapping[str, np.ndarray],
    cache: ArrayCache,
    progress: Progress | None = None,
) -> dict[str, States]:
    """Hidden states of every set; `kept` tells of which sentences all tokens are wanted.

    What is in the cache is not computed again. Raises ValueError for a sentence that is too long.
    """
    total, done = sum(len(sentences) for sentences in sets.values()), 0
    result = {}
    for name, sentences in sets.items():
        tokens = encoder.tokenize(sentences.texts)
        wanted = np.sort(kept[name])
        chunks = []
        for rows, with_tokens in _batches(tokens, wanted):
            chunks.append(_chunk(encoder, sentences, tokens, rows, with_tokens, cache))
            done += len(rows)
            if progress is not None:
                progress(done, total)
        result[name] = States(sentences, tokens, wanted, chunks)
    return result


def _batches(tokens: list[Tokens], wanted: np.ndarray) -> list[tuple[np.ndarray, bool]]:
    """Rows of sentences of one length, those of which all tokens are wanted apart from the others."""
    lengths = np.array([len(sentence) for sentence in tokens])
    with_tokens = np.isin(np.arange(len(tokens)), wanted)
    batches = []
    for flag in (True, False):
        for length in np.unique(lengths[with_tokens == flag]):
            rows = np.flatnonzero((lengths == length) & (with_tokens == flag))
            size = max(1, BATCH_TOKENS // int(length))
            batches += [(rows[i : i + size], flag) for i in range(0, len(rows), size)]
    return batches


def _chunk(
    encoder: Encoder,
    sentences: SentenceSet,
    tokens: list[Tokens],
    rows: np.ndarray,
    with_tokens: bool,
    cache: ArrayCache,
) -> Chunk:
    key = content_key([FORMAT, encoder.digest, str(with_tokens), *(sentences.texts[row] for row in rows)])
    ids = np.stack([tokens[row].ids for row in rows])
    return Chunk(rows, with_tokens, cache.fetch(key, lambda: _arrays(encoder, ids, with_tokens)))


def _arrays(encoder: Encoder, ids: np.ndarray, with_tokens: bool) -> dict[str, np.ndarray]:
    states, attention = encoder.hidden_states(ids)
    arrays = {f"cls_{layer}": state[:, 0] for layer, state in enumerate(states)}
    if with_tokens:
        arrays |= {f"tokens_{layer}": state.astype(np.float16) for layer, state in enumerate(states)}
        arrays |= {
            f"attention_{block}": weights.swapaxes(1, 2) for block, weights in enumerate(attention, start=1)
        }
    return arrays
