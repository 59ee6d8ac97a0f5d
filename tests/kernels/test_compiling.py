"""Compiled kernels are kept until a file that they are made of changes."""

from pathlib import Path
from typing import Any

import numba
import pytest

from discreet.kernels import compiling
from discreet.kernels.neighbours import farthest


def test_the_cache_of_a_kernel_follows_the_files_it_imports(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(compiling, "_FOLDER", tmp_path)
    source_stamp = compiling.source_stamp.__wrapped__
    monkeypatch.setattr(compiling, "source_stamp", source_stamp)
    (tmp_path / "outer.py").write_text("from discreet.kernels.inner import step\n")
    (tmp_path / "inner.py").write_text("step = 1\n")
    before = source_stamp("outer")
    assert source_stamp("outer") == before
    (tmp_path / "inner.py").write_text("step = 2\n")
    assert source_stamp("outer") != before


def test_the_compiler_takes_the_stamp() -> None:
    kernel: Any = farthest
    assert kernel._cache._cache_file._source_stamp == compiling.source_stamp("neighbours")


def test_a_place_without_room_for_a_cache_compiles_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_locator(**options: Any) -> Any:
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(**options)

    monkeypatch.setattr(compiling, "njit", no_locator)

    def double(x: float) -> float:
        return 2 * x

    assert compiling.compiled(double)(3.0) == 6.0
