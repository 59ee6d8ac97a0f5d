"""Data swapping: the tables of counts that were chosen stay, cell by cell."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataSwapping, Microdata, UsageError
from discreet.contracts import Context, Method, Randomness
from discreet.methods.perturbative.data_swapping import _in_a_ring

NAMES = ("a", "b", "c", "d")


def table(rows: int = 400, missing: bool = True) -> Microdata:
    rng = np.random.default_rng(9)
    columns = {
        name: [
            None if missing and i % 17 == j else f"{name}{v}"
            for i, v in enumerate(rng.integers(0, 4, rows))
        ]
        for j, name in enumerate(NAMES)
    }
    roles = dict.fromkeys(NAMES[:3], "quasi-identifier") | {"d": "confidential"}
    return discreet.read(columns, roles)


def counts(data: Microdata, names: tuple[str, ...]) -> Counter[tuple[int, ...]]:
    return Counter(zip(*(data[name].tolist() for name in names), strict=True))


def swapped(data: Microdata, method: Method, seed: int = 1) -> Microdata:
    return method.protect(data, Context(Randomness(seed))).data


@settings(deadline=None)
@given(
    st.lists(st.sets(st.sampled_from(NAMES), min_size=1, max_size=3), min_size=1, max_size=4),
    st.floats(0.05, 1),
    st.integers(0, 1000),
)
def test_chosen_marginals_stay_exactly(margins: list[set[str]], share: float, seed: int) -> None:
    data = table(120)
    method = DataSwapping(margins=["+".join(sorted(m)) for m in margins], share=share)
    now = swapped(data, method, seed)
    for margin in margins:
        names = tuple(sorted(margin))
        assert counts(now, names) == counts(data, names)
    for name in NAMES:
        assert counts(now, (name,)) == counts(data, (name,))
        assert now.column(name).missing.tolist() == data.column(name).missing.tolist()


def test_other_tables_change() -> None:
    data = table()
    now = swapped(data, DataSwapping(margins=["a+d"], share=1))
    assert counts(now, ("a", "d")) == counts(data, ("a", "d"))
    assert counts(now, ("b", "d")) != counts(data, ("b", "d"))
    assert counts(now, ("a", "b")) != counts(data, ("a", "b"))


def test_by_default_tables_with_confidential_columns_stay() -> None:
    data = table()
    now = swapped(data, DataSwapping())
    for name in "abc":
        assert counts(now, (name, "d")) == counts(data, (name, "d"))
    assert counts(now, ("a", "b")) != counts(data, ("a", "b"))
    assert now.column("d").same_as(data.column("d"))


def test_share_is_the_share_of_records_drawn_as_its_help_says() -> None:
    assert "0.5 is every other" in DataSwapping.params()["share"].help
    rng = np.random.default_rng(1)
    values = [f"v{i:05d}" for i in rng.permutation(20_000)]  # all different: exchange shows
    data = discreet.read({"x": values}, {"x": "quasi-identifier"})
    for share in (0.1, 0.5, 1.0):
        changed = (swapped(data, DataSwapping(share=share))["x"] != data["x"]).mean()
        assert changed == pytest.approx(share, abs=0.01)


@settings(deadline=None)
@given(st.lists(st.integers(0, 5), max_size=60), st.integers(0, 1000))
def test_a_ring_goes_through_all_that_share_a_label(labels: list[int], seed: int) -> None:
    array = np.array(labels, dtype=np.int64)
    donors = _in_a_ring(array, np.random.default_rng(seed))
    assert sorted(donors.tolist()) == list(range(len(labels)))
    assert array[donors].tolist() == labels
    for label in set(labels):
        start = labels.index(label)
        at, steps = int(donors[start]), 1
        while at != start:
            at, steps = int(donors[at]), steps + 1
        assert steps == labels.count(label)


def test_margins_name_columns_that_exist() -> None:
    with pytest.raises(UsageError, match="a margin of DataSwapping names column 'z'"):
        swapped(table(), DataSwapping(margins=["a+z"]))


def test_notes_say_what_was_kept() -> None:
    notes = DataSwapping(margins=["a+d"]).protect(table(), Context()).notes
    assert notes[0].endswith("values of column 'a' changed; kept: its table with d")
    assert notes[1].endswith("values of column 'b' changed; kept: its counts")
