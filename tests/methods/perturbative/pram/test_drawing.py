"""PRAM by passes: counts of a whole file, and rows drawn in any parts of it."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import STRETCH, Context, InMemory, Randomness
from discreet.errors import DataError
from discreet.methods.perturbative.pram.drawing import counts_of
from discreet.microdata import Microdata


def people(rows: int) -> Microdata:
    rng = np.random.default_rng(2)
    return discreet.read(
        {
            "town": rng.choice(["Ayle", "Bron", "Cull"], rows, p=[0.7, 0.2, 0.1]),
            "people": np.where(rng.random(rows) < 0.1, np.nan, rng.integers(-1, 5, rows)),
        },
        roles={"town": "quasi-identifier", "people": "weight"},
    )


def test_weighted_counts_are_those_of_the_whole_file() -> None:
    data = people(STRETCH + 500)
    weights = np.nan_to_num(data["people"]).clip(0)
    expected = [weights[data["town"] == code].sum() / weights.max() for code in range(3)]
    assert counts_of(InMemory(data), ["town"], True)["town"] == pytest.approx(expected)
    plain = counts_of(InMemory(data), ["town"], False)["town"]
    assert np.array_equal(plain, np.bincount(data["town"]))


def test_records_that_all_count_the_same_are_counted() -> None:
    data = people(200)
    data = data.replace([data.column("people").with_values(np.full(200, 7.0))])
    assert counts_of(InMemory(data), ["town"], True)["town"].sum() == 200


def test_given_matrices_draw_any_rows_by_themselves() -> None:
    data = people(STRETCH + 500)
    matrix = {"Ayle": {"Ayle": 0.5, "New": 0.5}, "Bron": {"Bron": 1}, "Cull": {"Ayle": 1}}
    method = discreet.PRAM(matrices={"town": matrix})
    context = Context(Randomness(4))
    whole = method.protect(data, context).data.column("town")
    fitted = method.fit(InMemory(data), context)
    [part] = fitted.treat(data.take(np.arange(STRETCH, len(data))), context, STRETCH)
    assert part.attribute == whole.attribute
    assert np.array_equal(part.values, whole.values[STRETCH:])
    assert 0.45 < (whole.values[data["town"] == 0] == 3).mean() < 0.55


def test_a_category_without_a_row_is_named_by_its_row_in_the_file() -> None:
    data = people(300)
    method = discreet.PRAM(matrices={"town": {"Ayle": {"Ayle": 1}}})
    fitted = method.fit(InMemory(data), Context())
    some = data.take(np.flatnonzero(data["town"] == 1)[:1])
    with pytest.raises(DataError, match="that of row 65537 has none"):
        list(fitted.treat(some, Context(), STRETCH))
