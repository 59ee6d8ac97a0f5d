"""Measure: one figure about a release, from an intruder's or an analyst's point of view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.context import Context
from discreet.contracts.parameters import Component
from discreet.contracts.partition import Groups
from discreet.contracts.spec import Better, MeasureSpec
from discreet.errors import NotApplicable
from discreet.microdata import Microdata

if TYPE_CHECKING:
    from discreet.contracts.method import Method


@dataclass(frozen=True, eq=False)
class Imitated:
    """The result of a method with other random numbers, and where its rows came from.

    `groups` are those that it formed from the originals, if it forms any.
    """

    released: Microdata
    origin: NDArray[np.int64]
    groups: Groups | None = None


Imitate = Callable[[Context], Imitated | None]
"""Runs the method on the original once more; None if records have no single original."""


@dataclass(frozen=True, eq=False)
class Pairing:
    """Which original record each released record came from, and the groups, if known.

    Only the owner of the data knows this; it is kept in the private record. `in_order` says that
    the rows were released in the order of the original, which others may have too. `imitate` is
    what an intruder can do who knows the method and its parameters, but not the seed; `steps` are
    these methods with their parameters.
    """

    origin: NDArray[np.int64]
    groups: Groups | None = None
    in_order: bool = False
    imitate: Imitate | None = None
    steps: tuple[Method, ...] = ()

    @classmethod
    def same_order(cls, rows: int) -> Pairing:
        """Return the pairing of files whose rows correspond one to one."""
        return cls(np.arange(rows))


def paired(
    origin: NDArray[np.int64],
    groups: Groups | None,
    in_order: bool = False,
    imitate: Imitate | None = None,
    steps: tuple[Method, ...] = (),
) -> Pairing | None:
    """Return the pairing, or None if some records do not come from a single original.

    >>> paired(np.array([2, -1]), None) is None
    True
    """
    if len(origin) and origin.min() < 0:
        return None
    return Pairing(origin, groups, in_order, imitate, steps)


def known_pairing(pairing: Pairing | None) -> Pairing:
    """Return the pairing; raise `NotApplicable` if it is not known.

    >>> known_pairing(None)
    Traceback (most recent call last):
    discreet.errors.NotApplicable: it needs to know which original each released record came from
    """
    if pairing is None:
        raise NotApplicable("it needs to know which original each released record came from")
    return pairing


@dataclass(frozen=True, eq=False)
class Score:
    """The value of a measure, with an interval if it is an estimate.

    `per_record` has a value for each released record if the definition gives one; `parts` has one
    for each column, or pair of columns, that contributes, and `column` names the worst column if
    the value is that column's. For a measure of an attack, `blind` is what guessing alone would
    reach, and `ignorant` what an intruder who does not know the method reaches, if the value is for
    one who does. `at_loss` is the value of a release that says nothing, if that depends on the
    file. A number of records, persons or households is one of `counts`; `households` is how few
    households some class has, if the value does not count them. `at_least` says that the value may
    be larger, since the context says that it is large enough. `detail` holds everything else;
    `note` is a sentence for the reader.
    """

    value: float
    interval: tuple[float, float] | None = None
    per_record: NDArray[np.float64] | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    parts: Mapping[tuple[str, ...], float] = field(default_factory=dict)
    column: str = ""
    blind: float | None = None
    ignorant: float | None = None
    at_loss: float | None = None
    counts: str = ""
    households: int | None = None
    at_least: bool = False

    def at_worst(self, better: Better) -> float:
        """Return the worse end of the interval, to which a claim is held if the value is an
        estimate.

        >>> Score(0.04, interval=(0.03, 0.05)).at_worst(Better.LOWER)
        0.05
        """
        low, high = self.interval or (self.value, self.value)
        return low if better is Better.HIGHER else high


def share_lost(spec: MeasureSpec, score: Score, before: float | None = None) -> float | None:
    """Return how far a value has moved, from 0 to 1, towards that of a release that says nothing.

    `before` is the value of the original, if the spec does not state it. None if that distance is
    infinite or zero.

    >>> from discreet.contracts.registry import find
    >>> share_lost(find("measure", "propensity").spec, Score(0.05))
    0.2
    """
    start = before if spec.at_identity is None else spec.at_identity
    end = spec.at_loss if score.at_loss is None else score.at_loss
    if start is None or end is None or start == end:
        return None
    return min(max((score.value - start) / (end - start), 0.0), 1.0)


class Measure(Component):
    """Scores a release against its original."""

    family: ClassVar[str] = "measure"
    spec: ClassVar[MeasureSpec]

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the score, or raise `NotApplicable` with the reason.

        `pairing` is given to every measure whose spec says that it needs one.
        """
        raise TypeError(f"{type(self).__name__} does not say how to score")
