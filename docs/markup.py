"""Plain text, tables and code as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def prose(text: str) -> str:
    """Return plain text as Markdown that shows it as it is; `code` stays code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([\\*<\[\]$])", r"\\\1", part) for part in parts
    )


def fenced(language: str, text: str) -> str:
    """Return a block of code."""
    return f"```{language}\n{text}\n```"


def formula(text: str) -> str:
    """Return a formula in plain signs; no page needs a typesetter, or a network to fetch one."""
    return f"```{{code-block}} text\n:class: formula\n\n{text}\n```"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    cells = [[" ".join(str(cell).replace("|", "\\|").split()) for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def toctree(names: Sequence[str], *, depth: int, hidden: bool = False) -> str:
    options = [f":maxdepth: {depth}", *([":hidden:"] if hidden else [])]
    return "\n".join(["```{toctree}", *options, "", *names, "```"])


def joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
