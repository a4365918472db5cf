"""Cited evidence: a theorem of the literature applies, since each of its hypotheses is checked somewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from proofs_check.claim import Context, Evidence, Kind, Verdict


@dataclass(frozen=True)
class Hypothesis:
    """A hypothesis of a theorem: where it is checked.

    claim: id of the claim that establishes it (the citing claim must depend on it), or
    test: a function of what the subject puts in this hypothesis's place, true if that satisfies it.
    """

    name: str
    claim: str = ""
    test: Callable[[Any], bool] | None = None

    def __post_init__(self) -> None:
        if bool(self.claim) == (self.test is not None):
            raise ValueError(f"hypothesis {self.name!r} needs either a claim or a test")


@dataclass(frozen=True)
class Cited:
    """Applies a named theorem: the subject maps the name of each hypothesis to what meets it.

    For a hypothesis that a claim establishes that is the claim's id; for one with a test it is whatever the
    test judges. The application is refuted if a hypothesis is missing, is met by another claim, or fails its
    test. That the theorem itself is true is taken from the reference: the evidence is no more than cited.
    """

    theorem: str
    reference: str
    hypotheses: tuple[Hypothesis, ...]
    kind: Kind = Kind.CITED

    def __post_init__(self) -> None:
        if not self.hypotheses:
            raise ValueError(f"the theorem {self.theorem!r} is cited without a hypothesis to check")

    @property
    def requires(self) -> tuple[str, ...]:
        """Ids of claims that a claim with this judge must depend on."""
        return tuple(hypothesis.claim for hypothesis in self.hypotheses if hypothesis.claim)

    def applied(self, *, without: str = "", **instead: Any) -> dict[str, Any]:
        """What meets each hypothesis, as a subject: the claims that establish them.

        without: a hypothesis to leave out. A keyword, with spaces for its underscores, names a hypothesis
        that something else meets, or that has a test.
        """
        met = {hypothesis.name: hypothesis.claim for hypothesis in self.hypotheses if hypothesis.claim}
        met |= {name.replace("_", " "): given for name, given in instead.items()}
        return {name: given for name, given in met.items() if name != without}

    def __call__(self, subject: Mapping[str, Any], context: Context) -> Evidence:
        faults = [fault for hypothesis in self.hypotheses if (fault := _fault(hypothesis, subject))]
        data = {"theorem": self.theorem, "reference": self.reference}
        if faults:
            detail = f"{self.theorem} does not apply: {'; '.join(faults)}"
            return Evidence(self.kind, Verdict.REFUTED, detail, data=data)
        route = tuple(
            f"{hypothesis.name}: {hypothesis.claim or 'checked on the subject'}"
            for hypothesis in self.hypotheses
        )
        return Evidence(self.kind, Verdict.HOLDS, f"{self.theorem} ({self.reference})", route, data)


def _fault(hypothesis: Hypothesis, subject: Mapping[str, Any]) -> str:
    if hypothesis.name not in subject:
        return f"nothing meets the hypothesis {hypothesis.name!r}"
    given = subject[hypothesis.name]
    if hypothesis.claim:
        return "" if given == hypothesis.claim else f"{given!r} does not establish {hypothesis.name!r}"
    assert hypothesis.test is not None
    return "" if hypothesis.test(given) else f"the hypothesis {hypothesis.name!r} fails"
