"""The private record of a release, read back: the seed, and which row came from which original."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Groups, Pairing, Randomness, paired
from discreet.errors import DataError
from discreet.publishing.checksum import sha256
from discreet.publishing.directory import BY_HAND
from discreet.publishing.manifest import RECORD
from discreet.publishing.parts import HELD_BACK, HELD_ROW, ORIGIN, private_rows
from discreet.publishing.schema_version import NewerSchema, schema_of

MOST_DIGITS = 1000


def read_record(path: Path) -> dict[str, Any]:
    """Return the content of a record.json."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"the record '{path}' does not exist; check the path") from None
    except OSError as error:
        raise DataError(f"the record '{path}' cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise DataError(f"'{path}' is not a record of a release; give its record.json") from None
    if isinstance(content, dict):
        schema_of(content, path)
    whole = (
        isinstance(content, dict)
        and isinstance(content.get("seed"), int)
        and _per_row_in(content.get("origin"))
        and isinstance(content.get("release"), dict)
        and "sha256" in content["release"]
        and isinstance(content.get("report"), dict)
        and (content.get("groups") is None or _per_row_in(content["groups"]))
        and isinstance(content.get("plan", {}), dict)
        and isinstance(content.get("plan", {}).get("release", {}), dict)
        and _are_texts(content.get("columns drawn within groups", []))
    )
    if not whole:
        raise DataError(f"'{path}' is not a record of a release; give its record.json")
    return dict(content)


def _per_row_in(stated: Any) -> bool:
    """Whether something is stated for every row: in the record, or in the files beside it."""
    return isinstance(stated, list) or stated == {"parts": ORIGIN}


def _are_texts(stated: Any) -> bool:
    return isinstance(stated, list) and all(isinstance(name, str) for name in stated)


def seed_from(path: Path) -> Randomness:
    """Return the seed in a file: a whole number on its own, or a record.json.

    The seed of a record counts as given by hand if it was given by hand for that release.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "seed")
    ...     _ = file.write_text("12345")
    ...     seed_from(file).reveal()
    12345
    """
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise DataError(f"the seed file '{path}' cannot be read; check the path") from None
    if text.isdecimal() and text.isascii() and len(text) <= MOST_DIGITS:
        return Randomness(int(text))
    try:
        record = read_record(path)
    except NewerSchema:
        raise
    except DataError:
        raise DataError(
            "a seed file holds a whole number and nothing else, or is the record.json of an "
            f"earlier release, but '{path}' is neither; leave it out for a new seed"
        ) from None
    return Randomness(record["seed"], by_hand=bool(record.get(BY_HAND, True)))


def pairing_from(record: Path | None, released: Path, originals: int) -> Pairing | None:
    """Return the pairing kept in a record; None if there is none next to the released file.

    A record next to the file that belongs to another release is ignored; if it was named by the
    user, that is an error.
    """
    content = _record_of(record, released)
    if content is None:
        return None
    place = (record or released.parent / RECORD).parent
    origin = _per_row(content["origin"], place, "row of the original")
    if len(origin) and origin.max() >= originals:
        raise DataError(
            f"the record '{record or released.parent / RECORD}' names more original records than "
            f"the {originals} given; is this the right original?"
        )
    labels = content.get("groups")
    if not labels:
        return paired(origin, None, in_order=_in_order(content))
    if isinstance(labels, dict):
        # In parts the groups are in the order of the released rows.
        in_release = _per_row(labels, place, "group")
        of_original = np.full(originals, -1, dtype=np.int64)
        of_original[origin] = in_release
    else:
        of_original = _per_row(labels, place, "group")
    groups = Groups(
        of_original,
        drawn=bool(content.get("drawn within groups")),
        drawn_columns=frozenset(content.get("columns drawn within groups", ())),
    )
    return paired(origin, groups, in_order=_in_order(content))


def held_back_from(record: Path | None, released: Path) -> NDArray[np.int64]:
    """Return the rows of the original that were held back; none if no record says so."""
    content = _record_of(record, released) or {}
    place = (record or released.parent / RECORD).parent
    return _per_row(content.get("held back", []), place, HELD_ROW)


def _in_order(content: dict[str, Any]) -> bool:
    return not content.get("plan", {}).get("release", {}).get("shuffle", True)


def states_synthetic(record: Path | None, released: Path) -> bool:
    """Whether a record says that released records do not come from single originals."""
    content = _record_of(record, released)
    if content is None or isinstance(content["origin"], dict):
        return False
    place = (record or released.parent / RECORD).parent
    return bool(_per_row(content["origin"], place, "row of the original").min(initial=0) < 0)


def _per_row(stated: Any, folder: Path, name: str) -> NDArray[np.int64]:
    """Return what a record states for every row: in itself, or in private files beside it."""
    way_out = "restore it, or assess the release without it"
    for parts in (ORIGIN, HELD_BACK):
        if stated == {"parts": parts}:
            return private_rows(folder / parts, name)
    if not isinstance(stated, list) or not all(type(number) is int for number in stated):
        raise DataError(
            f"the record in '{folder}' is damaged: a {name} is a whole number, and it states "
            f"something else; {way_out}"
        )
    try:
        return np.array(stated, dtype=np.int64)
    except OverflowError:
        raise DataError(
            f"the record in '{folder}' is damaged: it states a {name} with a number larger than "
            f"any file has; {way_out}"
        ) from None


def _record_of(record: Path | None, released: Path) -> dict[str, Any] | None:
    """Return the record of a released file: the one named, or the one next to it."""
    path = record or released.parent / RECORD
    if record is None and not path.exists():
        return None
    content = read_record(path)
    if content["release"]["sha256"] == sha256(released):
        return content
    if record is None:
        return None
    raise DataError(
        f"the record '{record}' does not belong to '{released}'; give the one that was written "
        "with it"
    )
