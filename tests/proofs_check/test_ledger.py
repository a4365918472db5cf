"""The ledger rejects claims that contradict one another as data, and orders those that don't."""

import pytest

from proofs_check.claim import Claim, Mutant
from proofs_check.judges import cited, exact
from proofs_check.ledger import Ledger, LedgerError, Part, UnknownClaim, load

JUDGE = exact.Identity()
MUTANT = Mutant("false", lambda: False)


def claim(claim_id, *depends_on, judges=(JUDGE,), mutants=(MUTANT,)):
    return Claim(claim_id, "It is true.", lambda: True, "nowhere", judges, mutants, depends_on=depends_on)


def ledger(*claims):
    return Ledger([Part("part", "A part", claims)])


def test_order_follows_dependencies_and_then_declaration():
    made = ledger(
        claim("a.last", "a.middle"), claim("a.middle", "a.first"), claim("a.other"), claim("a.first")
    )
    assert list(made) == ["a.other", "a.first", "a.middle", "a.last"]
    assert made.topological == ("a.other", "a.first", "a.middle", "a.last")


def test_foundations_come_before_the_parts_that_rest_on_them():
    high = Part("above", "Above", (claim("above.x", "below.x"),))
    low = Part("below", "Below", (claim("below.x"),))
    assert [part.name for part in Ledger([high, low]).parts] == ["below", "above"]


def test_cycle_is_named():
    with pytest.raises(LedgerError, match=r"cycle: .*a\.x"):
        ledger(claim("a.x", "a.y"), claim("a.y", "a.z"), claim("a.z", "a.x"))


def test_claim_that_rests_on_itself_is_a_cycle():
    with pytest.raises(LedgerError, match="cycle"):
        ledger(claim("a.x", "a.x"))


def test_unknown_dependency_is_named_with_a_suggestion():
    with pytest.raises(LedgerError, match=r"'a.y' depends on unknown id 'a.frist'; did you mean 'a.first'\?"):
        ledger(claim("a.first"), claim("a.y", "a.frist"))


def test_duplicate_id_across_parts():
    with pytest.raises(LedgerError, match=r"two claims have the id 'a\.x'"):
        Ledger([Part("one", "One", (claim("a.x"),)), Part("two", "Two", (claim("a.x"),))])


@pytest.mark.parametrize("bad", ["risk", "Risk.oracle", "risk..x", "risk oracle", ".x", ""])
def test_malformed_id(bad):
    with pytest.raises(LedgerError, match="dotted lower-case words"):
        ledger(claim(bad))


def test_claims_need_judges_and_distinct_mutants():
    with pytest.raises(LedgerError, match="no judge"):
        ledger(claim("a.x", judges=()))
    with pytest.raises(LedgerError, match="no mutant"):
        ledger(claim("a.x", mutants=()))
    with pytest.raises(LedgerError, match="two mutants of one name"):
        ledger(claim("a.x", mutants=(MUTANT, MUTANT)))


def test_hypotheses_of_a_cited_theorem_must_be_dependencies():
    judge = cited.Cited("Theorem", "Book", (cited.Hypothesis("compact", claim="a.compact"),))
    with pytest.raises(LedgerError, match=r"needs a\.compact, which is not in depends_on"):
        ledger(claim("a.compact"), claim("a.x", judges=(judge,)))
    assert "a.x" in ledger(claim("a.compact"), claim("a.x", "a.compact", judges=(judge,)))


def test_selection_by_id_leading_words_and_glob():
    made = ledger(claim("a.x"), claim("a.x.y"), claim("a.xy"), claim("b.x"))
    assert made.select(["a.x"]) == ("a.x", "a.x.y")
    assert made.select(["a"]) == ("a.x", "a.x.y", "a.xy")
    assert made.select(["*.x"]) == ("a.x", "b.x")
    assert made.select(["b", "a.xy"]) == ("a.xy", "b.x")
    assert made.select([]) == tuple(made)


def test_pattern_that_matches_nothing_and_misspelt_id_suggest_close_ones():
    made = ledger(claim("risk.oracle"), claim("bayes.limit"))
    with pytest.raises(UnknownClaim, match=r"no claim matches 'risk.orcale'; did you mean risk\.oracle"):
        made.select(["risk.orcale"])
    with pytest.raises(UnknownClaim, match=r"did you mean bayes\.limit"):
        made["bayes.limt"]
    with pytest.raises(UnknownClaim, match=r"the ids that begin so are bayes\.limit"):
        made["bayes"]
    with pytest.raises(UnknownClaim, match="`slr claims` lists them all"):
        made["zzzzz"]


def test_dependencies_are_added():
    made = ledger(claim("a.x", "a.y"), claim("a.y", "a.z"), claim("a.z"), claim("a.w"))
    assert made.with_dependencies(["a.y"]) == ("a.z", "a.y")


def test_load_takes_titles_from_docstrings():
    made = load("tests.proofs_check.examples")
    assert [(part.name, part.title) for part in made.parts] == [("arithmetic", "Small sums and products")]
    assert made.statistical_checks == 1


def test_the_projects_own_ledger_is_valid():
    assert all(part.claims for part in load().parts)
