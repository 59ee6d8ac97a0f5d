"""Linked suppression: after a step that suppresses, the linked columns do not give values back."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, InMemory
from discreet.errors import UsageError
from discreet.methods.nonperturbative.linked_suppression import LinkedSuppression
from discreet.microdata import Microdata

ROLES = {"code": "quasi-identifier", "sex": "quasi-identifier"}


def table() -> Microdata:
    draw = np.random.default_rng(4)
    at = np.minimum(draw.geometric(0.3, 120), 9)
    return discreet.read(
        {
            "code": [f"c{i}" for i in at],
            "sex": draw.choice(["f", "m"], 120).tolist(),
            "town": [f"town {i}" for i in at],
            "height_of_town": (100.0 * at).tolist(),
        },
        roles=ROLES,
    )


def test_every_linked_cell_beside_a_gap_is_one_and_no_other() -> None:
    data = table()
    steps: list[dict[str, object]] = [
        {"local-suppression": {"k": 5, "importance": {"sex": 9}}},
        {"linked-suppression": {"where": "code", "columns": ["town", "height_of_town"]}},
    ]
    release = discreet.protect(data, steps, seed=1, shuffle=False)
    now = release.data
    gone = now.column("code").missing
    assert gone.any()
    for i in range(len(data)):
        assert (now["town"][i] < 0) == gone[i]
        assert np.isnan(now["height_of_town"][i]) == gone[i]
        if not gone[i]:
            assert now["town"][i] == data["town"][i]
    assert np.array_equal(now["sex"], release.data["sex"])
    assert any(f"{2 * gone.sum()} cells became missing" in note for note in release.notes)


def test_a_gap_of_the_original_takes_the_linked_values_along() -> None:
    data = discreet.read({"code": ["a", None], "town": ["Ayle", "Bron"]}, roles={"code": "other"})
    now = LinkedSuppression(where="code", columns=("town",)).protect(data, Context()).data
    assert now.column("town").missing.tolist() == [False, True]


def test_rows_of_a_large_file_come_with_the_columns_that_are_needed() -> None:
    data = table()
    step = LinkedSuppression(where="code", columns=("town",))
    fitted = step.fit(InMemory(data), Context())
    rows = data.drop([name for name in data.schema.names if name not in fitted.columns])
    assert [column.name for column in fitted.treat(rows, Context(), 0)] == ["town"]


@pytest.mark.parametrize(
    ("where", "columns", "said"),
    [("kode", ("town",), "kode"), ("code", ("code",), "it is among them"), ("code", ("x",), "'x'")],
)
def test_links_that_cannot_be(where: str, columns: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        LinkedSuppression(where=where, columns=columns).protect(table(), Context())
