"""A table that is compared many times: what is computed from it is kept.

A search compares many releases with one original. What depends on the original alone, such as the
tree in which its records are looked for, need not be computed again for each. For a single release
that would only take memory, so it is kept only where somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from discreet.microdata.table import Microdata

T = TypeVar("T")


def lasting(data: Microdata) -> Microdata:
    """Return the same table as one that keeps results as long as it exists.

    >>> import discreet
    >>> data = lasting(discreet.read({"age": [31, 47]}))
    >>> once(data, "oldest", lambda: float(data["age"].max())), once(data, "oldest", lambda: 0)
    (47.0, 47.0)
    """
    table = Microdata(data, data.source, len(data))
    table._results = {}
    return table


def once(data: Microdata, key: Hashable, work: Callable[[], T], of: Hashable = None) -> T:
    """Return the result of some work on a table alone, which is kept if the table is lasting.

    `of` says what else the result depends on, such as the columns. Only the last result is kept:
    if `of` is another than before, the work is done again. Trees for every set of columns that
    some release has would fill the memory.

    >>> import discreet
    >>> data = discreet.read({"age": [31, 47]})
    >>> once(data, "count", lambda: 1), once(data, "count", lambda: 2)
    (1, 2)
    """
    results = data._results
    if results is None:
        return work()
    kept = results.get(key)
    if kept is None or kept[0] != of:
        del kept
        # Another thread may do the same, which takes time and changes nothing.
        results.pop(key, None)
        kept = results[key] = of, work()
    return cast(T, kept[1])
