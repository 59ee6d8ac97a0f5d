"""Local suppression by passes: the combinations decide, and the first rows of each are changed."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, InMemory, Randomness
from discreet.methods.nonperturbative.cells_of_file import cells_of_file, first_rows
from discreet.microdata import Microdata
from discreet.microdata.equivalence import class_sizes

NAMES = ("town", "job", "sex")


@pytest.fixture(scope="module")
def data() -> Microdata:
    """A file with rare combinations and gaps."""
    rng, rows = np.random.default_rng(3), 4000
    town = np.minimum(rng.geometric(0.3, rows), 15).astype(str)
    town[rng.random(rows) < 0.02] = ""
    columns = {
        "town": [t or None for t in town.tolist()],
        "job": np.minimum(rng.geometric(0.4, rows), 12).astype(str),
        "sex": rng.choice(["f", "m"], rows),
    }
    return discreet.read(columns, roles=dict.fromkeys(NAMES, "quasi-identifier"))


def test_any_rows_are_treated_by_themselves(data: Microdata) -> None:
    method = discreet.LocalSuppression(k=5, steps=1000)
    whole = method.protect(data, Context(Randomness(1)))
    assert class_sizes(whole.data, NAMES).min() >= 5
    fitted = method.fit(InMemory(data), Context(Randomness(1)))
    assert (fitted.claims, fitted.notes) == (whole.claims, whole.notes)
    part = list(fitted.treat(data.take(np.arange(1000, 1500)), Context(), 1000))
    for column in part:
        assert np.array_equal(column.values, whole.data[column.name][1000:1500])


def test_a_choice_that_is_proved_goes_to_the_first_rows() -> None:
    table = {"a": list("xxxxxxyy"), "b": list("ppppqqqr")}
    data = discreet.read(table, roles=dict.fromkeys("ab", "quasi-identifier"))
    found = cells_of_file(InMemory(data), ("a", "b"), 3, np.ones(2), None, Context())
    assert found.cost == found.least
    cells = found.of_all(len(data))
    assert cells.sum() == found.cost
    shown = np.where(cells, -1, np.column_stack([data["a"], data["b"]]))
    assert np.unique(shown, axis=0, return_counts=True)[1].min() >= 3


def test_the_rows_of_kinds_are_found_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.contracts.passes.STRETCH", 3)
    rng = np.random.default_rng(5)
    data = discreet.read(
        {"a": rng.choice(list("uvw"), 50), "b": rng.choice(np.array(["p", None]), 50)}
    )
    file = InMemory(data)
    kinds, times = file.combinations(["a", "b"])
    most = np.minimum(times, 4)
    rows, kind, place = first_rows(file, kinds, ["a", "b"], most)
    for number, count in enumerate(most.tolist()):
        alike = np.flatnonzero(
            (data["a"] == kinds["a"][number]) & (data["b"] == kinds["b"][number])
        )
        assert rows[kind == number].tolist() == alike[:count].tolist()
        assert place[kind == number].tolist() == list(range(count))
    assert (np.diff(rows) > 0).all()
