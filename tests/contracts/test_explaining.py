"""The registry in words: nothing that an entry says of itself is left out."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.contracts.explaining import default_of, description, explain, facts, overview
from discreet.contracts.parameters import Param
from discreet.contracts.registry import entries, find
from discreet.errors import UsageError


def test_every_entry_is_in_the_overview_with_its_title() -> None:
    lines = overview().splitlines()
    for entry in entries():
        assert any(line.split() == [entry.spec.name, *entry.spec.title.split()] for line in lines)


def test_an_explanation_has_everything_but_the_example() -> None:
    for entry in entries():
        text = explain(entry.spec.name)
        assert f"{entry.spec.title} ({entry.family})" in text
        assert ">>>" not in text
        assert entry.spec.citation in text
        for param in entry.params().values():
            assert f"  {param.name}: {param.domain} ({default_of(param)})" in text


def test_a_name_that_two_families_have_is_explained_twice() -> None:
    shared = [entry.spec.name for entry in entries()]
    name = next(name for name in shared if shared.count(name) == 2)
    families = [entry.family for entry in entries() if entry.spec.name == name]
    for family in families:
        assert f"({family})" in explain(name)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="nothing called 'mdva'; did you mean 'mdav'"):
        explain("mdva")


def test_measures_say_their_range_and_methods_their_guarantees() -> None:
    measure = dict(facts(find("measure", "k-anonymity")))
    assert measure["range"] == "1 to ∞"
    assert measure["if nothing changed"] == "depends on the file"
    assert dict(facts(find("measure", "abim")))["if nothing changed"] == "0"
    method = dict(facts(find("method", "additive-noise")))
    assert method["random"] == "yes, from the secret seed"
    assert method["guarantees"] == "none"


def test_a_description_ends_before_the_example() -> None:
    assert ">>>" not in description(find("partition", "mdav"))
    assert description(find("partition", "mdav")).startswith(
        (find("partition", "mdav").__doc__ or "").strip().split("\n")[0]
    )


@pytest.mark.parametrize(
    ("default", "words"),
    [(None, "not set by default"), (True, "default: true"), (5, "default: 5"), ("a", "default: a")],
)
def test_defaults_in_words(default: Any, words: str) -> None:
    assert default_of(Param(default, "help")) == words
