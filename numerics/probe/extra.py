"""The optional dependencies of the probing experiment."""

from __future__ import annotations

import importlib
import warnings
from types import ModuleType

INSTALL = "pip install 'single-location-regression[probe]' (in a checkout: pip install '.[probe]')"


def require(module: str) -> ModuleType:
    """Import a module of the extra `probe`; its own warnings at import are no concern of ours.

    Raises ModuleNotFoundError, saying how to install the extra, if it isn't there.

    >>> require("numerics.no_such_module")
    Traceback (most recent call last):
    ModuleNotFoundError: the probing experiment needs numerics.no_such_module, which is not installed: \
pip install 'single-location-regression[probe]' (in a checkout: pip install '.[probe]')
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ModuleNotFoundError as error:
        name = error.name or module
        raise ModuleNotFoundError(
            f"the probing experiment needs {name}, which is not installed: {INSTALL}", name=name
        ) from error
