"""The picture of the layers: one row and one column per room, and every import between them.

The rooms stand in the order of their layers, the highest on top. A row imports from the columns
with a number, which is how many imports there are; all of them lie to the right of the diagonal
if imports point down. The colours are those of the page, light or dark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from docs.layers import LAYERS, edges, modules, room_of

CELL, NAMES, HEAD, GAP = 26, 190, 118, 5
INK = "var(--color-foreground-primary, #222)"
QUIET = "var(--color-foreground-muted, #777)"
BAND = "var(--color-background-secondary, #f2f3f5)"
DOWN = "var(--color-brand-primary, #0a4bff)"
UP = "var(--color-problematic, #b30000)"


def draw_layers() -> str:
    """Return the picture of the package as it is now."""
    sizes = dict.fromkeys((room for rooms in LAYERS for room in rooms), 0)
    for path in modules():
        sizes[room_of(path)] += len(path.read_text(encoding="utf-8").splitlines())
    return draw(LAYERS, edges(), sizes)


def draw(
    layers: Sequence[set[str]], counts: Mapping[tuple[str, str], int], sizes: Mapping[str, int]
) -> str:
    """Return the picture of these layers with the number of imports between rooms, as SVG."""
    places: dict[str, int] = {}
    bands = []
    offset = 0
    for rooms in reversed(layers):
        bands.append((offset, len(rooms)))
        for row, room in enumerate(sorted(rooms)):
            places[room] = offset + row * CELL
        offset += len(rooms) * CELL + GAP
    side = offset - GAP
    most = math.log1p(max(counts.values(), default=1))
    parts = [_band(place, rooms, side) for place, rooms in bands]
    parts += [_room(room, place, sizes[room]) for room, place in places.items()]
    parts += [
        _cell(pair, count, places, math.log1p(count) / most)
        for pair, count in sorted(counts.items())
    ]
    parts.append(_legend())
    width, height = NAMES + side + 1, HEAD + side + 1
    words = "Every room of the package, by layer, and the number of imports from one to another"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="layers" role="img" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" '
        f'style="max-width: {width}px; width: 100%">\n<title>{words}</title>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _band(place: int, rooms: int, side: int) -> str:
    """Draw a layer: a band behind its rooms, and the block of the diagonal that stays empty."""
    high, x, y = rooms * CELL, NAMES + place, HEAD + place
    return (
        f'<rect x="0" y="{y}" width="{NAMES + side}" height="{high}" rx="4" fill="{BAND}"/>'
        f'<rect x="{x}" y="{y}" width="{high}" height="{high}" rx="4" fill="{QUIET}" '
        'fill-opacity="0.18"/>'
    )


def _legend() -> str:
    """Say how to read it, in the corner above the names."""
    lines = (
        (QUIET, "A row imports from the columns:"),
        (DOWN, "lower layers, how often"),
        (UP, "a call up, inside a function"),
    )
    return "".join(
        f'<text x="8" y="{HEAD - 44 + 17 * line}" fill="{colour}" font-size="11">{words}</text>'
        for line, (colour, words) in enumerate(lines)
    )


def _room(room: str, place: int, lines: int) -> str:
    """Write the name of a room beside its row, with its length, and above its column."""
    x, y, name = NAMES + place + CELL / 2, HEAD + place + CELL / 2 + 4, escape(room)
    return (
        f'<text x="8" y="{y}" fill="{INK}">{name}</text>'
        f'<text x="{NAMES - 8}" y="{y}" fill="{QUIET}" font-size="11" text-anchor="end">'
        f"{lines:,} lines</text>"
        f'<text x="{x + 4}" y="{HEAD - 6}" fill="{INK}" '
        f'transform="rotate(-90 {x + 4} {HEAD - 6})">{name}</text>'
    )


def _cell(pair: tuple[str, str], count: int, places: Mapping[str, int], weight: float) -> str:
    """Draw the imports of one room from another: the more, the darker; upwards in red."""
    importer, imported = pair
    x, y = NAMES + places[imported], HEAD + places[importer]
    upwards = places[imported] < places[importer]
    noun = "import" if count == 1 else "imports"
    return (
        f'<g data-from="{escape(importer)}" data-to="{escape(imported)}"><title>'
        f"{escape(importer)} from {escape(imported)}: {count} {noun}</title>"
        f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{CELL - 2}" rx="3" '
        f'fill="{UP if upwards else DOWN}" fill-opacity="{0.12 + 0.4 * weight:.2f}"/>'
        f'<text x="{x + CELL / 2}" y="{y + CELL / 2 + 4}" fill="{INK}" font-size="11" '
        f'text-anchor="middle">{count}</text></g>'
    )
