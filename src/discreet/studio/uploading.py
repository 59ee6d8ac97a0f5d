"""Files that are dropped on the page: streamed into the folder, private, whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass

from discreet.io.formats import kind_of_path
from discreet.studio.first_bytes import HEAD, refuse_other_content
from discreet.studio.state import Studio


@dataclass(frozen=True)
class Upload:
    """A file on its way, under the name that it had."""

    studio: Studio
    name: str


def refused_by_system(error: OSError) -> str:
    """Return what to do about a file or folder that the system does not let us read or write.

    >>> refused_by_system(PermissionError(13, "Permission denied"))[:52]
    'a file cannot be read or kept here: Permission denie'
    """
    reason = error.strerror or "the system refused it"
    return (
        f"a file cannot be read or kept here: {reason}; start the studio with a --folder that has "
        "room and may be written to"
    )


async def take_upload(upload: Upload, stream: AsyncIterator[bytes]) -> str:
    """Write a stream to a new file of the folder that only its owner can read; return its place."""
    target = upload.studio.upload_place(upload.name)
    kind_of_path(target)
    fresh = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            head = b""
            async for chunk in stream:
                if len(head) < HEAD:
                    head = (head + chunk)[:HEAD]
                    refuse_other_content(target.name, head)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, target)
    finally:
        fresh.unlink(missing_ok=True)
    return upload.studio.places.name_of(target)
