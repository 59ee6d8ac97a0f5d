"""A random order of rows that can be made piece by piece."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Context, Randomness
from discreet.release import shuffling
from discreet.release.shuffling import DEALT, dealt, order_within, shuffled_rows


def test_a_small_file_is_one_bucket() -> None:
    context = Context(Randomness(3))
    expected = context.generator("shuffle").permutation(1000)
    assert np.array_equal(shuffled_rows(1000, context), expected)


def test_pieces_give_the_order_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffling, "BUCKET", 50_000)
    context, rows = Context(Randomness(3)), 2 * DEALT + 1000
    whole = shuffled_rows(rows, context)
    assert np.array_equal(np.sort(whole), np.arange(rows))
    spans = [(0, DEALT), (DEALT, 2 * DEALT), (2 * DEALT, rows)]
    of_row = np.concatenate([dealt(rows, *span, context) for span in spans])
    order = []
    for bucket in range(3):
        members = np.flatnonzero(of_row == bucket)
        order.append(members[order_within(bucket, len(members), 3, context)])
    assert np.array_equal(np.concatenate(order), whole)


def test_every_place_is_as_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shuffling, "BUCKET", 3)
    monkeypatch.setattr(shuffling, "DEALT", 8)
    places = [
        int(np.flatnonzero(shuffled_rows(6, Context(Randomness(seed))) == 0)[0])
        for seed in range(1200)
    ]
    assert np.abs(np.bincount(places, minlength=6) - 200).max() < 70
