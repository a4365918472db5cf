"""The functions of the generated closed forms on NumPy arrays, in double precision as they stand.

The closed forms cancel where the risk is small: numerics.risk is accurate, this is for comparison and search.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special


class ArrayFunctions:
    """The table F for numbers and arrays."""

    pi = np.pi
    exp = staticmethod(np.exp)
    sqrt = staticmethod(np.sqrt)
    power = staticmethod(pow)
    erf = staticmethod(special.erf)

    @staticmethod
    def rational(p: int, q: int) -> float:
        """p / q."""
        return p / q

    @staticmethod
    def zeta(t: Any, g: Any) -> Any:
        """E erf(t + g G)^2 by Owen's T function."""
        return 1 - 8 * special.owens_t(np.sqrt(2) * t / np.sqrt(1 + 2 * g * g), 1 / np.sqrt(1 + 4 * g * g))

    @staticmethod
    def erf_moment(n: int, x: Any) -> Any:
        """int_0^1 s^(2n) exp(-x^2 s^2) ds by Kummer's function."""
        return special.hyp1f1(n + 0.5, n + 1.5, -(x * x)) / (2 * n + 1)


ARRAYS = ArrayFunctions()
