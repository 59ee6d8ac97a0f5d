"""What must not be told: values of records in messages, seeds and rare values in public files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from bench.campaign.counting import Seen
from bench.campaign.faults import Fault
from bench.campaign.tables import Table
from bench.campaign.values import TEXTS

NAMES = {text for text in TEXTS if text in ("Quellbrunn", "Ziegelau", "Wolkenstein", "Ehrwald-7")}
"""Texts that stand in no page but for a record."""

SHORTEST = 5
"""Shorter texts occur in any sentence by chance."""


def telling(cells: Iterable[object]) -> set[str]:
    """Return the texts of cells that would be recognised wherever they are quoted."""
    found = set()
    for cell in cells:
        text = cell if isinstance(cell, str) else str(cell)
        digits = re.fullmatch(r"[-+.\deE]+", text) is not None
        # Hypothesis draws words of our own source too, which stand in our own sentences.
        word = text.isascii() and text.isalpha() and text.islower()
        if len(text.strip()) >= SHORTEST and not word and not (digits and len(text) < 8):
            found.add(text)
    return found


def gone(table: Table, seen: Seen, steps: Iterable[Mapping[str, Any]] = ()) -> list[str]:
    """Return the telling names of the original that no released cell holds any more.

    Declared domains are public, and stated whatever the data are: their names tell nothing.
    """
    declared = [of.get("domains", "") for step in steps for of in step.values()]
    texts = (level for column in table.columns for level in column.levels)
    names = {text for text in texts if isinstance(text, str) and text in NAMES}
    released = "\n".join(str(value) for column in seen.values() for value in column.values)
    return [name for name in names if name not in released and name not in str(declared)]


def refuse_quoting(message: str, cells: Iterable[object], allowed: str, what: str) -> None:
    """Raise a fault if a message quotes a cell that stands nowhere in what the user wrote."""
    for text in telling(cells):
        if text in message and text not in allowed:
            raise Fault(f"{what}: a message quotes a value of a record", message)


def refuse_telling(content: str, secrets: Iterable[str], file: str, what: str) -> None:
    """Raise a fault if a public file holds what only its owner may know."""
    for secret in secrets:
        if secret and secret in content:
            raise Fault(f"{what}: {file} tells what is private", repr(secret))
