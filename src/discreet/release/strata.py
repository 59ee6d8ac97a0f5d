"""Strata: a step is run on each part of a table separately, and the outcomes are combined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import NO_ORIGIN, Claim, Context, Groups, Masked
from discreet.errors import DataError
from discreet.microdata import Attribute, Column, Kind, Microdata, Role
from discreet.microdata.clusters import numbered_anew
from discreet.microdata.decoding import Decoding
from discreet.microdata.table import MISSING_CODE

Rows = NDArray[np.int64]

SHOWN = 3
"""The most notes shown on all strata: if each has its own, the first stands for them."""


class Protects(Protocol):
    """A step, or whatever runs one on a part of a table."""

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the part as it is to be released."""

    def protect_within(self, data: Microdata, strata: Rows, context: Context) -> Masked | None:
        """Return all parts as they are to be released, or None."""


def in_strata(step: Protects, data: Microdata, labels: Rows, context: Context) -> Masked:
    """Run a step in each stratum with random numbers of its own, and put the outcomes together.

    `labels` numbers the strata from 0. If every part is k-anonymous, so is the whole, and likewise
    for drawn values; other claims about the parts say nothing about the whole.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> pairs = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    >>> in_strata(pairs, data, np.array([0, 1, 0, 1]), Context()).data["age"]
    array([30.5, 31.5, 30.5, 31.5])
    """
    return step.protect_within(data, labels, context) or put_together(
        data,
        [
            (rows, step.protect(data.take(rows), context.within("stratum", number)))
            for number, rows in enumerate(strata_rows(labels))
        ],
    )


def in_pooled_strata(
    step: Protects, data: Microdata, labels: Rows, context: Context
) -> tuple[Masked, NDArray[np.bool_]]:
    """Run a step in strata, those too small for it as one, and return which records these are.

    Where they are too few even together, the next smallest strata join them.
    """
    strata = sorted(strata_rows(labels), key=len, reverse=True)
    alone: list[tuple[Rows, Masked]] = []
    pool: list[Rows] = []
    while strata:
        rows = strata.pop(0) if not pool else np.sort(np.concatenate(pool))
        try:
            masked = step.protect(data.take(rows), context.within("stratum", len(alone)))
        except DataError:
            if not pool:
                pool, strata = [rows, *strata], strata or [rows]
            elif alone:
                pool.append(alone.pop()[0])
            else:
                raise
            continue
        alone.append((rows, masked))
        if pool:
            break
    is_pooled = np.zeros(len(data), dtype=bool)
    for rows in pool:
        is_pooled[rows] = True
    return put_together(data, alone), is_pooled


def strata_rows(labels: Rows) -> list[Rows]:
    """Return the records of each stratum, in their order.

    >>> [rows.tolist() for rows in strata_rows(np.array([0, 1, 0]))]
    [[0, 2], [1]]
    """
    if not len(labels):
        return []
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.cumsum(np.bincount(labels))[:-1])


def put_together(data: Microdata, outcomes: Sequence[tuple[Rows, Masked]]) -> Masked:
    """Put the outcomes of all strata together; records keep their places if all are still there."""
    strata, parts = [rows for rows, _ in outcomes], [part for _, part in outcomes]
    if any(part.origin is not None for part in parts):
        return _one_after_the_other(data, outcomes)
    columns = [
        stacked([part.data.column(name) for part in parts], strata, data.column(name))
        for name in data.schema.names
    ]
    return Masked(
        data.replace(columns),
        _joined_groups([part.groups for part in parts], strata, len(data)),
        claims_of_all([part.claims for part in parts]),
        tuple(notes_of_all([part.notes for part in parts])),
    )


def _one_after_the_other(data: Microdata, outcomes: Sequence[tuple[Rows, Masked]]) -> Masked:
    """Combine strata that release other records than they were given."""
    parts = [part for _, part in outcomes]
    ends = np.cumsum([len(part.data) for part in parts])
    places = [np.arange(end - len(p.data), end) for end, p in zip(ends, parts, strict=True)]
    origins = []
    for rows, part in outcomes:
        part_origin = np.arange(len(rows)) if part.origin is None else part.origin
        origins.append(np.where(part_origin >= 0, rows[part_origin], NO_ORIGIN))
    origin = np.concatenate(origins)
    columns = [
        stacked([part.data.column(name) for part in parts], places, data.column(name))
        for name in data.schema.names
    ]
    of_part = np.repeat(np.arange(len(parts)), [len(p.data) for p in parts])
    columns = [
        _renumbered_by_part(column, np.where(origin < 0, of_part + 1, 0)) for column in columns
    ]
    source = data.source
    if source is not None:
        # Where there is no original, only the types come from some row, not the values.
        source = source.take(np.maximum(origin, 0))
        source = source.touch(n for p in parts if p.data.source for n in p.data.source.changed)
    groups = _joined_groups([part.groups for part in parts], [r for r, _ in outcomes], len(data))
    claims = claims_of_all([part.claims for part in parts])
    table = Microdata(columns, source, len(origin))
    notes = notes_of_all([part.notes for part in parts])
    return Masked(table, groups, claims, tuple(notes), origin)


def _renumbered_by_part(column: Column, part: Rows) -> Column:
    """Give the new households of each part numbers of their own: each part counts from the first.

    Records that come from the file have part 0, and the numbers that they had.
    """
    if column.attribute.role not in (Role.HOUSEHOLD, Role.PERSON) or not part.any():
        return column
    known = ~column.missing
    pairs = np.column_stack([part, column.values])[known]
    numbers = np.full(len(part), MISSING_CODE, dtype=np.int64)
    numbers[known] = np.unique(pairs, axis=0, return_inverse=True)[1].ravel()
    return numbered_anew(column, numbers)


def notes_of_all(parts: Sequence[Sequence[str]]) -> list[str]:
    """Return the notes on all parts; where they are many, the first stands for them."""
    notes = list(dict.fromkeys(note for part in parts for note in part))
    return notes if len(notes) <= SHOWN else [f"{notes[0]} (in one of {len(parts)} parts)"]


def k_of_all(claims: Sequence[Sequence[Claim]]) -> tuple[Claim, ...]:
    """Return the k-anonymity that all parts claim: the least of them; nothing if one claims none.

    >>> k_of_all([(Claim("k-anonymity", 5),), (Claim("k-anonymity", 3),)])
    (Claim(k-anonymity: 3 claimed),)
    """
    return _least_of_all("k-anonymity", claims)


def claims_of_all(claims: Sequence[Sequence[Claim]]) -> tuple[Claim, ...]:
    """Return what parts that share no group claim for the whole: k, and k of drawn values.

    >>> claims_of_all([(Claim("probabilistic-k-anonymity", 5),)] * 2)
    (Claim(probabilistic-k-anonymity: 5 claimed),)
    """
    return k_of_all(claims) + _least_of_all("probabilistic-k-anonymity", claims)


def _least_of_all(measure: str, claims: Sequence[Sequence[Claim]]) -> tuple[Claim, ...]:
    bounds = [[c.bound for c in part if c.measure == measure] for part in claims]
    if not bounds or not all(bounds):
        return ()
    return (Claim(measure, min(max(part) for part in bounds)),)


def _joined_groups(
    parts: Sequence[Groups | None], strata: Sequence[Rows], rows: int
) -> Groups | None:
    masked_parts = [part for part in parts if part is not None]
    if len(masked_parts) < len(parts) or not masked_parts:
        return None
    labels = np.empty(rows, dtype=np.int64)
    start = 0
    for part, at in zip(masked_parts, strata, strict=True):
        labels[at] = np.where(part.labels < 0, -1, part.labels + start)
        start += part.count
    return Groups(
        labels,
        least_size=min(part.least_size for part in masked_parts),
        drawn=all(part.drawn for part in masked_parts),
        drawn_columns=frozenset.intersection(*(part.drawn_columns for part in masked_parts)),
    )


def stacked(parts: Sequence[Column], strata: Sequence[Rows], original: Column) -> Column:
    """Return a column made of the parts in their places, on a scale that has all their values.

    Labels that only some parts have are appended in turn; such a column is nominal.
    """
    rows = sum(map(len, strata))
    alike = same_scale([part.attribute for part in parts])
    if not alike:
        parts = [_as_labels(part) if part.attribute.continuous else part for part in parts]
    attribute, tables = joint_scale([part.attribute for part in parts], original.attribute)
    values = np.empty(rows, dtype=parts[0].values.dtype if alike else np.int32)
    for part, table, at in zip(parts, tables, strata, strict=True):
        values[at] = part.values if table is None else table[part.values]
    return Column(attribute, values)


def same_scale(attributes: Sequence[Attribute]) -> bool:
    """Whether all parts of a column have the same kind and categories."""
    scales = [(a.kind, a.categories) for a in attributes]
    return scales.count(scales[0]) == len(scales)


def joint_scale(
    attributes: Sequence[Attribute], original: Attribute
) -> tuple[Attribute, list[NDArray[np.int32] | None]]:
    """Return the scale of a column in parts, and for each part the new code of each of its codes.

    There is no such table if all parts have the same scale. Its last place is for missing values.
    """
    first = attributes[0]
    if same_scale(attributes):
        return first, [None] * len(attributes)
    known: dict[object, int] = {}
    decodings, tables = [], list[NDArray[np.int32] | None]()
    for attribute in attributes:
        categories = attribute.categories
        new = [i for i, category in enumerate(categories) if category not in known]
        decoding = attribute.decoding or _for_themselves(attribute, original)
        decodings.append(decoding.take(np.array(new, dtype=np.int64)))
        known |= {categories[i]: len(known) + n for n, i in enumerate(new)}
        tables.append(np.array([*(known[c] for c in categories), -1], dtype=np.int32))
    decoding = Decoding.together(decodings[0].scale, decodings)
    joint = replace(first, kind=Kind.NOMINAL, categories=tuple(known), decoding=decoding)
    return joint, tables


def _for_themselves(attribute: Attribute, original: Attribute) -> Decoding:
    """Return what categories of the original stand for, namely themselves; others have no
    entry.
    """
    count = len(original.categories)
    themselves = Decoding.sets(original, np.arange(count + 1), np.arange(count))
    return themselves.renamed(original.categories, attribute.categories)


def _as_labels(column: Column) -> Column:
    """Return numbers as labels of themselves, to stand beside labels of other parts."""
    present, codes = np.unique(column.values[~column.missing], return_inverse=True)
    values = np.full(len(column.values), -1, dtype=np.int32)
    values[~column.missing] = codes
    decoding = Decoding.spans(column.attribute, present, present)
    labels = [f"{value:.15g}" for value in present.tolist()]
    return column.recoded(values, Kind.NOMINAL, labels, decoding)
