"""The dependency tree of the quasi-identifiers: plain data, its picture, and the section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.microdata import Microdata
from discreet.models.dependency import FEWEST, MOST_SHOWN, DependencyTree, dependency_tree
from discreet.report.markup import clipped, figure, text
from discreet.report.svg import drawing, label, place

STEP, ROW, MARGIN = 172.0, 34.0, 16.0
BEND = 62.0
"""How far before a node its branch turns level: room for the measure, and for a name before it."""
LONGEST = 15
SCALE = 1.2
KEY = 'style="fill:var(--good);stroke:var(--good);stroke-width:1.5"'
OTHER = 'style="fill:var(--card);stroke:var(--soft);stroke-width:1.5"'
BRANCH = 'style="fill:none;stroke:var(--soft);stroke-width:1.2"'
BOLD = 'style="font-weight:700"'


def dependency_content(data: Microdata, columns: Sequence[str]) -> dict[str, Any] | None:
    """Return the dependency tree of these columns as plain data; None of fewer than three.

    >>> import discreet
    >>> data = discreet.read({"a": [1, 1, 2, 2], "b": [1, 1, 2, 2], "c": [1, 2, 1, 2]})
    >>> dependency_content(data, ["a", "b", "c"])["key"]
    ['a', 'b']
    """
    shown = columns[:MOST_SHOWN]
    if len(shown) < FEWEST:
        return None
    return tree_content(dependency_tree(data, shown), others=len(columns) - len(shown))


def tree_content(tree: DependencyTree, others: int = 0) -> dict[str, Any]:
    """Return a dependency tree as plain data; `others` is how many columns it leaves out."""
    degree = dict(zip(tree.names, tree.degrees, strict=True))
    bins = dict(zip(tree.names, tree.bins, strict=True))
    nodes: list[dict[str, Any]] = []
    above: list[int] = []
    for name, depth, measure in tree.walk():
        del above[depth:]
        nodes.append(
            {
                "name": name,
                "parent": above[-1] if above else None,
                "depth": depth,
                "measure": None if measure is None else round(measure, 9),
                "degree": degree[name],
                "key": name in tree.key,
                "bins": bins[name],
            }
        )
        above.append(len(nodes) - 1)
    return {"nodes": nodes, "key": list(tree.key), "others": others}


def dependency(content: Mapping[str, Any]) -> str:
    """Return the section of the dependency tree; for the owner only, as its figures are original.

    >>> dependency({"dependency": None})
    ''
    """
    found = content.get("dependency")
    if not found:
        return ""
    words = (
        '<p class="lead">Each line joins two quasi-identifiers that depend on each other; the '
        "figure is their mutual information measure MI in bits, which is 0 where one tells the "
        "other exactly. The more lines meet in a column, the larger it is drawn.</p>\n"
    )
    names = ", ".join(found["key"])
    key = (
        f"<p>The key attributes, drawn filled: <strong>{text(names)}</strong>. They stand for all "
        "when records are grouped by key attributes only, as in the method AMA.</p>\n"
    )
    box = '<div class="scroll" role="region" aria-label="Dependency tree" tabindex="0">'
    return f"{words}{key}{box}{tree_picture(found)}</div>\n{_notes(found)}"


def _notes(found: Mapping[str, Any]) -> str:
    cut = [f"{n['name']} ({n['bins']} bins)" for n in found["nodes"] if n["bins"] is not None]
    lines = []
    if cut:
        lines.append(f"Cut into quantile bins before entropies were taken: {', '.join(cut)}.")
    if found["others"]:
        lines.append(f"{found['others']:,} more columns are not in the tree.")
    return "".join(f'<p class="quiet">{text(line)}</p>\n' for line in lines)


def tree_picture(found: Mapping[str, Any]) -> str:
    """Return the tree as a picture that grows from left to right, one row for each leaf.

    >>> node = {"parent": None, "depth": 0, "measure": None, "degree": 0, "key": True, "bins": None}
    >>> tree_picture({"nodes": [{"name": "age", **node}], "key": ["age"]}).count("<circle")
    1
    """
    nodes = found["nodes"]
    rows = _rows(nodes)
    branches, marks = [], []
    for node, row in zip(nodes, rows, strict=True):
        x, y, radius = _at(node, row)
        if node["parent"] is not None:
            branches.append(_branch(nodes[node["parent"]], rows[node["parent"]], x, y))
            marks.append(label(x - radius - 4, y - 4, f"{node['measure']:.2f}", "end", "soft"))
        marks.append(_node(node, x, y, radius))
    leaves = 1 + max(rows, default=0.0)
    deepest = max((node["depth"] for node in nodes), default=0)
    width = 2 * MARGIN + deepest * STEP + 8 * LONGEST
    height = MARGIN + leaves * ROW
    words = "; ".join(
        f"{node['name']} to {nodes[node['parent']]['name']}: {node['measure']:.2f} bits"
        for node in nodes
        if node["parent"] is not None
    )
    drawn = drawing(width, height, "Dependency tree", words, "".join(branches + marks))
    # In a readable size, however deep it is; the box around it scrolls.
    size = f'style="width:{place(SCALE * width)}px;max-width:none"'
    return drawn.replace("<svg ", f"<svg {size} ", 1)


def _rows(nodes: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return a row for every node: leaves one below the other, others amid their children."""
    rows = [0.0] * len(nodes)
    below: list[list[float]] = [[] for _ in nodes]
    leaves = sum(node["parent"] is None or node["degree"] == 1 for node in nodes)
    leaves -= bool(nodes) and nodes[0]["degree"] > 0
    # A node comes after the one it hangs on, so that from the end all children are known.
    for i in range(len(nodes) - 1, -1, -1):
        if below[i]:
            rows[i] = (min(below[i]) + max(below[i])) / 2
        else:
            leaves -= 1
            rows[i] = float(leaves)
        if nodes[i]["parent"] is not None:
            below[nodes[i]["parent"]].append(rows[i])
    return rows


def _at(node: Mapping[str, Any], row: float) -> tuple[float, float, float]:
    """Return a node's place and its radius, which grows with its degree."""
    x, y = MARGIN + node["depth"] * STEP, MARGIN + (row + 0.5) * ROW
    return x, y, min(13.0, 3 + 1.6 * node["degree"])


def _branch(parent: Mapping[str, Any], row: float, x: float, y: float) -> str:
    start, level, _ = _at(parent, row)
    bend = x - BEND
    path = f"M{place(start)} {place(level)}H{place(bend)}V{place(y)}H{place(x)}"
    return f'<path d="{path}" {BRANCH}/>'


def _node(node: Mapping[str, Any], x: float, y: float, radius: float) -> str:
    known = f"{node['name']}: {figure(node['degree'])} edges"
    said = f"<title>{text(known + (', key attribute' if node['key'] else ''))}</title>"
    leaf = node["parent"] is not None and node["degree"] == 1
    # A branch leaves to the right of what is no leaf: its name goes above.
    height = y + 4 if leaf else y - 6
    return (
        f'<circle cx="{place(x)}" cy="{place(y)}" r="{place(radius)}" '
        f"{KEY if node['key'] else OTHER}>{said}</circle>"
        f'<text x="{place(x + radius + 5)}" y="{place(height)}"{" " + BOLD if node["key"] else ""}>'
        f"{said}{text(clipped(node['name'], LONGEST))}</text>"
    )
