"""The suite's statistical checks, tested: no false alarm in 200 seeds, no 1% error missed in 20."""

from dataclasses import replace

import numpy as np
import pytest

from proofs_check.claim import Context, Kind, Verdict
from proofs_check.judges.statistical import Agreement
from proofs_check.ledger import load
from proofs_check.significance import P_VALUE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]

LEDGER = load()
CHECKS = {
    f"{claim.id}#{index}": (claim, judge)
    for claim in LEDGER.values()
    for index, judge in enumerate(claim.judges)
    if judge.kind is Kind.STATISTICAL
}
CONTEXT = Context(statistical_checks=LEDGER.statistical_checks)


def seeded(seed):
    return replace(CONTEXT, seed=int(np.random.SeedSequence([seed, 5]).generate_state(1, np.uint64)[0]))


@pytest.mark.parametrize("name", CHECKS)
def test_no_true_claim_is_refuted_in_200_seeds(name):
    claim, judge = CHECKS[name]
    subject = claim.subject()
    found = [judge(subject, seeded(seed)) for seed in range(200)]
    verdicts = [item.verdict for item in found]
    smallest = min(item.data[P_VALUE] for item in found)
    print(f"{name}: {verdicts.count(Verdict.HOLDS)} of 200 hold, smallest p {smallest:.2g}")
    assert Verdict.REFUTED not in verdicts


def changed(claim, judge):
    """The claimed values with 1% added to each, or 1% of what the check measures differences by."""
    subject = claim.subject()
    claimed = np.ravel(np.asarray(subject() if callable(subject) else subject, dtype=float))
    if judge.scale is not None:
        return claimed + 0.01 * judge.scale
    return claimed + 0.01 * (np.abs(claimed).max() if judge.joint else np.abs(claimed))


@pytest.mark.parametrize("name", [name for name in CHECKS if isinstance(CHECKS[name][1], Agreement)])
def test_a_change_of_one_per_cent_is_caught_in_each_of_20_seeds(name):
    claim, judge = CHECKS[name]
    wrong = changed(claim, judge)
    verdicts = [judge(wrong, seeded(seed)).verdict for seed in range(20)]
    print(f"{name}: {verdicts.count(Verdict.REFUTED)} of 20 caught")
    assert verdicts == [Verdict.REFUTED] * 20
