"""Shuffling: a random order of the rows, for a file of any size.

Rows are dealt at random into as many buckets as hold about a million each, and every bucket is
shuffled by itself: all orders are equally likely, and no more than one bucket has to be in memory.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context

BUCKET = 2**20
"""Average number of rows in a bucket."""
DEALT = 2**16
"""Number of rows dealt with one generator, so that any piece of the file can be dealt on its
own.
"""


def bucket_count(rows: int) -> int:
    """Return how many buckets the rows of a file are dealt into.

    >>> bucket_count(1000), bucket_count(50_000_000)
    (1, 48)
    """
    return max(1, -(-rows // BUCKET))


def dealt(rows: int, first: int, last: int, context: Context) -> NDArray[np.int64]:
    """Return the bucket of the rows from `first` up to `last`, of a file of `rows` rows.

    `first` is a multiple of `DEALT`.
    """
    count = bucket_count(rows)
    if count == 1:
        return np.zeros(last - first, dtype=np.int64)
    parts = [
        context.within("shuffle", number).generator("bucket").integers(count, size=DEALT)
        for number in range(first // DEALT, -(-last // DEALT))
    ]
    return np.concatenate([*parts, np.zeros(0, dtype=np.int64)])[: last - first]


def order_within(bucket: int, size: int, buckets: int, context: Context) -> NDArray[np.int64]:
    """Return the order in which the rows of a bucket are released."""
    part = context if buckets == 1 else context.within("shuffle", "bucket", bucket)
    return part.generator("shuffle").permutation(size)


def shuffled_rows(rows: int, context: Context) -> NDArray[np.int64]:
    """Return all rows of a file in their released order.

    >>> sorted(shuffled_rows(5, Context()).tolist())
    [0, 1, 2, 3, 4]
    """
    return np.concatenate([*_buckets(rows, context), np.zeros(0, dtype=np.int64)])


def _buckets(rows: int, context: Context) -> Iterator[NDArray[np.int64]]:
    count = bucket_count(rows)
    of_row = dealt(rows, 0, rows, context)
    for bucket in range(count):
        members = np.flatnonzero(of_row == bucket)
        yield members[order_within(bucket, len(members), count, context)]
