"""Protecting and the release gate: what is promised is measured, and nothing slips through."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import discreet
from discreet import AdditiveNoise, ClaimError, Microdata, UsageError
from discreet.contracts import NO_ORIGIN, Claim, Context, Masked, Pairing
from discreet.methods.perturbative.microaggregation import Microaggregation
from discreet.microaggregation.partition import MDAV
from discreet.publishing.record import pairing_from
from discreet.testing.tables import ordinary

QI = "quasi-identifier"
PAIRS = Microaggregation(MDAV(k=2))


def ages(values: Any = (21, 22, 40, 41)) -> Microdata:
    return discreet.read({"age": list(values)}, roles={"age": QI})


def test_a_false_claim_stops_the_release() -> None:
    with pytest.raises(ClaimError, match=r"k-anonymity is claimed to be at least 3, but .* have 2"):
        discreet.protect(ages(), PAIRS, claims={"k-anonymity": 3})
    with pytest.raises(ClaimError, match=r"sse-sst is claimed to be at most 0\.0001, but"):
        discreet.protect(ages([1, 9, 20, 33]), PAIRS, claims={"sse-sst": 0.0001})


def test_a_true_claim_is_kept_with_its_measure() -> None:
    release = discreet.protect(ages(), PAIRS, claims={"distance-linkage": 0.5, "k-anonymity": 2})
    assert release.claims == (Claim("k-anonymity", 2, 2.0), Claim("distance-linkage", 0.5, 0.5))
    assert "k-anonymity 2 (claimed: 2)" in repr(release)


def test_an_unknown_measure_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no measure 'k-anonimity'; did you mean 'k-anon"):
        discreet.protect(ages(), PAIRS, claims={"k-anonimity": 2})


def test_a_claim_that_cannot_be_measured_is_false() -> None:
    data = discreet.read({"t": ["a", "a", "b", "b"]}, roles={"t": QI})
    with pytest.raises(ClaimError, match="abim is claimed, but it cannot be measured: it needs 1"):
        discreet.protect(data, PAIRS, claims={"abim": 0.5})


@pytest.mark.parametrize("bound", ["five", None, [5]])
def test_a_bound_that_is_no_number_is_refused_in_a_sentence(bound: Any) -> None:
    with pytest.raises(UsageError, match="k-anonymity"):
        discreet.protect(ages(), PAIRS, claims={"k-anonymity": bound})


def test_a_bound_that_is_not_a_number_never_holds() -> None:
    with pytest.raises(discreet.DiscreetError):
        discreet.protect(ages(), PAIRS, claims={"k-anonymity": float("nan")})


def test_a_later_step_takes_the_claim_back() -> None:
    release = discreet.protect(ages(), [PAIRS, AdditiveNoise()], seed=1)
    assert release.claims == ()
    assert any("step 2 (additive-noise) changed" in note for note in release.notes)
    with pytest.raises(ClaimError):
        discreet.protect(ages(), [PAIRS, AdditiveNoise()], seed=1, claims={"k-anonymity": 2})


def test_a_later_step_on_other_columns_leaves_the_claim() -> None:
    data = discreet.read(
        {"age": [21, 22, 40, 41], "income": [1.0, 2.0, 3.0, 5.0]},
        roles={"age": QI, "income": "confidential"},
    )
    release = discreet.protect(data, [PAIRS, AdditiveNoise(columns=["income"])])
    assert [c.measure for c in release.claims] == ["k-anonymity"]
    assert release.notes == ()
    assert release.groups is not None


def test_the_last_claim_counts() -> None:
    steps = [Microaggregation(MDAV(k=2)), Microaggregation(MDAV(k=4))]
    release = discreet.protect(ages([21, 22, 40, 41, 60, 61, 80, 85]), steps)
    assert [(c.measure, c.bound) for c in release.claims] == [("k-anonymity", 4)]


def test_steps_are_given_in_any_form() -> None:
    forms: list[Any] = [
        PAIRS,
        [PAIRS],
        {"microaggregation": {"partition": {"mdav": {"k": 2}}}},
        ({"microaggregation": {"partition": {"mdav": {"k": 2}}}},),
    ]
    for form in forms:
        assert discreet.protect(ages(), form).steps == (PAIRS,)
    assert discreet.protect(ages([1, 2, 3, 4, 5]), "microaggregation").steps == (
        Microaggregation(),
    )


@pytest.mark.parametrize("method", [None, 5, Microaggregation, [Microaggregation], [5], MDAV()])
def test_what_is_no_method_is_refused_in_a_sentence(method: Any) -> None:
    with pytest.raises(UsageError, match="method"):
        discreet.protect(ages(), method)


def test_no_method_at_all_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one method"):
        discreet.protect(ages(), [])


def bytes_of(release: discreet.Release) -> list[bytes]:
    return [column.values.tobytes() for column in release.data]


def test_the_same_seed_gives_the_same_bytes() -> None:
    data = ordinary([discreet.Kind.CONTINUOUS])
    steps = [PAIRS, AdditiveNoise()]
    first = discreet.protect(data, steps, seed=9)
    again = discreet.protect(data, steps, seed=9)
    assert bytes_of(first) == bytes_of(again)
    assert first.origin.tolist() == again.origin.tolist()
    assert first.frame().equals(again.frame())
    other = discreet.protect(data, steps, seed=10)
    assert bytes_of(first) != bytes_of(other)
    assert first.origin.tolist() != other.origin.tolist()


def test_without_a_seed_two_releases_differ() -> None:
    data = ordinary([discreet.Kind.CONTINUOUS])
    releases = [discreet.protect(data, AdditiveNoise()) for _ in range(2)]
    assert bytes_of(releases[0]) != bytes_of(releases[1])
    assert releases[0].randomness.reveal() != releases[1].randomness.reveal()


def test_noise_of_one_step_does_not_depend_on_another() -> None:
    data = discreet.read({"x": [1.0, 2.0, 4.0], "y": [5.0, 7.0, 6.0]}, roles={"x": QI, "y": QI})
    one = discreet.protect(data, [AdditiveNoise(columns=["x"])], seed=4, shuffle=False)
    two = discreet.protect(
        data, [AdditiveNoise(columns=["x"]), AdditiveNoise(columns=["y"])], seed=4, shuffle=False
    )
    assert one.data["x"].tolist() == two.data["x"].tolist()
    noise_x, noise_y = two.data["x"] - data["x"], two.data["y"] - data["y"]
    assert noise_x[0] / noise_x[1] != pytest.approx(noise_y[0] / noise_y[1])


@pytest.mark.parametrize("shuffle", [True, False])
def test_origin_tells_where_each_row_came_from(shuffle: bool) -> None:
    data = ordinary(missing=False)
    release = discreet.protect(data, PAIRS, seed=2, shuffle=shuffle)
    assert release.shuffled is shuffle
    assert sorted(release.origin.tolist()) == list(range(len(data)))
    assert (release.origin.tolist() == list(range(len(data)))) is not shuffle
    remarks = data.take(release.origin).column("remark")
    assert release.data.column("remark").same_as(remarks)
    assert isinstance(release.pairing, Pairing)


def test_every_order_of_the_rows_can_occur() -> None:
    orders = Counter(
        tuple(discreet.protect(ages([1, 2, 3]), Microaggregation(MDAV(k=3)), seed=s).origin)
        for s in range(300)
    )
    assert len(orders) == 6
    assert min(orders.values()) > 20, "50 are expected of each"


def test_identifiers_are_dropped_everywhere() -> None:
    data = ordinary()
    release = discreet.protect(data, PAIRS)
    assert "id" in data.schema
    assert "id" not in release.data.schema
    assert "id" not in release.frame().column_names


HOUSEHOLDS: dict[str, Any] = {
    "numbers": pa.array([70, 70, 71, None, 72, 72, 72, None]),
    "floats": pa.array([70.5, 70.5, 71.5, None, 72.5, 72.5, 72.5, None]),
    "text": pa.array(["a", "a", "b", None, "c", "c", "c", None]),
    "dictionary": pa.array(["a", "a", "b", None, "c", "c", "c", None]).dictionary_encode(),
    "many": pa.array([f"h{i}" for i in range(8)]),
}


def composition(values: list[Any]) -> list[Any]:
    """Which rows belong together, whatever their household is called."""
    first: dict[Any, int] = {}
    return [None if v is None else first.setdefault(v, i) for i, v in enumerate(values)]


@pytest.mark.parametrize("kind", HOUSEHOLDS)
def test_households_get_new_numbers_and_keep_their_members(kind: str) -> None:
    table = pa.table({"age": [1.0, 2, 3, 4, 5, 6, 7, 8], "hid": HOUSEHOLDS[kind]})
    roles = {"age": QI, "hid": "household"}
    seen = set()
    for seed in range(8):
        release = discreet.protect(table, PAIRS, seed=seed, roles=roles)
        old = [HOUSEHOLDS[kind][int(i)].as_py() for i in release.origin]
        new = release.frame()["hid"].to_pylist()
        assert composition(new) == composition(old)
        present = {v for v in new if v is not None}
        assert not present & {v for v in old if v is not None}, "an old name was released"
        assert {int(v) for v in present} == set(range(1, len(present) + 1))
        byold = sorted({(str(a), str(b)) for a, b in zip(old, new, strict=True)})
        seen.add(tuple(b for _, b in byold))
    assert len(seen) > 1, "the new numbers follow the old ones"


@pytest.mark.parametrize("categories", [["x", "y"], [10, 20]])
def test_households_in_a_pandas_category(categories: list[Any]) -> None:
    frame = pd.DataFrame({"age": [1, 2, 8, 9], "hid": pd.Categorical(categories * 2)})
    released = discreet.protect(
        frame, PAIRS, seed=1, shuffle=False, roles={"age": QI, "hid": "household"}
    ).frame()
    assert composition(released["hid"].tolist()) == [0, 1, 0, 1]
    assert set(released["hid"].astype(str)) == {"1", "2"}


def test_roles_are_given_once() -> None:
    data = ages()
    with pytest.raises(UsageError, match="already have their roles and kinds"):
        discreet.protect(data, PAIRS, roles={"age": QI})
    with pytest.raises(UsageError, match="already have their roles and kinds"):
        discreet.protect(data, PAIRS, kinds={"age": "continuous"})
    with pytest.raises(UsageError, match="already been read"):
        discreet.read(data, roles={"age": QI})


@pytest.mark.parametrize("seed", [-1, "1", 1.0, True])
def test_an_invalid_seed_is_refused(seed: Any) -> None:
    with pytest.raises(UsageError, match="the seed must be a whole number"):
        discreet.protect(ages(), PAIRS, seed=seed)


def test_the_data_that_went_in_are_kept_as_they_were() -> None:
    data = ages()
    before = data["age"].tolist()
    release = discreet.protect(data, PAIRS)
    assert data["age"].tolist() == before
    assert release.original is data


def test_an_earlier_order_of_rows_is_followed() -> None:
    data = ages([21, 22, 40, 41, 99]).take(np.array([3, 2, 1, 0]))
    release = discreet.protect(data, PAIRS, shuffle=False)
    assert release.frame()["age"].to_pylist() == [40.5, 40.5, 21.5, 21.5]


class Half(Microaggregation):
    """Releases every second record, the last first."""

    def protect(self, data: Microdata, context: Context) -> Masked:
        origin = np.arange(len(data))[::-2].copy()
        return Masked(data.take(origin), origin=origin)


class Invented(Microaggregation):
    """Releases three records that came from no one."""

    def protect(self, data: Microdata, context: Context) -> Masked:
        new = data.take(np.zeros(3, dtype=np.int64))
        column = new.column("age").with_values(np.array([30.0, 31.0, 32.0]))
        return Masked(new.replace([column]), origin=np.full(3, NO_ORIGIN))


def test_a_method_may_release_some_of_the_records() -> None:
    data = ages(range(20, 30))
    release = discreet.protect(data, Half(), shuffle=False)
    assert release.origin.tolist() == [9, 7, 5, 3, 1]
    assert release.data["age"].tolist() == [29, 27, 25, 23, 21]
    assert release.frame()["age"].to_pylist() == [29, 27, 25, 23, 21]
    shuffled = discreet.protect(data, Half(), seed=1)
    assert data["age"][shuffled.origin].tolist() == shuffled.data["age"].tolist()
    assert discreet.assess(data, shuffled).risk["distance-linkage"].value == 1


def test_groups_of_a_part_of_the_records_are_told_in_the_order_of_the_input() -> None:
    release = discreet.protect(ages(range(20, 30)), [Half(), PAIRS], claims={"k-anonymity": 2})
    assert release.groups is not None
    assert release.groups.labels.tolist() == [-1, 1, -1, 1, -1, 1, -1, 0, -1, 0]
    assert release.groups.sizes.tolist() == [2, 3]


def test_an_earlier_claim_is_not_made_of_fewer_records() -> None:
    release = discreet.protect(ages([20, 20, 30, 30, 40, 40]), [PAIRS, Half()])
    assert release.claims == ()
    assert any("left out records" in note for note in release.notes)


def test_groups_of_a_confidential_column_prove_nothing_about_quasi_identifiers() -> None:
    frame = {"age": list(range(60)), "pay": [float(i * i) for i in range(60)]}
    data = discreet.read(frame, roles={"age": QI, "pay": "confidential"})
    for first, second in ((5, 20), (20, 5)):
        pay = Microaggregation(MDAV(k=second), columns=("pay",))
        release = discreet.protect(data, [discreet.HybridMicro(k=first), pay])
        assert release.groups is not None
        assert release.groups.sizes.min() == first
        # Groups of 20 equal values of pay hold whole groups of 5, but not the other way round.
        claimed = [(claim.measure, claim.bound) for claim in release.claims]
        assert claimed == ([("probabilistic-k-anonymity", 5)] if first == 5 else [])
        told = any("'pay' was not drawn within the groups" in note for note in release.notes)
        assert told == (first == 20)


def test_synthetic_records_have_no_original(tmp_path: Path) -> None:
    data = ages(range(20, 30))
    release = discreet.protect(data, Invented())
    assert release.pairing is None
    assessment = discreet.assess(data, release)
    assert "synthetic records have none" in assessment.left_out["distance-linkage"]
    assert assessment.risk["k-anonymity"].value == 1
    release.write(tmp_path / "out")
    assert pairing_from(tmp_path / "out/record.json", tmp_path / "out/release.csv", 10) is None
