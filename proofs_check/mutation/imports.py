"""Who imports whom, read from the sources: a claim need not be examined for a change that it can't reach."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path


class Imports:
    """The imports between a project's files, named by their paths from the root.

    A name that a package's __init__ hands on counts as an import of the module that defines it. What else a
    package's __init__ loads is not followed: it can break a trial, but not alter what it computes.
    """

    def __init__(self, root: Path, packages: Sequence[str]) -> None:
        files = [file for package in packages for file in (root / package).rglob("*.py")]
        self._trees = {f.relative_to(root).as_posix(): ast.parse(f.read_text()) for f in files}
        self.distances, self.users = cache(self._distances), cache(self._users)

    def _distances(self, file: str) -> dict[str, int]:
        """Every file that this one reaches, with the number of imports on the shortest way."""
        reached, front = {file: 0}, [file]
        while front:
            fresh = {target for source in front for target in self._targets(source)} - set(reached)
            reached.update(dict.fromkeys(fresh, reached[front[0]] + 1))
            front = sorted(fresh)
        return reached

    def _users(self, library: str) -> frozenset[str]:
        """The files that import a library."""
        return frozenset(
            f for f, tree in self._trees.items() if library in set(map(_library, ast.walk(tree)))
        )

    def _targets(self, file: str) -> Iterator[str]:
        for node in ast.walk(self._trees[file]):
            if isinstance(node, ast.Import):
                yield from (found for alias in node.names if (found := self._file(alias.name)))
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield from (f for alias in node.names if (f := self._origin(node.module, alias.name)))

    def _origin(self, module: str, name: str) -> str | None:
        """The file that defines what `from module import name` brings; a package's own names come first."""
        file = self._file(module)
        if (
            file
            and file.endswith("__init__.py")
            and (source := self._handed_on(file).get(name, module)) != module
        ):
            return self._origin(source, name)
        return self._file(f"{module}.{name}") or file

    def _handed_on(self, package: str) -> dict[str, str]:
        """The names that a package imports, each with the module that it comes from."""
        imports = [node for node in self._trees[package].body if isinstance(node, ast.ImportFrom)]
        return {a.asname or a.name: node.module for node in imports if node.module for a in node.names}

    def _file(self, module: str) -> str | None:
        path = module.replace(".", "/")
        return next((f for f in (f"{path}.py", f"{path}/__init__.py") if f in self._trees), None)


def _library(node: ast.AST) -> str:
    if isinstance(node, ast.Import):
        return node.names[0].name.partition(".")[0]
    return (node.module or "").partition(".")[0] if isinstance(node, ast.ImportFrom) else ""
