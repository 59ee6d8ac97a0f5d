"""Strongest linkage: the largest share of right links over all ways of linking."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import ClassVar, NamedTuple

from discreet.contracts import (
    Aim,
    Attack,
    Better,
    Context,
    Imitated,
    Measure,
    MeasureSpec,
    Outcome,
    Pairing,
    Score,
    Side,
    Target,
    known_pairing,
    param,
)
from discreet.contracts.registry import entries
from discreet.errors import DiscreetError, NotApplicable
from discreet.io.memory_guard import give_memory_back
from discreet.measures.linkage.attempt import ENOUGH_PEOPLE, NEARLY_ALL
from discreet.measures.linkage.choice_of_way import crossed
from discreet.measures.linkage.released_alike import most_linked
from discreet.measures.view import compared_keys, sizes_alike
from discreet.microdata import Microdata, Numbers

QUICK = ("nearest-linkage", "rank-linkage")
"""The attacks that are tried first if one that links enough ends the search for a stronger one."""


class StrongestLinkage(Measure):
    """The share of released records that the best linkage attack links to the right person.

    The intruder has the quasi-identifiers of all people exactly and, with `method_knowledge`, knows
    the method and its parameters, but not the seed: they can run it themselves and learn how a
    person comes out. Every attack of the registry that links is tried, one to many, one to one and,
    where it knows likelihoods, by balanced chances; the winner is named, and the detail has the
    success of each. No attack can link more than one record of those that are released alike, on
    average (`linkage.released_alike`): where an estimate from a sample is above that, this bound
    takes its place.

    The best of eight attacks that find nothing is the luckiest of them. So the attacks are also
    chosen for each half of the records by the other half (`linkage.choosing`), which has nothing to
    gain from luck. If that is above a blind guess, by its interval, the value is the largest
    success of all. If it is not, the value is what the choice by the other half links, which is a
    blind guess on average. The upper end of the interval is the largest success in any case, so
    that a claim, which is held to the worse end, holds against every attack. `ignorant` is the same
    for the attacks that do not need to know the method.

    >>> import discreet, numpy as np
    >>> draw = np.random.default_rng(1)
    >>> roles = dict.fromkeys("abcd", "quasi-identifier")
    >>> data = discreet.read({c: draw.normal(size=150) for c in "abcd"}, roles=roles)
    >>> release = discreet.protect(data, discreet.RankSwapping(p=15), seed=1)
    >>> score = StrongestLinkage().score(data, release.data, Context(), release.pairing)
    >>> score.detail["winner"]
    'rank-window-linkage'
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="strongest-linkage",
        title="Strongest linkage",
        citation="Winkler (2004), Re-identification methods for masked microdata; Nin, Herranz & "
        "Torra (2008), Rethinking rank swapping to decrease disclosure risk; Torra, Abowd & "
        "Domingo-Ferrer (2006)",
        missing="as each attack has it",
        random=True,
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        paired=True,
        percent=True,
        on_all_cores=True,
        leaves_room=True,
        formula="max over the linkage attacks of the share of released records linked to their own "
        "original; where that may be luck, the share linked by the attack that is best for the "
        "other half of the records",
        cost="up to five runs of the method; n² comparisons for each attack, of a sample where "
        "these are more than 30 million; up to 2,000 records n³ for the best assignment, memory n²",
    )

    method_knowledge: bool = param(
        default=True, help="whether the intruder knows the method and its parameters"
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the success of the best attack, with that of the others as detail."""
        pairing = known_pairing(pairing)
        if released is original:
            return _unprotected(original, context)
        target = Target(original, released, _run_once(pairing, context))
        most = most_linked(released, compared_keys(original, released), pairing.origin, context)
        outcomes: dict[str, Outcome] = {}
        left_out: dict[str, str] = {}
        attacks, enough, stopped = self._attacks(), context.enough, False
        in_turn = attacks
        if enough is not None:
            in_turn = sorted(attacks, key=lambda entry: entry.spec.name not in QUICK)
        for entry in in_turn:
            name = entry.spec.name
            nearly = [n for n, o in outcomes.items() if o.success >= NEARLY_ALL]
            if nearly and len(original) > ENOUGH_PEOPLE:
                left_out[name] = f"{nearly[0]} links nearly everybody already"
                continue
            linking = [n for n, o in outcomes.items() if enough is not None and _most(o) > enough]
            if linking:
                left_out[name], stopped = f"{linking[0]} links more than enough already", True
                continue
            try:
                outcomes[name] = _bounded(entry().attempt(target, context.within(name)), most)
            except NotApplicable as reason:
                left_out[name] = str(reason)
            if len(original) > ENOUGH_PEOPLE:
                # Otherwise the comparisons of one attack would stay in memory during the next.
                give_memory_back()
        if not outcomes:
            raise NotApplicable(next(iter(left_out.values()), "no attack applies"))
        names = [entry.spec.name for entry in attacks]
        # The first of equal ones wins, whichever was tried first.
        outcomes = {name: outcomes[name] for name in names if name in outcomes}
        left_out = {name: left_out[name] for name in names if name in left_out}
        winner = max(outcomes, key=lambda name: outcomes[name].success)
        best = outcomes[winner]
        title = next(e.spec.title for e in entries("attack") if e.spec.name == winner)
        best_of_all = _strongest(outcomes.values(), most)
        value = best_of_all.value
        knowing = [n for n in outcomes if _knows_method(n)]
        without = [o for n, o in outcomes.items() if n not in knowing]
        # Anyone who knows the method need not use that knowledge: linking fewer is chance.
        alone = _strongest(without, most) if knowing and without else None
        ignorant = None if alone is None else min(alone.value, value)
        notes = [f"by {title[0].lower()}{title[1:]}", *([best.note] if best.note else [])]
        if ignorant is not None:
            notes.append(f"{100 * ignorant:.1f} % without knowing the method")
        if self.method_knowledge and not knowing:
            why = next(reason for name, reason in left_out.items() if _knows_method(name))
            notes.append(f"no attack that knows the method was tried: {why}")
        return Score(
            value,
            interval=best_of_all.interval,
            per_record=best_of_all.chances,
            detail={
                "winner": winner,
                "success": {name: outcome.success for name, outcome in outcomes.items()},
                "certain": {n: o.certain for n, o in outcomes.items() if o.certain is not None},
                "chosen by the other half": {
                    "knowing": best_of_all.without_luck,
                    "ignorant": (alone or best_of_all).without_luck,
                },
                "left out": left_out,
                "expected by chance": best.blind,
            },
            note="; ".join(notes),
            blind=best.blind,
            ignorant=ignorant,
            at_least=stopped,
        )

    def _attacks(self) -> list[type[Attack]]:
        """Return the attacks that link, those first that need not run the method."""
        linking = [e for e in entries("attack") if issubclass(e, Attack) and e.aim is Aim.LINK]
        known = [e for e in linking if self.method_knowledge or not e.knows_method]
        return sorted(known, key=lambda e: e.knows_method)


class _Best(NamedTuple):
    """The success of the best attack, its interval, and the chance of each record.

    `without_luck` is the success of the attacks that the other half of the records chooses.
    """

    value: float
    interval: tuple[float, float] | None
    chances: Numbers | None
    without_luck: float


def _bounded(outcome: Outcome, most: float) -> Outcome:
    """Return an outcome whose success is at most that which any attack can have."""
    interval, chances = outcome.interval, outcome.per_record
    if interval is not None:
        interval = min(interval[0], most), min(interval[1], most)
    if chances is not None and outcome.success > most:
        chances = chances * (most / outcome.success)
    return replace(
        outcome, success=min(outcome.success, most), interval=interval, per_record=chances
    )


def _strongest(outcomes: Collection[Outcome], bound: float) -> _Best:
    """Return the best of some attacks, each of them within the bound for all.

    All ways of all attacks are compared at once: an attack's own choice for one half was made by
    the other, which would then judge it twice.
    """
    best = max(outcomes, key=lambda outcome: outcome.success)
    linked = crossed([way for outcome in outcomes for way in outcome.ways])
    low, cross_linked = min(linked.interval[0], bound), min(linked.value, bound)
    sampled = any(outcome.interval is not None for outcome in outcomes)
    most = max(map(_most, outcomes))
    if low > best.blind:
        interval = (min(low, best.success), most) if sampled else None
        return _Best(best.success, interval, best.per_record, cross_linked)
    value = min(cross_linked, best.success)
    chances = None if best.per_record is None else linked.chances
    if chances is not None and linked.value > value:
        chances = chances * (value / linked.value)
    return _Best(value, (low if sampled else value, most), chances, cross_linked)


def _most(outcome: Outcome) -> float:
    """Return the success of an attack, at the upper end of its interval if it is estimated."""
    return outcome.success if outcome.interval is None else outcome.interval[1]


def _unprotected(original: Microdata, context: Context) -> Score:
    """Return the share for the original itself, where only records that are alike are confused."""
    names = original.quasi_identifiers
    if not names:
        raise NotApplicable("no column is a quasi-identifier")
    chances = 1 / sizes_alike(original, names, context)
    return Score(float(chances.mean()), per_record=chances, blind=1 / max(len(original), 1))


def _knows_method(name: str) -> bool:
    entry = next(e for e in entries("attack") if e.spec.name == name)
    return issubclass(entry, Attack) and entry.knows_method


def _run_once(pairing: Pairing, context: Context) -> Pairing:
    """Return a pairing whose imitations are run once for all attacks."""
    if pairing.imitate is None:
        return pairing
    imitate = pairing.imitate
    runs: dict[str | int, Imitated | None] = {}

    def remembered(asked: Context) -> Imitated | None:
        number = asked.path[-1]
        if number not in runs:
            try:
                runs[number] = imitate(context.within("imitation", number))
            except DiscreetError:
                runs[number] = None
        return runs[number]

    return replace(pairing, imitate=remembered)
