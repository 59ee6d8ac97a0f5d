"""What must stay secret: values of records in messages, seeds and rare values in public files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from bench.campaign.counting import Seen
from bench.campaign.faults import Fault
from bench.campaign.tables import Table
from bench.campaign.values import TEXTS

NAMES = {text for text in TEXTS if text in ("Quellbrunn", "Ziegelau", "Wolkenstein", "Ehrwald-7")}
"""Texts that appear on a page only if a record has them."""

SHORTEST = 5
"""Shorter texts may occur in any sentence by chance."""


def telling(cells: Iterable[object]) -> set[str]:
    """Return the texts of cells that would be recognised wherever they are quoted."""
    texts = set()
    for cell in cells:
        text = cell if isinstance(cell, str) else str(cell)
        digits = re.fullmatch(r"[-+.\deE]+", text) is not None
        # Hypothesis also draws words from our own source, which occur in our own sentences.
        word = text.isascii() and text.isalpha() and text.islower()
        if len(text.strip()) >= SHORTEST and not word and not (digits and len(text) < 8):
            texts.add(text)
    return texts


def gone(table: Table, seen: Seen, steps: Iterable[Mapping[str, Any]] = ()) -> list[str]:
    """Return the distinctive names of the original that are in no released cell any more.

    Declared domains are public and stated whatever the data are: their names reveal nothing.
    """
    declared = [of.get("domains", "") for step in steps for of in step.values()]
    texts = (level for column in table.columns for level in column.levels)
    names = {text for text in texts if isinstance(text, str) and text in NAMES}
    released = "\n".join(str(value) for column in seen.values() for value in column.values)
    return [name for name in names if name not in released and name not in str(declared)]


def refuse_quoting(message: str, cells: Iterable[object], allowed: str, attempted: str) -> None:
    """Raise a fault if a message quotes a cell that is nowhere in what the user wrote."""
    for text in telling(cells):
        if text in message and text not in allowed:
            raise Fault(f"{attempted}: a message quotes a value of a record", message)


def refuse_telling(content: str, secrets: Iterable[str], file: str, attempted: str) -> None:
    """Raise a fault if a public file contains what only its owner may know."""
    for secret in secrets:
        if secret and secret in content:
            raise Fault(f"{attempted}: {file} tells what is private", repr(secret))
