"""Mondrian with the class divergence as an added term (§8)."""

from __future__ import annotations

import discreet
from discreet.contracts import Context
from discreet.microaggregation.partition.class_restricted_mondrian import ClassRestrictedMondrian
from discreet.microaggregation.partition.mondrian import Mondrian


def test_mondrian_takes_the_column_by_width_and_divergence() -> None:
    """The first cut, worked out by hand for both columns."""
    data = discreet.read(
        {"age": [1, 2, 3, 4], "size": [1, 4, 2, 4.5], "ill": list("yynn")},
        roles={"age": "quasi-identifier", "size": "quasi-identifier", "ill": "confidential"},
    )
    # age: width 1, parts yy and nn, so JSD rises from 0 to 0.3113; size: width 1, parts yn and yn.
    by_size = ClassRestrictedMondrian(k=2).groups(data, ["age", "size"], Context())
    assert by_size.detail["cuts per column"] == {"age": 0, "size": 1}
    assert by_size.detail["weighted JSD"] == 0.0
    by_age = Mondrian(k=2).groups(data, ["age", "size"], Context())
    assert by_age.detail["cuts per column"] == {"age": 1, "size": 0}
