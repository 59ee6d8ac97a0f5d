"""Drawing from a kept model: only for files like the one that it was fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import DataError, UsageError
from discreet.models.sequential.from_kept import drawn_from_kept, model_entry
from discreet.models.sequential.model_file import save_model

BORN = np.arange("1990-01-01", "1990-02-10", dtype="datetime64[D]")
PEOPLE: dict[str, Any] = {"age": np.arange(40) % 31, "sex": ["f", "m"] * 20, "born": BORN}
METHOD = "sequential-regression"


@pytest.fixture(scope="module")
def entry(tmp_path_factory: pytest.TempPathFactory) -> tuple[str]:
    place = tmp_path_factory.mktemp("kept") / "people.model"
    save_model(discreet.SequentialRegression().fitted(discreet.read(PEOPLE), Context()), place)
    return model_entry(place)


def drawn(entry: tuple[str, ...], frame: dict[str, Any], method: str = METHOD) -> dict[str, Any]:
    data = discreet.read(frame, roles={"age": "quasi-identifier"})
    context = Context(Randomness(1))
    columns = drawn_from_kept(
        entry, data, data.schema.names, 12, context, method=method, owner="SequentialRegression"
    )
    return {column.name: column for column in columns}


def test_records_have_the_roles_of_the_file_and_the_categories_of_the_model(
    entry: tuple[str],
) -> None:
    made = drawn(entry, {**PEOPLE, "sex": ["f", "x"] * 20})
    assert made["age"].attribute.role.value == "quasi-identifier"
    assert made["sex"].attribute.categories == ("f", "m")
    assert {len(column.values) for column in made.values()} == {12}


def test_the_method_draws_from_it_and_fits_nothing(
    entry: tuple[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("discreet.methods.synthetic.sequential_regression.synthesise_all")
    method = discreet.SequentialRegression(model=entry)
    data = discreet.read({**PEOPLE, "age": [70] * 40})
    masked = method.protect(data, Context(Randomness(1)))
    assert masked.data["age"].max() < 40
    assert method.anew == "how many records there are"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"sex": None}, "the file has no column 'sex'"),
        ({"pay": [1.0] * 40}, "the model has no column 'pay'"),
        ({"age": ["young", "old"] * 20}, "'age' has another"),
        ({"born": BORN.astype("datetime64[us]")}, "'born' has another"),
    ],
)
def test_other_files_are_refused(entry: tuple[str], change: dict[str, Any], says: str) -> None:
    frame = {k: v for k, v in {**PEOPLE, **change}.items() if v is not None}
    with pytest.raises(DataError, match=says):
        drawn(entry, frame)


def test_other_methods_and_entries_are_refused(entry: tuple[str]) -> None:
    with pytest.raises(UsageError, match="fitted by sequential-regression, but the step is cart"):
        drawn(entry, PEOPLE, "cart-synthesis")
    with pytest.raises(UsageError, match="must be one entry model=path"):
        drawn((), PEOPLE)
    with pytest.raises(UsageError, match="draws from a kept model only with everything"):
        discreet.CartSynthesis(model=entry).protect(
            discreet.read(PEOPLE, roles={"age": "quasi-identifier"}), Context()
        )
