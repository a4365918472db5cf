"""Benchmarks are found by name, and each can be run."""

import importlib

import pytest

from benchmarks.__main__ import main, names


@pytest.mark.parametrize("name", names())
def test_each_module_is_a_benchmark(name):
    assert callable(importlib.import_module(f"benchmarks.{name}").run)


def test_an_unknown_name_is_refused(capsys):
    assert main(["nothing"]) == 2
    assert "montecarlo" in capsys.readouterr().err
