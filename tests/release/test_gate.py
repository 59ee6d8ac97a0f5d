"""What the gate lets through."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet import ClaimError, DataError, Microaggregation, Microdata
from discreet.contracts import Claim, Context, Score
from discreet.measures.risk.distance_linkage import DistanceLinkage
from discreet.microaggregation.partition import MDAV
from discreet.microdata.levels import with_unit
from discreet.release.gate import check_claims
from discreet.testing.tables import ordinary

QI = "quasi-identifier"
PAIRS = Microaggregation(MDAV(k=2))


def ages(values: Any = (21, 22, 40, 41)) -> Microdata:
    return discreet.read({"age": list(values)}, roles={"age": QI})


def test_numbers_that_no_file_could_hold_are_not_released() -> None:
    data = discreet.read({"sum": [1e139, -9e139, 2e139, float("nan")]}, roles={"sum": QI})
    double = discreet.MatrixMasking(attributes={"sum": {"sum": 2.0}})
    assert (
        discreet.protect(data, discreet.MatrixMasking(attributes={"sum": {"sum": 1.0}}))
        .data["sum"]
        .any()
    )
    with pytest.raises(DataError, match=r"within ±1e\+140, but .* in column 'sum'"):
        discreet.protect(data, double)


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ({"row": list(range(100, 130))}, "it numbers the records"),
        ({"row": list(range(30, 0, -1))}, "it numbers the records"),
        ({"note": [f"text {i}" for i in range(30)]}, "every record has a different text"),
        ({"contact": [f"a{i}@b.org" for i in range(30)]}, "it holds e-mail addresses"),
        ({"contact": [f"a{i % 3}@b.org" for i in range(30)]}, "it holds e-mail addresses"),
        ({"ssn": [f"{i % 20}" for i in range(30)]}, "its name says 'ssn'"),
        ({"last_name": [f"N{i % 20}" for i in range(30)]}, "its name says 'lastname'"),
        ({"patientID": [7 * i for i in range(30)]}, "its name says 'patientid'"),
    ],
)
def test_what_looks_like_an_identifier_needs_a_role(column: dict[str, Any], reason: str) -> None:
    frame = {"age": [float(i % 5) for i in range(30)], **column}
    (name,) = column
    with pytest.raises(
        DataError, match=f"column '{name}' looks like a direct identifier .{reason}"
    ):
        discreet.protect(frame, PAIRS, roles={"age": QI})
    for role, kept in (("identifier", False), ("other", True)):
        release = discreet.protect(frame, PAIRS, roles={"age": QI, name: role})
        assert (name in release.data.schema) is kept


def test_columns_of_no_suspicion_need_no_role() -> None:
    frame = {
        "age": list(range(30)),
        "height": [1.5 + i / 7 for i in range(30)],
        "t": ["a", "b"] * 15,
    }
    release = discreet.protect(frame, PAIRS, roles={"age": QI})
    assert release.data.schema.names == ("age", "height", "t")


def test_a_claim_at_its_very_bound_holds() -> None:
    data = ages()
    checked = check_claims([Claim("k-anonymity", 1)], data, data, None, Context())
    assert checked == (Claim("k-anonymity", 1, 1.0),)


def test_an_estimate_is_held_to_its_worse_end(monkeypatch: pytest.MonkeyPatch) -> None:
    data = ages()
    estimate = Score(0.04, interval=(0.03, 0.06))
    monkeypatch.setattr(DistanceLinkage, "score", lambda *given: estimate)
    [claim] = check_claims([Claim("distance-linkage", 0.06)], data, data, None, Context())
    assert claim.measured == 0.06
    with pytest.raises(ClaimError, match=r"have 0\.06 at the worse end of what was estimated"):
        check_claims([Claim("distance-linkage", 0.05)], data, data, None, Context())


def test_a_promise_that_holds_for_records_only_is_not_made_where_households_are_counted() -> None:
    benchmark = discreet.TClosenessBenchmark(k=5, t=0.2)
    data = ordinary(benchmark.spec.kinds, missing=False)
    by_household = discreet.protect(data, benchmark, seed=3)
    assert "t-closeness" not in {claim.measure for claim in by_household.claims}
    assert any(
        note.startswith("t-closeness is not claimed: it holds for records, but not if different")
        for note in by_household.notes
    )
    by_record = discreet.protect(with_unit(data, "record"), benchmark, seed=3)
    assert "t-closeness" in {claim.measure for claim in by_record.claims}
    bound = {claim.measure: claim.bound for claim in by_record.claims}["t-closeness"]
    with pytest.raises(ClaimError, match="t-closeness is claimed to be at most"):
        discreet.protect(data, benchmark, seed=3, claims={"t-closeness": bound})
