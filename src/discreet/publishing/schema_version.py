"""The schema of the files written with a release, so that later versions can still read them.

`manifest.json` and `record.json` carry its number. It is raised whenever something in them changes
its name or meaning; a new key alone needs no new number.

1. discreet 0.1.0, which did not yet write a number.
2. The number itself, and in the manifest the checksums of all files that may be passed on.
3. Files that are joined to the first are a list; before, there was at most one.
4. `unit` says of every key whether claims count by it; before, households were counted only where
   it was said, and persons wherever there were any. The individual and the household risk are of
   persons; before, they were of what claims count.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.errors import DataError

SCHEMA = 4
OF_PERSONS = 4
"""The first schema in which the individual risk is of persons, whatever claims count."""


class NewerSchema(DataError):
    """A release was written by a later version than the one reading it."""


def schema_of(content: Mapping[str, Any], path: Path) -> int:
    """Return the schema of a manifest or record; refuse one newer than this version knows.

    >>> schema_of({"discreet": "0.1.0"}, Path("manifest.json"))
    1
    >>> schema_of({"schema": 99}, Path("manifest.json"))
    Traceback (most recent call last):
    discreet.publishing.schema_version.NewerSchema: 'manifest.json' was written by a newer version
    of discreet (its schema is 99, and this version reads up to 4); install the newer version
    """
    schema = content.get("schema", 1)
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise DataError(
            f"the schema of '{path}' must be a whole number from 1 to {SCHEMA}, but it is not; "
            "give the file as it was written"
        )
    if schema > SCHEMA:
        raise NewerSchema(
            f"'{path}' was written by a newer version of discreet (its schema is {schema}, and "
            f"this version reads up to {SCHEMA}); install the newer version"
        )
    return schema


def current_manifest(content: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Return a manifest of this or an earlier schema as this version writes it.

    Where its risks are of what claims count, it says so, so that they can be counted again.

    >>> old = {"release": {"file": "release.csv", "sha256": "d894"}}
    >>> current_manifest(old, Path("manifest.json"))["files"]
    {'release.csv': 'd894'}
    >>> two = {"schema": 2, "release": {"joined": {"file": "release-homes.csv", "key": "home"}}}
    >>> current_manifest(two, Path("manifest.json"))["release"]["joined"]
    [{'file': 'release-homes.csv', 'key': 'home'}]
    """
    current = dict(content)
    release = content.get("release")
    if schema_of(content, path) == 1 and isinstance(release, Mapping):
        current["files"] = {str(release.get("file")): release.get("sha256")}
    if isinstance(release, Mapping) and isinstance(release.get("joined"), Mapping):
        current["release"] = {**release, "joined": [release["joined"]]}
    if schema_of(content, path) < OF_PERSONS and isinstance(release, Mapping):
        current["release"] = {**current["release"], "risks": "units"}
    return {**current, "schema": SCHEMA}
