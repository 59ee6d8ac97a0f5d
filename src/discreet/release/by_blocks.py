"""Protecting by blocks: a step with `in_blocks` is run separately in each block of similar records.

The file is cut across the direction in which the treated columns vary most, at the median, and the
halves again, until no part has more records than a block may have
(`discreet.microaggregation.blocks`). If every block is k-anonymous, so is the file, and time grows
linearly with the number of records even if a method compares all pairs. Files larger than memory
are cut in the same way, at the same records.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Masked, Method
from discreet.errors import UsageError
from discreet.microaggregation.blocks import cut_into_blocks
from discreet.microdata import Attribute, Kind, Microdata, Numbers
from discreet.microdata.clusters import clusters_of
from discreet.microdata.embedding import Embedding
from discreet.release.strata import put_together

MOST_CATEGORIES = 100
"""A file is not cut along a nominal column with more categories: each would be a coordinate."""
SCALING = "standard"


def by_blocks(step: Method, data: Microdata, context: Context) -> Masked:
    """Run a step in each block of its `in_blocks`, and report what holds for the whole.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 80, 22, 81]}, roles={"age": "quasi-identifier"})
    >>> pairs = discreet.Microaggregation(discreet.partition.MDAV(k=2), in_blocks=3)
    >>> masked = by_blocks(pairs, data, Context())
    >>> masked.data["age"], masked.claims
    (array([21.5, 80.5, 21.5, 80.5]), (Claim(k-anonymity: 2 claimed),))
    """
    homes = clusters_of(data)
    if homes is not None:
        raise UsageError(
            f"'in_blocks' of the step {step.spec.name} would separate the {homes.members} of a "
            f"{homes.word}; leave it out, or give the column of {homes.word}s the role identifier"
        )
    inner = of_one_block(step)
    assert step.in_blocks is not None
    if len(data) <= step.in_blocks:
        return inner.protect(data, context)
    names = cut_by(step, data)
    embedding = Embedding.fit(data, names, SCALING)
    blocks = blocks_along(embedding, data, step)
    with context.task(f"{step.spec.name} in blocks", len(data)) as advance:
        outcomes = []
        for number, rows in enumerate(blocks):
            outcomes.append((rows, of_block(inner, data.take(rows), number, context)))
            advance(len(rows))
    masked = put_together(data, outcomes)
    return replace(masked, notes=(*masked.notes, note_on_blocks(step, len(blocks), names)))


def blocks_along(embedding: Embedding, data: Microdata, step: Method) -> list[NDArray[np.int64]]:
    """Return the records of each block of a table."""
    assert step.in_blocks is not None
    return cut_into_blocks(
        points_of(embedding, data),
        step.in_blocks,
        least_of(step),
        embedding.nominal,
        embedding.code_widths,
    )


def points_of(embedding: Embedding, data: Microdata) -> Numbers:
    """Return the records as points; if there is no column to cut along, all in one place.

    Records in one place are divided in the order of the file.
    """
    return embedding.coded(data) if embedding.coordinates else np.zeros((len(data), 1))


def of_block(inner: Method, rows: Microdata, number: int, context: Context) -> Masked:
    """Run a step on one block, with random numbers of its own."""
    quiet = Context(context.randomness, path=context.path)
    return inner.protect(rows, quiet.within("block", number))


def of_one_block(step: Method) -> Method:
    """Return the method as it is run in one block."""
    return type(step)(**{**step.values(), "in_blocks": None})


def cut_by(step: Method, data: Microdata) -> tuple[str, ...]:
    """Return the columns that a file is cut along: those that a step treats, where possible."""
    named: tuple[str, ...] | None = step.values().get("columns")
    treated = [n for n in (data.quasi_identifiers if named is None else named) if n in data.schema]
    return tuple(name for name in treated if _a_coordinate(data.schema[name]))


def _a_coordinate(attribute: Attribute) -> bool:
    return attribute.kind is not Kind.NOMINAL or len(attribute.categories) <= MOST_CATEGORIES


def least_of(step: Method) -> int:
    """Return the minimum number of records in a block: enough for a group of k."""
    k = step.values().get("k")
    return k if isinstance(k, int) else 1


def note_on_blocks(step: Method, blocks: int, names: tuple[str, ...]) -> str:
    """Say how a file was cut.

    >>> import discreet
    >>> note_on_blocks(discreet.MART(in_blocks=5000), 12, ("age", "sex"))
    'mart was run in each of 12 blocks of at most 5,000 records, cut along age, sex'
    """
    along = f"along {', '.join(names)}" if names else "in the order of the file"
    return (
        f"{step.spec.name} was run in each of {blocks:,} blocks of at most {step.in_blocks:,} "
        f"records, cut {along}"
    )
