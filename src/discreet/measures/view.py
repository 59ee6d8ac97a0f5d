"""What all measures of an assessment use, made once: the decoded view, and the classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Pairing
from discreet.errors import NotApplicable
from discreet.microdata import Microdata
from discreet.microdata.clusters import counted_once, recurring, units_of
from discreet.microdata.decoded import Decoded
from discreet.microdata.equivalence import class_sizes, classes
from discreet.microdata.hierarchy import Hierarchy, hierarchies_of


def compared_keys(original: Microdata, released: Microdata) -> tuple[str, ...]:
    """Return the original's quasi-identifiers; without any, or without records, nothing applies.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 40]}, roles={"age": "quasi-identifier"})
    >>> compared_keys(data, data)
    ('age',)
    """
    names = original.quasi_identifiers
    if not names:
        raise NotApplicable("no column is a quasi-identifier")
    if not len(released) or not len(original):
        raise NotApplicable("the release has no records")
    return names


def decoded(
    original: Microdata,
    released: Microdata,
    names: Sequence[str],
    pairing: Pairing | None,
    context: Context,
) -> Decoded:
    """Return some columns of a release on the scales of the original.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 40], "sex": ["f", "m"]})
    >>> context = Context().sharing()
    >>> one, other = (decoded(data, data, names, None, context) for names in (["age"], ["age"]))
    >>> one["age"] is other["age"]
    True
    """
    origin = None if pairing is None else pairing.origin
    view = context.once(
        ("decoded view", original, released, pairing),
        lambda: Decoded(original, released, names, origin),
    )
    return view.only(names)


def hierarchies_behind(
    given: Sequence[str] | None, original: Microdata, pairing: Pairing | None, owner: str
) -> dict[str, Hierarchy]:
    """Return the hierarchies that are given, or else those of the steps that made the release."""
    if given is not None or pairing is None:
        return hierarchies_of(given, original.schema, owner)
    hierarchies: dict[str, Hierarchy] = {}
    for step in pairing.steps:
        hierarchies |= hierarchies_of(step.values().get("hierarchies"), original.schema, owner)
    return hierarchies


def alike(data: Microdata, names: Sequence[str], context: Context) -> NDArray[np.int64]:
    """Return a label per record; two records share it if they agree in these columns.

    >>> import discreet
    >>> alike(discreet.read({"sex": ["f", "f", "m"]}), ["sex"], Context())
    array([0, 0, 1])
    """
    labels = context.once(("classes", data, tuple(names)), lambda: classes(data, names))
    labels.flags.writeable = False
    return labels


def sizes_alike(data: Microdata, names: Sequence[str], context: Context) -> NDArray[np.int64]:
    """Return for each record how many agree with it in these columns, itself included.

    Several records of one person count once, and so do those of a household where it is the unit.

    >>> import discreet
    >>> sizes_alike(discreet.read({"sex": ["f", "f", "m"]}), ["sex"], Context())
    array([2, 2, 1])
    >>> visits = discreet.read({"sex": ["f", "f", "m"], "who": [7, 7, 8]}, roles={"who": "person"})
    >>> sizes_alike(visits, ["sex"], Context())
    array([1, 1, 1])
    """
    units = units_alike(data, context)
    if units is None and context.shared is None:
        # Nothing else needs the classes themselves, and their sizes are cheaper.
        return class_sizes(data, names)
    labels = alike(data, names, context)
    return counted_once(labels, units, together_alike(data, names, context))[labels]


def together_alike(
    data: Microdata, names: Sequence[str], context: Context
) -> NDArray[np.int64] | None:
    """Return the records that agree in these columns with another one of their unit.

    None where each record is a unit.

    >>> import discreet
    >>> visits = discreet.read({"sex": ["f", "f", "m"], "who": [7, 7, 8]}, roles={"who": "person"})
    >>> together_alike(visits, ["sex"], Context())
    array([0, 1])
    """
    units = units_alike(data, context)
    if units is None:
        return None
    labels = alike(data, names, context)
    return context.once(("together", data, tuple(names)), lambda: recurring(labels, units))


def units_alike(data: Microdata, context: Context) -> NDArray[np.int64] | None:
    """Return the unit of each record that claims count; None where each record is one."""
    units = context.once(("units", data), lambda: units_of(data))
    return None if units is None else units.labels
