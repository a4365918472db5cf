"""Numerical evidence: agreement at stated points with an independent evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import mpmath

from proofs_check.claim import Context, Evidence, Kind, Verdict


@dataclass(frozen=True)
class Agreement:
    """Compares the subject, a function from a point to a number or an array, with an independent reference.

    reference: computes the same in another way, preferably to more digits.
    points: the points, or a function from the context to them (so that claims stay cheap to import).
    tolerance: largest relative error allowed at every point.
    absolute: errors up to this count as none, for values that vanish.
    joint: errors are relative to the largest value at the point: its values together are one vector.
    description: what the reference and the points are, as a phrase for the report.
    """

    reference: Callable[[Any], Any]
    points: Sequence[Any] | Callable[[Context], Sequence[Any]]
    tolerance: float
    absolute: float = 0.0
    description: str = ""
    joint: bool = False
    kind: Kind = Kind.NUMERICAL

    def __call__(self, subject: Any, context: Context) -> Evidence:
        points = self.points(context) if callable(self.points) else self.points
        if not len(points):
            return Evidence(self.kind, Verdict.UNDECIDED, "no point to compare at")
        errors = [self._error(subject(point), self.reference(point)) for point in points]
        worst = max(range(len(errors)), key=lambda index: errors[index])
        data = {
            "points": len(points),
            "tolerance": self.tolerance,
            "worst_relative_error": float(errors[worst]),
            "worst_point": points[worst],
        }
        against = f" ({self.description})" if self.description else ""
        detail = f"largest relative error {float(errors[worst]):.2g} at {len(points)} points{against}"
        if errors[worst] <= self.tolerance:
            return Evidence(self.kind, Verdict.HOLDS, f"{detail}, {self.tolerance:g} allowed", data=data)
        return Evidence(self.kind, Verdict.REFUTED, f"{detail}, only {self.tolerance:g} allowed", data=data)

    def _error(self, value: Any, reference: Any) -> mpmath.mpf:
        """Largest relative error over the entries; infinite where shapes differ or a value is not finite."""
        values, references = list(_flat(value)), list(_flat(reference))
        if len(values) != len(references):
            return mpmath.inf
        with mpmath.workdps(40):
            pairs = [(_number(a), _number(b)) for a, b in zip(values, references, strict=True)]
            largest = max((abs(b) for _, b in pairs), default=mpmath.mpf(0))
            return max(
                (self._relative(a, b, largest if self.joint else abs(b)) for a, b in pairs),
                default=mpmath.inf,
            )

    def _relative(self, a: mpmath.mpf, b: mpmath.mpf, scale: mpmath.mpf) -> mpmath.mpf:
        if not mpmath.isfinite(b):
            raise ValueError(f"the reference must be finite, got {b}")
        if not mpmath.isfinite(a):
            return mpmath.inf
        error = abs(a - b)
        if error <= self.absolute:
            return mpmath.mpf(0)
        return error / scale if scale else mpmath.inf


def _flat(value: Any) -> Iterable[Any]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _number(value: Any) -> Any:
    """Any real or complex number, a decimal string or a SymPy number, as an mpmath number."""
    if hasattr(value, "_to_mpmath"):
        return value._to_mpmath(mpmath.mp.prec)
    return mpmath.mpmathify(value)
