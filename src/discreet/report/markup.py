"""Text into HTML: everything that comes from data is escaped here, and figures get their form."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

# What XML and HTML have no character for; a lone surrogate could not even be written as UTF-8.
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
WORDS = {"infinity": "∞", "-infinity": "−∞", "undefined": "not defined"}
NO_FIGURE = "–"
THIN = "\u202f"


def text(value: object) -> str:
    """Return any text so that it stands in HTML or SVG as itself.

    >>> text('<script>"x"&')
    '&lt;script&gt;&quot;x&quot;&amp;'
    """
    return html.escape(UNWRITABLE.sub("\ufffd", str(value)), quote=True)


def name(value: object) -> str:
    """Return a column's or category's name, set apart from the writing direction around it."""
    return f'<bdi class="name">{text(value)}</bdi>'


def clipped(value: object, longest: int) -> str:
    """Return a text cut to a length, to be escaped afterwards.

    >>> clipped("occupation", 6)
    'occup…'
    """
    whole = " ".join(str(value).split())
    return whole if len(whole) <= longest else whole[: longest - 1] + "…"


def shown(value: Any, percent: bool = False) -> str:
    """Return a figure as a person reads it.

    >>> shown(0.189, percent=True), shown(5.0), shown(0.123456), shown(None), shown("infinity")
    ('18.90\\u202f%', '5', '0.1235', '–', '∞')
    """
    if value is None:
        return NO_FIGURE
    if isinstance(value, str):
        return WORDS.get(value, value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if percent:
        return f"{100 * value:.2f}{THIN}%"
    return figure(value)


def figure(value: float) -> str:
    """Return a number with about four digits, and no more than it needs.

    >>> figure(1234567), figure(0.25), figure(1e-16), figure(2.5e12), figure(-3)
    ('1,234,567', '0.25', '1e-16', '2.5e+12', '−3')
    """
    sign = "−" if value < 0 else ""
    size = abs(value)
    if math.isfinite(size) and float(size).is_integer() and size < 1e9:
        return f"{sign}{size:,.0f}"
    if 1000 <= size < 1e9:
        return f"{sign}{size:,.1f}"
    return f"{sign}{size:.4g}"


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, numeric: Iterable[int] = (), caption: str
) -> str:
    """Return a table of cells that are HTML already; the first cell of a row is its header."""
    right = set(numeric)

    def attributes(index: int) -> str:
        return ' class="num"' if index in right else ""

    headers = "".join(f'<th scope="col"{attributes(i)}>{c}</th>' for i, c in enumerate(head))
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row"{attributes(i)}>{cell}</th>'
            if i == 0
            else f"<td{attributes(i)}>{cell}</td>"
            for i, cell in enumerate(row)
        )
        + "</tr>\n"
        for row in rows
    )
    return (
        f'<div class="scroll" role="region" aria-label="{text(caption)}" tabindex="0"><table>'
        f"<caption>{text(caption)}</caption>"
        f"<thead><tr>{headers}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n"
    )


def paragraphs(lines: Iterable[str], css: str = "") -> str:
    """Return plain sentences as a list."""
    items = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f'<ul class="{css}">{items}</ul>\n' if items else ""
