"""Membership: whether a person was in the file that a release was made from."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Aim, Context, Outcome, Spec, Target
from discreet.errors import NotApplicable
from discreet.measures.linkage.cells import Cells, Rows, cells
from discreet.measures.linkage.look_alikes import look_alikes
from discreet.measures.people import Everybody, PeopleAttack
from discreet.measures.sampled import interval_of_share
from discreet.microdata import Microdata, Numbers

LEAST_HELD_BACK = 20
ALARM = 0.1
"""The share of false alarms at which the share of members found is reported."""


class Membership(PeopleAttack):
    """Tells those in the file from others, by how near the release comes to them.

    A method that follows its records too closely puts released records nearer to them than to other
    people of the population. The intruder says "was in the file" about anyone who has a released
    record nearer than a limit: nearer in itself, or relative to other people who look alike, for
    which half of those held back are used. Which of the two and which limit is learned from one
    half of the people and tried on the other, and vice versa. There are as many members as others,
    so that a blind guess is right for one in two. Needs people whom the method never saw.

    >>> import discreet, numpy as np
    >>> draw = np.random.default_rng(1)
    >>> roles = dict.fromkeys("ab", "quasi-identifier")
    >>> data = discreet.read({c: draw.normal(size=400) for c in "ab"}, roles=roles)
    >>> used, control = data.take(np.arange(200)), data.take(np.arange(200, 400))
    >>> outcome = Membership().attempt(Target(used, used, control=control), Context())
    >>> outcome.success > 0.95
    True
    """

    aim: ClassVar[Aim] = Aim.TELL_MEMBERSHIP
    LEAST: ClassVar[int] = LEAST_HELD_BACK
    spec: ClassVar[Spec] = Spec(
        name="membership",
        title="Membership: who was in the file",
        citation="Shokri, Stronati, Song & Shmatikov (2017), Membership inference attacks against "
        "machine learning models; Stadler, Oprisanu & Troncoso (2022), Synthetic data: "
        "anonymisation groundhog day; van Breugel et al. (2023), Membership inference attacks "
        "against synthetic data through overfitting detection",
        missing="equal to another missing value; of a suppressed one nothing is known",
        random=True,
        formula="share of right answers to [d(x, Y) ≤ t] or [d(x, Y)/d(x, others) ≤ t], x of the "
        "file or held back in equal numbers, Y the release",
        cost="n comparisons for each of up to 4,000 people; fewer people where that is more than "
        "500 million",
    )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of people for whom membership of the file is guessed correctly."""
        everybody = Everybody.of(target)
        if everybody.outside < LEAST_HELD_BACK:
            raise NotApplicable(
                f"it needs at least {LEAST_HELD_BACK} people whom the method never saw; hold back "
                "a share of the records (hold_back: 0.1)"
            )
        names = self.known(target)
        origin = None if target.pairing is None else target.pairing.origin
        columns = everybody.cells(target.released, names, origin)
        generator = context.generator("people")
        inside, outside = everybody.drawn(len(target.released), generator)
        shuffled = generator.permutation(outside)
        reference, others = shuffled[: len(outside) // 2], shuffled[len(outside) // 2 :]
        size = min(len(inside), len(others)) // 2 * 2
        members, others = generator.permutation(inside)[:size], others[:size]
        asked = np.concatenate([members, others])
        truth = np.arange(len(asked)) < len(members)
        near = _nearest(columns, asked, len(target.released), len(everybody.table))
        look_alikes = everybody.table.take(reference)
        usual = _nearest(_beside(everybody, look_alikes, names), asked, len(reference),
                         len(everybody.table))  # fmt: skip
        floor = 1e-9 + 1e-6 * float(np.median(usual))
        scores = (near, near / (usual + floor))
        side = np.arange(len(asked)) % 2 == 0  # both are in random order: half of each kind
        right, used = np.empty(len(asked)), []
        for learned in (side, ~side):
            limits = [_best_limit(score[learned], truth[learned]) for score in scores]
            best = max((0, 1), key=lambda number: limits[number][1])
            answer = scores[best][~learned] <= limits[best][0]
            right[~learned] = answer == truth[~learned]
            used.append(("distance", "distance in relation to others")[best])
        share = float(right.mean())
        return Outcome(
            share,
            0.5,
            interval=interval_of_share(right),
            detail={
                "advantage": max(0.0, 2 * share - 1),
                "by": used,
                f"members found at {100 * ALARM:.0f} % false alarms": max(
                    float((s[truth] <= np.quantile(s[~truth], ALARM, method="lower")).mean())
                    for s in scores
                ),
                "people": len(asked),
            },
        )


def _beside(everybody: Everybody, others: Microdata, names: list[str]) -> list[Cells]:
    return cells(everybody.table, others, names, None)


def _nearest(columns: list[Cells], people: Rows, released: int, everybody: int) -> Numbers:
    near = np.empty(len(people))
    for nearest in look_alikes(columns, people, released, everybody):
        near[nearest.places] = np.sqrt(nearest.least)
    return near


def _best_limit(score: Numbers, truth: np.typing.NDArray[np.bool_]) -> tuple[float, float]:
    """Return the limit at which most answers are right, and that share of each kind's mean."""
    order = np.argsort(score, kind="stable")
    ordered = score[order]
    hits = np.cumsum(truth[order]) / max(int(truth.sum()), 1)
    alarms = np.cumsum(~truth[order]) / max(int((~truth).sum()), 1)
    last = np.append(ordered[1:] > ordered[:-1], True)
    gain = np.where(last, hits - alarms, -np.inf)
    best = int(gain.argmax())
    return float(ordered[best]), float(gain[best])
