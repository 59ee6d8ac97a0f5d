"""Persons with several records in households: the level between the household and the record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Masked, Method
from discreet.errors import DataError
from discreet.microdata import Level, Microdata, Role
from discreet.microdata.clusters import Clusters, clusters_of, persons_of
from discreet.microdata.levels import persons_within


@dataclass(frozen=True, eq=False)
class ByPerson:
    """A step that treats, once for each person, what all its records share, and then the rest.

    `inner` runs it on a table in which persons are the only clusters. Where persons do not have
    several records within households, it is the step itself.
    """

    step: Method
    inner: Callable[[Microdata, Context], Masked]

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the outcome with the keys that the table has."""
        persons = persons_within(data)
        if persons is None:
            return self.step.protect(data, context)
        masked = self.inner(persons, context)
        return replace(masked, data=with_keys_of(masked.data, data))

    def protect_within(
        self, data: Microdata, strata: NDArray[np.int64], context: Context
    ) -> Masked | None:
        """Return the outcome of all strata at once, if the step itself can do that."""
        whole = persons_within(data) is None
        return self.step.protect_within(data, strata, context) if whole else None


def with_keys_of(table: Microdata, data: Microdata) -> Microdata:
    """Return a table whose columns number households as those of another table do."""
    keys = [name for name in data.having(Role.HOUSEHOLD) if name in table.schema]
    return table.with_attributes(
        replace(
            table.schema[name],
            role=Role.HOUSEHOLD,
            unit=data.schema[name].unit,
            whole=data.schema[name].whole,
        )
        for name in keys
    )


def belonging(data: Microdata) -> Clusters:
    """Return labels of what belongs together: a household, or several that share a person.

    >>> import discreet
    >>> moved = discreet.read({"hid": [1, 2, 2, 3], "pid": [1, 1, 2, 3]},
    ...                       roles={"hid": "household", "pid": "person"})
    >>> belonging(moved).labels
    array([0, 0, 0, 1])
    """
    homes, persons = clusters_of(data), persons_of(data)
    assert homes is not None
    if persons is None or homes.role is Role.PERSON:
        return homes
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    many, people = len(homes.sizes), len(persons.sizes)
    # In 32 bits: SciPy 1.11 ignores labels of any other type and returns uninitialised memory.
    ends = (homes.labels.astype(np.int32), (many + persons.labels).astype(np.int32))
    links = coo_array((np.ones(len(data)), ends), shape=(many + people, many + people))
    _, parts = connected_components(links, directed=False)
    _, labels = np.unique(parts[homes.labels], return_inverse=True)
    return Clusters(labels.astype(np.int64), Role.HOUSEHOLD)


def refuse_torn(step: Method, before: Microdata, after: Microdata) -> None:
    """Refuse an outcome in which persons get several values of what they have in all records."""
    inner = persons_within(before)
    persons = None if inner is None else clusters_of(inner)
    if persons is None:
        return
    for attribute in before.schema:
        name = attribute.name
        if attribute.level is not Level.PERSON or name not in after.schema:
            continue
        torn = persons.agreeing(before.column(name)) & ~persons.agreeing(after.column(name))
        if torn.any():
            raise DataError(
                f"{step.spec.name} would give {int(torn.sum()):,} persons several values of "
                f"'{name}', which is the same in all their records, since they change households "
                "or groups of whole households are made; keep one of the two keys, leave out "
                "'unit: household', or let a step with its own columns treat what persons share"
            )
