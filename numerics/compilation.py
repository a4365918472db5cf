"""Where Numba keeps compiled kernels: in a folder named after the sources that they were compiled from.

Numba's own cache notices a change of a kernel's file, but not of the functions that the kernel calls from
other files. Imported before any kernel is defined, this module makes a changed source compile anew.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from numba import config

PACKAGE = Path(__file__).parent


def fingerprint() -> str:
    """A hash of all sources of this package."""
    digest = hashlib.sha256()
    for source in sorted(PACKAGE.rglob("*.py")):
        digest.update(source.relative_to(PACKAGE).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Beside the sources, or in the user's cache where the package is read-only."""
    beside = PACKAGE / "__pycache__"
    if os.access(beside if beside.exists() else PACKAGE, os.W_OK):
        return beside / f"kernels-{fingerprint()}"
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "single-location-regression" / f"kernels-{fingerprint()}"


if "NUMBA_CACHE_DIR" not in os.environ:
    config.CACHE_DIR = str(cache_folder())
