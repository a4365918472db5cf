"""The shape of the house: theory <- numerics <- proofs_check, and what each may import."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("theory", "numerics", "proofs_check")
MAY_IMPORT = {
    "theory": {"theory"},
    "numerics": {"theory", "numerics"},
    "proofs_check": {"theory", "numerics", "proofs_check"},
}
LONGEST_FILE = 450
SOURCES = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """Top-level names of the modules that a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add("." * node.level if node.level else (node.module or "").partition(".")[0])
    return names


def layer_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_arrows_run_one_way(path):
    names = imported(path)
    assert names & set(LAYERS) <= MAY_IMPORT[layer_of(path)]
    assert "tests" not in names
    assert not any(name.startswith(".") for name in names), "imports are absolute"


def test_theory_uses_sympy_and_the_standard_library_only():
    allowed = {"theory", "sympy", "mpmath"} | set(sys.stdlib_module_names)
    for path in SOURCES:
        if layer_of(path) == "theory":
            assert imported(path) <= allowed, path


def test_numerics_imports_without_sympy_or_the_layer_above():
    code = "import sys, numerics; print(*{'sympy', 'theory', 'proofs_check'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == []


def test_theory_does_not_load_numpy():
    code = "import pkgutil, sys, theory\n"
    code += "for m in pkgutil.iter_modules(theory.__path__): __import__('theory.' + m.name)"
    code += "\nprint(*{'numpy', 'numerics', 'proofs_check'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_short(path):
    if "generated" not in path.parts:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
