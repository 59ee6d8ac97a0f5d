"""Sampling: sizes, strata, weights, origin, and the survey's warning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, UsageError
from discreet.contracts import Context, Randomness
from discreet.methods.nonperturbative.sampling import Sampling, shares_of

LAW = settings(max_examples=80, deadline=None, derandomize=True, database=None)


def people(rows: int = 100) -> discreet.Microdata:
    return discreet.read(
        {
            "town": (["Ayle"] * 6 + ["Bron"] * 3 + ["Cull"]) * (rows // 10),
            "number": [float(i) for i in range(rows)],
            "weight": [2.0] * rows,
        },
        roles={"town": "quasi-identifier", "weight": "weight", "number": "other"},
    )


def drawn(method: Sampling, data: discreet.Microdata, seed: int = 1) -> Any:
    return method.protect(data, Context(Randomness(seed)))


def test_households_that_are_split_are_counted_in_a_note() -> None:
    data = discreet.read(
        {"town": ["Ayle", "Bron"] * 10, "hid": [1, 1, 2, 2, 3, *range(4, 17), None, None]},
        roles={"town": "quasi-identifier", "hid": "household"},
    )
    for seed in range(5):
        masked = drawn(Sampling(fraction=0.5), data, seed)
        rows = set(masked.origin.tolist())
        split = sum(len(rows & pair) == 1 for pair in ({0, 1}, {2, 3}))
        notes = [note for note in masked.notes if "household" in note]
        assert len(notes) == (split > 0)
        assert not split or notes[0].startswith(f"{split} of the ")
    alone = discreet.read(
        {"town": ["Ayle", "Bron"] * 5, "hid": list(range(10))},
        roles={"town": "quasi-identifier", "hid": "household"},
    )
    assert not any("household" in note for note in drawn(Sampling(), alone).notes)


@LAW
@given(st.lists(st.integers(1, 50), min_size=1, max_size=12), st.data())
def test_shares_add_up_and_follow_the_strata(sizes: list[int], data: Any) -> None:
    size = data.draw(st.integers(len(sizes), sum(sizes)))
    shares = shares_of(np.array(sizes), size)
    assert shares.sum() == size
    assert (shares >= 1).all()
    assert (shares <= sizes).all()


def test_weights_add_up_to_what_they_were_in_every_stratum() -> None:
    data = people()
    masked = drawn(Sampling(fraction=0.25, strata=("town",)), data)
    assert len(masked.data) == 25
    for code in range(3):
        here = masked.data["town"] == code
        assert masked.data["weight"][here].sum() == pytest.approx(
            data["weight"][data["town"] == code].sum()
        )


def test_totals_are_unbiased_over_seeds() -> None:
    data = people()
    totals = []
    for seed in range(400):
        sample = drawn(Sampling(size=20), data, seed).data
        totals.append(float(sample["weight"] @ sample["number"]))
    truth = float(data["weight"] @ data["number"])
    error = np.std(totals) / np.sqrt(400)
    assert abs(np.mean(totals) - truth) < 4 * error


def test_origin_says_which_records_were_drawn() -> None:
    data = people()
    masked = drawn(Sampling(size=30), data)
    assert np.array_equal(masked.data["number"], data["number"][masked.origin])
    assert len(set(masked.origin.tolist())) == 30
    assert (np.diff(masked.origin) > 0).all()
    release = discreet.protect(data, Sampling(size=30), seed=1)
    assert np.array_equal(release.data["number"], data["number"][release.origin])


def test_without_weights_the_factor_is_told() -> None:
    masked = drawn(Sampling(size=25), people().drop(["weight"]))
    assert any("stands for 4 records" in note for note in masked.notes)


def test_continuous_quasi_identifiers_are_warned_of_or_refused() -> None:
    roles = {"town": "quasi-identifier", "income": "quasi-identifier"}
    mixed = discreet.read({"town": ["a", "b"] * 10, "income": list(range(20))}, roles=roles)
    masked = drawn(Sampling(), mixed)
    assert any("sampling leaves 'income'" in note for note in masked.notes)
    alone = discreet.read({"income": list(range(20))}, roles={"income": "quasi-identifier"})
    with pytest.raises(DataError, match=r"'income' is continuous.*in an earlier step"):
        drawn(Sampling(), alone)
    grouped = discreet.read(
        {"town": ["a", "b"] * 10, "income": [1.0, 2.0] * 10}, roles=roles, kinds={"income":
        "continuous"}
    )  # fmt: skip
    assert not any("income" in note for note in drawn(Sampling(), grouped).notes)


def test_continuous_columns_may_be_sampled_after_a_method_that_treats_them() -> None:
    data = discreet.read(
        {"income": np.arange(60.0), "rent": np.arange(60.0) ** 2},
        roles=dict.fromkeys(["income", "rent"], "quasi-identifier"),
    )
    steps = [
        discreet.Microaggregation(partition=discreet.partition.MDAV(k=3)),
        Sampling(fraction=0.3),
    ]
    # Of many groups of three a single record is drawn.
    release = discreet.protect(data, steps, seed=1)
    assert len(release.data) == 18
    assert not any("sampling leaves" in note for note in release.notes)


def test_refusals() -> None:
    data = people()
    with pytest.raises(UsageError, match="at most the 100 records"):
        drawn(Sampling(size=101), data)
    with pytest.raises(UsageError, match="fraction of Sampling must leave at least one"):
        drawn(Sampling(fraction=0.001), data)
    with pytest.raises(UsageError, match="a record of every stratum"):
        drawn(Sampling(size=2, strata=("town",)), data)
    with pytest.raises(DataError, match="recode it into intervals first"):
        drawn(Sampling(strata=("number",)), data)
    with pytest.raises(UsageError, match="names column 'twon'"):
        drawn(Sampling(strata=("twon",)), data)


def test_the_help_says_that_the_fraction_is_one() -> None:
    assert "0.1 is 10 %" in Sampling.params()["fraction"].help
    assert len(drawn(Sampling(fraction=0.1), people()).data) == 10
