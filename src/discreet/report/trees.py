"""Trees as pictures, from left to right: how columns depend on each other, and what an intruder's
rules reveal."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.contracts import Narrowed
from discreet.release.attacking import Branch
from discreet.release.describing import counted
from discreet.report.content import Attribute, Dependency
from discreet.report.markup import THIN, clipped, figure, text
from discreet.report.svg import drawing, label, line, place, rectangle

ACROSS = 1000.0
"""Width of a page in pixels: no tree is wider unless it is very deep."""
STEP, NARROW_STEP, ROW, MARGIN = 172.0, 130.0, 34.0, 16.0
BEND = 48.0
"""How far before a node its branch turns level: room for the measure, and for a name before it."""
LONGEST = 15
SCALE = 1.2
KEY = 'style="fill:var(--good);stroke:var(--good);stroke-width:1.5"'
OTHER = 'style="fill:var(--card);stroke:var(--soft);stroke-width:1.5"'
BOLD = ' style="font-weight:700"'

RULE_STEP, NARROW_RULE_STEP = 236.0, 100.0
TURN = 22.0
"""How far to the right of a node its branches turn to the rows of its children."""
LINE = 15.0
NAME_WIDTH, BAR_WIDTH, FIGURE_WIDTH = 84.0, 70.0, 132.0
"""Room in a leaf for the name of a column, its bar, and its figure."""
COLUMNS = 4
LETTER = 6.1
"""The average width of a letter in pixels."""


def rows(parents: Sequence[int | None]) -> list[float]:
    """Return a row for every node: leaves one below the other, other nodes centred on their
    children.

    A node comes after its parent.

    >>> rows([None, 0, 0, 2, 2])
    [0.75, 0.0, 1.5, 1.0, 2.0]
    """
    placed = [0.0] * len(parents)
    below: list[list[float]] = [[] for _ in parents]
    leaves = len(parents) - len({parent for parent in parents if parent is not None})
    for node in range(len(parents) - 1, -1, -1):
        if below[node]:
            placed[node] = (min(below[node]) + max(below[node])) / 2
        else:
            leaves -= 1
            placed[node] = float(leaves)
        parent = parents[node]
        if parent is not None:
            below[parent].append(placed[node])
    return placed


def _branch(start: float, level: float, turn: float, x: float, y: float) -> str:
    path = f"M{place(start)} {place(level)}H{place(turn)}V{place(y)}H{place(x)}"
    return f'<path d="{path}" class="strong-axis"/>'


def dependency_picture(tree: Dependency) -> str:
    """Return the dependency tree, one row for each leaf.

    >>> age = Attribute("age", None, 0, None, 0, True, None)
    >>> dependency_picture(Dependency((age,), ("age",))).count("<circle")
    1
    """
    nodes = tree.nodes
    at = rows([node.parent for node in nodes])
    depth, names = max((n.depth for n in nodes), default=0), 8 * LONGEST
    step = _step(ACROSS - 2 * MARGIN - names, depth, NARROW_STEP, STEP)
    branches, marks, words = [], [], []
    for node, row in zip(nodes, at, strict=True):
        x, y, radius = spot(node, row, step)
        if node.parent is not None:
            start, level, _ = spot(nodes[node.parent], at[node.parent], step)
            branches.append(_branch(start, level, x - BEND, x, y))
            marks.append(label(x - radius - 4, y - 4, f"{node.measure:.2f}", "end", "soft"))
            words.append(f"{node.name} to {nodes[node.parent].name}: {node.measure:.2f} bits")
        room = int((step - BEND - radius - 5) / LETTER)
        marks.append(_attribute(node, x, y, radius, room))
    width = 2 * MARGIN + depth * step + names
    height = MARGIN + (1 + max(at, default=0.0)) * ROW
    # In a readable size, however deep it is; the box around it scrolls if it must.
    return drawing(
        width, height, "Dependency tree", "; ".join(words), "".join(branches + marks),
        pixels=max(width, min(ACROSS, SCALE * width)),
    )  # fmt: skip


def _step(room: float, depth: int, least: float, most: float) -> float:
    """Return how far apart the levels of a tree are drawn so that it fits into the room.

    >>> _step(800.0, 4, 130.0, 172.0), _step(800.0, 5, 130.0, 172.0), _step(800.0, 9, 130.0, 172.0)
    (172.0, 160.0, 130.0)
    """
    return min(most, max(least, room / max(1, depth)))


def spot(node: Attribute, row: float, step: float = STEP) -> tuple[float, float, float]:
    """Return a node's place and its radius, which grows with its degree."""
    x, y = MARGIN + node.depth * step, MARGIN + (row + 0.5) * ROW
    return x, y, min(13.0, 3 + 1.6 * node.degree)


def _attribute(node: Attribute, x: float, y: float, radius: float, room: int) -> str:
    edges = counted(node.degree, "edge")
    words = f"{node.name}: {edges}{', key attribute' if node.key else ''}"
    title = f"<title>{text(words)}</title>"
    leaf = node.parent is not None and node.degree == 1
    # An inner node has a branch to its right: its name goes above.
    height = y + 4 if leaf else y - 6
    return (
        f'<circle cx="{place(x)}" cy="{place(y)}" r="{place(radius)}" '
        f"{KEY if node.key else OTHER}>{title}</circle>"
        f'<text x="{place(x + radius + 5)}" y="{place(height)}"{BOLD if node.key else ""}>'
        f"{title}{text(clipped(node.name, LONGEST if leaf else min(LONGEST, room)))}</text>"
    )


def attack_picture(nodes: Sequence[Branch]) -> str:
    """Return the tree of an attack; a leaf has a bar for each confidential column.

    The bar of a number reaches from its least to its greatest value in the leaf, on a line as long
    as the range of the whole file; the bar of a category is the share of the commonest one.

    >>> pay = Narrowed("pay", 3, 5.0, 4.0, 6.0, range=1.0, spread=1.0)
    >>> attack_picture([Branch(None, "", 3, 0.0, 0, (pay,))]).count("<rect")
    1
    """
    parents = [node.parent for node in nodes]
    height = LINE * (min(COLUMNS, len(nodes[0].narrowed)) + 1) + 12
    heights = [6 + height * (row + 0.5) for row in rows(parents)]
    rules: list[tuple[str, ...]] = []
    for node in nodes:
        above = rules[node.parent] if node.parent is not None else ()
        rules.append((*above, node.condition) if node.condition else above)
    leaf, depth = NAME_WIDTH + BAR_WIDTH + FIGURE_WIDTH, max(map(len, rules))
    step = _step(ACROSS - 2 * MARGIN - leaf, depth, NARROW_RULE_STEP, RULE_STEP)
    parts, words = [], []
    for i, node in enumerate(nodes):
        x, y = MARGIN + len(rules[i]) * step, heights[i]
        if node.parent is not None:
            start = x - step
            parts.append(_branch(start, heights[node.parent], start + TURN, x - 6, y))
            parts.append(_rule(node.condition, start + TURN + 5, y, step - TURN - 14))
        if i in parents:
            parts.append(_cut(node, x, y))
        else:
            parts.append(_leaf(node, x, y - height / 2 + 6, nodes[0].narrowed))
            words.append(f"{' and '.join(rules[i])}: {node.records:,} records")
    width = 2 * MARGIN + depth * step + leaf
    return drawing(
        width, 12 + height * len(words), "Tree of the attack", "; ".join(words), "".join(parts),
        pixels=width,
    )  # fmt: skip


def _rule(words: str, x: float, y: float, room: float) -> str:
    """Return a rule above its branch, and below it what does not fit above."""
    letters = int(room / LETTER)
    lines = [words]
    if len(words) > letters:
        end = words.rfind(" ", 1, letters + 1)
        lines = [words[:end], words[end + 1 :]] if end > 0 else [words]
    return "".join(
        f'<text x="{place(x)}" y="{place(height)}"><title>{text(words)}</title>'
        f"{text(clipped(part, letters))}</text>"
        for part, height in zip(lines, (y - 4, y + 12), strict=False)
    )


def _cut(node: Branch, x: float, y: float) -> str:
    words = f"{node.records:,} records; this cut removes {100 * node.taken_off:.3g}{THIN}%"
    return (
        f'<circle cx="{place(x)}" cy="{place(y)}" r="5" class="released-mark">'
        f"<title>{text(words)}</title></circle>"
    )


def _leaf(node: Branch, x: float, top: float, whole: Sequence[Narrowed]) -> str:
    more = f" in {node.below:,} leaves" if node.below else ""
    parts = [label(x, top + LINE - 4, f"{node.records:,} records{more}", css="soft")]
    for at, narrowed in enumerate(node.narrowed[:COLUMNS]):
        parts.append(_column(narrowed, whole[at], x, top + LINE * (at + 2) - 4))
    return "".join(parts)


def _column(narrowed: Narrowed, whole: Narrowed, x: float, y: float) -> str:
    """Return one confidential column of a leaf: its name, its bar, and what an intruder learns."""
    start = x + NAME_WIDTH
    parts = [
        label(x, y, clipped(narrowed.column, 13)),
        line(start, y - 4, start + BAR_WIDTH, y - 4, "axis"),
    ]
    if not narrowed.known:
        return "".join([*parts, label(start + BAR_WIDTH + 6, y, "missing", css="soft")])
    if narrowed.low is None or narrowed.high is None:
        low, high = 0.0, narrowed.share or 0.0
        words = f"{clipped(narrowed.guess, 12)} {100 * high:.3g}{THIN}%"
    else:
        least, most = whole.low or 0.0, whole.high or 0.0
        low = (narrowed.low - least) / (most - least) if most > least else 0.0
        high = (narrowed.high - least) / (most - least) if most > least else 1.0
        words = f"{figure(narrowed.low)} – {figure(narrowed.high)}"
    # A single value is still a mark.
    wide = max(2.0, BAR_WIDTH * (high - low))
    left = min(start + BAR_WIDTH * low, start + BAR_WIDTH - wide)
    parts.append(rectangle(left, y - 8, wide, 8, "released-bar"))
    return "".join([*parts, label(start + BAR_WIDTH + 6, y, words)])
