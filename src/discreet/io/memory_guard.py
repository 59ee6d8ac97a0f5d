"""The memory guard: a file that cannot fit is refused before it is read.

A process that runs out of memory is killed without a message; the estimate is rough, and errs on
the high side, because a refusal with a way out is better.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import cast

from discreet.errors import DataError

__all__ = [
    "available_memory",
    "free_at_once",
    "give_memory_back",
    "keep_memory",
    "require_memory",
]

_M_MMAP_THRESHOLD = -3
_OWN_PAGES = 1 << 17
"""An array of at least this many bytes gets pages of its own: glibc's initial value."""
_ARROW_KEEPS = {"MIMALLOC_PURGE_DELAY": "-1"}
"""Settings of the memory pool that Arrow uses by default."""
_M_TRIM_THRESHOLD, _M_ARENA_MAX = -1, -8
_C_KEEPS = {_M_MMAP_THRESHOLD: 1 << 25, _M_TRIM_THRESHOLD: 1 << 30, _M_ARENA_MAX: 1}
"""Settings of glibc: one heap for all threads, with room for arrays as large as it allows."""
_PROC = Path("/proc")
_CGROUP = Path("/sys/fs/cgroup")


def available_memory() -> int | None:
    """Return the bytes this process may still allocate, or None where that is unknown.

    >>> free = available_memory()
    >>> free is None or free > 0
    True
    """
    limits = [free for free in (_system_free(), _cgroup_free()) if free is not None]
    return max(0, min(limits)) if limits else None


def require_memory(path: Path, needed_bytes: int) -> None:
    """Refuse a file that needs more memory than there is.

    >>> require_memory(Path("small.csv"), 1000)
    """
    free = available_memory()
    if free is None or needed_bytes <= free:
        return
    raise DataError(
        f"reading '{path.name}' needs about {_size(needed_bytes)} of memory and "
        f"{_size(free)} is available; read fewer columns (columns=), convert the file to "
        "Parquet, or take a sample of its rows"
    )


def give_memory_back() -> None:
    """Give memory that the allocators keep, but that is no longer in use, back to the system.

    >>> give_memory_back()
    """
    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    trim = _trim()
    if trim is not None:
        trim(0)


def keep_memory() -> None:
    """Let Arrow and the C library keep what they have freed, for what this process needs next.

    By default much of it goes back to the system, which clears the same pages again a moment later;
    that can take longer than reading a file. It is for a process that reads one file and ends, and
    calls this first; a process that has imported Arrow already is left unchanged. What the user has
    set in the environment stays.

    >>> import subprocess, sys
    >>> code = "from discreet.io.memory_guard import keep_memory; keep_memory()"
    >>> subprocess.run([sys.executable, "-c", code]).returncode
    0
    """
    if "pyarrow" in sys.modules:
        return
    added = {name: value for name, value in _ARROW_KEEPS.items() if name not in os.environ}
    os.environ.update(added)
    try:
        import pyarrow  # noqa: F401 - it looks at its settings now
    finally:
        for name in added:
            del os.environ[name]
    if any(name.startswith(("MALLOC_", "GLIBC_TUNABLES")) for name in os.environ):
        return
    with suppress(AttributeError, OSError, TypeError):
        for setting, value in _C_KEEPS.items():
            ctypes.CDLL(None).mallopt(setting, value)


def free_at_once() -> None:
    """Make the C library return arrays to the system as soon as they are freed.

    By default it keeps ever larger ones for reuse (glibc's M_MMAP_THRESHOLD adapts), and a process
    that reads one large file holds several times its size from then on. This costs some speed in
    all of a process, so the example has one of its own.

    >>> import subprocess, sys
    >>> code = "from discreet.io.memory_guard import free_at_once; free_at_once()"
    >>> subprocess.run([sys.executable, "-c", code]).returncode
    0
    """
    import pyarrow as pa

    # Arrow's own pool would keep the memory used for reading, too.
    pa.set_memory_pool(pa.system_memory_pool())
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _OWN_PAGES)


@cache
def _trim() -> Callable[[int], int] | None:
    """Return the C library's call that gives back freed memory; None if it has no such call."""
    try:
        return cast(Callable[[int], int], ctypes.CDLL(None).malloc_trim)
    except (AttributeError, OSError, TypeError):
        return None


def _size(count: int) -> str:
    for unit, factor in (("GB", 1e9), ("MB", 1e6)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count / 1e3:.0f} kB"


def _system_free() -> int | None:
    try:
        for line in (_PROC / "meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        pass
    try:
        # macOS counts no free pages; half of what is installed is a cautious estimate.
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, OSError, ValueError):
        return None


def _cgroup_free() -> int | None:
    """Return what the process's control groups (a container's limit) still allow."""
    try:
        lines = (_PROC / "self" / "cgroup").read_text().splitlines()
    except OSError:
        return None
    free: list[int] = []
    for line in lines:
        _, controllers, inner = (f"{line}::").split(":", 3)[:3]
        if controllers == "":
            root, limit, used = _CGROUP, "memory.max", "memory.current"
        elif "memory" in controllers.split(","):
            root, limit, used = (
                _CGROUP / "memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            )
        else:
            continue
        folder = root / inner.lstrip("/")
        # A limit on any group above applies as well.
        for group in (folder, *folder.parents):
            left = _left(group / limit, group / used, group / "memory.stat")
            if left is not None:
                free.append(left)
            if group == root:
                break
    return min(free) if free else None


def _left(limit_file: Path, used_file: Path, stat_file: Path) -> int | None:
    try:
        limit = limit_file.read_text().strip()
        if limit == "max":
            return None
        left = int(limit) - int(used_file.read_text())
    except (OSError, ValueError):
        return None
    try:
        # Cached files count as used, but are released when memory is needed.
        stat = dict(line.split(" ", 1) for line in stat_file.read_text().splitlines())
        left += int(stat.get("inactive_file", stat.get("total_inactive_file", "0")))
    except (OSError, ValueError):
        pass
    return left
