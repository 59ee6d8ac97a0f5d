"""A table that is compared many times, and keeps what is found out about it.

A search compares many releases with one original. What depends on the original alone, such as the
tree in which its records are looked for, need not be found again for each. For a single release
that would only take room, so it is kept only where somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar, cast

from discreet.microdata.table import Microdata

T = TypeVar("T")


class Lasting(Microdata):
    """The same table, which keeps what is found out about it as long as it exists itself.

    >>> import discreet
    >>> data = Lasting(discreet.read({"age": [31, 47]}))
    >>> once(data, "oldest", lambda: data["age"].max()), once(data, "oldest", lambda: 0)
    (np.float64(47.0), np.float64(47.0))
    """

    __slots__ = ("_results",)

    def __init__(self, data: Microdata) -> None:
        super().__init__(data, data.source, len(data))
        self._results: dict[Hashable, tuple[Hashable, Any]] = {}

    def drop(self, names: Iterable[str]) -> Microdata:
        """Return a table without these columns; the same one if there are none."""
        gone = list(names)
        return super().drop(gone) if gone else self

    def once(self, what: Hashable, work: Callable[[], T], of: Hashable = None) -> T:
        """Return the result of some work on this table alone, which is kept.

        Only the last one is: if `of` is another than before, the work is done again. Trees for
        every set of columns that some release has would fill the memory.
        """
        kept = self._results.get(what)
        if kept is None or kept[0] != of:
            del kept
            # Another thread may do the same, which takes time and changes nothing.
            self._results.pop(what, None)
            kept = self._results[what] = of, work()
        return cast(T, kept[1])


def once(data: Microdata, what: Hashable, work: Callable[[], T], of: Hashable = None) -> T:
    """Return the result of some work on a table alone; it is done again unless the table keeps it.

    `of` says what else the result depends on, such as the columns.

    >>> import discreet
    >>> data = discreet.read({"age": [31, 47]})
    >>> once(data, "count", lambda: 1), once(data, "count", lambda: 2)
    (1, 2)
    """
    return data.once(what, work, of) if isinstance(data, Lasting) else work()
