"""Domains: which there are, which record is in which, and what cannot be one."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.errors import DataError, UsageError
from discreet.measures.analyses import domains as module
from discreet.measures.analyses.domains import Domains

PEOPLE = discreet.read(
    {"sex": ["f", "m", "f", None], "town": ["A", "A", "B", "B"], "age": [1, 2, 3, 4]}
)


def test_only_combinations_that_occur_are_domains() -> None:
    found = Domains.of(PEOPLE, ["sex", "town"], PEOPLE)
    assert found.labels == ("sex = f, town = A", "sex = f, town = B", "sex = m, town = A")
    assert found.codes.tolist() == [0, 2, 1, -1]


def test_without_columns_the_whole_file_is_one_domain_without_a_name() -> None:
    found = Domains.of(PEOPLE, [], PEOPLE)
    assert found.codes.tolist() == [0, 0, 0, 0]
    assert found.named("mean") == ["mean"]


def test_a_domain_that_the_other_table_lacks_is_none() -> None:
    like = PEOPLE.take(np.array([1]))
    found = Domains.of(PEOPLE, ["sex", "town"], like)
    assert found.named("share") == ["share (sex = m, town = A)"]
    assert found.codes.tolist() == [-1, 0, -1, -1]


def test_numbers_and_unknown_columns_are_refused_by_name() -> None:
    with pytest.raises(DataError, match="'age' is continuous"):
        Domains.of(PEOPLE, ["sex", "age"], PEOPLE)
    with pytest.raises(UsageError, match="did you mean 'town'"):
        Domains.of(PEOPLE, ["twon"], PEOPLE)


def test_more_domains_than_anybody_reads_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    with pytest.raises(DataError, match="there are 4 domains of sex, town"):
        Domains.of(PEOPLE, ["sex", "town"], PEOPLE)
