"""Exposure: who is unique in a file as it is, and which columns give them away.

These are counts over the sample itself, for somebody who knows that a person is in the file (the
prosecutor's view): a record in a class of f records is found with chance 1/f.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_by, counted_once
from discreet.microdata.equivalence import Codes, classes_by, codes_of, sizes_by

SMALL = (2, 3, 5, 10)
"""Classes smaller than these are counted: the values of k that are usually required."""


@dataclass(frozen=True)
class Exposure:
    """The sizes of the classes that some columns form, and who is exposed in them.

    `least` is the k of the file, `expected` the number of people who would be found if everybody
    were looked for, which is the number of classes; `below` has for some k the records in classes
    smaller than k. Where claims count households or persons, so do `least`, `unique` (the records
    that are alone, or only with others of their household) and `below`.
    """

    columns: tuple[str, ...]
    records: int
    unique: int
    least: int
    expected: int
    below: tuple[tuple[int, int], ...]

    @property
    def unique_share(self) -> float:
        """The share of the records that are alone."""
        return self.unique / self.records if self.records else 0.0

    @property
    def expected_share(self) -> float:
        """The share of the people who would be found."""
        return self.expected / self.records if self.records else 0.0


@dataclass(frozen=True)
class WhatIf:
    """How many records would be alone if a column were not known, and the same as a share."""

    column: str
    unique: int
    spared: int
    share: float


class Exposures:
    """The exposure of one file by any of its columns; each column is coded once.

    `key` numbers the households or persons that are counted in place of records.

    >>> import discreet
    >>> counts = Exposures(discreet.read({"age": [30, 30, 41], "sex": ["f", "f", "m"]}))
    >>> counts.by(["age", "sex"]).unique, counts.by(["age", "sex"]).expected
    (1, 2)
    >>> counts.by([]).least
    3
    """

    def __init__(self, data: Microdata, key: str | None = None) -> None:
        self._data, self._key = data, key
        self._codes: dict[str, Codes] = {}

    def counting(self, key: str | None) -> Exposures:
        """Return the exposures of the same file by what another column numbers.

        >>> import discreet
        >>> counts = Exposures(discreet.read({"age": [30, 30, 41, 41], "hid": [1, 1, 2, 3]}))
        >>> counts.by(["age"]).least, counts.counting("hid").by(["age"]).least
        (2, 1)
        """
        other = Exposures(self._data, key if key in self._data.schema else None)
        other._codes = self._codes
        return other

    def by(self, columns: Sequence[str], instead: Mapping[str, Codes] | None = None) -> Exposure:
        """Return who is exposed in the classes that these columns form.

        `instead` has other codes of some columns, such as those of a coarser level.
        """
        rows = len(self._data)
        other = instead or {}
        if not rows:
            return Exposure(tuple(columns), 0, 0, 0, 0, ())
        codes = [other.get(n) or self._coded(n) for n in columns]
        groups = None
        if self._key is None:
            sizes = sizes_by(codes, rows)
        else:
            labels = classes_by(codes, rows)
            of_class = counted_once(labels, clusters_by(self._data, self._key).labels)
            sizes, groups = of_class[labels], len(of_class)
        # Counting the sizes once answers every question, since few sizes differ.
        counts = np.bincount(sizes)
        present = np.flatnonzero(counts)
        if groups is None:
            groups = int(np.rint((counts[present] / present).sum()))
        return Exposure(
            tuple(columns),
            rows,
            int(counts[1]) if len(counts) > 1 else 0,
            int(present[0]),
            groups,
            tuple((k, int(counts[:k].sum())) for k in SMALL),
        )

    def without_each(self, columns: Sequence[str]) -> list[WhatIf]:
        """Return what leaving out each column would save, the most revealing first."""
        now = self.by(columns).unique
        spared = []
        for name in columns:
            rest = self.by([other for other in columns if other != name])
            spared.append(WhatIf(name, rest.unique, now - rest.unique, rest.unique_share))
        return sorted(spared, key=lambda saving: (-saving.spared, saving.column))

    def _coded(self, name: str) -> Codes:
        if name not in self._codes:
            codes, least, distinct = codes_of(self._data.column(name))
            self._codes[name] = (np.asarray(codes, dtype=np.int32), least, distinct)
        return self._codes[name]
