from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.release.plan_file import dump, parse_plan_text
from discreet.release.plan_rewriting import rewritten

PLAN = """\
version: 1
data:
  file: people.csv  # the file
columns:
  # its name says 'age'
  age: {role: quasi-identifier, kind: continuous}

  # checked by hand
  sex: {role: other}  # as agreed
  "no":
    role: other
    # inside
    kind: nominal
# about the steps
steps:
  # first
  - microaggregation:
      partition: {mdav: {k: 5}}  # five
      replacement: centroid
  # second
  - rounding: {base: 5}
  - pram
claims:
  k-anonymity: 5
# last words
"""


def plan() -> dict[str, Any]:
    content: dict[str, Any] = copy.deepcopy(parse_plan_text(PLAN).content)
    return content


def test_the_same_content_is_the_same_text() -> None:
    assert rewritten(PLAN, plan()) == PLAN


def test_one_role_changes_one_line() -> None:
    content = plan()
    content["columns"]["age"]["role"] = "confidential"
    content["columns"]["sex"] = {"role": "weight"}
    made = rewritten(PLAN, content)
    changed = [new for old, new in zip(PLAN.splitlines(), made.splitlines(), strict=True)
               if old != new]  # fmt: skip
    assert changed == [
        "  age: {role: confidential, kind: continuous}",
        "  sex: {role: weight}  # as agreed",
    ]


def test_a_comment_goes_where_its_step_goes() -> None:
    content = plan()
    first, second, _ = content["steps"]
    first["microaggregation"]["partition"]["mdav"]["k"] = 7
    content["steps"] = [second, {"additive-noise": {}}, first]
    lines = rewritten(PLAN, content).splitlines()
    at = lines.index("steps:")
    assert lines[at + 1 : at + 7] == [
        "  # second",
        "  - rounding: {base: 5}",
        "  - additive-noise: {}",
        "  # first",
        "  - microaggregation:",
        "      partition: {mdav: {k: 7}}  # five",
    ]
    assert "# last words" in lines


def test_what_is_new_stands_where_it_belongs() -> None:
    content = plan()
    content["unit"] = "household"
    content["columns"]["pay"] = {"role": "confidential"}
    lines = rewritten(PLAN, content).splitlines()
    assert lines.index("unit: household") < lines.index("# about the steps")
    assert "  pay: {role: confidential}" in lines


@pytest.mark.parametrize("text", ["{columns: {a: other}}  # why\n", "# why\n", "- a\n# why\n"])
def test_no_comment_is_lost_where_the_layout_cannot_be_kept(text: str) -> None:
    made = rewritten(text, {"columns": {"a": "weight"}})
    assert "# why" in made
    assert parse_plan_text(made).content == {"columns": {"a": "weight"}}


scalars = st.one_of(st.integers(-5, 5), st.text("ab: #'-{", max_size=6), st.booleans())
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("ab-#: ", min_size=1, max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["columns", "steps", "claims", "unit", "rules"]), values))
def test_whatever_the_content_it_is_read_back(content: dict[str, Any]) -> None:
    wanted = parse_plan_text(dump(content)).content or {}
    assert (parse_plan_text(rewritten(PLAN, content)).content or {}) == wanted
    merged = {**plan(), **content}
    assert parse_plan_text(rewritten(PLAN, merged)).content == parse_plan_text(dump(merged)).content
