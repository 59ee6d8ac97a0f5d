"""What every measure promises."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from discreet.contracts import Context, Groups, Measure, Pairing, Randomness, Score
from discreet.contracts.accounting import Access, Account, Accounting, Neighbours, Spent
from discreet.errors import NotApplicable
from discreet.microdata import Kind, Microdata, Role
from discreet.testing.sameness import (
    assert_unchanged,
    once_for_all_checks,
    snapshot,
    succeeds_or_explains,
)
from discreet.testing.tables import edges, ordinary


def _context() -> Context:
    """A context in which every column is the outcome of a mechanism."""
    every = frozenset(ordinary().schema.names)
    spent = Spent(1.0, 0.0, Neighbours.CHANGE, every)
    accounting = Accounting((Account("step 1", Access.MECHANISM, spent=spent),), every)
    return Context(Randomness(1), accounting=accounting)


def _table(example: Measure) -> Microdata:
    return _fitting(ordinary(example.spec.kinds), example)


def _fitting(data: Microdata, example: Measure) -> Microdata:
    """Return a table whose households are persons, for a measure of persons with many records."""
    if not example.spec.of_persons:
        return data
    return data.with_attributes([replace(data.schema["household"], role=Role.PERSON)])


def _masked(data: Microdata, example: Measure) -> Microdata:
    """A rough protection that moves every kind of column, if the measure applies to that."""
    if example.spec.of_recoded:
        return data
    columns = []
    for name in data.quasi_identifiers:
        column = data.column(name)
        if column.attribute.continuous:
            present = column.values[~column.missing]
            step = present.std() / 3 if len(present) else 1.0
            waves = np.sin(np.arange(len(data)))
            columns.append(column.with_values(column.values + step * waves))
        else:
            values = column.values.copy()
            values[::5] = values[::-1][::5]
            columns.append(column.with_values(values))
    return data.replace(columns)


def _pairing(data: Microdata) -> Pairing:
    """The pairing of files in the same order, with groups of five: the owner knows both."""
    rows = np.arange(len(data))
    return Pairing(rows, Groups(rows // 5, drawn_columns=frozenset(data.schema.names)))


def _score(example: Measure, original: Microdata, released: Microdata, pairing: Pairing) -> Score:
    try:
        return example.score(original, released, _context(), pairing)
    except NotApplicable:
        if not example.spec.with_control:
            raise
        # It needs records that were held back.
        control = original.take(np.arange(0, len(original), 2))
        return example.score(original, released, replace(_context(), control=control), pairing)


class Run(NamedTuple):
    """The score of a rough protection, with what both tables held before."""

    data: Microdata
    released: Microdata
    before: tuple[dict[str, Any], dict[str, Any]]
    score: Score


@once_for_all_checks
def _run(example: Measure) -> Run:
    data = _table(example)
    released = _masked(data, example)
    before = snapshot(data), snapshot(released)
    return Run(data, released, before, _score(example, data, released, _pairing(data)))


def check_identity_gives_the_declared_value(example: Measure) -> None:
    """A release that changed nothing has the value that the spec declares."""
    declared = example.spec.at_identity
    if declared is None:
        return
    data = _table(example)
    score = _score(example, data, data, _pairing(data))
    assert math.isclose(score.value, declared, abs_tol=1e-9), f"{score.value} is not {declared}"


def check_value_lies_in_its_range(example: Measure) -> None:
    """The value is within the declared range and its interval; per-record values fit the
    records."""
    data, _, _, score = _run(example)
    assert example.spec.low <= score.value <= example.spec.high, f"{score.value} is out of range"
    if score.interval is not None:
        low, high = score.interval
        assert low <= score.value <= high, "the value is outside its own interval"
    if score.per_record is not None:
        assert len(score.per_record) == len(data), "per_record does not fit the records"


def check_parts_are_of_the_table(example: Measure) -> None:
    """Parts belong to columns, and the named column has the value itself."""
    data, _, _, score = _run(example)
    named = {name for names in score.parts for name in names}
    assert named <= set(data.schema.names), "a part belongs to no column"
    if score.column:
        assert score.parts[(score.column,)] == score.value, "the named column has another value"
    if score.blind is not None:
        assert example.spec.low <= score.blind <= example.spec.high, "the guess is out of range"


def check_row_order_changes_nothing(example: Measure) -> None:
    """Shuffling the release, with the pairing following it, gives the same value."""
    data, released, _, score = _run(example)
    plain = score.value
    order = np.random.Generator(np.random.PCG64(5)).permutation(len(data))
    known = Pairing(order, _pairing(data).groups)
    shuffled = _score(example, data, released.take(order), known).value
    assert math.isclose(plain, shuffled, rel_tol=1e-9, abs_tol=1e-12), f"{plain} became {shuffled}"


def check_names_of_categories_change_nothing(example: Measure) -> None:
    """Renaming the categories does not change the value."""
    data, released, _, score = _run(example)
    plain = score.value
    renamed = _score(example, _renamed(data), _renamed(released), _pairing(data)).value
    assert math.isclose(plain, renamed, rel_tol=1e-9, abs_tol=1e-12), f"{plain} became {renamed}"


def _renamed(data: Microdata) -> Microdata:
    columns = []
    for name in data.quasi_identifiers:
        column = data.column(name)
        if column.attribute.kind is Kind.NOMINAL:
            # The codes change as well: the last category becomes the first.
            count = len(column.attribute.categories)
            values = np.where(column.missing, -1, count - 1 - column.values)
            names = [f"renamed {c}" for c in reversed(column.attribute.categories)]
            columns.append(column.recoded(values, Kind.NOMINAL, names))
    return data.replace(columns)


def check_input_is_untouched(example: Measure) -> None:
    """Neither table is changed by being measured."""
    data, released, before, _ = _run(example)
    assert_unchanged(data, before[0])
    assert_unchanged(released, before[1])


def check_edge_tables(example: Measure) -> None:
    """At the edges there is a value, or a reason why there is none."""
    for edge, table in edges(example.spec.kinds).items():
        data = _fitting(table, example)

        def work(data=data) -> Score | None:  # type: ignore[no-untyped-def]
            try:
                return _score(example, data, _masked(data, example), _pairing(data))
            except NotApplicable as reason:
                assert str(reason), "a measure that does not apply has to say why"
                return None

        score = succeeds_or_explains(work, edge)
        if score is not None:
            assert not math.isnan(score.value), f"{edge}: the value is not a number"
