"""A table for which results are kept is otherwise the same table."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import Context, Randomness
from discreet.contracts.registry import build
from discreet.microdata import Microdata
from discreet.microdata.lasting import lasting, once


def data_of(rows: int = 300) -> Microdata:
    draw = np.random.default_rng(3)
    common = draw.normal(size=rows)
    columns = {name: (common + draw.normal(size=rows)).round(3) for name in "abc"}
    roles = dict.fromkeys(columns, "quasi-identifier")
    return discreet.read({**columns, "who": range(rows)}, roles={**roles, "who": "identifier"})


def test_it_is_the_same_table() -> None:
    data = data_of()
    table = lasting(data)
    assert [*table] == [*data]
    assert table.source is data.source
    assert table.schema.names == data.schema.names
    assert len(lasting(Microdata([], rows=7))) == 7


def test_work_is_done_once_for_each_table_and_key() -> None:
    first, second = lasting(data_of()), lasting(data_of())
    found = [
        once(table, key, lambda table=table: (len(table), id(table)))  # type: ignore[misc]
        for table in (first, second, first.drop([]), first)
        for key in ("one", "other")
    ]
    assert len(set(found)) == 2
    assert once(first, "one", lambda: None) == (300, id(first))


def test_only_the_last_of_a_kind_is_kept() -> None:
    table, done = lasting(data_of()), []

    def tree(columns: str) -> str:
        def grown() -> str:
            done.append(columns)
            return columns

        return once(table, "tree", grown, columns)

    assert [tree(columns) for columns in ("ab", "ab", "abc", "ab")] == ["ab", "ab", "abc", "ab"]
    assert done == ["ab", "abc", "ab"]


def test_another_choice_of_records_or_columns_is_another_table() -> None:
    table = lasting(data_of())
    assert once(table, "one", lambda: 1) == 1
    assert table.drop([]) is table
    for other in (table.drop(["who"]), table.take(np.arange(5)), table.replace([])):
        assert [once(other, "one", lambda work=work: work) for work in (2, 3)] == [2, 3]  # type: ignore[misc]


def test_measures_give_the_same_figures_whether_anything_is_kept() -> None:
    data = data_of().drop(["who"])
    table = lasting(data)
    for step in ("additive-noise", "rank-swapping", "additive-noise"):
        release = discreet.protect(data, step, seed=1, keep_decimals=True)
        again = discreet.protect(table, step, seed=1, keep_decimals=True)
        assert all(a.same_as(b) for a, b in zip(release.data, again.data, strict=True))
        for name in ("distance-linkage", "linked-or-second", "association", "sse-sst"):
            one, other = (
                build("measure", name).score(  # type: ignore[attr-defined]
                    original, release.data, Context(Randomness(1)), release.pairing
                )
                for original in (data, table)
            )
            assert (one.value, one.detail, one.note) == (other.value, other.detail, other.note)
