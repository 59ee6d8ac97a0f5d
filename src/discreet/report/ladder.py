"""A ladder: shares one below the other on one axis, each with its name and figure."""

from __future__ import annotations

from collections.abc import Sequence

from discreet.report.markup import THIN, clipped, text
from discreet.report.svg import WIDTH, drawing, label, line, place, rectangle

LEFT, RIGHT, ROW, THICK = 118.0, 46.0, 22.0, 12.0
LONGEST = 18
"""Characters of a name that fit beside its bar."""


def ladder(title: str, description: str, names: Sequence[str], shares: Sequence[float]) -> str:
    """Return bars of shares from 0 to 100 %, so that pictures can be compared.

    >>> picture = ladder("Linked", "Records linked", ["age", "+ sex"], [0.75, 1.0])
    >>> picture.count("<rect"), "75.0" in picture
    (2, True)
    """
    parts = []
    height = ROW * len(names) + 6
    room = WIDTH - LEFT - RIGHT
    for part in (0.5, 1.0):
        parts.append(line(LEFT + room * part, 0, LEFT + room * part, height, "axis"))
    for number, (name, share) in enumerate(zip(names, shares, strict=True)):
        top = number * ROW + 6
        middle = top + THICK - 2
        whole = f"<title>{text(name)}</title>{text(clipped(name, LONGEST))}"
        parts.append(
            f'<text x="{place(LEFT - 6)}" y="{place(middle)}" text-anchor="end">{whole}</text>'
        )
        parts.append(rectangle(LEFT, top, room * share, THICK, "released-bar"))
        parts.append(label(WIDTH, middle, f"{100 * share:.1f}{THIN}%", "end", "soft"))
    parts.append(line(LEFT, 0, LEFT, height, "strong-axis"))
    return drawing(WIDTH, height, title, description, "".join(parts))
