from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest

from discreet.cli.main import run
from discreet.studio import serving
from tests.command_line import Discreet, held_to_schema


def test_help_is_enough_to_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["studio", "--help"]) == 0
    text = capsys.readouterr().out
    assert "--folder" in text
    assert "Nothing leaves this machine" in text


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["studio", str(tmp_path / "none.csv"), "--no-browser"]) == 1
    assert "no file" in capsys.readouterr().err


def test_without_its_packages_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith(("uvicorn", "starlette")):
            raise ImportError(name)
        return usual(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert run(["studio", "--no-browser"]) == 2
    assert "discreet[studio]" in capsys.readouterr().err


def test_the_folder_is_that_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.touch()
    assert serving.where(file, None) == (tmp_path, "a.csv")
    assert serving.where(None, tmp_path) == (tmp_path, "")
    inner = tmp_path / "inner"
    inner.mkdir()
    with pytest.raises(Exception, match="is not in the folder"):
        serving.where(file, inner)


def test_a_port_in_use_is_explained() -> None:
    taken = serving._listener(0)
    try:
        with pytest.raises(Exception, match="in use"):
            serving._listener(taken.getsockname()[1])
        assert taken.getsockname()[0] == "127.0.0.1"
    finally:
        taken.close()


def test_the_document_comes_before_the_pages_are_served(
    tmp_path: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def served(target: Path | None, folder: Path, *rest: Any, say: Any, **more: Any) -> None:
        say(folder, "http://127.0.0.1:1/")

    monkeypatch.setattr(serving, "serve", served)
    said = discreet_command("studio", "--folder", str(tmp_path), "--no-browser", "--json")
    result = held_to_schema(said.out)["result"]
    assert result == {"folder": str(tmp_path), "address": "http://127.0.0.1:1/"}
