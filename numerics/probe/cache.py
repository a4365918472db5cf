"""Named arrays on disk under the hash of what they were computed from: safe to kill, safe to share."""

from __future__ import annotations

import contextlib
import hashlib
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

from numerics.files import replacing

STALE_SECONDS = 24 * 3600
"""A temporary file that is older belongs to a process that was killed."""


class ArrayCache:
    """A folder of .npz files, each holding named arrays (no pickled objects) and named by a content hash.

    A file appears whole or not at all: it is written under a temporary name and then renamed. So a run that
    is killed goes on where it stopped, and two processes may share the folder: at worst both compute the
    same arrays, and either's file serves both. A damaged file is found by its checksums and made anew.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        for left in self.folder.glob(".*.npz.*"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - left.stat().st_mtime > STALE_SECONDS:
                    left.unlink()

    def fetch(self, key: str, compute: Callable[[], Mapping[str, np.ndarray]]) -> Path:
        """The file that holds the arrays of this key, computed and written if it isn't there undamaged."""
        path = self.folder / f"{key}.npz"
        if not _intact(path):
            self._write(path, compute())
        return path

    def _write(self, path: Path, arrays: Mapping[str, np.ndarray]) -> None:
        with replacing(path) as temporary, temporary.open("wb") as stream:
            np.savez(stream, allow_pickle=False, **arrays)


def content_key(parts: Iterable[str | bytes]) -> str:
    """A hash of a sequence of texts or bytes, in which the borders between them count.

    >>> content_key(["ab", "c"]) == content_key(["a", "bc"])
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()


def read_array(path: Path, name: str) -> np.ndarray:
    """One array of a file; the others are not read."""
    with np.load(path, allow_pickle=False) as arrays:
        return arrays[name]


def _intact(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as file:
            return file.testzip() is None
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError):
        return False
