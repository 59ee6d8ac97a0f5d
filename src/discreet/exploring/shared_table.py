"""One table for all workers: its numbers are in memory that every worker sees and none copies.

The memory has no name, is on no disk, and is freed when the last process that has it is
gone, killed or not. Where the system has no such memory, the numbers travel with the message.
"""

from __future__ import annotations

import mmap
import os
import pickle
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from discreet.microdata import Microdata

ALIGNED = 64


@dataclass(frozen=True)
class Shared:
    """A table as it is handed to a worker: small parts by value, the numbers by their position.

    `file` is the open memory, None if `content` holds everything.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21]}, roles={"age": "quasi-identifier"})
    >>> shared = share(data)
    >>> table_of(shared)["age"].tolist()
    [20.0, 21.0]
    >>> release(shared)
    """

    content: bytes
    file: int | None = None
    places: tuple[tuple[int, int], ...] = ()


def share(data: Microdata) -> Shared:
    """Put a table where workers that inherit the open memory can see it."""
    if not hasattr(os, "memfd_create"):
        return Shared(pickle.dumps(tuple(data), pickle.HIGHEST_PROTOCOL))
    buffers: list[pickle.PickleBuffer] = []
    content = pickle.dumps(tuple(data), pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    file = os.memfd_create("discreet")
    places = []
    with os.fdopen(os.dup(file), "wb") as stream:
        for buffer in buffers:
            stream.write(bytes(-stream.tell() % ALIGNED))
            places.append((stream.tell(), stream.write(buffer.raw())))
    return Shared(content, file, tuple(places))


def table_of(shared: Shared) -> Microdata:
    """Return the table; its numbers cannot be written to."""
    if shared.file is None:
        return Microdata(pickle.loads(shared.content))
    size = os.fstat(shared.file).st_size
    whole = memoryview(mmap.mmap(shared.file, size, access=mmap.ACCESS_READ) if size else b"")
    numbers: Sequence[Any] = [whole[at : at + length] for at, length in shared.places]
    return Microdata(pickle.loads(shared.content, buffers=numbers))


def release(shared: Shared) -> None:
    """Close the memory in this process."""
    if shared.file is not None:
        with suppress(OSError):
            os.close(shared.file)
