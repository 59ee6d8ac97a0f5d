"""A file that needs more memory than there is, is refused with a way out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.errors import DataError
from discreet.io import memory_guard
from discreet.io.files import format_for, read_table, write_table


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".sav", ".dta", ".xpt"])
def test_refused_before_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    table = pa.table({"x": list(range(2000)), "t": ["text"] * 2000})
    file = tmp_path / f"people{suffix}"
    write_table(table, file, format_for(suffix))
    assert read_table(file).table.num_rows == 2000
    monkeypatch.setattr(memory_guard, "available_memory", lambda: 5000)
    with pytest.raises(DataError) as caught:
        read_table(file)
    for words in ("needs about", "5 kB is available", "columns=", "sample of its rows"):
        assert words in str(caught.value)


def test_fewer_columns_need_less(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({f"x{number}": list(range(1000)) for number in range(20)})
    pq.write_table(table, tmp_path / "x.parquet")
    monkeypatch.setattr(memory_guard, "available_memory", lambda: 50_000)
    with pytest.raises(DataError):
        read_table(tmp_path / "x.parquet")
    assert read_table(tmp_path / "x.parquet", columns=["x1"]).table.num_columns == 1


def test_where_memory_is_unknown_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(memory_guard, "available_memory", lambda: None)
    memory_guard.require_memory(tmp_path / "x.csv", 10**18)


@pytest.mark.parametrize(
    ("cgroup", "files", "free"),
    [
        ("0::/box", {"box/memory.max": "1000", "box/memory.current": "400"}, 600),
        ("0::/box", {"box/memory.max": "max", "box/memory.current": "400"}, 9000 * 1024),
        (
            "0::/box/inner",
            {
                "box/memory.max": "1000",
                "box/memory.current": "900",
                "box/memory.stat": "anon 5\ninactive_file 300",
            },
            400,
        ),
        (
            "4:memory:/box\n0::/",
            {
                "memory/box/memory.limit_in_bytes": "1000",
                "memory/box/memory.usage_in_bytes": "100",
            },
            900,
        ),
        ("nonsense", {}, 9000 * 1024),
    ],
)
def test_limits_of_containers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cgroup: str, files: dict[str, str], free: int
) -> None:
    proc, groups = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text("MemTotal: 9999 kB\nMemAvailable: 9000 kB\n")
    (proc / "self" / "cgroup").write_text(cgroup)
    for name, content in files.items():
        (groups / name).parent.mkdir(parents=True, exist_ok=True)
        (groups / name).write_text(content)
    monkeypatch.setattr(memory_guard, "_PROC", proc)
    monkeypatch.setattr(memory_guard, "_CGROUP", groups)
    assert memory_guard.available_memory() == free


def test_without_proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_guard, "_PROC", tmp_path)
    free = memory_guard.available_memory()
    assert free is None or free > 0


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_what_is_let_go_of_is_given_back() -> None:
    script = """
import numpy as np
from pathlib import Path
from discreet.io.memory_guard import free_at_once
held = lambda: int(Path("/proc/self/statm").read_text().split()[1]) * 4096
free_at_once()
for size in (200_000, 4_000_000):
    arrays = [np.ones(size // 8) for _ in range(40_000_000 // size)]
    full = held()
    del arrays[::2]
    assert full - held() > 15_000_000, (size, full, held())
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_memory_is_kept_without_a_trace_in_the_environment() -> None:
    code = (
        "import os\n"
        "os.environ['MIMALLOC_PURGE_DELAY'] = '7'\n"
        "before = dict(os.environ)\n"
        "from discreet.io.memory_guard import keep_memory; keep_memory()\n"
        "assert dict(os.environ) == before"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_process_that_has_imported_arrow_is_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []
    monkeypatch.setattr("ctypes.CDLL", asked.append)
    memory_guard.keep_memory()
    assert not asked


def test_what_the_user_has_set_about_memory_stays() -> None:
    code = (
        "import ctypes, os\n"
        "from discreet.io import memory_guard\n"
        "asked = []\n"
        "class Library:\n"
        "    def mallopt(self, *setting): asked.append(setting)\n"
        "memory_guard.ctypes.CDLL = lambda name: Library()\n"
        "memory_guard.keep_memory()\n"
        "print(len(asked))"
    )
    plain = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    for own, settings in (({}, b"3"), ({"MALLOC_ARENA_MAX": "2"}, b"0")):
        ran = subprocess.run([sys.executable, "-c", code], env=plain | own, capture_output=True)
        assert ran.stdout.strip() == settings, ran.stderr
