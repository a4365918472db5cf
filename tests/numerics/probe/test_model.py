"""Loading a model runs no code that its files bring along."""

import pickle
import shutil

import pytest

from numerics.probe.model import load_encoder


class Intruder:
    """An object whose unpickling writes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_weights_that_hide_a_program_are_refused(checkpoint, tmp_path):
    folder, written = tmp_path / "model", tmp_path / "written"
    shutil.copytree(checkpoint, folder)
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Intruder(written)))
    with pytest.raises(ValueError, match="model must be a BERT checkpoint"):
        load_encoder(folder)
    assert not written.exists()
