"""The project's docstrings as Markdown.

They are plain text: paragraphs; arguments, each from a line that begins with its names and a colon up to the
next one; and examples that begin with >>>.
"""

from __future__ import annotations

import re

ARGUMENT = re.compile(r"([a-zA-Z_][\w.]*(?:, [a-zA-Z_]\w*)*): ")

AFTER = ("Raises ", "Returns ", "Source")
"""What ends a list of arguments."""


def as_markdown(docstring: str) -> str:
    """Markdown that a reader sees as the docstring was meant.

    >>> print(as_markdown("The overlap <k, k*>.\\n\\nn: how many,\\n    at least 1.\\nRaises no error."))
    The overlap &lt;k, k\\*>.
    <BLANKLINE>
    - **n**: how many,
      at least 1.
    <BLANKLINE>
    Raises no error.
    """
    blocks = re.split(r"\n\s*\n", docstring.strip("\n"))
    return "\n\n".join(_block(block) for block in blocks)


def _block(block: str) -> str:
    if block.lstrip().startswith(">>>"):
        return f"```pycon\n{block}\n```"
    if block.startswith("    "):
        return f"```text\n{block}\n```"
    lines: list[str] = []
    indent = ""
    for line in block.splitlines():
        found = ARGUMENT.match(line)
        if found:
            lines.append(f"- **{_escaped(found[1])}**: {_escaped(line[found.end() :])}")
            indent = "  "
        elif indent and line.startswith(AFTER):
            lines += ["", _escaped(line)]
            indent = ""
        else:
            lines.append(indent + _escaped(line.strip()))
    return "\n".join(_spaced(lines))


def _spaced(lines: list[str]) -> list[str]:
    """A list after a paragraph needs an empty line."""
    spaced: list[str] = []
    for line in lines:
        if line.startswith("- ") and spaced and not spaced[-1].startswith(("- ", "  ")):
            spaced.append("")
        spaced.append(line)
    return spaced


def _escaped(text: str) -> str:
    """Text, but for what stands in backquotes, without a meaning in Markdown."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _plain(part) for part in parts)


def _plain(text: str) -> str:
    return re.sub(r"([*_\[\]])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))
