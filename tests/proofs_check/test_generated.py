"""The committed kernels are what the generator writes from theory."""

from proofs_check.generate import FOLDER, sources


def test_generated_sources_are_up_to_date():
    for name, text in sources().items():
        assert (FOLDER / name).read_text() == text, f"run `make kernels`: {name} is stale"
