"""Records of two files that lost their key: nothing joins them to the other file any more.

A step may suppress the number of a household, such as one of a rare size. In one file its members
still have what the household has; in two files they do not, and are measured as they are released.
"""

from __future__ import annotations

from discreet.io.joining import Joined
from discreet.microdata import Microdata
from discreet.release.suppression_by_household import emptied


def detached(original: Microdata, table: Microdata) -> tuple[Microdata, list[str]]:
    """Return the table without what only the lost key would give, and a note.

    >>> import discreet
    >>> from dataclasses import replace
    >>> data = discreet.read({"hid": ["a", None], "town": ["Ayle", "Bron"]})
    >>> source = replace(data.source, joined=Joined("hid", "homes", "people", ("town",)))
    >>> data = Microdata(data, source)
    >>> detached(data, data)[0]["town"]
    array([ 0, -1], dtype=int32)
    """
    joined = None if original.source is None else original.source.joined
    if not isinstance(joined, Joined) or joined.key not in table.schema:
        return table, []
    lost = table.column(joined.key).missing
    if not lost.any():
        return table, []
    columns = [emptied(table.column(n), lost) for n in joined.shared if n in table.schema]
    note = (
        f"{int(lost.sum()):,} records of '{joined.many}' are released without '{joined.key}', and "
        f"what '{joined.one}' has of them is not released"
    )
    return table.replace(columns), [note]
