"""Fully synthetic data: samples of a synthetic population."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet import (
    FullySynthetic,
    UsageError,
)
from tests.methods.synthetic.persons import children, protected, slope, survey


def test_the_sample_has_the_size_asked_for() -> None:
    data = survey(500)
    for size in (1, 120, 900):
        masked = protected(FullySynthetic(records=size), data)
        assert len(masked.data) == size
        assert len(masked.origin) == size
    release = discreet.protect(data, FullySynthetic(records=120), seed=2)
    assert release.frame().num_rows == 120


def test_background_attributes_come_as_they_occur() -> None:
    data = survey()
    made = protected(FullySynthetic(background=["age", "sex"]), data).data
    before = set(zip(data["age"].tolist(), data["sex"].tolist(), strict=True))
    after = list(zip(made["age"].tolist(), made["sex"].tolist(), strict=True))
    assert set(after) <= before
    assert slope(made, "age", "pay") == pytest.approx(slope(data, "age", "pay"), rel=0.1)


def test_originals_are_in_the_sample_on_request_only() -> None:
    data = survey(500)
    without = protected(FullySynthetic(), data)
    assert (without.origin == -1).all()
    masked = protected(FullySynthetic(originals=True, population=1000, records=400), data)
    kept = masked.origin >= 0
    # Hypergeometric: half of the population is in the file.
    assert 150 < kept.sum() < 250
    assert len(np.unique(masked.origin[kept])) == kept.sum()
    assert (masked.data["age"][kept] == data["age"][masked.origin[kept]]).all()
    assert any("originals were not excluded" in note for note in masked.notes)
    with pytest.raises(UsageError, match="needs the number of persons in the population"):
        protected(FullySynthetic(originals=True), data)
    with pytest.raises(UsageError, match="at least the 500"):
        protected(FullySynthetic(originals=True, population=400), data)


def test_background_attributes_are_named_as_original() -> None:
    masked = protected(FullySynthetic(background=("age",)), survey(60))
    assert any("as they occur in the file: age" in note for note in masked.notes)
    assert set(masked.data["age"]) <= set(survey(60)["age"])


def test_a_synthesis_of_nothing_is_refused() -> None:
    data = children()
    with pytest.raises(UsageError, match="has no column left to impute: all are background"):
        protected(FullySynthetic(background=list(data.schema.names)), data)
