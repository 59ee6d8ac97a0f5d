"""Households: their numbers, and their members."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.microdata.clusters import renumbered


def test_renumbering_needs_no_household_at_all() -> None:
    data = discreet.read(
        {"hid": [None, None]}, roles={"hid": "household"}, kinds={"hid": "nominal"}
    )
    assert renumbered(data, np.random.default_rng(1))["hid"].tolist() == [-1, -1]
