"""The ledger: all claims, collected from their modules, validated, and ordered by what rests on what."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from types import ModuleType

from proofs_check.claim import Claim, Kind

CLAIMS_PACKAGE = "proofs_check.claims"
"""Where `load` looks for claims."""

_ID = re.compile(r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)+")


class LedgerError(ValueError):
    """The claims contradict one another as data: a duplicate id, an unknown dependency, a cycle..."""


class UnknownClaim(LookupError):
    """No claim has this id, or none matches this pattern; the message suggests ids that come close."""


@dataclass(frozen=True)
class Part:
    """The claims about one part of the paper: one module of claims."""

    name: str
    title: str
    claims: tuple[Claim, ...]


class Ledger(Mapping[str, Claim]):
    """Claims by id, in an order in which every claim follows what it rests on within its part.

    Raises LedgerError if an id is malformed or used twice, a claim has no judge or no mutant, a mutant's name
    is used twice in a claim, a dependency is unknown, a judge needs a claim that is not declared as a
    dependency, or the dependencies form a cycle.
    """

    def __init__(self, parts: Iterable[Part]) -> None:
        unordered = tuple(parts)
        self._claims = _by_id(unordered)
        self._rank = _rank(self._claims)
        self.parts = tuple(sorted((self._sorted(part) for part in unordered), key=self._part_rank))
        self._claims = _by_id(self.parts)
        self.part_of = {claim.id: part for part in self.parts for claim in part.claims}

    def __getitem__(self, claim_id: str) -> Claim:
        try:
            return self._claims[claim_id]
        except KeyError:
            raise UnknownClaim(f"no claim has the id {claim_id!r}{self._suggestion(claim_id)}") from None

    def __contains__(self, claim_id: object) -> bool:
        return claim_id in self._claims

    def __iter__(self) -> Iterator[str]:
        return iter(self._claims)

    def __len__(self) -> int:
        return len(self._claims)

    @cached_property
    def topological(self) -> tuple[str, ...]:
        """All ids, each after everything that it rests on."""
        return tuple(sorted(self._claims, key=lambda claim_id: self._rank[claim_id]))

    @property
    def statistical_checks(self) -> int:
        """How many statistical judges share the error budget: all of them, whichever claims are run."""
        return sum(judge.kind is Kind.STATISTICAL for claim in self.values() for judge in claim.judges)

    def select(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Ids that match any pattern: a glob, a whole id, or leading words of ids ("risk").

        No pattern selects every claim. Raises UnknownClaim for a pattern that matches nothing.
        """
        if not patterns:
            return tuple(self)
        chosen = set()
        for pattern in patterns:
            matching = [claim_id for claim_id in self if _matches(claim_id, pattern)]
            if not matching:
                raise UnknownClaim(f"no claim matches {pattern!r}{self._suggestion(pattern)}")
            chosen.update(matching)
        return tuple(claim_id for claim_id in self if claim_id in chosen)

    def with_dependencies(self, ids: Iterable[str]) -> tuple[str, ...]:
        """These ids and all that they rest on, in ledger order."""
        needed: set[str] = set()
        pending = list(ids)
        while pending:
            claim_id = pending.pop()
            if claim_id not in needed:
                needed.add(claim_id)
                pending.extend(self[claim_id].depends_on)
        return tuple(claim_id for claim_id in self if claim_id in needed)

    def _sorted(self, part: Part) -> Part:
        claims = tuple(sorted(part.claims, key=lambda claim: self._rank[claim.id]))
        return Part(part.name, part.title, claims)

    def _part_rank(self, part: Part) -> tuple[int, str]:
        return max((self._rank[claim.id][0] for claim in part.claims), default=0), part.name

    def _suggestion(self, wanted: str) -> str:
        of_part = [claim_id for claim_id in self if claim_id.startswith(f"{wanted}.")]
        if of_part:
            return f"; the ids that begin so are {', '.join(of_part)}"
        close = difflib.get_close_matches(wanted, list(self), n=3, cutoff=0.5)
        return f"; did you mean {' or '.join(close)}?" if close else "; `slr claims` lists them all"


def load(package: str | None = None) -> Ledger:
    """Collect the claims of every module of a package, by default the project's own.

    Each module is one part of the paper: its docstring's first line is the title and its function `claims()`
    returns the list of claims. Raises LedgerError as `Ledger` does.
    """
    package = package or CLAIMS_PACKAGE
    found = importlib.import_module(package)
    names = sorted(module.name for module in pkgutil.iter_modules(found.__path__))
    return Ledger(_part(importlib.import_module(f"{package}.{name}")) for name in names if name[0] != "_")


def _part(module: ModuleType) -> Part:
    name = module.__name__.rpartition(".")[2]
    if not hasattr(module, "claims"):
        raise LedgerError(f"module {module.__name__} has no function claims()")
    title = (module.__doc__ or name).strip().splitlines()[0].rstrip(".")
    return Part(name, title, tuple(module.claims()))


def _matches(claim_id: str, pattern: str) -> bool:
    return claim_id == pattern or claim_id.startswith(f"{pattern}.") or fnmatchcase(claim_id, pattern)


def _by_id(parts: Iterable[Part]) -> dict[str, Claim]:
    claims: dict[str, Claim] = {}
    for part in parts:
        for claim in part.claims:
            if claim.id in claims:
                raise LedgerError(f"two claims have the id {claim.id!r}")
            _validate(claim)
            claims[claim.id] = claim
    return claims


def _validate(claim: Claim) -> None:
    if not _ID.fullmatch(claim.id):
        raise LedgerError(f"claim id {claim.id!r} must be dotted lower-case words, such as 'risk.oracle'")
    if not claim.judges:
        raise LedgerError(f"claim {claim.id!r} has no judge")
    if not claim.mutants:
        raise LedgerError(f"claim {claim.id!r} has no mutant")
    names = [mutant.name for mutant in claim.mutants]
    if len(set(names)) < len(names):
        raise LedgerError(f"claim {claim.id!r} has two mutants of one name: {', '.join(sorted(names))}")
    for judge in claim.judges:
        missing = set(getattr(judge, "requires", ())) - set(claim.depends_on)
        if missing:
            lacking = ", ".join(sorted(missing))
            raise LedgerError(f"a judge of claim {claim.id!r} needs {lacking}, which is not in depends_on")


def _rank(claims: Mapping[str, Claim]) -> dict[str, tuple[int, int]]:
    """Depth of each claim above what rests on nothing, then its place of declaration."""
    for claim in claims.values():
        for dependency in claim.depends_on:
            if dependency not in claims:
                close = difflib.get_close_matches(dependency, list(claims), n=1)
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise LedgerError(f"claim {claim.id!r} depends on unknown id {dependency!r}{hint}")
    try:
        order = list(
            TopologicalSorter({key: claim.depends_on for key, claim in claims.items()}).static_order()
        )
    except CycleError as error:
        raise LedgerError(f"claims depend on one another in a cycle: {' -> '.join(error.args[1])}") from None
    depth: dict[str, int] = {}
    for claim_id in order:
        depth[claim_id] = 1 + max((depth[other] for other in claims[claim_id].depends_on), default=-1)
    return {claim_id: (depth[claim_id], place) for place, claim_id in enumerate(claims)}
