"""Parameters: what is taken, what is refused, and that a component never changes."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import UsageError
from discreet.contracts import Columns, Component, Entries, Spec, Texts, param
from discreet.microaggregation.partition import MDAV
from discreet.microaggregation.replacement import Centroid


class Mask(Component):
    """Holds entries."""

    spec: ClassVar[Spec] = Spec(name="mask", title="Mask", citation="none", missing="none")
    entries: Entries = param(default=None, help="some entries")


LAW = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


class Sample(Component):
    """One parameter of every type."""

    family: ClassVar[str] = "sample"
    spec: ClassVar[Spec] = Spec("sample", "Sample", "nobody", "not at all")

    whole: int = param(default=1, help="a count", at_least=1, at_most=9)
    maybe: int | None = param(default=None, help="a count or none", above=0)
    number: float = param(default=0.5, help="a share", above=0, below=1)
    level: float | None = param(default=None, help="a level", at_least=-1)
    flag: bool = param(default=False, help="a switch")
    word: str = param(default="a", help="a choice", choices=("alpha", "beta", "a"))
    text: str | None = param(default=None, help="any text")
    columns: Columns = param(default=None, help="names")
    partition: discreet.contracts.Partition = param(default="mdav", help="a part")


class Needy(Component):
    """A parameter without default."""

    spec: ClassVar[Spec] = Spec("needy", "Needy", "nobody", "not at all")
    k: int = param(help="how many", at_least=2)


ACCEPTED: list[tuple[str, Any, Any]] = [
    ("whole", 5, 5),
    ("whole", 5.0, 5),
    ("whole", np.int16(5), 5),
    ("whole", np.float64(5), 5),
    ("maybe", None, None),
    ("maybe", 3, 3),
    ("number", Fraction(1, 4), 0.25),
    ("number", np.float32(0.25), 0.25),
    ("level", 2, 2.0),
    ("level", None, None),
    ("flag", True, True),
    ("word", "beta", "beta"),
    ("text", "anything", "anything"),
    ("columns", ["a", "b"], ("a", "b")),
    ("columns", ("a",), ("a",)),
    ("columns", None, None),
    ("partition", "mdav", MDAV()),
    ("partition", {"mdav": {"k": 7}}, MDAV(k=7)),
    ("partition", MDAV(k=3), MDAV(k=3)),
]
REFUSED: list[tuple[str, Any]] = [
    ("whole", 0),
    ("whole", 10),
    ("whole", 5.5),
    ("whole", True),
    ("whole", "5"),
    ("whole", None),
    ("whole", math.nan),
    ("whole", math.inf),
    ("maybe", 0),
    ("maybe", False),
    ("number", 0),
    ("number", 1),
    ("number", math.nan),
    ("number", -math.inf),
    ("number", True),
    ("number", "0.5"),
    ("number", 1j),
    ("level", -1.0001),
    ("flag", 1),
    ("flag", "true"),
    ("flag", None),
    ("word", "gamma"),
    ("word", None),
    ("text", 5),
    ("columns", "age"),
    ("columns", [1]),
    ("columns", {"a": 1}),
    ("partition", 5),
    ("partition", None),
    ("partition", Centroid()),
    ("partition", MDAV),
]


@pytest.mark.parametrize(("name", "given", "expected"), ACCEPTED)
def test_values_are_brought_to_their_type(name: str, given: Any, expected: Any) -> None:
    value = getattr(Sample(**{name: given}), name)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(("name", "given"), REFUSED)
def test_what_does_not_fit_is_refused_by_name(name: str, given: Any) -> None:
    with pytest.raises(UsageError, match=f"parameter '{name}' of Sample must be "):
        Sample(**{name: given})


@pytest.mark.parametrize("name", ["number", "level"])
def test_a_whole_number_beyond_floats_is_refused_in_a_sentence(name: str) -> None:
    options: dict[str, Any] = {name: 10**400}
    with pytest.raises(UsageError, match=f"parameter '{name}' of Sample must be "):
        Sample(**options)


@LAW
@given(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary()))
def test_any_value_is_taken_within_bounds_or_refused(value: Any) -> None:
    try:
        taken = Sample(whole=value).whole
    except UsageError:
        return
    assert type(taken) is int
    assert 1 <= taken <= 9
    assert taken == value


def test_the_message_states_rule_and_value_and_the_nearest_choice() -> None:
    with pytest.raises(UsageError) as error:
        Sample(word="alpa")
    assert str(error.value) == (
        "parameter 'word' of Sample must be one of alpha, beta, a, but 'alpa' was given; "
        "did you mean 'alpha'?"
    )
    with pytest.raises(UsageError, match="a number, above 0, below 1, but 3 was given"):
        Sample(number=3)
    with pytest.raises(UsageError, match="a whole number or nothing, above 0"):
        Sample(maybe=-1)


def test_unknown_twice_and_too_many() -> None:
    with pytest.raises(UsageError, match=r"MDAV has no parameter 'kk'; did you mean 'k'\?"):
        MDAV(kk=3)
    with pytest.raises(UsageError, match="parameter 'k' of MDAV was given twice"):
        MDAV(3, k=3)
    with pytest.raises(UsageError, match="Needy takes at most 1 parameters, but 2 were given"):
        Needy(3, 5)  # type: ignore[call-arg]


def test_a_missing_parameter_is_asked_for_with_its_help() -> None:
    with pytest.raises(
        UsageError, match=r"Needy needs the parameter 'k': a whole number, at least"
    ):
        Needy()  # type: ignore[call-arg]
    assert Needy.params()["k"].required


def test_positions_follow_the_declaration() -> None:
    assert MDAV(3, "range") == MDAV(scaling="range", k=3)


def test_a_component_cannot_be_changed() -> None:
    mdav = MDAV(k=3)
    with pytest.raises(AttributeError, match="MDAV cannot be changed"):
        mdav.k = 4
    with pytest.raises(AttributeError, match="MDAV cannot be changed"):
        mdav.colour = "red"
    assert mdav.k == 3


def test_a_parameter_cannot_be_deleted() -> None:
    mdav = MDAV(k=3)
    with pytest.raises(AttributeError):
        del mdav.k
    assert mdav.k == 3


def test_its_values_and_recipe_are_copies() -> None:
    method = discreet.Microaggregation(MDAV(k=3), columns=["a"])
    method.values()["columns"] = None
    method.recipe()["microaggregation"]["columns"].append("b")
    assert method.columns == ("a",)
    with pytest.raises(TypeError):
        MDAV.params()["k"] = None


def test_equality_and_hash_go_by_type_and_values() -> None:
    assert MDAV(k=5) == MDAV(k=5.0)
    assert hash(MDAV(k=5)) == hash(MDAV())
    assert MDAV(k=5) != MDAV(k=6)
    assert Needy(k=5) != MDAV(k=5)
    assert MDAV() != "mdav"
    assert len({discreet.Microaggregation(), discreet.Microaggregation("mdav", "centroid")}) == 1


def test_the_printed_form_makes_the_same_component() -> None:
    method = discreet.Microaggregation(MDAV(k=3), Centroid(round=True), columns=["a", "b"])
    names = {"Microaggregation": discreet.Microaggregation, "MDAV": MDAV, "Centroid": Centroid}
    assert eval(repr(method), names) == method


@pytest.mark.parametrize(
    "make", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))]
)
def test_copies_are_equal_and_as_firm(make: Any) -> None:
    method = discreet.Microaggregation(MDAV(k=3))
    again = make(method)
    assert again == method
    with pytest.raises(AttributeError):
        again.columns = ("a",)


def test_files_are_named_by_entries() -> None:
    declared = discreet.partition.Mondrian.params()["hierarchies"]
    assert declared.domain == "a list of entries name=path"
    assert declared.help.endswith("in Python from the working directory")


class Told(Component):
    """Has a parameter of every type that may be published or not."""

    spec: ClassVar[Spec] = Spec(name="told", title="Told", citation="none", missing="none")
    number: float = param(default=0.5, help="a number")
    word: str = param(default="a", help="a choice", choices=("a", "b"))
    columns: Columns = param(default=None, help="columns")
    hierarchies: Columns = param(default=None, help="files", path=True)
    rules: Texts = param(default=None, help="rules")
    text: str | None = param(default=None, help="a text")
    entries: Entries = param(default=None, help="entries")
    column: str | None = param(default=None, help="a column", public=True)
    secret: float = param(default=1.0, help="a number that is not told", public=False)
    asked: Entries = param(default=None, help="told if asked", public="reveal")
    reveal: bool = param(default=False, help="tell it")
    inner: Mask = param(default=Mask(), help="a part")


def told(**values: Any) -> Told:
    full = {
        "columns": ["age"],
        "hierarchies": ["age=/home/me/age.csv"],
        "rules": ["if town = Rareville then age > 99"],
        "text": "town = Rareville",
        "entries": {"town": {"other": ["Rareville"]}},
        "column": "age",
        "asked": {"town": "Rareville"},
        "inner": Mask(entries={"town": "Rareville"}),
    }
    return Told(**{**full, **values})


def test_what_may_hold_values_of_the_data_is_not_published_by_default() -> None:
    assert told().recipe(public=True) == {
        "told": {
            "number": 0.5,
            "word": "a",
            "columns": ["age"],
            "hierarchies": ["age=age.csv"],
            "column": "age",
            "reveal": False,
            "inner": {"mask": {}},
        }
    }
    assert told().withheld() == ["rules", "text", "entries", "secret", "asked", "inner.entries"]
    assert "Rareville" in str(told().recipe())


def test_another_parameter_may_decide_what_is_published() -> None:
    assert told(reveal=True).recipe(public=True)["told"]["asked"] == {"town": "Rareville"}
    assert "asked" not in told(reveal=True).withheld()


def test_what_is_not_set_is_not_withheld() -> None:
    bare = Told(inner=Mask())
    assert bare.withheld() == ["secret"]


def test_a_list_of_texts_is_called_that() -> None:
    with pytest.raises(UsageError, match="'rules' of Told must be a list of texts, but 5 was"):
        told(rules=5)
