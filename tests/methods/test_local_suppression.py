"""Local suppression: both readings, importance, subsets, and recoding before it."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import UsageError
from discreet.contracts import Context
from discreet.equivalence import class_sizes, compatible_sizes
from discreet.methods.nonperturbative.local_suppression import LocalSuppression
from discreet.microdata import Microdata
from discreet.risk.k_anonymity import KAnonymity

LAW = settings(max_examples=40, deadline=None, derandomize=True, database=None)
KEYS = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]


def table(rows: list[tuple[int | None, ...]]) -> Microdata:
    columns = {f"x{j}": [None if v is None else f"v{v}" for v in c] for j, c in enumerate(
        zip(*rows, strict=True))}  # fmt: skip
    return discreet.read(
        columns,
        roles=dict.fromkeys(columns, "quasi-identifier"),
        kinds=dict.fromkeys(columns, "nominal"),
    )


def cells(before: Microdata, after: Microdata) -> int:
    return sum(
        int((after.column(n).missing & ~before.column(n).missing).sum())
        for n in before.quasi_identifiers
    )


def household(folder: Path) -> Microdata:
    return discreet.read(
        folder / "sdcmicro_testdata.csv",
        roles=dict.fromkeys(KEYS, "quasi-identifier"),
        kinds=dict.fromkeys(KEYS, "nominal"),
    )


values = st.one_of(st.none(), st.integers(0, 2))


@LAW
@given(st.lists(st.tuples(values, values, values), min_size=4, max_size=30), st.integers(2, 4))
def test_both_readings_hold_and_only_gaps_are_made(
    rows: list[tuple[int | None, ...]], k: int
) -> None:
    data = table(rows)
    names = data.quasi_identifiers
    own = LocalSuppression(k=k, steps=50).protect(data, Context())
    other = LocalSuppression(k=k, missing_matches="anything").protect(data, Context())
    assert class_sizes(own.data, names).min() >= k
    assert compatible_sizes(other.data, names).min() >= k
    assert cells(data, other.data) <= cells(data, own.data)
    for masked in (own, other):
        for name in names:
            kept = ~masked.data.column(name).missing
            assert np.array_equal(masked.data[name][kept], data[name][kept])


def test_compatible_records_by_hand() -> None:
    data = table([(0, 0), (0, 1), (0, None), (None, None), (1, 1)])
    plain = [
        sum(
            all(a is None or b is None or a == b for a, b in zip(r, q, strict=True))
            for q in [(0, 0), (0, 1), (0, None), (None, None), (1, 1)]
        )
        for r in [(0, 0), (0, 1), (0, None), (None, None), (1, 1)]
    ]
    assert compatible_sizes(data, ["x0", "x1"]).tolist() == plain
    weak = KAnonymity(missing_matches="anything").score(data, data, Context())
    assert weak.value == min(plain)
    assert KAnonymity().score(data, data, Context()).value == 1


def test_the_weak_reading_is_not_claimed() -> None:
    data = table([(0, 0), (0, 0), (1, 0)])
    masked = LocalSuppression(k=2, missing_matches="anything").protect(data, Context())
    assert masked.claims == ()
    assert "may stand for any value" in masked.notes[-1]
    assert "1 cells suppressed" in masked.notes[0]
    assert "the fewest possible" in masked.notes[0]


def test_importance_is_the_cost_of_a_cell() -> None:
    data = table([(0, 0), (0, 1)] * 1 + [(1, 2), (1, 2)])
    assert cells(data, LocalSuppression(k=2).protect(data, Context()).data) == 2
    cheap = table([(0, 0), (0, 1), (1, 1), (1, 1), (1, 1), (0, 0), (0, 0)])
    by_row = LocalSuppression(k=2, importance={"x1": 5.0}).protect(cheap, Context()).data
    assert not by_row.column("x1").missing.any()
    by_column = LocalSuppression(k=2, importance={"x0": 5.0}).protect(cheap, Context()).data
    assert not by_column.column("x0").missing.any()


@pytest.mark.parametrize("reading", ["nothing", "anything"])
def test_subsets_of_the_columns(reading: str) -> None:
    rng = np.random.default_rng(5)
    data = table([tuple(row) for row in np.minimum(rng.geometric(0.4, (80, 4)), 5).tolist()])
    method = LocalSuppression(k=3, subsets=2, missing_matches=reading)
    masked = method.protect(data, Context())
    sizes = class_sizes if reading == "nothing" else compatible_sizes
    for pair in combinations(data.quasi_identifiers, 2):
        assert sizes(masked.data, pair).min() >= 3
    assert masked.claims == ()
    whole = LocalSuppression(k=3, missing_matches=reading).protect(data, Context())
    assert cells(data, masked.data) < cells(data, whole.data)


def test_recoding_until_few_cells_are_suppressed() -> None:
    rng = np.random.default_rng(6)
    codes = [f"8{a}{b}" for a, b in rng.integers(0, 6, (300, 2))]
    data = discreet.read(
        {"code": codes, "sex": [["f", "m"][i] for i in rng.integers(0, 2, 300)]},
        roles={"code": "quasi-identifier", "sex": "quasi-identifier"},
        kinds={"code": "nominal"},
    )
    plain = LocalSuppression(k=8).protect(data, Context())
    assert cells(data, plain.data) > 0.02 * 600
    release = discreet.protect(data, LocalSuppression(k=8, recode_until=0.02), shuffle=False)
    assert cells(data, release.data) <= 0.02 * 600
    assert any("code 1, sex 0" in note for note in release.notes)
    assert release.claims[0].measured is not None
    assert release.claims[0].measured >= 8


def test_refusals() -> None:
    data = table([(0, 0), (0, 0), (1, 1)])
    with pytest.raises(UsageError, match="subsets of LocalSuppression must be at most the 2"):
        LocalSuppression(k=2, subsets=3).protect(data, Context())
    with pytest.raises(UsageError, match="say with recode_until"):
        LocalSuppression(k=2, hierarchies=["x0=x.csv"]).protect(data, Context())
    with pytest.raises(UsageError, match="importance of LocalSuppression must be numbers above 0"):
        LocalSuppression(k=2, importance={"x0": 0}).protect(data, Context())


def test_the_help_of_parameters_says_unit_and_effect() -> None:
    params = LocalSuppression.params()
    assert "0.01 is 1 % of the cells" in params["recode_until"].help
    assert "loses a cell only where it saves two of others" in params["importance"].help


def test_the_household_file_needs_fewer_cells_than_sdcmicro(reference_data: Path) -> None:
    data = household(reference_data)
    masked = LocalSuppression(k=3, missing_matches="anything").protect(data, Context())
    assert cells(data, masked.data) == 283  # sdcMicro: 293
    assert compatible_sizes(masked.data, KEYS).min() >= 3


def test_the_household_file_with_gaps_as_a_category(reference_data: Path) -> None:
    data = household(reference_data)
    masked = LocalSuppression(k=3, steps=200_000).protect(data, Context())
    assert class_sizes(masked.data, KEYS).min() >= 3
    # An integer programme over sets of up to three columns finds 357 and proves it.
    assert 357 <= cells(data, masked.data) <= 385
