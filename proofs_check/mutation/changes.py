"""Systematic changes of Python source: each one a plausible slip in a formula."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_SIGNS: dict[type[ast.operator], ast.operator] = {ast.Add: ast.Sub(), ast.Sub: ast.Add()}
_PRODUCTS: dict[type[ast.operator], ast.operator] = {ast.Mult: ast.Div(), ast.Div: ast.Mult()}
_NEGATED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.GtE(),
    ast.GtE: ast.Lt(),
    ast.Gt: ast.LtE(),
    ast.LtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
}
_SYMMETRIC = (
    *("max", "min", "maximum", "minimum", "fmax", "fmin", "Max", "Min", "hypot", "logaddexp"),
    *("inner", "broadcast_shapes", "array_equal"),
)
"""Functions whose arguments may be swapped."""
_SKIPPED = (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Assert)

MATHEMATICS, ARGUMENTS, DISPLAY = "mathematics", "arguments", "display"
"""What code is about. Claims vouch for the mathematics; for when an argument is refused, and for how a result
is shown, or kept in a file, tests do."""
_SHOWING = ("__repr__", "__str__", "_repr_html_", "as_dict", "from_dict", "to_json", "from_json")


@dataclass(frozen=True)
class Change:
    """A change: a node's text and what takes its place; its lines, as they read and become; its matter."""

    file: str
    line: int
    column: int
    kind: str
    before: str
    after: str
    start: int
    end: int
    reads: str
    becomes: str
    matter: str = MATHEMATICS

    def apply(self, source: str) -> str:
        """The changed source."""
        encoded = source.encode()
        return (encoded[: self.start] + self.after.encode() + encoded[self.end :]).decode()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column} {self.kind}: {self.before} -> {self.after}"


def changes(file: str, source: str) -> list[Change]:
    """All changes of a source, in its order.

    >>> [str(change) for change in changes("f.py", "y = a + b")]
    ['f.py:1:4 dropped term: a + b -> a', 'f.py:1:4 sign: a + b -> a - b']
    """
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found: dict[tuple[int, str], Change] = {}
    for node, matter in _expressions(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        before = source.encode()[start:end].decode()
        for kind, replacement in _variants(node):
            after = ast.unparse(replacement)
            if after == ast.unparse(node):
                continue
            first, last = starts[node.lineno - 1], starts[node.end_lineno or node.lineno]
            reads = _short(source.encode()[first:last].decode())
            lines_after = source.encode()[first:start] + after.encode() + source.encode()[end:last]
            becomes = _short(lines_after.decode())
            place = file, node.lineno, node.col_offset
            change = Change(*place, kind, _short(before), after, start, end, reads, becomes, matter)
            found.setdefault((start, after), change)
    return sorted(found.values(), key=lambda change: (change.start, change.kind))


def _short(text: str) -> str:
    return " ".join(text.split())


def _expressions(tree: ast.AST, matter: str = MATHEMATICS) -> Iterator[tuple[ast.expr, str]]:
    """Expressions that compute, with their matter: no docstrings, annotations, decorators, messages."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        within = _matter(tree, name) or matter
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, _SKIPPED):
                continue
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                continue
            about = ARGUMENTS if _checks(child) else within
            if isinstance(child, ast.expr):
                yield child, about
            yield from _expressions(child, about)


def _matter(tree: ast.AST, field: str) -> str | None:
    """What a part of a node is about, where that is not what the node is about."""
    if isinstance(tree, ast.FunctionDef) and tree.name in _SHOWING:
        return DISPLAY
    if isinstance(tree, ast.If) and field == "test" and isinstance(tree.body[-1], ast.Raise):
        return ARGUMENTS
    return None


def _checks(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("checks.")


def _variants(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.BinOp):
        yield from _operations(node)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        if not isinstance(node.operand, ast.Constant):
            yield "dropped minus", node.operand
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "constant", ast.Constant(node.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is float:
        yield "constant", ast.Constant(node.value * 2 if node.value else 1.0)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _NEGATED:
        yield "negated comparison", _with(node, ops=[_NEGATED[type(node.ops[0])]])
    elif isinstance(node, ast.Call) and len(node.args) >= 2 and not (_starred(node) or _symmetric(node)):
        yield "swapped arguments", _with(node, args=[node.args[1], node.args[0], *node.args[2:]])
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in ("L", "gamma"):
        power = ast.BinOp(ast.Name(node.id), ast.Pow(), ast.Constant(2))
        shifted = ast.BinOp(ast.Name(node.id), ast.Add(), ast.Constant(1))
        yield ("one token more", _call(shifted)) if node.id == "L" else ("gamma^2 for gamma", _call(power))


def _call(expression: ast.expr) -> ast.expr:
    """An expression that keeps its parentheses wherever it is put."""
    return ast.Subscript(ast.Tuple([expression], ast.Load()), ast.Constant(0), ast.Load())


def _operations(node: ast.BinOp) -> Iterator[tuple[str, ast.expr]]:
    operator = type(node.op)
    if operator in _SIGNS:
        yield "sign", _with(node, op=_SIGNS[operator])
        yield "dropped term", node.left
    elif operator in _PRODUCTS:
        yield "inverted factor", _with(node, op=_PRODUCTS[operator])
    elif operator is ast.Pow and isinstance(node.right, ast.Constant) and isinstance(node.right.value, int):
        yield "exponent", _with(node, right=ast.Constant(node.right.value - 1))


def _symmetric(node: ast.Call) -> bool:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in _SYMMETRIC


def _starred(node: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in node.args[:2])


def _with(node: ast.expr, **fields: object) -> ast.expr:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
