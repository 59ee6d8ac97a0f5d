"""The tree of an attack as a picture: rules along the branches, and how narrow the leaves are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.report.markup import THIN, clipped, figure, text
from discreet.report.svg import drawing, label, line, place, rectangle

STEP, MARGIN = 236.0, 14.0
TURN = 22.0
"""How far to the right of a node its branches turn to the rows of its children."""
LINE = 15.0
NAMED, TRACK, SAID = 84.0, 90.0, 120.0
"""Room in a leaf for the name of a column, its bar, and its figure."""
COLUMNS = 4
LONGEST = 29

Node = Mapping[str, Any]


def tree_picture(nodes: Sequence[Node]) -> str:
    """Return the tree from left to right; a leaf has a bar for each confidential column.

    The bar of a number reaches from its least to its greatest value in the leaf, on a line as long
    as the range of the whole file; the bar of a category is the share of the commonest one.

    >>> leaf = {"parent": None, "condition": "", "records": 3, "below": 0, "narrowed": [
    ...     {"column": "pay", "known": 3, "guess": 5.0, "low": 4.0, "high": 6.0, "share": None,
    ...      "range": 1.0, "spread": 1.0}]}
    >>> tree_picture([leaf]).count("<rect")
    1
    """
    depth = _depths(nodes)
    leaves = [i for i in range(len(nodes)) if all(node["parent"] != i for node in nodes)]
    shown = min(COLUMNS, len(nodes[0]["narrowed"])) if nodes else 0
    height = LINE * (shown + 1) + 12
    rows = _rows(nodes, leaves, height)
    whole = {one["column"]: one for one in (nodes[0]["narrowed"] if nodes else ())}
    parts = []
    for i, node in enumerate(nodes):
        x, y = MARGIN + depth[i] * STEP, rows[i]
        if node["parent"] is not None:
            start = MARGIN + depth[node["parent"]] * STEP
            parts.append(_branch(start, rows[node["parent"]], x, y, node["condition"]))
        if i in leaves:
            parts.append(_leaf(node, x, y - height / 2 + 6, whole))
        else:
            parts.append(_inner(node, x, y))
    width = 2 * MARGIN + max(depth, default=0) * STEP + NAMED + TRACK + SAID
    words = "; ".join(
        f"{_rule(nodes, i)}: {nodes[i]['records']:,} records" for i in leaves if i > 0
    )
    drawn = drawing(width, 12 + height * len(leaves), "Tree of the attack", words, "".join(parts))
    # In a readable size, however deep it is; the box around it scrolls.
    return drawn.replace("<svg ", f'<svg style="width:{place(width)}px;max-width:none" ', 1)


def _depths(nodes: Sequence[Node]) -> list[int]:
    depths: list[int] = []
    for node in nodes:  # a node comes after the one it hangs on
        depths.append(0 if node["parent"] is None else depths[node["parent"]] + 1)
    return depths


def _rows(nodes: Sequence[Node], leaves: Sequence[int], height: float) -> list[float]:
    """Return the height of every node: leaves one below the other, others amid their children."""
    rows = [0.0] * len(nodes)
    for at, leaf in enumerate(leaves):
        rows[leaf] = 6 + height * (at + 0.5)
    for i in range(len(nodes) - 1, -1, -1):
        below = [rows[j] for j in range(i + 1, len(nodes)) if nodes[j]["parent"] == i]
        if below:
            rows[i] = (min(below) + max(below)) / 2
    return rows


def _branch(start: float, level: float, x: float, y: float, condition: str) -> str:
    turn = start + TURN
    path = f"M{place(start)} {place(level)}H{place(turn)}V{place(y)}H{place(x - 6)}"
    words = text(clipped(condition, LONGEST))
    return (
        f'<path d="{path}" class="strong-axis"/>'
        f'<text x="{place(turn + 5)}" y="{place(y - 4)}">'
        f"<title>{text(condition)}</title>{words}</text>"
    )


def _inner(node: Node, x: float, y: float) -> str:
    said = f"{node['records']:,} records; this cut takes off {100 * node['taken_off']:.3g}{THIN}%"
    return (
        f'<circle cx="{place(x)}" cy="{place(y)}" r="5" class="released-mark">'
        f"<title>{text(said)}</title></circle>"
    )


def _leaf(node: Node, x: float, top: float, whole: Mapping[str, Node]) -> str:
    more = f" in {node['below']:,} leaves" if node["below"] else ""
    parts = [label(x, top + LINE - 4, f"{node['records']:,} records{more}", css="soft")]
    for at, narrowed in enumerate(node["narrowed"][:COLUMNS]):
        y = top + LINE * (at + 2) - 4
        parts.append(_column(narrowed, whole[narrowed["column"]], x, y))
    return "".join(parts)


def _column(narrowed: Node, whole: Node, x: float, y: float) -> str:
    """Return one confidential column of a leaf: its name, its bar, and what an intruder reads."""
    start = x + NAMED
    parts = [
        label(x, y, clipped(narrowed["column"], 13)),
        line(start, y - 4, start + TRACK, y - 4, "axis"),
    ]
    if not narrowed["known"]:
        return "".join([*parts, label(start + TRACK + 6, y, "missing", css="soft")])
    if narrowed["low"] is None:
        low, high = 0.0, narrowed["share"]
        said = f"{clipped(narrowed['guess'], 12)} {100 * narrowed['share']:.3g}{THIN}%"
    else:
        least, span = whole["low"], whole["high"] - whole["low"]
        low = (narrowed["low"] - least) / span if span > 0 else 0.0
        high = (narrowed["high"] - least) / span if span > 0 else 1.0
        said = f"{figure(narrowed['low'])} – {figure(narrowed['high'])}"
    # A single value is still a mark.
    wide = max(2.0, TRACK * (high - low))
    left = min(start + TRACK * low, start + TRACK - wide)
    parts.append(rectangle(left, y - 8, wide, 8, "released-bar"))
    parts.append(label(start + TRACK + 6, y, said))
    return "".join(parts)


def _rule(nodes: Sequence[Node], leaf: int) -> str:
    conditions = []
    at: int | None = leaf
    while at is not None:
        if nodes[at]["condition"]:
            conditions.append(nodes[at]["condition"])
        at = nodes[at]["parent"]
    return " and ".join(reversed(conditions))
