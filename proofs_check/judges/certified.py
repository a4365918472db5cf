"""Certified evidence: interval arithmetic proves an inequality at every real point of a stated box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from proofs_check.boxes import Cell, Outcome, Positivity
from proofs_check.claim import Context, Evidence, Kind, Verdict

MORE_CELLS = 10


@dataclass(frozen=True)
class Inequality:
    """Proves an inequality, or several, on a closed box by branch and bound in ball arithmetic.

    The subject is a relation such as Gt(f, g) or Ge(f, g), or an expression f that stands for f > 0, or a
    tuple of them. A certified point where it fails refutes it. It is undecided if the cells run out.

    box: closed interval of each variable, the ends exact: "0.1", "1/3", 2, Fraction or SymPy rationals.
    budget: cells examined at most, ten times that in a thorough run.
    """

    box: Mapping[sympy.Symbol, tuple[Any, Any]]
    budget: int = 20_000
    kind: Kind = Kind.CERTIFIED

    def __call__(self, subject: Any, context: Context) -> Evidence:
        budget = self.budget * (MORE_CELLS if context.thorough else 1)
        cells = 0
        relations = list(subject) if isinstance(subject, tuple | list) else [subject]
        for relation in relations:
            outcome = self._decide(relation, budget)
            cells += outcome.cells
            if not outcome.holds:
                return self._failure(relation, outcome)
        where = self._written(tuple(_exact(*ends) for ends in self.box.values()))
        data = {"box": where, "cells": cells}
        return Evidence(self.kind, Verdict.HOLDS, f"proved on {where} in {cells} cells", data=data)

    def _decide(self, relation: Any, budget: int) -> Outcome:
        if relation in (sympy.true, sympy.false):
            return Outcome(bool(relation), 0)
        positive, strict = _positive(relation)
        unknown = positive.free_symbols - set(self.box)
        if unknown:
            raise TypeError(f"the box says nothing of {', '.join(sorted(map(str, unknown)))}")
        box = tuple(_exact(*ends) for ends in self.box.values())
        return Positivity(positive, list(self.box), strict=strict).decide(box, budget)

    def _failure(self, relation: Any, outcome: Outcome) -> Evidence:
        if outcome.holds is None:
            where = self._written(outcome.cell)
            detail = f"not decided within {outcome.cells} cells: {where} resists"
            return Evidence(self.kind, Verdict.UNDECIDED, detail, data={"resisting_cell": where})
        point = {str(symbol): str(x) for symbol, x in zip(self.box, outcome.point, strict=False)}
        where = ", ".join(f"{name} = {x}" for name, x in point.items()) or "every point"
        detail = (
            f"false at {where}, where the difference of the sides is {outcome.value or 'of the wrong sign'}"
        )
        return Evidence(self.kind, Verdict.REFUTED, detail, data={"counterexample": point})

    def _written(self, cell: Cell) -> str:
        sides = (f"{symbol} in [{low}, {high}]" for symbol, (low, high) in zip(self.box, cell, strict=True))
        return ", ".join(sides)


def _positive(relation: Any) -> tuple[sympy.Expr, bool]:
    """The expression whose positivity the relation states, and whether strictly."""
    if isinstance(relation, sympy.StrictGreaterThan | sympy.StrictLessThan):
        return relation.gts - relation.lts, True
    if isinstance(relation, sympy.GreaterThan | sympy.LessThan):
        return relation.gts - relation.lts, False
    if isinstance(relation, sympy.Expr):
        return relation, True
    raise TypeError(f"an inequality must be a SymPy relation or expression, got {type(relation).__name__}")


def _exact(low: Any, high: Any) -> tuple[Fraction, Fraction]:
    for end in (low, high):
        if isinstance(end, float | sympy.Float):
            raise TypeError(f"the ends of a box must be exact, such as '0.1' or Fraction(1, 10), got {end!r}")
    exact = Fraction(str(low)), Fraction(str(high))
    if exact[0] > exact[1]:
        raise ValueError(f"a side of a box must run from low to high, got [{low}, {high}]")
    return exact
