"""The file of a kept model."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.errors import DataError
from discreet.models.sequential.model_file import FORMAT, load_model, save_model
from tests.models.sequential.people import people

METHODS = [
    discreet.CartSynthesis(everything=True, rules=["always age >= 20"]),
    discreet.ForestSynthesis(everything=True, trees=2),
    discreet.SequentialRegression(rules=["if age < 30 then pay < 2000"]),
    discreet.SequentialRegression(scale="raw", models=["age=count"]),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: f"{m.spec.name}-{len(m.values())}")
def test_a_model_that_was_read_draws_what_the_model_drew(method: Any, tmp_path: Path) -> None:
    model = method.fitted(people(), Context(Randomness(1)))
    file = tmp_path / "people.model"
    save_model(model, file)
    again = load_model(file)
    one, other = (m.table(200, Context(Randomness(7))) for m in (model, again))
    assert one.equals(other)
    assert one.schema.equals(other.schema)
    assert str(one.schema.field("age").type) == "int16"
    assert file.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(file) as archive:
        content = json.loads(archive.read("model.json"))
    assert "as private as the data" in content["private"]


def _archive(file: Path, content: Any, arrays: dict[str, bytes] | None = None) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("model.json", json.dumps(content))
        for name, held in (arrays or {}).items():
            archive.writestr(name, held)
    return file


class _Acts:
    def __reduce__(self) -> Any:
        return (Path.touch, (Path("acted"),))


def test_a_file_cannot_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    held = io.BytesIO()
    np.save(held, np.array([_Acts()], dtype=object), allow_pickle=True)
    column = {"class": "Leaves", "fields": {"values": {"array": 0}, "starts": 0, "cumulated": 0}}
    files = [
        _archive(tmp_path / "a", {"format": FORMAT, "model": column}, {"0.npy": held.getvalue()}),
        _archive(tmp_path / "b", {"format": FORMAT, "model": {"class": "Popen", "fields": {}}}),
        _archive(tmp_path / "c", {"format": FORMAT, "model": {"word": "Path", "is": "x"}}),
        _archive(tmp_path / "d", {"format": 9, "model": None}),
        _archive(tmp_path / "e", {"format": FORMAT, "model": 5}),
    ]
    (tmp_path / "f").write_bytes(pickle.dumps(_Acts()))
    for file in (*files, tmp_path / "f"):
        with pytest.raises(DataError, match="is not a model of this version"):
            load_model(file)
    with pytest.raises(DataError, match="cannot be read"):
        load_model(tmp_path / "nowhere")
    assert not (tmp_path / "acted").exists()
