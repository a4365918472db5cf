"""Lays out what rests on what: claims in columns by depth, what they rest on to the left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from proofs_check.verdict import Result

NODE_HEIGHT, ROW, GAP, MARGIN = 22, 29, 46, 6
CHARACTER = 6.7
PADDING = 24
SWEEPS = 8


@dataclass(frozen=True)
class Node:
    """A claim's box: left edge, top edge and width, in pixels."""

    result: Result
    x: float
    y: float
    width: float

    @property
    def claim_id(self) -> str:
        return self.result.claim.id


@dataclass(frozen=True)
class Edge:
    """A curve from a claim to one that rests on it, as an SVG path."""

    source: str
    target: str
    path: str


@dataclass(frozen=True)
class Graph:
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    width: float
    height: float
    node_height: float = NODE_HEIGHT


def layout(results: Mapping[str, Result]) -> Graph:
    """Columns by depth, each ordered by the mean height of its neighbours (Sugiyama's barycentres)."""
    columns = _ordered(results)
    nodes: dict[str, Node] = {}
    x = float(MARGIN)
    for column in columns:
        width = max(len(claim_id) for claim_id in column) * CHARACTER + PADDING
        tops = _tops([_wanted_top(results[claim_id], nodes) for claim_id in column])
        for claim_id, top in zip(column, tops, strict=True):
            nodes[claim_id] = Node(results[claim_id], round(x, 1), round(top, 1), round(width, 1))
        x += width + GAP
    edges = tuple(
        _edge(nodes[dependency], node)
        for node in nodes.values()
        for dependency in node.result.claim.depends_on
    )
    height = max((node.y for node in nodes.values()), default=0) + NODE_HEIGHT + MARGIN
    return Graph(tuple(nodes.values()), edges, round(x - GAP + MARGIN, 1), round(height, 1))


def _wanted_top(result: Result, nodes: Mapping[str, Node]) -> float:
    """As high as what the claim rests on, on average."""
    below = [nodes[dependency].y for dependency in result.claim.depends_on]
    return sum(below) / len(below) if below else float(MARGIN)


def _tops(wanted: list[float]) -> list[float]:
    """Tops in the given order, a row apart, least squares from the wanted ones (pool adjacent violators)."""
    pools: list[tuple[float, int]] = []
    for row, top in enumerate(wanted):
        mean, size = top - row * ROW, 1
        while pools and pools[-1][0] > mean:
            other, count = pools.pop()
            mean, size = (mean * size + other * count) / (size + count), size + count
        pools.append((mean, size))
    levels = [mean for mean, size in pools for _ in range(size)]
    lift = MARGIN - min([*levels, float(MARGIN)])
    return [level + lift + row * ROW for row, level in enumerate(levels)]


def _ordered(results: Mapping[str, Result]) -> list[list[str]]:
    depth = _depths(results)
    neighbours = defaultdict(list)
    for claim_id, result in results.items():
        for dependency in result.claim.depends_on:
            neighbours[claim_id].append(dependency)
            neighbours[dependency].append(claim_id)
    columns: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for claim_id in sorted(results, key=lambda claim_id: not neighbours[claim_id]):
        columns[depth[claim_id]].append(claim_id)
    for sweep in range(SWEEPS):
        place = {c: (i - len(column) / 2) for column in columns for i, c in enumerate(column)}
        for column in columns if sweep % 2 == 0 else reversed(columns):
            column.sort(key=lambda claim_id: _barycentre(claim_id, neighbours, place))
            place |= {claim_id: row - len(column) / 2 for row, claim_id in enumerate(column)}
    return columns


def _barycentre(claim_id: str, neighbours: Mapping[str, list[str]], place: Mapping[str, float]) -> float:
    """Mean height of the neighbours; claims without any go below the rest."""
    around = [place[other] for other in neighbours[claim_id]]
    return sum(around) / len(around) if around else float(len(place))


def _depths(results: Mapping[str, Result]) -> dict[str, int]:
    """Length of the longest chain below each claim; what rests on nothing stands next to its first user."""
    depths: dict[str, int] = {}

    def depth(claim_id: str) -> int:
        if claim_id not in depths:
            depths[claim_id] = 1 + max(map(depth, results[claim_id].claim.depends_on), default=-1)
        return depths[claim_id]

    for claim_id in results:
        depth(claim_id)
    for claim_id, result in results.items():
        users = [depths[user] for user, other in results.items() if claim_id in other.claim.depends_on]
        if users and not result.claim.depends_on:
            depths[claim_id] = min(users) - 1
    return depths


def _edge(source: Node, target: Node) -> Edge:
    start_x, start_y = source.x + source.width, source.y + NODE_HEIGHT / 2
    end_x, end_y = target.x, target.y + NODE_HEIGHT / 2
    bend = GAP * 0.8
    path = (
        f"M{start_x:.1f} {start_y:.1f} C{start_x + bend:.1f} {start_y:.1f} "
        f"{end_x - bend:.1f} {end_y:.1f} {end_x:.1f} {end_y:.1f}"
    )
    return Edge(source.claim_id, target.claim_id, path)
