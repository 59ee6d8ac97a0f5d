"""Compilation of kernels that are made of several files, and the folder that keeps the result.

numba keeps compiled code beside a file for as long as that file stays the same, whatever
happens to the files it imports: after an upgrade that changes only one of them, the old
code would go on running. Here the cache of a kernel is bound to its file and to every
kernel file that it imports.

Compiled code is kept in the folder that `DISCREET_KERNELS` names; one that cannot be written to, as
in a container, is only read. Without one it is kept where numba keeps it (beside the package, else
below the home directory), and where none of these can be written to, in a folder of the user's own
among the temporary files.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import os
import pickle
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit
from numba.core import event
from numba.core.caching import CacheImpl
from numba.extending import register_jitable

Kernel = TypeVar("Kernel", bound=Callable[..., object])

SETTINGS: Any = config
VARIABLE = "DISCREET_KERNELS"
SECONDS = 0.35
"""The time that a function of a kernel takes to compile, on average, on an ordinary machine."""
NOTEWORTHY = 1.5
"""Compiling is announced if it takes more seconds than this."""

_FOLDER = Path(__file__).parent
_IMPORT = re.compile(rb"^from discreet\.kernels\.(\w+) import", re.MULTILINE)
_FUNCTION = re.compile(rb"^@(?:compiled|inner)$", re.MULTILINE)


@functools.cache
def files_of(kernel: str) -> frozenset[str]:
    """Return a file of this folder and those it imports from it, by their names."""
    imported = set(_IMPORT.findall((_FOLDER / f"{kernel}.py").read_bytes()))
    return frozenset({kernel}).union(*(files_of(name.decode()) for name in imported))


@functools.cache
def source_stamp(kernel: str) -> bytes:
    """Digest of a file of this folder and of those it imports from it."""
    digest = hashlib.sha256()
    for name in sorted(files_of(kernel)):
        digest.update((_FOLDER / f"{name}.py").read_bytes())
    return digest.digest()


def compiled(function: Kernel) -> Kernel:
    """Compile on first use, without the interpreter's lock, and keep the code on disk."""
    # The wrapper for use as a callback, which is not needed, takes a tenth of the time.
    options: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}
    kernel: Any = _only_read(function, options)
    for folder in () if kernel is not None else _folders():
        # read by the compiler at once, and other people's functions must not be affected
        before = SETTINGS.CACHE_DIR
        SETTINGS.CACHE_DIR = folder or before
        try:
            kernel = njit(cache=True, **options)(function)
            break
        except RuntimeError:  # the folder cannot be written to
            continue
        finally:
            SETTINGS.CACHE_DIR = before
    if kernel is None:
        kernel = njit(**options)(function)
    index: Any = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if hasattr(index, "_source_stamp"):
        index._source_stamp = source_stamp(function.__module__.rpartition(".")[2])
    return cast(Kernel, kernel)


_Named: Any = CacheImpl._locator_classes[0]


class _ReadLocator(_Named):  # type: ignore[misc]
    """Finds compiled code in a folder that cannot be written to, which numba would ignore."""

    def ensure_cache_path(self) -> None:
        if not os.access(self.get_cache_path(), os.R_OK):
            raise OSError(f"{self.get_cache_path()} cannot be read")


def _only_read(function: Callable[..., object], options: dict[str, Any]) -> Any:
    """Return a kernel that takes its code from the named folder and stores none in it.

    None if no folder is named, or if it can be written to.
    """
    named = os.environ.get(VARIABLE, "")
    if not Path(named or "?").is_dir() or os.access(named, os.W_OK):
        return None
    before = SETTINGS.CACHE_DIR, CacheImpl._locator_classes
    SETTINGS.CACHE_DIR, CacheImpl._locator_classes = named, [_ReadLocator]
    try:
        kernel: Any = njit(cache=True, **options)(function)
    except RuntimeError:  # nothing was compiled for this version in this folder
        return None
    finally:
        SETTINGS.CACHE_DIR, CacheImpl._locator_classes = before
    kernel._cache.save_overload = lambda signature, data: None
    return kernel


def at_hand(kernel: object) -> bool:
    """Whether a kernel is already compiled, in this process or on disk."""
    if getattr(kernel, "signatures", ()):
        return True
    index: Any = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    try:
        return index is not None and bool(index._load_index())
    except (OSError, EOFError, ValueError, pickle.UnpicklingError):
        # Code that cannot be read is compiled again.
        return False


def inner(function: Kernel) -> Kernel:
    """Compile as a part of the kernels that call it; elsewhere it is plain Python."""
    return register_jitable(nogil=True, no_cfunc_wrapper=True)(function)


def in_place(function: Kernel) -> Kernel:
    """Compile only where it is called: for what is called in one place, or is very short.

    An `inner` function is also translated by itself, which takes time and is of no use.
    """
    placed: Any = njit(inline="always")(function)
    return cast(Kernel, placed)


def _folders() -> Iterator[str]:
    """Return where compiled code may be kept, in the order of preference; "" is numba's choice."""
    named = os.environ.get(VARIABLE, "")
    yield named
    temporary = "" if named else _own_temporary_folder()
    if temporary:
        yield temporary


@functools.cache
def _own_temporary_folder() -> str:
    """Return a folder that nobody else can write to, or "": its contents will be run."""
    if not hasattr(os, "getuid"):
        return ""
    folder = Path(tempfile.gettempdir()) / f"discreet-kernels-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return ""
    private = stat.S_ISDIR(status.st_mode) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return str(folder) if private and status.st_uid == os.getuid() else ""


class Watch(event.Listener):
    """While the compiler works: no garbage collection, and a line that says what takes so long.

    The compiler works on one kernel at a time, whichever thread asks for it, so that nothing here
    needs a lock. Collecting garbage amid its many small objects takes a tenth of its time.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._collects = True
        self._seen: set[str] = set()

    def on_start(self, event: Any) -> None:
        """Note that the compiler starts on a kernel, or on a part of one."""
        self._depth += 1
        if self._depth == 1:
            self._collects = gc.isenabled()
            gc.disable()
            self._say(event.data["dispatcher"])

    def on_end(self, event: Any) -> None:
        """Note that the compiler has finished it."""
        self._depth -= 1
        if self._depth == 0 and self._collects:
            gc.enable()

    def _say(self, kernel: Any) -> None:
        package, _, name = kernel.py_func.__module__.rpartition(".")
        if package != __package__ or name in self._seen:
            return
        files = files_of(name) - self._seen
        self._seen |= files
        seconds = SECONDS * sum(
            len(_FUNCTION.findall((_FOLDER / f"{file}.py").read_bytes())) for file in files
        )
        kept = getattr(kernel._cache, "_cache_file", None) is not None
        kept = kept and "save_overload" not in vars(kernel._cache)
        # If output goes to a file nobody is watching; then only what can be mended is reported.
        if seconds < NOTEWORTHY or (kept and not sys.stderr.isatty()):
            return
        words = f"Compiling {name.replace('_', ' ')} once, about {seconds:.0f} s"
        if not kept:
            words += f"; it cannot be kept, set {VARIABLE} to a folder that can be written to"
        print(words, file=sys.stderr, flush=True)


event.register("numba:compile", Watch())  # type: ignore[no-untyped-call]
