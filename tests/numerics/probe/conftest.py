"""The tiny BERT, loaded."""

import pytest


@pytest.fixture(scope="session")
def encoder(checkpoint):
    from numerics.probe.model import load_encoder

    return load_encoder(checkpoint)
