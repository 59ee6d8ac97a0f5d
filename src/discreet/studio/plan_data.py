"""The data of a plan as the pages need them: read once, shown many times.

A change of roles does not touch the values, so it costs no reading: the codes of columns, pictures
and suggestions are kept until the file, the kinds or the missing codes change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from discreet.io.memory_guard import give_memory_back
from discreet.io.reading import read
from discreet.microdata import Kind, Microdata
from discreet.microdata.dates import unit_of
from discreet.release.describing import Description, Suggestion, describe
from discreet.release.exposure import Exposures
from discreet.release.plan import Plan
from discreet.report.distributions import Summary
from discreet.report.markup import dated
from discreet.report.spark import Spark, sketched

SAMPLE = 2_000
"""Records that a preview runs on."""


@dataclass(frozen=True)
class Glance:
    """A column at a glance: how many values, how many are missing, and a small picture."""

    distinct: int
    missing: float
    spark: Spark
    label: str


class Table:
    """Microdata without roles, and what is known about them.

    Of the file as it was read, only the records for previews are kept: the columns hold the values.
    """

    def __init__(self, data: Microdata) -> None:
        self.data = data
        self.exposures = Exposures(self.data)
        self._glances: dict[str, Glance] = {}

    @cached_property
    def description(self) -> Description:
        """What the columns seem to be, with reasons."""
        return describe(self.data)

    @cached_property
    def suggestions(self) -> Mapping[str, Suggestion]:
        """The suggestion for each column."""
        return {column.name: column for column in self.description.columns}

    def glance(self, name: str) -> Glance:
        """Return a column at a glance."""
        if name not in self._glances:
            summary = Summary.of(self.data.column(name), unit_of(self.data, name))
            labels = getattr(self.data.source and self.data.source.format, "variable_labels", {})
            self._glances[name] = Glance(
                summary.distinct, summary.missing, sketched(summary), labels.get(name, "")
            )
        return self._glances[name]

    def rows_shown(
        self, rows: Sequence[tuple[int, float]], names: Sequence[str]
    ) -> list[tuple[int, float, list[str]]]:
        """Return some rows of the file, each with its figure and its values of some columns."""
        numbers = np.asarray(self.data.rows_read) + 1
        at = [(place, row, figure) for row, figure in rows
              for place in np.flatnonzero(numbers == row)[:1].tolist()]  # fmt: skip
        some = self.data.take(np.array([place for place, _, _ in at], dtype=np.int64))
        texts = [_texts(some, name) for name in names]
        return [
            (row, figure, [column[i] for column in texts]) for i, (_, row, figure) in enumerate(at)
        ]

    def sample(self, plan: Plan) -> Microdata:
        """Return some records, evenly spread over the file, as a plan reads them.

        They are a file of their own: a worker gets these records and no others.
        """
        schema = self.data.schema
        released = [a for a in schema if named(plan, a.name)]
        kinds = {
            a.name: list(a.categories) if a.kind is Kind.ORDINAL else a.kind.value for a in released
        }
        roles = {name: role for name, role in plan.roles.items() if name in schema}
        levels = {name: level for name, level in plan.levels.items() if name in schema}
        assert self.data.source is not None
        few = self.data.source.frame.to_native()
        return read(few.select(list(kinds)), roles, kinds, levels=levels, unit=plan.unit)


def named(plan: Plan, column: str) -> bool:
    """Whether a plan is about a column of its file; the others are left out of the release."""
    return plan.keep_unnamed or column in plan.columns


def _texts(data: Microdata, name: str) -> list[str]:
    """Return the values of a column as they are read."""
    column, unit = data.column(name), unit_of(data, name)
    attribute, gone = column.attribute, column.missing
    if attribute.continuous:
        shown = [dated(value, unit) if unit else f"{value:.10g}" for value in column.values]
    else:
        shown = [str(attribute.label_of(attribute.categories[code])) for code in column.values]
    return ["–" if none else text for text, none in zip(shown, gone, strict=True)]


def reading_of(plan: Plan) -> tuple[Any, ...]:
    """Return what decides the values of a plan's data: the file and how it is read.

    Two plans with the same answer differ in roles, steps or claims only.
    """
    place = None if plan.file is None else plan.folder / plan.file
    stamp = None
    if place is not None and place.is_file():
        stat = place.stat()
        stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
    parts = (plan.options, plan.kinds, plan.missing, plan.keep_codes)
    return (str(place), stamp, *(repr(part) for part in parts))


def read_table(plan: Plan) -> Table:
    """Read the data of a plan, without roles; columns that it does not name are shown too."""
    options = {**plan.options, "cells": SAMPLE}
    bare = replace(plan, roles={}, levels={}, unit=None, strict=False, keep_unnamed=True)
    data = replace(bare, options=options).read()
    plan.expectation.unnamed(data.schema.names)  # a strict plan refuses them
    return Table(data)


def release_memory() -> None:
    """Return memory that reading a file used beyond its result to the system."""
    import gc

    gc.collect()
    give_memory_back()
