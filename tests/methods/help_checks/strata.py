"""The parameters `by` and `in_blocks`, which every method has: parts are treated by themselves."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import cast

import numpy as np
import pytest

import discreet
from discreet import Microdata
from discreet.contracts import Context, Grain, Masked, Method, Randomness
from discreet.errors import DataError, UsageError
from discreet.microdata import Column
from discreet.release.by_blocks import by_blocks
from discreet.release.course import run_steps
from discreet.testing.tables import ordinary
from tests.methods.help_checks import CHECKS, survey, words_of

WORDS = "the method is run in each separately"
PARTS = np.arange(75) % 3 == 0
"""Which records belong to the first stratum; the others belong to the second."""


def table(method: type[Method]) -> Microdata:
    """Two strata, one twice as large as the other, with columns that the method can treat."""
    rows = ordinary(method.spec.kinds, rows=len(PARTS), missing=False)
    roles = {a.name: a.role.value for a in rows.schema if a.role.value != "household"}
    columns = {
        name: rows[name] if rows.schema[name].continuous else words_of(rows, name) for name in roles
    }
    part = np.where(PARTS, "one", "other")
    kinds: dict[str, str | list[object]] = {name: rows.schema[name].kind.value for name in roles}
    kinds |= {"grade": list(rows.schema["grade"].categories)} if "grade" in roles else {}
    return discreet.read({**columns, "part": part}, {**roles, "part": "other"}, kinds)


def with_another_rest(data: Microdata) -> Microdata:
    """Return the table with other values in one of its strata."""
    changed: list[Column] = []
    for name in (*data.quasi_identifiers, "diagnosis", "weight"):
        column = data.column(name)
        values = column.values.copy()
        rest = np.roll(values[~PARTS], 7 + len(changed))
        if column.attribute.continuous:
            values[~PARTS] = 1.5 * rest + 3
        else:
            # The last categories become rare: what depends on frequencies changes as well.
            values[~PARTS] = np.where(np.arange(len(rest)) % 2, 0, rest)
        changed.append(column.with_values(values))
    return data.replace(changed)


def of_the_stratum(masked: Masked, one: bool) -> dict[str, list[object]]:
    """Return the released values of one stratum, column by column, and which records these are."""
    data = masked.data
    origin = np.arange(len(data)) if masked.origin is None else masked.origin
    at = np.flatnonzero(PARTS[origin] == one)
    part = data.take(at)
    return {
        "records": origin[at].tolist(),
        **{
            a.name: part[a.name].tolist() if a.continuous else list(words_of(part, a.name))
            for a in data.schema
        },
    }


def leaves_other_strata_alone(method: type[Method]) -> None:
    step = method(**{**method.example().values(), "by": ["part"]})
    data = table(method)
    if step.undivided:
        with pytest.raises(UsageError, match=f"{step.spec.name} takes no 'by', since"):
            run_steps(data, [step], Context(Randomness(1)))
        return
    masked, again = (
        run_steps(rows, [step], Context(Randomness(1))) for rows in (data, with_another_rest(data))
    )
    assert of_the_stratum(masked, one=True) == of_the_stratum(again, one=True)
    assert of_the_stratum(masked, one=False) != of_the_stratum(again, one=False)
    assert any("in each of 2 strata by part" in note for note in masked.notes)
    for one in (True, False):
        assert set(of_the_stratum(masked, one)["part"]) == {"one" if one else "other"}


ROWS = 80


def runs_in_blocks(method: type[Method]) -> None:
    data = ordinary(method.spec.kinds, rows=ROWS, missing=False)
    data = data.drop(["household"]) if "household" in data.schema else data
    step = method(**{**method.example().values(), "in_blocks": ROWS // 2})
    with suppress(DataError):  # of too few records, which the message says
        masked = by_blocks(step, data, Context(Randomness(1)))
        _look_at(step, masked)


def _look_at(step: Method, masked: Masked) -> None:
    assert any(f"blocks of at most {ROWS // 2} records" in note for note in masked.notes)
    if step.grain is not Grain.FILE:
        assert len(masked.data) == ROWS
        groups = masked.groups
        assert groups is None or np.bincount(groups.labels[groups.labels >= 0]).min() >= 1


for name, entry in survey().items():
    CHECKS[f"{name}.by"] = (WORDS, partial(leaves_other_strata_alone, cast(type[Method], entry)))
    CHECKS[f"{name}.in_blocks"] = (WORDS, partial(runs_in_blocks, cast(type[Method], entry)))
