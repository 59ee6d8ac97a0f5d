"""Attacking a release: what an intruder's tree reveals, compared with the same on the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Attack, Context, Narrowed, Pairing
from discreet.contracts.registry import build
from discreet.errors import DiscreetError
from discreet.microdata import Microdata, Role
from discreet.models.regression_tree.responses import GROWN_CLASSES, MOST_CLASSES

ATTACK = "regression-attack"
MOST_RECORDS, LEAST_RECORDS = 40_000, 5_000
"""More records hardly change the upper part of a tree."""
MOST_VALUES = 160_000
"""Most records times responses (a number or a class each) that a tree is grown from."""
PLACES = 5
ROWS = 10


@dataclass(frozen=True)
class Gain:
    """The share by which an attack reduces the error of a blind guess of a confidential column.

    `chance` is the share that an attack with nothing to find would reach.
    """

    name: str
    before: float
    after: float
    chance: float


@dataclass(frozen=True)
class Known:
    """A column that the intruder knows, and by what share it reduces the total error."""

    name: str
    before: float | None
    after: float


@dataclass(frozen=True)
class Branch:
    """A node of the tree; `parent` is the index of its parent.

    `taken_off` is the share of the total error that the cut below it removes, `below` the number of
    leaves that are not drawn.
    """

    parent: int | None
    condition: str
    records: int
    taken_off: float
    below: int
    narrowed: tuple[Narrowed, ...]


@dataclass(frozen=True)
class Leaf:
    """Records that a rule distinguishes from the others, and what that gives away."""

    rule: tuple[str, ...]
    records: int
    narrowed: tuple[Narrowed, ...]


@dataclass(frozen=True)
class Attacked:
    """What the tree of a regression attack reveals; `reason` says why there is none.

    `records` is how many of the release's records were used; `rows` are the most exposed rows of
    the original, counted from 1.
    """

    leaf: int = 0
    leaves: int = 0
    records: int = 0
    of: int = 0
    note: str = ""
    columns: tuple[Gain, ...] = ()
    attributes: tuple[Known, ...] = ()
    tree: tuple[Branch, ...] = ()
    places: tuple[Leaf, ...] = ()
    rows: tuple[int, ...] = ()
    reason: str = ""


def attacked(original: Microdata, released: Microdata, pairing: Pairing | None) -> Attacked | None:
    """Attack a release and its original.

    None if the file has no confidential columns, or none that an intruder knows.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 31] * 20 + [60, 61] * 20, "pay": [1] * 40 + [2] * 40},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> [gain.after for gain in attacked(data, data, None).columns]
    [1.0]
    """
    targets = [
        name
        for name in released.having(Role.CONFIDENTIAL)
        if len(released.schema[name].categories) <= min(MOST_CLASSES, len(released))
    ]
    if not targets or not released.quasi_identifiers or not len(released):
        return None
    attack = build("attack", {ATTACK: {"responses": targets, "places": PLACES}})
    assert isinstance(attack, Attack)
    used = _used(released, targets)
    rows = _spread(len(released), used)
    try:
        before = attack.attack(original.take(_spread(len(original), used)), Context())
        after = attack.attack(released.take(rows), Context())
    except DiscreetError as error:
        return Attacked(reason=str(error))
    exposed: NDArray[Any] = rows[after.most_exposed(ROWS)]
    return Attacked(
        leaf=attack.values()["leaf"],
        leaves=after.detail["leaves"],
        records=len(rows),
        of=len(released),
        note=after.note,
        columns=tuple(
            Gain(name, before.gains[name], after.gains[name], after.chance[name])
            for name in targets
        ),
        attributes=tuple(
            Known(name, before.attributes.get(name), share)
            for name, share in after.attributes.items()
        ),
        tree=tuple(
            Branch(**{**node, "narrowed": tuple(node["narrowed"])}) for node in after.detail["tree"]
        ),
        places=tuple(Leaf(at.rule, len(at.rows), at.narrowed) for at in after.places),
        rows=tuple(sorted((original.rows_read[pairing.origin[exposed]] + 1).tolist()))
        if pairing
        else (),
    )


def _used(released: Microdata, targets: Sequence[str]) -> int:
    """Return the number of records a tree is grown from: fewer if there is more to guess."""
    kinds = [released.schema[name] for name in targets]
    responses = sum(1 if a.continuous else min(len(a.categories), GROWN_CLASSES) for a in kinds)
    return int(np.clip(MOST_VALUES // max(1, responses), LEAST_RECORDS, MOST_RECORDS))


def _spread(records: int, used: int) -> NDArray[np.int64]:
    """Return evenly spaced rows, or all rows if there are few enough."""
    return np.linspace(0, records - 1, min(records, used)).astype(np.int64)
