"""The columns of a large file on all cores: none depends on the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Generic, TypeVar, overload

Given = TypeVar("Given")
Value = TypeVar("Value")

LARGE = 100_000
"""With this many records a column takes longer than starting threads."""


def for_each(work: Callable[[Given], Value], items: Iterable[Given], records: int) -> list[Value]:
    """Return the outcome for each item in order; for a file of many records, on all cores.

    If the work fails for several items, the error of the first is raised.

    >>> for_each(abs, [-1, 2], records=10)
    [1, 2]
    """
    if records < LARGE:
        return [work(item) for item in items]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(work, items))


class computed_once(Generic[Value]):
    """A property that an object computes once, and keeps.

    That of functools has one lock for all objects of a class before Python 3.12, so that threads
    would wait for each other's columns.

    >>> class Square:
    ...     @computed_once
    ...     def area(self) -> int:
    ...         return print("computing") or 4
    >>> square = Square()
    >>> square.area + square.area
    computing
    8
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> computed_once[Value]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> Value: ...

    def __get__(self, owner: object | None, kind: type) -> computed_once[Value] | Value:
        """Return the value for an object, which keeps it as an attribute from then on."""
        if owner is None:
            return self
        value = self.compute(owner)
        owner.__dict__[self.compute.__name__] = value
        return value
