"""What a notebook shows of an object: a plain table, without values of records."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def html_table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as HTML, every cell escaped.

    >>> html_table("", ["name"], [["a<b"]])
    '<table><caption></caption><thead><tr><th>name</th></tr></thead><tbody><tr><td>a&lt;b</td>...'
    """

    def line(cells: Sequence[object], tag: str) -> str:
        inner = "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells)
        return f"<tr>{inner}</tr>"

    body = "".join(line(row, "td") for row in rows)
    caption = html.escape(caption)
    return (
        f"<table><caption>{caption}</caption><thead>{line(head, 'th')}</thead>"
        f"<tbody>{body}</tbody></table>"
    )
