"""Compilation of kernels that are made of several files.

numba keeps compiled code beside a file for as long as that file stays the same, whatever
happens to the files it imports: after an upgrade that changes only one of them, the old
code would go on running. Here the cache of a kernel is bound to its file and to every
kernel file that it imports.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., object])

_FOLDER = Path(__file__).parent
_IMPORT = re.compile(rb"^from discreet\.kernels\.(\w+) import", re.MULTILINE)


@functools.cache
def source_stamp(kernel: str) -> bytes:
    """Digest of a file of this folder and of those it imports from it."""
    source = (_FOLDER / f"{kernel}.py").read_bytes()
    digest = hashlib.sha256(source)
    for imported in sorted(set(_IMPORT.findall(source))):
        digest.update(source_stamp(imported.decode()))
    return digest.digest()


def compiled(function: Kernel) -> Kernel:
    """Compile on first use, without the interpreter's lock, and keep the code on disk."""
    try:
        kernel = njit(cache=True, nogil=True)(function)
    except RuntimeError:
        # There is no place to keep it: a read-only installation run by a user without a home.
        kernel = njit(nogil=True)(function)
    index: Any = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if hasattr(index, "_source_stamp"):
        index._source_stamp = source_stamp(function.__module__.rpartition(".")[2])
    return cast(Kernel, kernel)
