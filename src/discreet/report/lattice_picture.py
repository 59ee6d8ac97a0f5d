"""The lattice of levels as a picture: fine at the bottom, coarse at the top."""

from __future__ import annotations

from collections.abc import Callable

from discreet.methods.nonperturbative.full_domain.neighbouring_recodings import Lattice, NodeSeen
from discreet.report.markup import brief, clipped, text
from discreet.report.svg import drawing, label, line, place

WIDE, ROW, TOP = 96.0, 84.0, 34.0
RADIUS = 15.0
LEAST = 900.0
"""A narrower picture would be drawn too large on a page."""


def lattice_picture(lattice: Lattice, address: Callable[[NodeSeen], str] | None = None) -> str:
    """Return the nodes by the sum of their levels, with a line between neighbours.

    A node that meets the conditions is filled, the best one has a ring. With an `address` the nodes
    are links.

    >>> nodes = (NodeSeen((1,), True, 0, 0.25), NodeSeen((0,), False, 3, 0.0))
    >>> lattice_picture(Lattice(("age",), (1,), 2, 0, nodes, True)).count("<circle")
    3
    """
    rows: dict[int, list[NodeSeen]] = {}
    for node in sorted(lattice.nodes, key=lambda node: node.levels, reverse=True):
        rows.setdefault(sum(node.levels), []).append(node)
    sums = sorted(rows, reverse=True)
    width = max(LEAST, WIDE * max(len(row) for row in rows.values()))
    at = {
        node.levels: (width * (i + 0.5) / len(rows[total]), TOP + ROW * sums.index(total))
        for total in sums
        for i, node in enumerate(rows[total])
    }
    parts = [
        line(*at[low.levels], *at[high.levels], "axis")
        for low in lattice.nodes
        for high in lattice.nodes
        if _is_next(low.levels, high.levels)
    ]
    best = lattice.nodes[0]
    for node in lattice.nodes:
        shape = _drawn(lattice, node, *at[node.levels], best=node is best)
        parts.append(f'<a href="{text(address(node))}">{shape}</a>' if address else shape)
    words = f"{len(lattice.nodes)} combinations of levels of {', '.join(lattice.columns)}"
    height = TOP + ROW * (len(sums) - 1) + 56
    role = "group" if address else "img"
    return drawing(width, height, "Levels", words, "".join(parts), css="lattice", role=role)


def in_words(lattice: Lattice, node: NodeSeen) -> str:
    """Return a node in words: its levels, whether it meets the conditions, and its loss.

    >>> node = NodeSeen((2, 0), False, 7, 0.25)
    >>> in_words(Lattice(("age", "sex"), (3, 1), 5, 0, (node,), True), node)
    'age 2, sex 0: 7 records in classes below 5, loss 25\\u202f%'
    """
    levels = ", ".join(f"{n} {v}" for n, v in zip(lattice.columns, node.levels, strict=True))
    loss = brief(node.loss, True)
    if node.meets:
        suppressed = f", {node.small:,} suppressed" if node.small else ""
        return f"{levels}: meets the conditions{suppressed}, loss {loss}"
    return f"{levels}: {node.small:,} records in classes below {lattice.k}, loss {loss}"


def _is_next(low: tuple[int, ...], high: tuple[int, ...]) -> bool:
    """Whether one column is one level coarser, and all others are the same."""
    steps = [b - a for a, b in zip(low, high, strict=True)]
    return sum(steps) == 1 and all(step in (0, 1) for step in steps)


def _drawn(lattice: Lattice, node: NodeSeen, x: float, y: float, best: bool) -> str:
    css = "meets" if node.meets else "fails"
    at = f'cx="{place(x)}" cy="{place(y)}"'
    parts = [f"<title>{text(in_words(lattice, node))}</title>"]
    if best:
        parts.append(f'<circle {at} r="{place(RADIUS + 5)}" class="best"/>')
    parts.append(f'<circle {at} r="{place(RADIUS)}" class="{css}"/>')
    # No colour-only meaning: what meets the conditions has a tick, what does not a cross.
    parts.append(label(x, y + 5, "✓" if node.meets else "✕", "middle", f"{css}-mark"))
    moved = _moved(lattice, node)
    parts.append(label(x, y + RADIUS + 16, clipped(moved, 17), "middle"))
    parts.append(label(x, y + RADIUS + 30, brief(node.loss, True), "middle", "soft"))
    return f'<g class="node">{"".join(parts)}</g>'


def _moved(lattice: Lattice, node: NodeSeen) -> str:
    """Return a node by its levels, or by what differs from the best if not all are shown."""
    best = lattice.nodes[0]
    if lattice.whole or node is best:
        return " ".join(map(str, node.levels))
    return ", ".join(
        f"{name} {now - was:+d}"
        for name, now, was in zip(lattice.columns, node.levels, best.levels, strict=True)
        if now != was
    )
