"""Compiled kernels are kept until a file that they are made of changes, wherever there is room."""

import gc
import os
import re
import sys
import tempfile
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba.core import event
from numba.core.caching import CacheImpl

from discreet.kernels import compiling
from discreet.kernels.neighbours import farthest


def test_the_cache_of_a_kernel_follows_the_files_it_imports(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compiling, "_FOLDER", tmp_path)
    (tmp_path / "outer.py").write_text("from discreet.kernels.inner import step\n")
    (tmp_path / "inner.py").write_text("step = 1\n")

    def stamp() -> bytes:
        compiling.files_of.cache_clear()
        return compiling.source_stamp.__wrapped__("outer")

    before = stamp()
    assert stamp() == before
    (tmp_path / "inner.py").write_text("step = 2\n")
    assert stamp() != before
    compiling.files_of.cache_clear()


def test_the_compiler_takes_the_stamp() -> None:
    kernel: Any = farthest
    assert kernel._cache._cache_file._source_stamp == compiling.source_stamp("neighbours")


def double(x: float) -> float:
    return 2 * x


@pytest.fixture
def kernel() -> Callable[[float], float]:
    """A function that claims to be one of a kernel."""
    return types.FunctionType(
        double.__code__, {**globals(), "__name__": "discreet.kernels.magnitude"}, "double"
    )


def folder_of(kernel: Any) -> str:
    return str(kernel._cache.cache_path)


def test_a_kernel_is_at_hand_once_it_was_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kernel: Callable[[float], float]
) -> None:
    monkeypatch.setenv(compiling.VARIABLE, str(tmp_path))
    first: Any = compiling.compiled(kernel)
    assert not compiling.at_hand(first)
    assert first(1.5) == 3
    assert compiling.at_hand(first)
    again: Any = compiling.compiled(kernel)
    assert not again.signatures
    assert compiling.at_hand(again)
    for index in tmp_path.rglob("*.nbi"):
        index.write_bytes(b"")
    assert not compiling.at_hand(again)
    assert not compiling.at_hand(kernel)


def test_the_folder_is_the_one_that_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kernel: Any
) -> None:
    monkeypatch.setenv("DISCREET_KERNELS", str(tmp_path / "kept"))
    assert folder_of(compiling.compiled(kernel)).startswith(str(tmp_path / "kept"))
    assert str(tmp_path / "kept") != compiling.SETTINGS.CACHE_DIR


def test_a_folder_that_can_only_be_read_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = {**globals(), "__name__": "discreet.kernels.sets"}
    kernel = types.FunctionType(double.__code__, names, "double")
    folder = tmp_path / "kept"
    monkeypatch.setenv("DISCREET_KERNELS", str(folder))
    assert compiling.compiled(kernel)(3.0) == 6.0
    kept = {file: file.stat().st_mtime_ns for file in folder.rglob("*.nb?")}
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and access(path, mode))
    again: Any = compiling.compiled(kernel)
    assert again(3.0) == 6.0
    assert sum(again.stats.cache_hits.values()) == 1, "nothing was compiled"
    assert again(3) == 6, "what is not there is compiled, and not kept"
    assert {file: file.stat().st_mtime_ns for file in folder.rglob("*.nb?")} == kept
    monkeypatch.setenv("DISCREET_KERNELS", str(tmp_path / "empty"))
    (tmp_path / "empty").mkdir()
    assert compiling._only_read(kernel, {}) is None


def unwritable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Leave numba no place of its own choice: a file stands where its folder would be."""
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("DISCREET_KERNELS", raising=False)
    monkeypatch.setattr(compiling.SETTINGS, "CACHE_DIR", str(tmp_path / "file" / "folder"))
    monkeypatch.setattr(CacheImpl, "_locator_classes", CacheImpl._locator_classes[:1])
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    compiling._own_temporary_folder.cache_clear()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="users have numbers on POSIX systems only")
def test_without_a_home_it_is_kept_among_the_temporary_files_and_nobody_else_can_write_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kernel: Any
) -> None:
    unwritable(monkeypatch, tmp_path)
    own = tmp_path / f"discreet-kernels-{os.getuid()}"
    assert folder_of(compiling.compiled(kernel)).startswith(str(own))
    assert own.stat().st_mode & 0o777 == 0o700
    own.chmod(0o770)
    compiling._own_temporary_folder.cache_clear()
    assert compiling._own_temporary_folder() == ""
    compiling._own_temporary_folder.cache_clear()


def test_where_nothing_can_be_kept_it_compiles_all_the_same_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    kernel: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    unwritable(monkeypatch, tmp_path)
    monkeypatch.setattr(compiling, "_own_temporary_folder", lambda: "")
    monkeypatch.setattr(compiling, "NOTEWORTHY", 0.0)
    listening: Any = event
    for listener in listening._registered["numba:compile"]:
        if isinstance(listener, compiling.Watch):  # which says it once for each file
            monkeypatch.setattr(listener, "_seen", set())
    assert compiling.compiled(kernel)(3.0) == 6.0
    said = capsys.readouterr().err
    assert said.startswith("Compiling magnitude once, about")
    assert "it cannot be kept, set DISCREET_KERNELS to a folder that can be written to" in said
    assert gc.isenabled()


def test_a_line_is_for_people_who_wait(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Cache:
        _cache_file = "kept"

    compiled = types.SimpleNamespace(py_func=farthest.py_func, _cache=Cache())  # type: ignore[attr-defined]
    happened = types.SimpleNamespace(data={"dispatcher": compiled})
    for reads_along, expected in ((False, ""), (True, r"Compiling neighbours once, about \d s\n")):
        monkeypatch.setattr(
            sys, "stderr", types.SimpleNamespace(
                isatty=lambda answer=reads_along: answer, write=sys.stdout.write,
                flush=lambda: None,
            ),
        )  # fmt: skip
        watch = compiling.Watch()
        for _ in range(2):  # said once
            watch.on_start(happened)
            watch.on_end(happened)
        assert re.fullmatch(expected, capsys.readouterr().out)
        assert gc.isenabled()
