"""Tasks are known by what is done, however it was written down."""

from __future__ import annotations

import json
from typing import Any

import pytest

from discreet.exploring.trial import Task


def steps(**parameters: Any) -> Any:
    return ({"pram": parameters},)


def test_the_same_work_has_the_same_key_in_any_order_of_writing() -> None:
    assert Task(steps(a=1, b=2)).key == Task(steps(b=2, a=1)).key
    assert Task(steps(a=(1, 2))).key == Task(steps(a=[1, 2])).key


@pytest.mark.parametrize(
    "other",
    [
        Task(steps(a=2)),
        Task(steps(a="1")),
        Task(steps(a=1), repeat=1),
        Task((*steps(a=1), {"pram": {}})),
    ],
)
def test_other_work_has_another_key(other: Task) -> None:
    assert Task(steps(a=1)).key != other.key


def test_keys_that_are_no_text_can_be_stored() -> None:
    task = Task(steps(table={1: {True: 0.5}, None: {2.5: 0.5}}))
    plain = [{"pram": {"table": {"1": {"True": 0.5}, "None": {"2.5": 0.5}}}}]
    assert json.loads(json.dumps(task.plain_steps)) == plain
