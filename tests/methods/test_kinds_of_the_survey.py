"""Table 1.1 of the survey: which kinds each perturbative method takes; others are refused."""

from __future__ import annotations

import pytest

from discreet.contracts import ALL_KINDS, Context, Method
from discreet.contracts.registry import find
from discreet.errors import DataError
from discreet.microdata import Kind
from discreet.testing.tables import ordinary

CONTINUOUS = {Kind.CONTINUOUS}
CATEGORICAL = {Kind.ORDINAL, Kind.NOMINAL}
TABLE = {
    "additive-noise": CONTINUOUS,
    "microaggregation": CONTINUOUS | CATEGORICAL,
    "rank-swapping": CONTINUOUS | CATEGORICAL,
    "rounding": CONTINUOUS,
    "resampling": CONTINUOUS,
    "pram": CATEGORICAL,
    "massc": CATEGORICAL,
}
BESIDE = {
    "data-shuffling": CONTINUOUS | {Kind.ORDINAL},
    "data-swapping": CATEGORICAL,
    "matrix-masking": CONTINUOUS,
    "moment-preserving-noise": CONTINUOUS,
    # Sullivan's noise is the survey's exception: discrete attributes, if they have an order.
    "nonlinear-noise": CONTINUOUS | {Kind.ORDINAL},
    "random-orthogonal-masking": CONTINUOUS,
    "random-rounding": CONTINUOUS,
    "targeted-record-swapping": CONTINUOUS | CATEGORICAL,
}


@pytest.mark.parametrize(("name", "kinds"), [*TABLE.items(), *BESIDE.items()])
def test_kinds_are_those_of_the_survey(name: str, kinds: set[Kind]) -> None:
    method = find("method", name)
    assert set(method.spec.kinds) == kinds
    example = method.example()
    assert isinstance(example, Method)
    for kind in set(ALL_KINDS) - kinds:
        data = ordinary([kind])
        with pytest.raises(DataError, match=f"is {kind}; name the columns to treat") as refusal:
            example.protect(data, Context())
        assert "such as" in str(refusal.value), "methods that can are named"


def test_microaggregation_apart_the_rows_of_the_table_are_files_of_their_own() -> None:
    for name in TABLE:
        module = find("method", name).__module__.removesuffix(".method")
        assert module.endswith(name.replace("-", "_"))
