"""The columns of a plan: roles, kinds and levels."""

from __future__ import annotations

import pytest

from discreet.errors import UsageError
from discreet.release.plan import Plan

TEXT = """version: 1
columns:
  hid: {role: household}
  region: {role: quasi-identifier, kind: nominal, level: household}
  rooms: {level: person}
steps:
  - rounding:
      base: 10.0
      together: false
"""


def test_a_plan_states_the_level_of_a_column() -> None:
    plan = Plan.parse(TEXT)
    assert plan.levels == {"region": "household", "rooms": "person"}
    assert Plan.parse(plan.dump()) == plan


def test_a_level_that_is_none_is_reported_where_it_stands() -> None:
    message = "level of column 'region' must be one of record, person, household, but 'street'"
    with pytest.raises(UsageError, match=message):
        Plan.parse(TEXT.replace("level: household", "level: street"))
