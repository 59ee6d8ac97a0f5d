"""Minimality: what the choice of the least recoding that meets the conditions reveals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from discreet.contracts import (
    Context,
    Outcome,
    Pairing,
    PassedOver,
    Spec,
    Target,
    known_pairing,
    param,
)
from discreet.errors import DiscreetError, NotApplicable
from discreet.measures.confidential import values_of
from discreet.measures.linkage.cells import Rows, cells
from discreet.measures.linkage.look_alikes import look_alikes
from discreet.measures.people import Everybody
from discreet.measures.possible_worlds import Values, posterior
from discreet.measures.sampled import for_all, interval_of_share
from discreet.measures.secrets import SecretsAttack, same_scale, worst_of
from discreet.microdata import Column, Microdata, Numbers
from discreet.microdata.equivalence import classes

TIE = 1e-9
MOST_CHANCES = 20_000_000
"""The most records times different values of a column; a column with more is skipped."""
CHOICE_SAYS_NOTHING = (
    "the choice says nothing about confidential values, so the guess is that of somebody who does "
    "not know the method: the attack needs a single step of global recoding with an l, without t "
    "and without suppression, whose optimum is proven"
)
CHANGED = (
    "known columns were changed, not recoded, so nobody can say which class a person is in; "
    "homogeneity guesses from those who look most alike"
)
NEVER = (
    "the finer recodings failed in none of the worlds drawn, so nothing could be learned from "
    "their failure; draw more (worlds)"
)


class Minimality(SecretsAttack):
    """Guesses confidential values from a class, and from the reason why nothing finer was released.

    The intruder has the quasi-identifiers of all people and knows that the method chooses the
    minimal recoding whose classes have l different confidential values. So the intruder can form
    the classes of every recoding just below the released one, and knows that in each of them some
    class fails. Worlds in which none does are ruled out; the likeliest value of those left is
    guessed. The detail has the success without that knowledge. k-anonymity alone gives nothing away
    in this way, since the intruder can see which classes are too small. People held back are taken
    for the most similar person in the file.

    >>> import discreet
    >>> kinds = ["a"] * 2 + ["b"] * 4
    >>> data = discreet.read({"kind": kinds, "ill": ["no"] * 4 + ["yes"] * 2},
    ...                      roles={"kind": "quasi-identifier", "ill": "confidential"})
    >>> release = discreet.protect(data, discreet.GlobalRecoding(k=2, l=2), seed=1)
    >>> outcome = Minimality().attempt(release.target, Context())
    >>> outcome.detail["recodings passed over"], round(outcome.detail["largest rise"] * 21, 6)
    (['kind at level 0'], 4.0)
    """

    knows_method: ClassVar[bool] = True
    spec: ClassVar[Spec] = Spec(
        name="minimality",
        title="Minimality: why nothing finer was released",
        citation="Wong, Fu, Wang & Pei (2007), Minimality attack in privacy preserving data "
        "publishing; Zhang, Jajodia & Brodsky (2007), Information disclosure under realistic "
        "assumptions: privacy versus optimality",
        missing="a value of its own",
        random=True,
        formula="ŝ = argmax over s of P(s | every finer recoding has a class with fewer than l "
        "values); before, all ways are equally likely in which the values of a class may belong to "
        "its members",
        cost="n·w for each column, w worlds, of which at most 20 million records are drawn, and "
        "for each finer recoding; one more search for the best recoding",
    )

    worlds: int = param(
        default=1_000,
        help="the most ways, drawn at random, in which the values of a class may belong to its "
        "members; all are counted if there are fewer",
        at_least=50,
    )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of people whose confidential value is guessed."""
        names, secrets = self.asked_about(target)
        pairing = known_pairing(target.pairing)
        released = target.released
        names, secrets = ([n for n in some if n in released.schema] for some in (names, secrets))
        secrets = [n for n in secrets if same_scale(target.original, released, n)]
        if not secrets or not names:
            raise NotApplicable(
                "the release has no unchanged confidential column, or no column that the intruder "
                "knows"
            )
        everybody = Everybody.of(target)
        others, like = _held_back(everybody, target, pairing.origin, names, context)
        asked = np.concatenate([pairing.origin, others])
        coded = {n: _coded(released.column(n), everybody.table.column(n), asked) for n in secrets}
        coded = {n: c for n, c in coded.items() if c.count * len(released) <= MOST_CHANCES}
        if not coded:
            raise NotApplicable(
                "the confidential columns have too many different values for so many records"
            )
        choice = _choice(target.original, pairing, context)
        if choice is None and not _in_own_class(target, names, pairing.origin):
            return Outcome(0.0, 0.0, per_record=np.zeros(len(released)), note=CHANGED, moot=CHANGED)
        note = "" if choice is not None and choice.finer else CHOICE_SAYS_NOTHING
        if choice is None:
            choice = PassedOver(classes(released, names), {}, 1)
        columns = [Values(codes.released, codes.count) for codes in coded.values()]
        beliefs = posterior(choice, columns, self.worlds, context.generator("worlds"))
        if not beliefs.possible:
            note = NEVER
        z = for_all(len(coded))
        outcomes = {}
        for (name, codes), chances, without in zip(
            coded.items(), beliefs.chances, beliefs.without, strict=True
        ):
            truth, held = np.split(codes.truth, [len(released)])
            right, ignorant = (_guessed(shares, truth) for shares in (chances, without))
            against = _guessed(chances[like], held) if len(held) else None
            at_truth = np.arange(len(released)), truth
            sure = (chances[at_truth] > 1 - TIE) & (beliefs.counted | (without[at_truth] > 1 - TIE))
            outcomes[name] = Outcome(
                float(right.mean()),
                float((truth == np.bincount(codes.released).argmax()).mean()),
                interval=interval_of_share(right, z),
                certain=float(sure.mean()),
                per_record=right,
                control=None if against is None else float(against.mean()),
                control_interval=None if against is None else interval_of_share(against, z),
                detail={
                    "without knowing the method": float(ignorant.mean()),
                    "largest rise": float((chances - without).max()),
                    "recodings passed over": list(choice.finer),
                },
            )
        best = worst_of(outcomes)
        if note:
            return replace(best, note=note)
        ignorant_share = best.detail["without knowing the method"]
        rise = best.detail["largest rise"]
        return replace(
            best,
            note=f"{100 * ignorant_share:.1f} % without knowing why nothing finer was released; "
            f"the chance of a value rises by up to {100 * rise:.1f} points",
        )


def _held_back(
    everybody: Everybody, target: Target, origin: Rows, names: Sequence[str], context: Context
) -> tuple[Rows, Rows]:
    """Return people held back, and the released record of the person most like each.

    The intruder takes them for people in the file, and so for one of their kind.
    """
    records = len(target.released)
    _, others = everybody.drawn(records, context.generator("people"))
    like = np.zeros(len(others), dtype=np.int64)
    if len(others):
        columns = everybody.cells(target.original.take(origin), names, origin)
        for nearest in look_alikes(columns, others, records, len(everybody.table)):
            like[nearest.places] = [rows[0] for rows in nearest.rows]
    return others, like


@dataclass(frozen=True, eq=False)
class _Coded:
    """The released values of a column and the true ones of people as numbers below `count`."""

    released: Rows
    truth: Rows
    count: int


def _coded(released: Column, people: Column, asked: Rows) -> _Coded:
    both = Column(released.attribute, np.concatenate([released.values, people.values[asked]]))
    codes, count = values_of(both)
    return _Coded(codes[: len(released.values)], codes[len(released.values) :], count + 1)


def _choice(original: Microdata, pairing: Pairing, context: Context) -> PassedOver | None:
    """Return what the single step of the method passed over, in the order of the release."""
    if len(pairing.steps) != 1:
        return None
    try:
        passed_over = pairing.steps[0].passed_over(original, context)
    except DiscreetError:
        return None
    if passed_over is None:
        return None
    at: Any = pairing.origin
    finer = {words: labels[at] for words, labels in passed_over.finer.items()}
    return PassedOver(passed_over.classes[at], finer, passed_over.l)


def _in_own_class(target: Target, names: Sequence[str], origin: Rows) -> bool:
    """Return whether every released record stands for the person it came from, in all columns."""
    rows = np.arange(len(origin))
    columns = cells(target.original, target.released, names, origin)
    return all(not column.gaps_beside(rows, origin).any() for column in columns)


def _guessed(shares: Numbers, truth: Any) -> Numbers:
    """Return the chance that the likeliest value of each record is its own; ties are drawn from."""
    likeliest = shares >= shares.max(axis=1, keepdims=True) - TIE
    right = likeliest[np.arange(len(truth)), truth]
    return np.asarray(right / likeliest.sum(axis=1))
