"""One run of the broken claims, shared by the tests of what is made of a run."""

import pytest

from proofs_check.claim import Context
from proofs_check.ledger import load
from proofs_check.report.run import Run, now
from proofs_check.runner import verify


@pytest.fixture(scope="session")
def run_of():
    """A function that runs claims of a package, by default all."""

    def run(package, workers=2, seed=5, ids=None):
        results = verify(ids, context=Context(seed=seed), package=package, workers=workers)
        titles = {part.name: part.title for part in load(package).parts}
        return Run(results, titles, Context(seed=seed), now(), 1.5)

    return run


@pytest.fixture(scope="session")
def broken(run_of):
    return run_of("tests.proofs_check.broken")


@pytest.fixture(scope="session")
def examples(run_of):
    return run_of("tests.proofs_check.examples")
