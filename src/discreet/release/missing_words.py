"""Texts that stand for a missing value: signs such as ?, and the few words among numbers."""

from __future__ import annotations

import re

from discreet.microdata import Column, Microdata

SIGNS = frozenset(
    (
        *("-", "--", "---", "–", "—", "?", "??", ".", "..", "*", "/", "//", "#N/A", "#NV", "#N/D"),
        *("n/a", "N/A", "n.a.", "N.A.", "n. a.", "NA", "<NA>", "NaN", "nan", "NULL", "null"),
        *("k.A.", "k. A.", "o.A.", "n.v.t.", "n.d.", "N/D", "n/d", "s/d", "S/D", "s.d."),
    )
)
"""What files write for a missing value. "None" and "unknown" are just as often answers."""
NUMBER = re.compile(r"[-+]?\d[\d .,']*%?")
FEW_WORDS, MANY_NUMBERS = 3, 10
"""At most this many distinct words among at least this many distinct numbers explain a missing
number.
"""
COUNTRY = re.compile(r"[A-Z]{2}")


def missing_words(column: Column) -> list[str]:
    """Return the texts of a column that seem to stand for a missing value.

    >>> import discreet
    >>> data = discreet.read({"job": ["cook", "?", "nurse"], "country": ["NA", "DE", "FR"]})
    >>> [missing_words(column) for column in data]
    [['?'], []]
    """
    attribute = column.attribute
    texts = [] if attribute.continuous else [c for c in attribute.categories if isinstance(c, str)]
    if len(texts) < 2:
        return []
    words = _among_numbers(texts) or sorted(SIGNS.intersection(texts))
    if words == ["NA"] and all(COUNTRY.fullmatch(text) for text in texts):
        return []  # Namibia
    return words if len(words) < len(texts) else []


def words_of_columns(data: Microdata) -> dict[str, list[str]]:
    """Return such texts for the columns that have any."""
    by_column = {column.name: missing_words(column) for column in data}
    return {name: words for name, words in by_column.items() if words}


def _among_numbers(texts: list[str]) -> list[str]:
    """Return the words of a column whose other texts are numbers, but not codes."""
    some = texts[:: max(1, len(texts) // 50)]
    if sum(bool(NUMBER.fullmatch(text)) for text in some) < 0.7 * len(some):
        return []
    words = [text for text in texts if not NUMBER.fullmatch(text.strip())]
    numbers = len(texts) - len(words)
    zeros = any(re.match(r"0\d", text) for text in texts)
    return (
        sorted(words) if len(words) <= FEW_WORDS and numbers >= MANY_NUMBERS and not zeros else []
    )
