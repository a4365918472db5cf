"""Runs benchmarks: `python -m benchmarks [NAME ...]`, all by default.

A benchmark is a module of this package with a function run(), which prints what it measures: both sides and
their ratio.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import time

import benchmarks


def names() -> list[str]:
    """The benchmarks there are."""
    modules = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in modules if not name.startswith("_"))


def main(wanted: list[str]) -> int:
    """Run the named benchmarks; 2 if a name is unknown."""
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(names())}", file=sys.stderr)
        return 2
    for name in wanted or names():
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"{name}: {(module.__doc__ or '').strip().splitlines()[0]}")
        start = time.perf_counter()
        module.run()
        print(f"({time.perf_counter() - start:.0f} s)\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
