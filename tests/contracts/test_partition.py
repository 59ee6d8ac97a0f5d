"""Groups: sizes, records left out, and the order of an earlier table."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.partition import Groups, Partition, detail_lines, require_records
from discreet.errors import DataError


def test_labels_are_a_copy_that_cannot_be_written_to() -> None:
    labels = np.array([0, 1, 1])
    groups = Groups(labels)
    labels[0] = 1
    assert groups.labels.tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match="read-only"):
        groups.labels[0] = 1


def test_records_left_out_are_in_no_group() -> None:
    groups = Groups(np.array([-1, 0, 1, 1, -1]))
    assert groups.sizes.tolist() == [1, 2]
    assert groups.count == 2


@pytest.mark.parametrize("labels", [[], [-1, -1]])
def test_there_may_be_no_group_at_all(labels: list[int]) -> None:
    groups = Groups(np.array(labels, dtype=np.int64))
    assert groups.count == 0
    assert groups.sizes.tolist() == []


def test_groups_of_a_part_of_an_earlier_table_keep_what_they_promise() -> None:
    groups = Groups(np.array([0, 0, 1]), least_size=1, proves={"t-closeness": 0.2}, drawn=True)
    seen = groups.seen_from(np.array([3, 0, 1]), 5)
    assert seen is not None
    assert seen.labels.tolist() == [0, 1, -1, 0, -1]
    assert (seen.least_size, seen.proves, seen.drawn) == (1, {"t-closeness": 0.2}, True)


@pytest.mark.parametrize("origin", [[-1, 0, 1], [0, 0, 1]])
def test_records_without_one_origin_each_have_no_earlier_groups(origin: list[int]) -> None:
    assert Groups(np.array([0, 0, 1])).seen_from(np.array(origin), 3) is None


def test_groups_of_nothing_are_seen_from_anywhere() -> None:
    empty = np.zeros(0, dtype=np.int64)
    seen = Groups(empty).seen_from(empty, 2)
    assert seen is not None
    assert seen.labels.tolist() == [-1, -1]


def test_lists_and_shares_are_told_in_words() -> None:
    assert detail_lines({"path": ["k = 3", "k = 4"], "share": 0.5, "note": "n"}) == [
        "path: k = 3, k = 4",
        "share: 50.0000 %",
        "note: n",
    ]


def test_fewer_records_than_k_are_refused_with_both_numbers() -> None:
    data = discreet.read({"age": [1, 2]})
    require_records(data, 2, "MDAV")
    with pytest.raises(DataError, match=r"MDAV with k = 3 needs at least 3 records, .* have 2"):
        require_records(data, 3, "MDAV")


def test_a_partition_that_says_nothing_is_a_mistake_of_its_author() -> None:
    with pytest.raises(TypeError, match="Partition does not say how to form groups"):
        Partition().groups(discreet.read({"age": [1]}), ["age"], Context())
