"""Argument checks: every error names the argument, its value and what is allowed."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np


def integer(name: str, value: Any, minimum: int) -> int:
    """Return `value` as an int that is at least `minimum`; whole floats such as 1e12 are taken.

    Raises TypeError if it is no whole number, ValueError if it is too small or not finite.

    >>> integer("d", 4e2, 1)
    400
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be an integer >= {minimum}, got {value!r}")
    if not math.isfinite(value):
        raise ValueError(f"{name} must be a finite integer >= {minimum}, got {value!r}")
    whole = int(value)  # type: ignore[call-overload]
    if whole != value:
        raise TypeError(f"{name} must be an integer >= {minimum}, got {value!r}")
    if whole < minimum:
        raise ValueError(f"{name} must be >= {minimum}, got {value!r}")
    return whole


def real(name: str, value: Any, *, above: float | None = None, minimum: float | None = None) -> float:
    """Return `value` as a finite float, larger than `above` and at least `minimum` where these are given.

    Raises TypeError if it is no real number, ValueError if it is out of range.

    >>> real("gamma", 1, above=0)
    1.0
    """
    allowed = _allowed(above, minimum)
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a finite number{allowed}, got {value!r}")
    number = float(value)
    out_of_range = (above is not None and not number > above) or (
        minimum is not None and not number >= minimum
    )
    if not math.isfinite(number) or out_of_range:
        raise ValueError(f"{name} must be a finite number{allowed}, got {value!r}")
    return number


def reals(name: str, value: Any, *, above: float | None = None, minimum: float | None = None) -> np.ndarray:
    """Return `value` as a float64 array of finite numbers in range; errors as for `real`.

    >>> reals("lam", [0.1, 1], above=0)
    array([0.1, 1. ])
    """
    allowed = _allowed(above, minimum)
    try:
        raw = np.asarray(value)
    except ValueError as error:
        raise TypeError(f"{name} must be numbers in an array of one shape, got {value!r}") from error
    if raw.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be finite numbers{allowed}, got {value!r}")
    array = raw.astype(np.float64)
    bad = ~np.isfinite(array)
    if above is not None:
        bad |= ~(array > above)
    if minimum is not None:
        bad |= ~(array >= minimum)
    if bad.any():
        raise ValueError(f"{name} must be finite numbers{allowed}, got {_first(array, bad)}")
    return array


def _allowed(above: float | None, minimum: float | None) -> str:
    parts = [f"> {above:g}"] if above is not None else []
    parts += [f">= {minimum:g}"] if minimum is not None else []
    return (" " + " and ".join(parts)) if parts else ""


def _first(array: np.ndarray, bad: np.ndarray) -> str:
    if array.ndim == 0:
        return repr(float(array))
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{float(array[index])!r} at index {index}"
