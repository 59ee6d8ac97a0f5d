"""Attack: what an intruder can learn from a file, reported to the file's owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.context import Context
from discreet.contracts.parameters import Component
from discreet.contracts.randomness import Randomness
from discreet.microdata import Microdata

if TYPE_CHECKING:
    from discreet.contracts.measure import Pairing


class Aim(StrEnum):
    """What an intruder tries to do."""

    LINK = "link"
    JOIN = "join"
    SINGLE_OUT = "single out"
    INFER = "infer"
    TELL_MEMBERSHIP = "tell membership"


@dataclass(frozen=True, eq=False)
class Target:
    """What is attacked, and what the intruder has.

    The intruder knows the quasi-identifiers of the people in `original`, exactly unless a
    `Knowledge` says otherwise. `pairing` holds the truth by which success is judged, and lets an
    intruder who knows the method and its parameters, but not the seed, run it again
    (`Pairing.imitate`). `control` are people of the same population whom the method never saw,
    `earlier` are releases about some of the same people.
    """

    original: Microdata
    released: Microdata
    pairing: Pairing | None = None
    control: Microdata | None = None
    earlier: tuple[Microdata, ...] = ()


@dataclass(frozen=True, eq=False)
class Way:
    """One of the ways in which an attack could be made.

    `chances` has the chance of success of each record compared. Where a way was tried in some
    neighbourhoods only, `gains` has a row for each with what it adds to the chances of the records
    there, and `error` is the standard error of their mean that is due to what lies outside of them.
    """

    chances: NDArray[np.float64]
    gains: NDArray[np.float64] | None = None
    error: float = 0.0


@dataclass(frozen=True, eq=False)
class Outcome:
    """How well an attack succeeds.

    `success` is the share of the released records, or of the attempts, for which it succeeds,
    `blind` the share that mere guessing would reach, `certain` the share about which the intruder
    can be sure. `control` is the success against people whom the method never saw, if any were held
    back. `interval` and `control_interval` are given for estimates from a sample; `per_record` has
    the chance of success for each released record, and `ways` those in each way that the attack
    could choose. `by` says in words what gives people away, each with the share of attempts that
    succeed because of it. `moot` gives the reason if there was nothing to try the attack on.
    """

    success: float
    blind: float
    interval: tuple[float, float] | None = None
    certain: float | None = None
    per_record: NDArray[np.float64] | None = None
    ways: tuple[Way, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    control: float | None = None
    control_interval: tuple[float, float] | None = None
    by: Mapping[str, float] = field(default_factory=dict)
    moot: str = ""

    @property
    def without(self) -> float:
        """The success without the release: that of a blind guess, or against other people if
        higher.
        """
        return self.blind if self.control is None else max(self.blind, self.control)

    @property
    def excess(self) -> float:
        """How much of what could still be won is due to the release (Giomi et al. 2022, §4.4).

        >>> Outcome(0.75, 0.1, control=0.5).excess
        0.5
        """
        room = 1 - self.without
        return max(0.0, (self.success - self.without) / room) if room > 0 else 0.0


@dataclass(frozen=True)
class Narrowed:
    """What a set of records gives away about one confidential column.

    `guess` is the mean of the numbers or the most frequent class, `share` the share of the records
    that have that class. Numbers lie between `low` and `high`. `range` is their range
    relative to that of the whole file (for classes: how many occur, out of all), `spread` their
    standard deviation relative to that of the whole file (for classes: the Gini index relative to
    that of the whole file). All but `known`, the number of records that have a value, are None
    where there is no value.
    """

    column: str
    known: int
    guess: Any = None
    low: float | None = None
    high: float | None = None
    share: float | None = None
    range: float | None = None
    spread: float | None = None

    @property
    def exposure(self) -> float:
        """How much is given away: 0 if no more than the whole file does, 1 if the value itself.

        >>> Narrowed("pay", 20, guess=1500.0, spread=0.2).exposure
        0.8
        """
        return 0.0 if self.spread is None else min(1.0, max(0.0, 1 - self.spread))


@dataclass(frozen=True, eq=False)
class Exposed:
    """Records that an intruder can tell apart from the others, and what that reveals about them.

    `rule` says in words how; `rows` are the records, counted from 0.
    """

    rule: tuple[str, ...]
    rows: NDArray[np.int64]
    narrowed: tuple[Narrowed, ...]

    @property
    def exposure(self) -> float:
        """The exposure of the confidential column that is given away most."""
        return max((column.exposure for column in self.narrowed), default=0.0)


@dataclass(frozen=True, eq=False)
class Findings:
    """What an attack revealed.

    `gains` has for each confidential column the share by which the attack reduces the error of a
    guess made without it, and `chance` the share that an attack with nothing to find would reach;
    `exposure` has for each record, from 0 to 1, how much is given away about it; `attributes` how
    much each column known to the intruder contributes, the largest first; `places` the most exposed
    sets of records, the worst first. `detail` holds whatever is specific to the attack.
    """

    gains: Mapping[str, float]
    exposure: NDArray[np.float64]
    attributes: Mapping[str, float]
    places: tuple[Exposed, ...] = ()
    chance: Mapping[str, float] = field(default_factory=dict)
    detail: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def most_exposed(self, count: int = 20) -> NDArray[np.int64]:
        """Return the rows of the most exposed records, the worst first.

        >>> Findings({}, np.array([0.1, 0.9, 0.9, 0.0]), {}).most_exposed(2)
        array([1, 2])
        """
        return np.argsort(-self.exposure, kind="stable")[:count]


class Attack(Component):
    """Does to a file, released or not, what an intruder could do.

    `against_people` says that it targets the people whom a release is about: `attempt` then reports
    more than `attack`, which looks at one file. `by_knowledge` says that it starts from what is
    known about people, which may be incomplete (`Knowledge`).
    """

    family: ClassVar[str] = "attack"
    aim: ClassVar[Aim] = Aim.INFER
    knows_method: ClassVar[bool] = False
    against_people: ClassVar[bool] = False
    by_knowledge: ClassVar[bool] = False

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return how well the attack succeeds, or raise `NotApplicable` with the reason.

        An attack that only reports what a file gives away is credited with its improvement over a
        guess, for the confidential column that it predicts best.
        """
        findings = self.attack(target.released, context)
        best = max(findings.gains, key=lambda name: findings.gains[name], default=None)
        return Outcome(
            0.0 if best is None else findings.gains[best],
            0.0 if best is None else findings.chance.get(best, 0.0),
            per_record=findings.exposure,
            detail={"column": best, "gains": dict(findings.gains)},
            note=findings.note,
        )

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Return what the file gives away."""
        raise TypeError(f"{type(self).__name__} does not say how to attack")

    def run(self, data: Microdata, seed: int | None = None) -> Findings:
        """Attack a table, drawing from the seed where the attack draws random numbers."""
        return self.attack(data, Context(Randomness(seed)))
