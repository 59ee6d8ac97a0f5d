"""Plan files: what is written is what is read, whatever it is called and looks like."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Plan, UsageError
from discreet.contracts.registry import entries
from discreet.release.plan_file import dump, parse_plan_text
from tests.release.test_starter_plan import BREAKS, CONTROLS, HOSTILE

LAW = settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
WORDS = [
    *HOSTILE,
    *BREAKS,
    *CONTROLS,
    *("", "yes", "on", "off", "No", "010", "0o10", "1e3", "2e3", "1e999", "-.5", "1.", "y", "Null"),
    *("1999-12-31", "2020-01-01T10:00:00Z", "12:30:45", "1:2", "<<", "0b1", "a\u200db", "\ud800"),
]
texts = st.one_of(
    st.sampled_from(WORDS),
    st.text(max_size=12),
    st.text(st.sampled_from("'\":{}[],#&*!|>%@`?-+~.=< \\\n\tax1e"), max_size=8),
)
numbers = st.one_of(
    st.integers(),
    st.integers(-(10**40), 10**40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from([0.0, -0.0, 5e-324, 1e16, 1e22, 1.0, 1e-7]),
)
contents = st.recursive(
    st.one_of(texts, numbers, st.booleans(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)


def typed(value: Any) -> Any:
    """Return a value with its types, so that 1, 1.0 and True differ."""
    if isinstance(value, dict):
        return {key: typed(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [typed(inner) for inner in value]
    return type(value).__name__, repr(value)


@LAW
@given(contents)
def test_what_is_dumped_is_read_back_as_it_was(content: Any) -> None:
    assert typed(parse_plan_text(dump(content)).content) == typed(content)


@LAW
@given(contents)
def test_a_piece_of_a_line_is_one_line_and_read_back(content: Any) -> None:
    text = dump(content, inline=True)
    assert len(text.splitlines()) == 1
    assert typed(parse_plan_text(f"a: {text}").content) == typed({"a": content})
    assert typed(parse_plan_text(f"a: [{text}]").content) == typed({"a": [content]})


@pytest.mark.parametrize("word", WORDS)
def test_hostile_words_are_read_back_as_name_value_and_item(word: str) -> None:
    content = {word: word, "list": [word], "inner": {"a": {word: [word, {word: word}]}}}
    assert parse_plan_text(dump(content)).content == content


def test_what_a_plan_does_not_know_is_written_as_text() -> None:
    content = {
        "day": date(1999, 12, 31),
        "moment": datetime(2020, 1, 1, 12, 30),
        "exact": Decimal("1.50"),
        "numbers": (np.int64(3), np.float64(0.5), np.bool_(True)),
        "keys": {1: "a", 2.5: "b"},
    }
    assert parse_plan_text(dump(content)).content == {
        "day": "1999-12-31",
        "moment": "2020-01-01 12:30:00",
        "exact": "1.50",
        "numbers": [3, 0.5, True],
        "keys": {"1": "a", "2.5": "b"},
    }


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_what_is_no_number_is_not_written(number: float) -> None:
    with pytest.raises(UsageError, match="finite"):
        dump({"a": number})


def test_the_same_list_twice_is_written_twice() -> None:
    shared = ["a"]
    assert parse_plan_text(dump([shared, shared])).content == [["a"], ["a"]]
    assert "*" not in dump([shared, shared])


@pytest.mark.parametrize(
    "text",
    [
        "a: !!timestamp x",
        "a: !!timestamp 2020-01-01",
        "a: !!bool 5",
        "a: !!bool yes",
        "a: !!int 1:30",
        "a: !!float .inf",
        "a: !!null x",
        "a: !!binary aGFsbG8=",
        "a: 1e999",
        "a: !!set {x, y}",
        "a: !!omap [x: 1]",
        "a: !!python/tuple [1]",
        "a: !mine {x: 1}",
        "!!python/name:os.system a: 1",
    ],
)
def test_tags_that_are_no_part_of_a_plan_are_refused_with_their_line(text: str) -> None:
    with pytest.raises(UsageError, match="plan, line 1"):
        parse_plan_text(text)


def test_tags_that_say_what_is_there_change_nothing() -> None:
    text = "a: !!str 010\nb: !!int '5'\nc: !!float 5\nd: !!map {e: !!seq [!!bool true]}"
    assert typed(parse_plan_text(text).content) == typed(
        {"a": "010", "b": 5, "c": 5.0, "d": {"e": [True]}}
    )


def test_a_few_bytes_of_aliases_do_not_fill_the_memory() -> None:
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 12)]
    bomb = "\n".join(["l0: &l0 [x, x]", *levels])
    with pytest.raises(UsageError, match=r"aliases may repeat at most 10,000 values"):
        parse_plan_text(bomb)


def test_aliases_serve_to_say_things_once() -> None:
    text = "a: &roles {role: other}\nb: *roles\nc: *roles"
    assert parse_plan_text(text).content == {key: {"role": "other"} for key in "abc"}


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_what_is_nested_too_deeply_is_refused_with_its_line(opening: str) -> None:
    with pytest.raises(UsageError, match=r"plan, line 1: .* nested more than 50 levels"):
        parse_plan_text("a: " + opening * 3000 if opening in "[{a: " else opening * 3000)
    assert parse_plan_text("[" * 40 + "]" * 40).content


columns = st.dictionaries(
    texts.filter(bool),
    st.one_of(
        st.sampled_from(["identifier", "quasi-identifier", "confidential", "other"]),
        st.fixed_dictionaries(
            {},
            optional={
                "role": st.sampled_from(["quasi-identifier", "weight"]),
                "categories": st.lists(st.one_of(texts, numbers, st.booleans()), max_size=3),
            },
        ),
        st.fixed_dictionaries({"kind": st.sampled_from(["continuous", "nominal", "ordinal"])}),
    ),
    max_size=3,
)
steps = st.lists(
    st.one_of(
        st.builds(lambda names: {"additive-noise": {"columns": names}}, st.lists(texts)),
        st.builds(
            lambda name, old, new: {"global-recoding": {"k": None, "mappings": {name: {new: old}}}},
            texts,
            st.lists(texts, min_size=1, max_size=3),
            texts,
        ),
        st.builds(
            lambda k, names: {"microaggregation": {"partition": {"mdav": {"k": k}},
                                                   "columns": names}},
            st.integers(2, 99), st.lists(texts),
        ),
    ),
    min_size=1,
    max_size=2,
)  # fmt: skip
plans = st.fixed_dictionaries(
    {"steps": steps},
    optional={
        "version": st.just(1),
        "data": st.one_of(texts, st.fixed_dictionaries({"file": texts, "delimiter": texts})),
        "columns": columns,
        "claims": st.fixed_dictionaries(
            {}, optional={"k-anonymity": st.integers(0, 9), "sse-sst": st.floats(0, 1)}
        ),
        "measures": st.lists(st.sampled_from(["abim", {"l-diversity": {"confidential": "no"}}])),
        "release": st.fixed_dictionaries(
            {}, optional={"shuffle": st.booleans(), "format": st.sampled_from(["csv", "parquet"])}
        ),
    },
)


@LAW
@given(plans)
def test_any_plan_that_loads_is_dumped_and_loads_equal(content: dict[str, Any]) -> None:
    try:
        plan = Plan.parse(dump(content))
    except UsageError:
        return
    again = Plan.parse(plan.dump())
    assert again == plan
    assert typed(again.kinds) == typed(plan.kinds)
    assert again.dump() == plan.dump()


@pytest.mark.parametrize("entry", entries("method"), ids=lambda entry: entry.spec.name)
def test_every_method_is_dumped_and_loads_equal(entry: Any) -> None:
    plan = Plan((entry.example(),))
    assert Plan.parse(plan.dump()).steps == plan.steps


def test_nothing_stays_nothing_where_the_default_is_something() -> None:
    plan = Plan.parse("steps: [{global-recoding: {k: null, levels: {age: 1}}}]")
    assert Plan.parse(plan.dump()) == plan


def test_a_plan_with_files_is_dumped_for_its_own_folder(tmp_path: Path) -> None:
    text = "data: people.csv\nsteps: [{pram: {matrix_files: ['town=sub/town.csv']}}]"
    (tmp_path / "plan.yaml").write_text(text)
    plan = Plan.load(tmp_path / "plan.yaml")
    (tmp_path / "again.yaml").write_text(plan.dump(), encoding="utf-8")
    assert "town=sub/town.csv" in plan.dump()
    assert Plan.load(tmp_path / "again.yaml") == plan


def test_recipes_are_plans() -> None:
    method = discreet.Microaggregation(discreet.partition.MDAV(k=7), columns=["a", "b: c"])
    assert Plan.parse(dump({"steps": [method.recipe()]})).steps == (method,)


@pytest.mark.parametrize("sign", ["\x00", "\x01", "\x7f"])
def test_a_control_character_is_told_in_one_line(sign: str) -> None:
    with pytest.raises(UsageError, match="line 2: a plan is plain text") as caught:
        parse_plan_text(f"version: 1\nsteps: {sign}\n")
    assert len(str(caught.value).splitlines()) == 1


def test_what_is_read_of_the_same_text_again_is_not_what_somebody_changed() -> None:
    text = "columns: {age: {role: quasi-identifier}}"
    first = parse_plan_text(text, "first")
    first.content["columns"]["age"]["role"] = "other"
    again = parse_plan_text(text, "again")
    assert again.content == {"columns": {"age": {"role": "quasi-identifier"}}}
    assert (first.name, again.name, again.lines) == ("first", "again", first.lines)
