"""Labels read by their text: decoding a column if only the released file is known.

A release that was just made carries the decoding of its labels. One that comes from a file does
not, and its labels are read here: by the forms that discreet itself writes, and a few other plain
ones. A label of no known form says nothing about the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from discreet.errors import DataError
from discreet.microdata.concatenation import MISSING, take_apart
from discreet.microdata.decoding import MISSING_PART, Decoding, Part
from discreet.microdata.hierarchy import TOP, Hierarchy, text_of
from discreet.microdata.schema import Attribute, Kind

Parts = list[Part] | None
"""None is a label of no known form."""
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_DASH = r"\s*(?:–|-|\.\.)\s*"
_SINGLE = re.compile(_NUMBER)
_BETWEEN = re.compile(rf"\[?({_NUMBER}){_DASH}({_NUMBER})\]?")
_INTERVAL = re.compile(rf"([\[\(])\s*({_NUMBER})\s*[,;]\s*({_NUMBER})\s*([\]\)])")
_FROM = re.compile(rf"(?:(?:>=|≥)\s*({_NUMBER})|({_NUMBER})\s*(?:\+|and (?:above|more|over)))")
_BELOW = re.compile(rf"(?:below|under|<)\s*({_NUMBER})")
_DATE = r"\d{4}(?:-\d{2}(?:-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?)?)?"
_DATES = re.compile(rf"\[?({_DATE})–({_DATE})\]?")
_DATE_TO = re.compile(rf"from ({_DATE}) to before ({_DATE})")
_BEFORE = re.compile(rf"before ({_DATE})")
_AFTER = re.compile(rf"({_DATE}) and after")


def read_labels(labels: Sequence[Any], scale: Attribute, unit: str | None = None) -> Decoding:
    """Return what released labels mean on the scale of the original.

    `unit` is what a column of dates counts since 1970 ("D" or "us").

    >>> age = Attribute("age")
    >>> read_labels(["20–39", "[0.5, 1)", "65 and above", "31", "*", "old"], age).middles
    array([29.5 ,  0.75, 65.  , 31.  ,   nan,   nan])
    >>> town = Attribute("town", kind=Kind.NOMINAL, categories=("Ayle", "Bron", "Cull"))
    >>> read_labels(["{Ayle, Cull}", "Bron", "Ayle+Bron", "?"], town).lengths
    array([2, 1, 2, 0])
    """
    texts = [text_of(label) for label in labels]
    if scale.continuous:
        read = _number if unit is None else _reader_of_dates(unit)
        return Decoding.of(scale, [_with_missing(text, read) or [] for text in texts])
    return _of_categories(texts, scale)


def read_hierarchy(
    hierarchy: Hierarchy, scale: Attribute, unit: str | None = None
) -> tuple[Decoding, ...]:
    """Return what the labels of each level mean: those of their leaves that the column has.

    The single label of the top level says nothing.

    >>> town = Attribute("town", kind=Kind.NOMINAL, categories=("Ayle", "Cull"))
    >>> towns = Hierarchy([("Ayle", "coast"), ("Bron", "coast"), ("Cull", "hills")])
    >>> [level.low.tolist() for level in read_hierarchy(towns, town)]
    [[0.0, 1.0], [0.0, 1.0], []]
    """
    leaves = read_labels(hierarchy.categories, scale, unit)
    known = np.flatnonzero(leaves.known)
    levels = []
    for labels, codes in zip(hierarchy.labels, hierarchy.codes, strict=True):
        label = codes[known]
        order = np.argsort(label, kind="stable")
        starts = np.searchsorted(label[order], np.arange(len(labels) + 1))
        levels.append(Decoding.sets(scale, starts, known[order]).after(leaves))
    return (*levels[:-1], Decoding.of(scale, [[]]))


@dataclass(frozen=True, eq=False)
class KnownLabels:
    """Labels that a method may write, with their meanings."""

    texts: tuple[str, ...]
    decoding: Decoding

    @classmethod
    def of_levels(
        cls, scale: Attribute, labels: Sequence[Sequence[str]], decodings: Sequence[Decoding]
    ) -> KnownLabels:
        """Return the labels of several levels; one that two of them share is the higher one's."""
        texts = tuple(text for level in labels for text in level)
        return cls(texts, Decoding.together(scale, decodings))

    def read(self, released: Sequence[Any], unit: str | None = None) -> Decoding:
        """Return what released labels mean: the known ones, and others by their text.

        >>> town = Attribute("town", kind=Kind.NOMINAL, categories=("Ayle", "Bron", "Cull"))
        >>> towns = Hierarchy([("Ayle", "coast"), ("Bron", "coast"), ("Cull", "hills")])
        >>> known = KnownLabels.of_levels(town, towns.labels, read_hierarchy(towns, town))
        >>> known.read(["coast", "{coast, missing}", "Ayle+Cull", "sea"]).lengths
        array([2, 3, 2, 0])
        """
        place = {text: i for i, text in enumerate(self.texts)}
        plain = [_without_missing(text_of(label)) for label in released]
        known_place = np.array([place.get(text, -1) for text, _ in plain], dtype=np.int64)
        by_known = self.decoding.take(known_place).with_missing(
            np.array([gaps for _, gaps in plain], dtype=bool) & (known_place >= 0)
        )
        both = Decoding.together(
            by_known.scale, [by_known, read_labels(released, by_known.scale, unit)]
        )
        places = np.arange(len(released))
        return both.take(np.where(known_place >= 0, places, len(released) + places))


def _without_missing(text: str) -> tuple[str, bool]:
    """Return a label without the "missing" of its group, and whether it had any."""
    if text.startswith("{") and text.endswith(f", {MISSING}}}"):
        return text[1 : -len(MISSING) - 3], True
    return text, False


def _with_missing(text: str, read: Callable[[str], Parts]) -> Parts:
    """Read a label that may be a set of a label and "missing"."""
    others, gaps = _without_missing(text)
    if not gaps:
        return read(text)
    parts = read(others) or read(f"{{{others}}}")
    return [*parts, MISSING_PART] if parts else parts


def _number(text: str) -> Parts:
    if _SINGLE.fullmatch(text):
        return [(float(text), float(text))]
    if match := _BETWEEN.fullmatch(text):
        return _span(float(match[1]), float(match[2]))
    if match := _INTERVAL.fullmatch(text):
        low, high = float(match[2]), float(match[3])
        low = low if match[1] == "[" else np.nextafter(low, np.inf)
        return _span(low, high if match[4] == "]" else _just_below(high))
    if match := _FROM.fullmatch(text):
        return [(float(match[1] or match[2]), np.inf)]
    if match := _BELOW.fullmatch(text):
        return [(-np.inf, _just_below(float(match[1])))]
    return None


def _just_below(number: float) -> float:
    return float(np.nextafter(number, -np.inf))


def _span(low: float, high: float) -> Parts:
    return [(low, high)] if low <= high else None


def _reader_of_dates(unit: str) -> Callable[[str], Parts]:
    """Return the reader of dates, months, years and spans of them, in days or microseconds."""

    def first(text: str) -> float:
        return float(
            np.datetime64(text.replace(" ", "T")).astype(f"datetime64[{unit}]").astype(int)
        )

    def last(text: str) -> float:
        """Return the last moment of a date, month or year."""
        begin = np.datetime64(text.replace(" ", "T"))
        return float((begin + 1).astype(f"datetime64[{unit}]").astype(int)) - 1

    def read(text: str) -> Parts:
        try:
            if re.fullmatch(_DATE, text):
                return _span(first(text), last(text))
            if match := _DATES.fullmatch(text):
                return _span(first(match[1]), last(match[2]))
            if match := _DATE_TO.fullmatch(text):
                return _span(first(match[1]), first(match[2]) - 1)
            if match := _BEFORE.fullmatch(text):
                return [(-np.inf, first(match[1]) - 1)]
            if match := _AFTER.fullmatch(text):
                return [(first(match[1]), np.inf)]
        except ValueError:  # such as a month 13
            return None
        return None

    return read


def _of_categories(texts: Sequence[str], scale: Attribute) -> Decoding:
    place = {text_of(category): code for code, category in enumerate(scale.categories)}
    ordered = scale.kind is Kind.ORDINAL
    parts = [_with_missing(text, lambda t: _category(t, place, ordered)) for text in texts]
    weights: list[Sequence[float]] = [[1.0] * len(p or ()) for p in parts]
    unread = [i for i, label_parts in enumerate(parts) if label_parts is None and texts[i] != TOP]
    # The digits of the weighted form may belong to categories: one form for the whole column.
    forms = [[_joined(texts[i], place, weighted) for i in unread] for weighted in (False, True)]
    form = max(forms, key=lambda joined: sum(label is not None for label in joined))
    for i, label in zip(unread, form, strict=True):
        if label is not None:
            parts[i] = [(code, code) for code in label]
            weights[i] = list(label.values())
    return Decoding.of(scale, [p or [] for p in parts], weights)


def _category(text: str, place: Mapping[str, int], ordered: bool) -> Parts:
    if text in place:
        return [(place[text], place[text])]
    codes: list[int | None] = []
    if text.startswith("{") and text.endswith("}"):
        codes = [place.get(part) for part in text[1:-1].split(", ")]
    elif ordered and "–" in text:
        # A category may hold a dash itself.
        for match in re.finditer("–", text):
            low, high = place.get(text[: match.start()]), place.get(text[match.end() :])
            if low is not None and high is not None and low <= high:
                codes = list(range(low, high + 1))
    elif text.endswith(TOP) and text != TOP:
        shown = text.rstrip(TOP)
        codes = [c for t, c in place.items() if len(t) == len(text) and t.startswith(shown)]
    spans = [(float(code), float(code)) for code in codes if code is not None]
    return spans if spans and len(spans) == len(codes) else None


def _joined(text: str, place: Mapping[str, int], weighted: bool) -> dict[float, float] | None:
    """Read a concatenation; a missing value is NaN."""
    try:
        parts = take_apart(text, weighted=weighted)
    except DataError:
        return None
    if not parts.keys() <= {*place, None}:
        return None
    return {np.nan if c is None else float(place[c]): float(n) for c, n in parts.items()}
