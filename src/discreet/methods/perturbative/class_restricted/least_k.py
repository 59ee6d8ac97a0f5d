"""The least k that reaches a linkage rate: group sizes upward from 3 until few records are linked.

The user states the rate at which released records may be linked to their originals, and gets the
smallest groups that do not exceed it (Li & Sarkar 2013, §7). A record is linked if its original is
the nearest or the second nearest, in the distance on columns divided by their range; a tie counts
in proportion (§6.1). Where noise is drawn, the rate is averaged over five fixed seeds, so that the
resulting k is a function of the data; none of these draws is released.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from discreet.contracts import Context, Pairing, Randomness
from discreet.errors import DataError
from discreet.measures.linkage.distance import linked_share
from discreet.microdata import Microdata

FIRST = 3
SEEDS = (1, 2, 3, 4, 5)

Draw = Callable[[Context], Microdata]
"""What a release of given groups could be, by the random numbers of a context."""


def linkage(
    original: Microdata, released: Microdata, scaling: str = "range", candidates: int = 2
) -> float:
    """Return the share of linked or second-linked records, rows being in the same order.

    With one candidate only the nearest original counts.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 40, 60, 80]}, roles={"age": "quasi-identifier"})
    >>> same = data.column("age").with_values(np.full(4, 50.0))
    >>> linkage(data, data.replace([same]))   # 40 and 60 are as near, and nobody else
    0.5
    """
    pairing = Pairing.same_order(len(original))
    return linked_share(original, released, Context(), pairing, candidates, scaling).value


def least_k(
    data: Microdata,
    draw_at: Callable[[int], Draw],
    target: float,
    context: Context,
    *,
    random: bool = True,
    scaling: str = "range",
) -> tuple[int, dict[int, float]]:
    """Return the least k from 3 whose linkage is at most the target, and the linkage by k tried.

    `draw_at` forms the groups for a k and returns how they are masked; `random` says that this
    draws random numbers.
    """
    seeds = SEEDS if random else SEEDS[:1]
    tried: dict[int, float] = {}
    reached = 0.0
    with context.task("searching for the smallest k", 1.0) as advance:
        # From half of the records on there is only one group, whatever k.
        for k in range(FIRST, max(FIRST, len(data) // 2 + 1) + 1):
            draw = draw_at(k)
            rates = [linkage(data, draw(Context(Randomness(seed))), scaling) for seed in seeds]
            tried[k] = float(np.mean(rates))
            if tried[k] <= target:
                return k, tried
            share = _covered(tried[FIRST], tried[k], target)
            advance(max(share - reached, 0.0))
            reached = max(share, reached)
    raise DataError(
        f"a linkage of at most {target:.2%} cannot be reached: with all records in one group "
        f"{tried[k]:.2%} are still linked; ask for a higher target_linkage"
    )


def in_words(tried: dict[int, float]) -> tuple[str, ...]:
    """Return the path of the search as texts.

    >>> in_words({3: 0.0712, 4: 0.0444})
    ('k = 3: 7.12 %', 'k = 4: 4.44 %')
    """
    return tuple(f"k = {k}: {100 * rate:.2f} %" for k, rate in tried.items())


def _covered(first: float, now: float, target: float) -> float:
    """Return the progress towards the target on a logarithmic scale, since linkage falls
    exponentially.
    """
    if target <= 0 or now >= first:
        return 0.0
    return min(1.0, math.log(first / now) / math.log(first / target))
