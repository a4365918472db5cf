"""What a claim is: data. Judges turn its subject, or a mutant's, into evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class Kind(StrEnum):
    """Kinds of evidence, strongest first."""

    EXACT = "exact"
    CERTIFIED = "certified"
    NUMERICAL = "numerical"
    STATISTICAL = "statistical"
    CITED = "cited"


class Verdict(StrEnum):
    """What evidence, and so a claim, comes to."""

    HOLDS = "holds"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Evidence:
    """One judge's finding: its kind, verdict, a sentence of detail, and the route as steps of text.

    `data` holds JSON-able extras: the box, the counterexample, the detectable difference, the seed.
    """

    kind: Kind
    verdict: Verdict
    detail: str
    route: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True)
class Context:
    """What a run hands to every judge."""

    seed: int = 20241001
    thorough: bool = False
    error_budget: float = 1e-6
    statistical_checks: int = 1


class Judge(Protocol):
    """Judges a subject. A judge never sees whether the subject is the claim's or a mutant's."""

    @property
    def kind(self) -> Kind: ...

    def __call__(self, subject: Any, context: Context) -> Evidence: ...


@dataclass(frozen=True)
class Mutant:
    """A false variant of a claim's subject, which at least one of the claim's judges must refute."""

    name: str
    subject: Callable[[], Any]


@dataclass(frozen=True)
class Variable:
    """A free variable of the statement: its symbol's name, its domain and its meaning, in words."""

    name: str
    domain: str
    meaning: str = ""


@dataclass(frozen=True)
class Claim:
    """One statement with its evidence.

    id: dotted lower-case words, the part of the paper first, such as "risk.oracle".
    statement: one English sentence that says all of it, hypotheses included; inline mathematics in $...$
        is LaTeX (kept simple: the reports show it as text or MathML).
    subject: thunk of what the judges judge. For an identity a SymPy relation; the reports show it when it is
        a SymPy object.
    source: where it stands in the paper ("Theorem 1"), or "this toolkit".
    judges: each must hold for the claim to hold.
    depends_on: ids of the claims that the evidence rests on.
    mutants: at least one.
    formula: thunk of a SymPy object to show when the subject is not one.
    derivation: how the statement comes about, for a reader; shown by `slr explain`.
    """

    id: str
    statement: str
    subject: Callable[[], Any]
    source: str
    judges: tuple[Judge, ...]
    mutants: tuple[Mutant, ...]
    variables: tuple[Variable, ...] = ()
    depends_on: tuple[str, ...] = ()
    formula: Callable[[], Any] | None = None
    derivation: str = ""
