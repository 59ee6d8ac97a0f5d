"""Tables of synthetic records, none of which is an original."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import NO_ORIGIN, Masked
from discreet.errors import UsageError
from discreet.microdata import MISSING_CODE, Column, Microdata, Role, unknown_column
from discreet.microdata.clusters import clusters_of
from discreet.microdata.dates import unit_of
from discreet.models.design_matrix import MOST_CATEGORIES
from discreet.models.sequential.linear import MANY_ZEROS
from discreet.models.sequential.models import SCORES, too_many_categories
from discreet.models.sequential.rules import Comparison, Rule, rules_of

SYNTHETIC_ROLES = tuple(role for role in Role if role is not Role.IDENTIFIER)
"""Roles for which synthetic records have new values; identifiers are emptied."""


def modelled(data: Microdata) -> tuple[str, ...]:
    """Return the columns that are modelled: identifiers and numbers of households are not.

    >>> import discreet
    >>> modelled(discreet.read({"id": [1], "age": [30]}, roles={"id": "identifier"}))
    ('age',)
    """
    keys = (Role.IDENTIFIER, Role.HOUSEHOLD, Role.PERSON)
    return tuple(a.name for a in data.schema if a.role not in keys)


def of_synthetic_records(data: Microdata, columns: Sequence[Column], rows: int) -> Microdata:
    """Return a table like `data` with these columns; identifiers and households are empty.

    No value of the original table is left in it, whatever its columns are.

    >>> import discreet
    >>> data = discreet.read({"id": ["a", "b"], "age": [30, 50]}, roles={"id": "identifier"})
    >>> made = of_synthetic_records(data, [data.column("age").with_values(np.array([41.0]))], 1)
    >>> made["age"], made.column("id").missing
    (array([41.]), array([ True]))
    """
    new = {column.name: column for column in columns}
    every = []
    for column in data:
        if column.name in new:
            every.append(new[column.name])
            continue
        nothing = np.nan if column.attribute.continuous else MISSING_CODE
        every.append(column.with_values(np.full(rows, nothing)))
    source = data.source
    if source is not None:
        # Every column is marked as changed, so that the frame provides types and never
        # values; only the number of the rows that it is cut to matters.
        source = source.take(np.arange(rows) % max(1, len(data))).touch(data.schema.names)
    return Microdata(every, source)


def masked(
    data: Microdata,
    columns: Sequence[Column],
    notes: Sequence[str],
    *,
    rules: Sequence[Rule] = (),
    kept: NDArray[np.int64] | None = None,
    replicated: bool = True,
) -> Masked:
    """Return the outcome of a method that releases synthetic records, after `kept` originals.

    Without `replicated`, synthetic records that repeat a unique original are left out.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 50]})
    >>> made = [data.column("age").with_values(np.array([41.0, 50.0]))]
    >>> masked(data, made, (), replicated=False).data["age"]
    array([41.])
    """
    rows = len(columns[0].values)
    first = np.zeros(0, dtype=np.int64) if kept is None else kept
    origin = np.concatenate([first, np.full(rows - len(first), NO_ORIGIN)])
    table = of_synthetic_records(data, columns, rows)
    all_notes = [
        *_on_households(data, table),
        *notes,
        *below_zero(data, columns),
        *lost_zeros(data, columns),
    ]
    gone = replicas(data, table) & (origin < 0)
    if replicated:
        all_notes += on_replicas(int(gone.sum()), rows)
    if not replicated:
        homes = clusters_of(table)
        if homes is not None:
            # Without one of its members a household would be one that no model has drawn.
            gone = (np.bincount(homes.labels, gone) > 0)[homes.labels]
        stay = np.flatnonzero(~gone)
        all_notes.append(
            "synthetic records left out that repeat a unique original"
            f"{'' if homes is None else f', with their {homes.word}s'}: {rows - len(stay)}"
        )
        table, origin = table.take(stay), origin[stay]
    all_notes += on_rules(data, table, rules)
    return Masked(table, notes=tuple(all_notes), origin=origin)


def on_replicas(count: int, rows: int) -> list[str]:
    """Return the note on synthetic records that repeat a unique original, if there are some.

    >>> on_replicas(3, 1000)[0][:40], on_replicas(0, 1000)
    ('synthetic records that are unique and eq', [])
    """
    if not count:
        return []
    words = "synthetic records that are unique and equal an original that is also unique"
    return [f"{words}: {count:,} of {rows:,}; replicas: false leaves them out"]


def replicas(data: Microdata, made: Microdata) -> NDArray[np.bool_]:
    """Return which synthetic records are unique and equal an original that is also unique.

    Nowok, Raab & Dibben, synthpop: bespoke creation of synthetic data in R (2016), call them
    replicated uniques: an intruder who knows that a person is unique believes them.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 50, 70]})
    >>> replicas(data, discreet.read({"age": [50, 70, 70, 30, 40]}))
    array([ True, False, False, False, False])
    """
    is_replica = np.zeros(len(made), dtype=bool)
    # Numbers first: they tell most records apart, and only those that agree so far are followed.
    names = sorted(modelled(data), key=lambda name: not data.schema[name].continuous)
    rows = [np.arange(len(data)), np.arange(len(made))]
    kinds = [np.zeros(len(rows[0]), dtype=np.int64), np.zeros(len(rows[1]), dtype=np.int64)]
    counts = [np.array([len(data)]), np.array([len(made)])]
    for name in names:
        # By the ranks of the values, since no missing number equals another.
        both = np.concatenate([data[name][rows[0]], made[name][rows[1]]])
        values, rank = np.unique(both, return_inverse=True)
        kind = np.unique(np.concatenate(kinds) * len(values) + rank, return_inverse=True)[1]
        size = int(kind.max(initial=-1)) + 1
        kinds = [kind[: len(rows[0])], kind[len(rows[0]) :]]
        counts = [np.bincount(of_file, minlength=size) for of_file in kinds]
        shared = (counts[0] > 0) & (counts[1] > 0)
        rows = [row[shared[of_file]] for row, of_file in zip(rows, kinds, strict=True)]
        kinds = [of_file[shared[of_file]] for of_file in kinds]
    if names:
        is_replica[rows[1]] = ((counts[0] == 1) & (counts[1] == 1))[kinds[1]]
    return is_replica


def refuse_unusable_columns(data: Microdata, names: Sequence[str], owner: str) -> None:
    """Refuse names that are not modelled columns of the data.

    >>> import discreet
    >>> refuse_unusable_columns(discreet.read({"age": [30]}), ["agee"], "FullySynthetic")
    Traceback (most recent call last):
    discreet.errors.UsageError: FullySynthetic names column 'agee', which is not in the data; ...
    """
    for name in names:
        if name not in data.schema:
            raise UsageError(unknown_column(name, data.schema.names, asked_by=owner))
        if name not in modelled(data):
            raise UsageError(
                f"{owner} cannot use column '{name}', which has the role "
                f"{data.schema[name].role}; name a column of another role"
            )


def kept_rules(texts: Sequence[str] | None, data: Microdata) -> tuple[Rule, ...]:
    """Return the user's rules, and the rule that weights stay positive where they were.

    A model has no bounds, and a weight cannot be negative.

    >>> import discreet
    >>> data = discreet.read({"w": [2.5, 1.5]}, roles={"w": "weight"})
    >>> [rule.text for rule in kept_rules(None, data)]
    ['always w > 0']
    """
    weights = [data.column(name) for name in data.having(Role.WEIGHT)]
    positive = [
        Rule(f"always {column.name} > 0", (), Comparison(column.name, ">", 0.0))
        for column in weights
        if column.attribute.continuous and not (column.values <= 0).any()
    ]
    return (*rules_of(texts, data), *positive)


def below_zero(data: Microdata, columns: Sequence[Column]) -> list[str]:
    """Return a warning about numbers below 0 in columns that have none in the original.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 50]})
    >>> below_zero(data, [data.column("age").with_values(np.array([-2.0, 41.0]))])
    ["numbers below 0 in columns that have none: age; a rule such as 'always age >= 0' ..."]
    """
    negative = [
        made.name
        for made in columns
        if made.attribute.continuous
        and (made.values < 0).any()
        and not (data[made.name] < 0).any()
        and unit_of(data, made.name) is None
    ]
    if not negative:
        return []
    listed = ", ".join(negative)
    rule = f"a rule such as 'always {negative[0]} >= 0' prevents them, and so does scale: scores"
    return [f"numbers below 0 in columns that have none: {listed}; {rule}"]


def lost_zeros(data: Microdata, columns: Sequence[Column]) -> list[str]:
    """Return a warning about columns with many zeros of which few are left.

    That happens where the other values have both signs: no regression here handles these.

    >>> import discreet
    >>> data = discreet.read({"profit": [0.0, 0.0, -7.0, 9.0]})
    >>> lost_zeros(data, [data.column("profit").with_values(np.array([0.4, -1.0, 2.0, 8.0]))])
    ['many zeros of these columns were lost: profit; scale: scores keeps them']
    """
    losing = [
        made.name
        for made in columns
        if made.attribute.continuous
        and (data[made.name] == 0).mean() >= MANY_ZEROS
        and (made.values == 0).mean() < (data[made.name] == 0).mean() / 2
    ]
    if not losing:
        return []
    return [f"many zeros of these columns were lost: {', '.join(losing)}; scale: scores keeps them"]


def outside_regressions(data: Microdata, scale: str) -> list[str]:
    """Return a note about nominal columns with too many categories for a regression.

    >>> import discreet
    >>> towns = discreet.read({"town": [f"t{i}" for i in range(60)]})
    >>> outside_regressions(towns, "scores")
    ['columns of more than 50 categories are drawn by trees in place of regressions: town']
    >>> outside_regressions(towns, "raw")
    ['columns of more than 50 categories are left out of the regressions, ...: town']
    """
    wide = [name for name in modelled(data) if too_many_categories(data.schema[name])]
    if not wide:
        return []
    if scale == SCORES:
        note = (
            f"columns of more than {MOST_CATEGORIES} categories are drawn by trees in place of "
            f"regressions: {', '.join(wide)}"
        )
        return [note]
    note = (
        f"columns of more than {MOST_CATEGORIES} categories are left out of the regressions, "
        f"whereas cart-synthesis relates them to others: {', '.join(wide)}"
    )
    return [note]


def on_rules(data: Microdata, released: Microdata, rules: Sequence[Rule]) -> list[str]:
    """Return which rules the release breaks, and which only the original breaks.

    Synthetic values satisfy every rule. Values that are released as they are may break one.

    >>> import discreet
    >>> data = discreet.read({"age": [9, 30]})
    >>> on_rules(data, data, rules_of(["always age > 14"], data))
    ["released records that break the rule 'always age > 14': 1, by values that are released ..."]
    """
    notes = []
    for rule in rules:
        before, after = (rule.broken({c.name: c for c in table}) for table in (data, released))
        if after.any():
            notes.append(
                f"released records that break the rule '{rule.text}': {int(after.sum())}, by "
                "values that are released as they are"
            )
        elif before.any():
            notes.append(f"original records break the rule '{rule.text}'; the released ones do not")
    return notes


def _on_households(data: Microdata, made: Microdata) -> list[str]:
    """Return notes on the numbers of households and persons."""
    notes = []
    for name in data.having(Role.HOUSEHOLD, Role.PERSON):
        word = data.schema[name].role
        if made.column(name).missing.all():
            notes.append(f"the {word} number '{name}' is empty: synthetic records form no {word}s")
        else:
            count = len(np.unique(made[name]))
            notes.append(
                f"{count:,} synthetic {word}s with new numbers '{name}': what a {word} shares was "
                "drawn first, then its members one after the other"
            )
    return notes
