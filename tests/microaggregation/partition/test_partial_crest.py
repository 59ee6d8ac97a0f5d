"""Partial CREST: the tree of the quasi-identifiers alone."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.microaggregation.partition.crest import CREST
from discreet.microaggregation.partition.partial_crest import PartialCREST


@pytest.mark.parametrize("seed", range(10))
def test_alpha_1_is_partial_crest_where_lengths_differ(seed: int) -> None:
    rng = np.random.default_rng(seed)
    data = discreet.read(
        {"a": rng.normal(size=80), "b": rng.normal(size=80), "ill": list("xyz" * 26 + "xx")},
        roles={"a": "quasi-identifier", "b": "quasi-identifier", "ill": "confidential"},
    )
    full = CREST(k=4, alpha=1.0).groups(data, ["a", "b"], Context())
    partial = PartialCREST(k=4).groups(data, ["a", "b"], Context())
    assert np.array_equal(full.labels, partial.labels)
