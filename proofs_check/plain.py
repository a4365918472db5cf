"""Plain data: what a judge records, as values that JSON can hold."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def plain(value: Any) -> Any:
    """The value as JSON-able data: arrays as lists, numbers as int or float, anything else as text.

    Non-finite floats, which JSON lacks, become the strings "nan", "inf" and "-inf". Addresses in memory,
    which Python tells of functions and of some objects, are left out: they differ from run to run.

    >>> import sympy
    >>> plain({"x": sympy.Rational(1, 3), "values": (1.5, float("inf"))})
    {'x': '1/3', 'values': [1.5, 'inf']}
    >>> plain(lambda x: x)
    '<function <lambda>>'
    """
    if value is None or isinstance(value, bool | int | str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [
            plain(item) for item in (sorted(value, key=str) if isinstance(value, set | frozenset) else value)
        ]
    return _ADDRESS.sub("", str(value))
