"""Every attack on files whose truth is known: the short form of the bench."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.attacks import (
    IN_THE_RELEASES,
    ByMeasure,
    Tried,
    attacks,
    independent,
    tried,
    unprotected,
)
from discreet.contracts import Attack

ATTACKS = pytest.mark.parametrize(
    "attack", list(attacks()), ids=lambda attack: str(attack.spec.name)
)
FOUND = {"membership": 0.9, "suppressed-cells": 0.0, "release-differences": 0.0,
         "regression-attack": 0.0, "reconstruction": 0.9, "homogeneity": 0.9}  # fmt: skip
"""The least success on unprotected files where it is not nearly all; nothing was suppressed, nobody
joined, and columns that do not depend on each other cannot be predicted."""


@ATTACKS
def test_nothing_is_found_that_is_not_there(attack: Attack | ByMeasure) -> None:
    found = tried(attack, [independent(60, seed) for seed in range(4)])
    assert isinstance(found, Tried), found
    assert attack.spec.name in IN_THE_RELEASES or not found.above


def test_more_than_chance_is_seen() -> None:
    calm = Tried("calm", 0.02, 0.01, gain=0.01, error=0.005, beyond=1, files=50)
    assert not calm.above
    assert replace(calm, error=0.002).above
    assert replace(calm, beyond=9).above


@ATTACKS
def test_nearly_everybody_is_found_where_nothing_was_protected(attack: Attack | ByMeasure) -> None:
    found = tried(attack, [unprotected(60, 1)])
    assert isinstance(found, Tried), found
    assert found.success >= FOUND.get(attack.spec.name, 0.98)
