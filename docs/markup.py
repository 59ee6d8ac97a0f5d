"""Plain text, tables and code as Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence


def prose(text: str) -> str:
    """Return plain text as Markdown that shows it as it is; `code` and *stress* stay so."""
    parts = re.split(r"(`[^`]*`|(?<!\w)\*\w[^*`]*\w\*(?!\w))", text)
    return "".join(
        part if number % 2 else re.sub(r"([\\*<\[\]$])", r"\\\1", part)
        for number, part in enumerate(parts)
    )


def fenced(language: str, text: str) -> str:
    """Return a block of code."""
    return f"```{language}\n{text}\n```"


# What a formula in plain signs has below and above the line: x_g, Σ_{i∈g}, S^Δ, X_s^(1 − α).
LOWERED = re.compile(r"_(?:\{([^}]*)\}|([^\W_]+))")
RAISED = re.compile(r"\^(?:\{([^}]*)\}|\(((?:[^()]|\([^()]*\))*)\)|(−?\w))")


def formula(text: str) -> str:
    """Return a formula in plain signs as HTML; no page needs a typesetter, or a network for one."""
    lines = []
    for line in html.escape(text, quote=False).split("\n"):
        raised = RAISED.sub(lambda match: f"<sup>{_inner(match)}</sup>", line)
        lines.append(LOWERED.sub(lambda match: f"<sub>{_inner(match)}</sub>", raised))
    return '<div class="formula">' + "\n".join(lines) + "</div>"


def _inner(match: re.Match[str]) -> str:
    return next(part for part in match.groups() if part is not None)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    cells = [[" ".join(str(cell).replace("|", "\\|").split()) for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def toctree(names: Sequence[str], *, depth: int, hidden: bool = False) -> str:
    options = [f":maxdepth: {depth}", *([":hidden:"] if hidden else [])]
    return "\n".join(["```{toctree}", *options, "", *names, "```"])


def joined(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
