"""Global and local recoding as methods: what is told, what is claimed, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import DataError, UsageError
from discreet.contracts import Context
from discreet.methods.nonperturbative.global_recoding import GlobalRecoding
from discreet.methods.nonperturbative.local_recoding import LocalRecoding
from discreet.microdata import Kind
from discreet.microdata.equivalence import class_sizes
from tests.methods.nonperturbative.recoding import ADULT, adult, people

ADULT += ["salary-class"]


def test_example_1_3_of_the_survey() -> None:
    data = discreet.read(
        {"status": ["widowed", "divorced", "single", "single"], "age": [17, 40, 17, 40]},
        roles={"status": "quasi-identifier"},
    )
    joined = {"status": {"widowed or divorced": ["widowed", "divorced"]}}
    released = GlobalRecoding(k=None, mappings=joined).protect(data, Context()).data
    assert set(released.schema["status"].categories) == {"widowed or divorced", "single"}
    assert np.array_equal(released["age"], data["age"])


def test_without_k_columns_are_recoded_as_told() -> None:
    data = people()
    plain = GlobalRecoding(k=None, widths={"age": 10}).protect(data, Context())
    assert plain.claims == ()
    assert plain.data.schema["age"].kind is Kind.ORDINAL
    assert plain.data.column("town").same_as(data.column("town"))
    wider = GlobalRecoding(k=None, widths={"age": 10}, levels={"age": 2}).protect(data, Context())
    assert "20–39" in wider.data.schema["age"].categories
    assert "20–29" in plain.data.schema["age"].categories


@pytest.mark.parametrize("method", [GlobalRecoding, LocalRecoding])
@pytest.mark.parametrize("bounds", [{}, {"l": 2}, {"t": 0.3}, {"l": 3, "t": 0.5}])
def test_conditions_are_claimed_and_measured(method: Any, bounds: dict[str, Any]) -> None:
    release = discreet.protect(people(), method(k=4, **bounds), seed=1)
    found = {claim.measure: claim for claim in release.claims}
    names = {"l": "l-diversity", "t": "t-closeness"}
    assert set(found) == {"k-anonymity", *(names[b] for b in bounds)}
    assert found["k-anonymity"].measured is not None
    assert found["k-anonymity"].measured >= 4


def test_suppression_is_a_share_of_the_records() -> None:
    data = people(200)
    for share in (0.0, 0.05, 0.2):
        masked = GlobalRecoding(k=5, suppression=share).protect(data, Context())
        gone = np.isnan(masked.data["age"]) if masked.data.schema["age"].continuous else (
            masked.data["age"] == -1
        )  # fmt: skip
        assert gone.sum() <= share * len(data)
        assert gone.sum() == 0 or gone.sum() >= 5
    assert gone.any()


def test_fixed_levels_are_left_alone_by_the_search() -> None:
    data = people(200)
    masked = GlobalRecoding(k=5, levels={"town": 0}).protect(data, Context())
    assert masked.data.column("town").same_as(data.column("town"))
    assert class_sizes(masked.data, ["age", "town"]).min() >= 5


def test_k_anonymity_is_claimed_only_of_all_quasi_identifiers() -> None:
    masked = GlobalRecoding(k=5, columns=("age",)).protect(people(), Context())
    assert masked.claims == ()


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"levels": {"age": 99}}, UsageError, "whole numbers from 0 to"),
        ({"levels": {"ill": 0}}, UsageError, "not a treated column"),
        ({"k": None, "l": 2}, UsageError, "only together with k"),
        ({"k": 61}, DataError, "needs at least 61 records"),
        ({"k": 5, "levels": {"age": 0}}, DataError, "no combination of levels"),
        ({"hierarchies": ["town=nowhere.csv"]}, UsageError, "there is no hierarchy file"),
    ],
)
def test_what_cannot_be_is_refused(
    parameters: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        GlobalRecoding(**parameters).protect(people(), Context())


def test_the_help_of_parameters_says_their_unit() -> None:
    params = GlobalRecoding.params()
    assert "0.05 is 5 % of the records" in params["suppression"].help
    assert "in their own unit" in params["widths"].help
    assert "0.2 is 20 %" in LocalRecoding.params()["left_over"].help


def test_adult_by_hierarchy_files(reference_data: Path) -> None:
    data, files = adult(reference_data)
    masked = GlobalRecoding(k=5, suppression=0.05, hierarchies=files).protect(data, Context())
    assert "the best of 4,320 combinations" in masked.notes[1]
    assert "1346 records" in masked.notes[1]
    assert class_sizes(masked.data, ADULT).min() >= 5
    assert masked.data.schema["age"].kind is Kind.ORDINAL
    assert masked.data.schema["age"].categories[:2] == ("0-19", "20-39")
