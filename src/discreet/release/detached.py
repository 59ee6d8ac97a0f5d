"""Records that lost the key to another file: nothing joins them to it any more.

A step may suppress the number of a household, such as one of a rare size. In one file its members
still have what the household has; in several files they do not, and are measured as they are
released.
"""

from __future__ import annotations

from discreet.io.joining import Joined
from discreet.microdata import Microdata
from discreet.release.suppression_by_household import emptied


def detached(original: Microdata, table: Microdata) -> tuple[Microdata, list[str]]:
    """Return the table without what only the lost key would give, and a note.

    >>> import discreet
    >>> from dataclasses import replace
    >>> from discreet.io.joining import Link
    >>> data = discreet.read({"hid": ["a", None], "town": ["Ayle", "Bron"]})
    >>> source = replace(data.source, joined=Joined("people", (Link("hid", "homes", ("town",)),)))
    >>> data = Microdata(data, source)
    >>> detached(data, data)[0]["town"]
    array([ 0, -1], dtype=int32)
    """
    joined = None if original.source is None else original.source.joined
    if not isinstance(joined, Joined):
        return table, []
    notes = []
    for link in joined.links:
        if link.key not in table.schema:
            continue
        lost = table.column(link.key).missing
        if not lost.any():
            continue
        shared_names = [name for name in link.shared if name in table.schema]
        table = table.replace(emptied(table.column(name), lost) for name in shared_names)
        notes.append(
            f"{int(lost.sum()):,} records of '{joined.many}' are released without '{link.key}', "
            f"and what '{link.file}' says about them is not released"
        )
    return table, notes
