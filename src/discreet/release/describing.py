"""Describing: what a file holds, and which kinds and roles its columns seem to have, and why.

Suggestions are a starting point for someone who knows the data. They err on the safe side: what
looks like an identifier is called one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from discreet.errors import DataError
from discreet.io.arrow_arrays import EXACT
from discreet.io.reading import read
from discreet.microdata import Kind, Level, Microdata, Role
from discreet.microdata.all_cores import for_each
from discreet.microdata.clusters import clusters_of
from discreet.microdata.derived import derived_columns
from discreet.microdata.equivalence import unique_share
from discreet.microdata.levels import deviations, of_household, with_levels
from discreet.models.dependency import DependencyTree, shown_tree
from discreet.release.missing_words import words_of_columns
from discreet.release.notes import notes_on_formulas
from discreet.release.profile import Profile
from discreet.release.release import released_format
from discreet.release.suggested_kind import suggested_kind
from discreet.release.suggesting import suggested_role, weight_of_a_household

SHOWN = 8
"""At most this many names are listed; the rest are counted."""
LABELS, WIDEST = 4, 56
"""Most labels of values shown for a column, and most letters of them in all."""
PERHAPS = "or an identifier: hardly any two records share a number"
"""Said about numbers that have the name of an amount or a weight, but not the shape."""
CODED = (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL, Role.OTHER)
"""Columns of these roles may have codes for missing values."""


@dataclass(frozen=True)
class Suggestion:
    """What a column holds and what it seems to be, with the reason."""

    name: str
    kind: Kind
    role: Role
    reason: str
    distinct: int
    missing: float
    categories: tuple[Any, ...] = ()
    label: str = ""
    level: Level | None = None
    missing_codes: tuple[float | str, ...] = ()
    values: tuple[str, ...] = ()

    @property
    def labels(self) -> str:
        """The label of the column and those of its values, in a few words."""
        values = ", ".join(self.values[:LABELS]) + (", …" if len(self.values) > LABELS else "")
        text = f"{self.label}: {values}" if self.label and values else self.label or values
        return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


@dataclass(frozen=True, eq=False)
class Description:
    """The columns of a file with suggested kinds and roles; prints as a table."""

    data: Microdata
    columns: tuple[Suggestion, ...]
    notes: tuple[str, ...]

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The columns that seem to be known to others."""
        return tuple(c.name for c in self.columns if c.role is Role.QUASI_IDENTIFIER)

    @property
    def unique_share(self) -> float:
        """The share of records that are unique in the suggested quasi-identifiers."""
        known = self.quasi_identifiers
        return unique_share(self.data, known) if known else 0.0

    @cached_property
    def dependency(self) -> DependencyTree | None:
        """The best dependency tree of the suggested quasi-identifiers; None for fewer than three.

        If there are more than fifty, the first fifty are used.
        """
        return shown_tree(self.data, self.quasi_identifiers)

    def __repr__(self) -> str:
        head = ("column", "kind", "role", "distinct", "missing", "why")
        lines: list[tuple[str, ...]] = [head]
        lines += [
            (c.name, c.kind.value, c.role.value, f"{c.distinct:,}", f"{c.missing:.1%}", c.reason)
            for c in self.columns
        ]
        if any(c.label or c.values for c in self.columns):
            labels = ["label", *(c.labels for c in self.columns)]
            lines = [(*line[:5], text, line[5]) for line, text in zip(lines, labels, strict=True)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]) - 1)]
        size = (counted(len(self.data), "record"), counted(len(self.columns), "column"))
        text = [", ".join(size), *self.notes, ""]
        for line in lines:
            cells = [
                f"{cell:>{width}}" if i in (3, 4) else f"{cell:<{width}}"
                for i, (cell, width) in enumerate(zip(line, widths, strict=False))
            ]
            text.append("  ".join([*cells, line[-1]]))
        if self.quasi_identifiers:
            known = listed(self.quasi_identifiers)
            alone = f"{self.unique_share:.1%} of the records are unique in their combination of"
            text += ["", f"{alone} {known}."]
        else:
            way_on = "give those that are known the role quasi-identifier"
            text += ["", f"No column seems to be known to others: {way_on}."]
        text.append("The roles are suggestions: please check each of them.")
        return "\n".join([*text, *self.unsure])

    @property
    def unsure(self) -> list[str]:
        """What a person should look at first, in a few lines."""
        coded = [
            f"{c.name} ({', '.join(_code(code) for code in c.missing_codes)})"
            for c in self.columns
            if c.missing_codes
        ]
        questions = {
            "Codes for missing values?": coded,
            "No role known:": [c.name for c in self.columns if c.reason.startswith("nothing")],
            "Confidential, or something else?": [
                c.name for c in self.columns if "something unknown" in c.reason
            ],
            "Identifiers by another name?": [c.name for c in self.columns if PERHAPS in c.reason],
            "Ordered grades, or codes?": [
                c.name for c in self.columns if "or else nominal" in c.reason
            ],
        }
        return [f"{question} {listed(names)}" for question, names in questions.items() if names]


def listed(names: Sequence[str]) -> str:
    """Return some of the names, and how many more there are.

    >>> listed(["a", "b"]), listed([str(i) for i in range(20)])
    ('a, b', '0, 1, 2, 3, 4, 5, 6, 7 and 12 more')
    """
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _code(code: float | str) -> str:
    return code if isinstance(code, str) else f"{code:g}"


def counted(number: int, noun: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "record"), counted(3_000, "record")
    ('1 record', '3,000 records')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def describe(path_or_frame: Any, **options: Any) -> Description:
    """Describe what a file or frame holds, and suggest kinds and roles with the reason for each.

    >>> describe({"ssn": ["123", "456"], "age": [31, 47], "income": [1800.5, 2500.0]})
    2 records, 3 columns
    <BLANKLINE>
    column  kind        role              distinct  missing  why
    ssn     nominal     identifier               2     0.0%  its name says 'ssn'
    age     continuous  quasi-identifier         2     0.0%  its name says 'age': others may know it
    income  continuous  confidential             2     0.0%  its name says 'income'
    <BLANKLINE>
    100.0% of the records are unique in their combination of age.
    The roles are suggestions: please check each of them.
    """
    given = isinstance(path_or_frame, Microdata)
    data = path_or_frame if given else _read(path_or_frame, options)
    if not len(data.schema):
        raise DataError("the data have no columns, so there is nothing to describe")
    words = words_of_columns(data)
    if words and not given and not options.get("missing"):
        # What is left may be numbers or dates.
        data = _read(path_or_frame, {**options, "missing": words})
    notes = data.source.notes if data.source else ()

    def suggested(name: str) -> Suggestion:
        return _suggest(Profile.of(data, name), words.get(name, ()))

    columns = tuple(for_each(suggested, data.schema.names, len(data)))
    nested = _nested(data)
    columns = tuple(replace(c, **_NESTED) if c.name in nested else c for c in columns)
    levels, deviating = _levels(data, columns)
    columns = tuple(replace(c, **levels.get(c.name, {})) for c in columns)
    formulas = notes_on_formulas(data, released_format(data))
    return Description(data, columns, (*notes, *formulas, *deviating))


def _levels(
    data: Microdata, columns: Sequence[Suggestion]
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return remarks on columns of household or person level, and notes."""
    role_of = {c.name: c.role for c in columns}
    table = with_levels(
        data.with_attributes(replace(c.attribute, role=role_of[c.name]) for c in data)
    )
    homes = clusters_of(table)
    if homes is None:
        return {}, []
    derived, shared = derived_columns(table, homes), of_household(table)
    statements: dict[str, dict[str, Any]] = {}
    for column in columns:
        level = table.schema[column.name].level
        if column.name in shared:
            shared_value = derived[column.name].words if column.name in derived else "one value"
            reason = "; ".join(
                part for part in (column.reason, f"{shared_value} in each {homes.word}") if part
            )
            statements[column.name] = {"level": level, "reason": reason}
            if homes.role is Role.HOUSEHOLD and (
                sampled := weight_of_a_household(column.name, column.label, column.reason)
            ):
                statements[column.name] = {"level": level, "role": Role.WEIGHT, "reason": sampled}
    return statements, [str(deviation) for deviation in deviations(table, homes)]


def _read(path_or_frame: Any, options: dict[str, Any]) -> Microdata:
    """Read the data; whole numbers that a float cannot distinguish are codes, not quantities."""
    data = read(path_or_frame, **options)
    # Looked up once: a frame builds its whole schema at each access.
    types = data.source.frame.schema if data.source is not None else {}
    codes = {
        column.name: Kind.NOMINAL.value
        for column in data
        if column.attribute.continuous
        and column.name in types
        and types[column.name].is_integer()
        and max(-np.nanmin(column.values, initial=0), np.nanmax(column.values, initial=0)) > EXACT
    }
    if not codes:
        return data
    return read(path_or_frame, **{**options, "kinds": {**codes, **(options.get("kinds") or {})}})


_NESTED: dict[str, Any] = {
    "kind": Kind.NOMINAL,
    "role": Role.IDENTIFIER,
    "reason": "it holds lists or records, which nothing can protect; split it into plain columns",
    "categories": (),
    "missing_codes": (),
}


def _nested(data: Microdata) -> set[str]:
    """Return the columns whose values are lists or records."""
    types = data.source.frame.schema if data.source is not None else {}
    return {name for name, kind in types.items() if kind.is_nested()}


def _suggest(profile: Profile, words: Sequence[str]) -> Suggestion:
    role, why_role = suggested_role(profile.without_codes())
    kind, why_kind, categories = suggested_kind(profile.without_codes(), role)
    unsure = role in (Role.CONFIDENTIAL, Role.WEIGHT, Role.OTHER) and profile.perhaps_given_out
    rows = len(profile.column.values)
    return Suggestion(
        profile.name,
        kind,
        role,
        "; ".join(part for part in (why_role, PERHAPS if unsure else "", why_kind) if part),
        profile.distinct,
        1 - profile.present / rows if rows else 0.0,
        categories,
        profile.label,
        missing_codes=(*words, *profile.suspected_codes) if role in CODED else (),
        values=tuple(profile.value_labels.values()),
    )
