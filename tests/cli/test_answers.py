"""The plain data of answers: what is not plain in the objects that they are made of."""

from __future__ import annotations

import json

import discreet
from discreet.cli.answers import entry, shown_default
from discreet.cli.machine import plain
from discreet.contracts.registry import entries


def test_every_entry_of_the_registry_is_plain() -> None:
    for component in entries():
        content = entry(component)
        assert plain(content) == json.loads(json.dumps(plain(content))), component.spec.name
        assert len(content["parameters"]) == len(component.params())


def test_a_default_is_written_as_in_a_plan() -> None:
    assert shown_default(discreet.partition.MDAV(k=4)) == discreet.partition.MDAV(k=4).recipe()
    assert shown_default((discreet.Rounding(), 2)) == [discreet.Rounding().recipe(), 2]
    assert shown_default("mean") == "mean"
