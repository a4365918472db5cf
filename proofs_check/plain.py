"""Plain data: what a judge records, as values that JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def plain(value: Any) -> Any:
    """The value as JSON-able data: arrays as lists, numbers as int or float, anything else as text.

    Non-finite floats, which JSON lacks, become the strings "nan", "inf" and "-inf".

    >>> import sympy
    >>> plain({"x": sympy.Rational(1, 3), "values": (1.5, float("inf"))})
    {'x': '1/3', 'values': [1.5, 'inf']}
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
    return str(value)
