"""Local suppression: both readings, importance, subsets, and recoding before it."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import UsageError
from discreet.contracts import Context
from discreet.measures.risk.k_anonymity import KAnonymity
from discreet.methods.nonperturbative.full_domain.automatic import automatic
from discreet.methods.nonperturbative.full_domain.combinations import Combinations
from discreet.methods.nonperturbative.local_suppression import LocalSuppression
from discreet.microdata import Microdata
from discreet.microdata.equivalence import class_sizes, compatible_sizes

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


def test_fewest_is_said_only_where_it_is_proved() -> None:
    rng = np.random.default_rng(3)
    small = table([tuple(row) for row in rng.integers(0, 4, (30, 3)).tolist()])
    assert "the fewest possible" in LocalSuppression(k=3).protect(small, Context()).notes[0]
    large = table([tuple(row) for row in rng.integers(0, 9, (900, 3)).tolist()])
    note = LocalSuppression(k=3, steps=1000).protect(large, Context()).notes[0]
    assert "where no choice costs less than" in note


def test_records_that_stay_as_they_are_keep_their_group() -> None:
    # Five alike, of whom two may fill up others; the rest stays whatever happens.
    data = table([*([(0, 0)] * 5), (0, 1), (1, 0)])
    masked = LocalSuppression(k=2).protect(data, Context())
    assert class_sizes(masked.data, data.quasi_identifiers).min() >= 2
    assert not masked.data.column("x0").missing[:3].any()
    assert cells(data, masked.data) == 4


def test_importance_is_the_cost_of_a_cell() -> None:
    data = table([(0, 0), (0, 1), (1, 2), (1, 2)])
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
    # Gaps of others may make what is enough for all columns the cheapest for pairs as well.
    assert cells(data, masked.data) <= cells(data, whole.data) - (reading == "nothing")


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
    with pytest.raises(UsageError, match="use recode_until to say"):
        LocalSuppression(k=2, hierarchies=("x0=x.csv",)).protect(data, Context())
    with pytest.raises(UsageError, match="importance of LocalSuppression must be numbers above 0"):
        LocalSuppression(k=2, importance={"x0": 0}).protect(data, Context())


def test_the_help_of_parameters_says_unit_and_effect() -> None:
    params = LocalSuppression.params()
    assert "0.01 is 1 % of the cells" in params["recode_until"].help
    assert "loses a cell only where it saves two of others" in params["importance"].help


def test_the_household_file_needs_fewer_cells_than_sdcmicro(reference_data: Path) -> None:
    data = household(reference_data)
    masked = LocalSuppression(k=3, missing_matches="anything").protect(data, Context())
    assert cells(data, masked.data) <= 200  # sdcMicro: 293
    assert compatible_sizes(masked.data, KEYS).min() >= 3
    assert "without counting on them no choice costs less than 283" in masked.notes[0]


def test_the_household_file_with_gaps_as_a_category(reference_data: Path) -> None:
    data = household(reference_data)
    masked = LocalSuppression(k=3, steps=200_000).protect(data, Context())
    assert class_sizes(masked.data, KEYS).min() >= 3
    # An integer programme over sets of up to three columns finds 357 and proves it.
    assert 357 <= cells(data, masked.data) <= 385


@LAW
@given(st.integers(0, 10_000), st.integers(1, 3), st.integers(2, 4))
def test_for_some_columns_it_takes_no_more_cells_than_for_all(seed: int, m: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    codes = np.minimum(rng.geometric(0.5, (4, 40)) - 1, 4)
    names = list("abcd")
    data = discreet.read(
        {n: [f"v{i}" for i in row] for n, row in zip(names, codes, strict=True)},
        dict.fromkeys(names, "quasi-identifier"),
    )

    def gaps(subsets: int | None = None) -> Microdata:
        return LocalSuppression(k=k, steps=0, subsets=subsets).protect(data, Context()).data

    some, every = gaps(subsets=m), gaps()
    choices = list(combinations(names, m))
    assert all(class_sizes(some, choice).min() >= k for choice in choices)
    few, many = (sum(int(t.column(n).missing.sum()) for n in names) for t in (some, every))
    assert few <= many
    # No cell can be given back by itself.
    for name in names:
        for row in np.flatnonzero(some.column(name).missing):
            values = some[name].copy()
            values[row] = data[name][row]
            back = some.replace([some.column(name).with_values(values)])
            assert any(class_sizes(back, choice).min() < k for choice in choices)


def test_a_file_of_households_for_readers_who_know_three_columns(reference_data: Path) -> None:
    data = discreet.read(
        reference_data / "sdcmicro_testdata.csv",
        dict.fromkeys(KEYS, "quasi-identifier"),
        dict.fromkeys(KEYS, "nominal"),
    ).take(np.arange(0, 4580, 7))
    gone = {}
    for subsets in (None, 3):
        method = LocalSuppression(k=3, subsets=subsets, steps=0)
        now = method.protect(data, Context()).data
        gone[subsets] = sum(int(now.column(name).missing.sum()) for name in KEYS)
    # From choice to choice alone it would take some 400.
    assert gone[3] < gone[None] < 260


@pytest.mark.parametrize("gaps", [0.0, 0.15])
@pytest.mark.parametrize(
    ("reading", "subsets"),
    [("nothing", None), ("nothing", 1), ("nothing", 2), ("anything", None), ("anything", 2)],
)
def test_recoding_stops_at_the_least_loss_that_few_cells_are_enough_for(
    reading: str, subsets: int | None, gaps: float
) -> None:
    names, share = tuple("abc"), 0.1
    for seed in range(6):
        rng = np.random.default_rng(seed)
        rows = int(rng.integers(8, 25))
        draws = {name: rng.integers(10, 10 + rng.integers(2, 15), rows) for name in names}
        data = discreet.read(
            {
                name: [None if rng.random() < gaps else str(code) for code in codes]
                for name, codes in draws.items()
            },
            roles=dict.fromkeys(names, "quasi-identifier"),
            kinds=dict.fromkeys(names, "nominal"),
        )
        chosen = LocalSuppression(k=2, missing_matches=reading, subsets=subsets, steps=0)
        until = LocalSuppression(
            k=2, missing_matches=reading, subsets=subsets, steps=0, recode_until=share
        )
        levels = [automatic(data.column(name)) for name in names]
        people = Combinations(levels)
        least = min(
            people.loss(node)
            for node in product(*(range(column.height + 1) for column in levels))
            for recoded in [data.replace(c.recoded(n) for c, n in zip(levels, node, strict=True))]
            if cells(recoded, chosen.protect(recoded, Context()).data) <= int(share * rows * 3)
        )
        note = until.protect(data, Context()).notes[0]
        assert f"the least loss ({100 * least:.2f} % " in note


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("known", [1, 2, 3])
def test_without_steps_gaps_of_others_are_not_counted_on(known: int, gaps: float) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        codes = rng.integers(0, 4, (9, 3)) - 10 * (rng.random((9, 3)) < gaps)
        data = table([tuple(None if v < 0 else int(v) for v in row) for row in codes])
        masked = LocalSuppression(k=3, missing_matches="anything", subsets=known, steps=0).protect(
            data, Context()
        )
        here = codes >= 0
        for i in range(9):
            # By trying every set of cells, against what the others were.
            fewest = min(
                sum(here[i, j] for j in gone)
                for size in range(4)
                for gone in combinations(range(3), size)
                if all(
                    sum(
                        all(
                            codes[i, j] == codes[other, j] or not (here[i, j] and here[other, j])
                            for j in told
                            if j not in gone
                        )
                        for other in range(9)
                    )
                    >= 3
                    for told in combinations(range(3), known)
                )
            )
            released = [masked.data[f"x{j}"][i] < 0 for j in range(3)]
            assert sum(gap and here[i, j] for j, gap in enumerate(released)) == fewest
        assert "the fewest possible" in masked.notes[0]
