from __future__ import annotations

import datetime

import numpy as np

import discreet
from discreet.contracts import NO_ORIGIN, Context, Masked
from discreet.report.content import ComparedHistogram
from discreet.report.markup import dated
from discreet.report.plain import as_json, from_json
from discreet.report.step_done import StepDone, step_done
from discreet.report.svg import histogram

ROLES = {"age": "quasi-identifier", "sex": "quasi-identifier", "pay": "confidential"}
PEOPLE = discreet.read(
    {"age": [20, 30, 40, 50] * 5, "sex": ["f", "m"] * 10, "pay": list(range(20))}, roles=ROLES
)


def test_a_step_is_told_by_what_it_changed() -> None:
    masked = discreet.Rounding(base=20, columns=["age"]).protect(PEOPLE, Context())
    done = step_done(2, PEOPLE, masked)
    assert [column.name for column in done.columns] == ["age"]
    assert done.same == ("sex", "pay")
    assert done.columns[0].changed == 0.5
    assert done.columns[0].gone == 0
    assert done.pairs is not None
    assert set(done.pairs.columns) == {"age", "sex", "pay"}


def test_it_is_kept_as_json_and_read_back() -> None:
    masked = discreet.LocalSuppression(k=11, columns=["sex"]).protect(PEOPLE, Context())
    done = step_done(1, PEOPLE, masked)
    assert from_json(StepDone, as_json(done)) == done


def test_fewer_records_and_records_of_nobody() -> None:
    fewer = discreet.Sampling(fraction=0.5).protect(PEOPLE, Context())
    done = step_done(1, PEOPLE, fewer)
    assert (done.before, done.after, done.columns) == (20, 10, ())
    made = Masked(PEOPLE, origin=np.full(20, NO_ORIGIN))
    assert all(column.moves is None for column in step_done(1, PEOPLE, made).columns)


def test_dates_are_shown_as_dates() -> None:
    born = [datetime.date(1950 + i, 5, 17) for i in range(20)]
    table = discreet.read({"born": born}, roles={"born": "quasi-identifier"})
    column = table.column("born")
    done = step_done(1, table, Masked(table.replace([column.with_values(column.values + 30)])))
    shape = done.columns[0].distribution
    assert isinstance(shape, ComparedHistogram)
    assert dated(shape.edges[0], shape.dates).startswith("19")
    drawn = histogram("born", shape.edges, {"released": [0.0]}, dates=shape.dates)
    assert dated(shape.edges[-1], shape.dates) in drawn
    assert done.columns[0].moves is not None
    assert done.columns[0].moves.before[0].startswith("19")
