"""Strongest linkage: the largest share of right links over all ways of linking."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

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
from discreet.measures.view import sizes_alike
from discreet.microdata import Microdata

NEARLY_ALL, MANY = 0.99, 20_000
"""With at least this many records, once an attack links this share no other needs to be tried."""


class StrongestLinkage(Measure):
    """The share of released records that the best linkage attack links to the right person.

    The intruder has the quasi-identifiers of all people exactly and, with `method_knowledge`, knows
    the method and its parameters, but not the seed: the intruder can run it and learn from that
    what becomes of a person. Every attack of the registry that links is tried, one to many and one
    to one; the winner is named, and the detail has the success of each. `ignorant` is the success
    of the best attack that does not need to know the method. A claim of it holds against all.

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
        formula="max over the linkage attacks of the share of released records linked to their own "
        "original",
        cost="up to five runs of the method; n² comparisons for each attack, of a sample where "
        "these are more than 30 million; memory n² up to 1,500 records",
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
        outcomes: dict[str, Outcome] = {}
        left_out: dict[str, str] = {}
        for entry in self._attacks():
            name = entry.spec.name
            enough = [n for n, o in outcomes.items() if o.success >= NEARLY_ALL]
            if enough and len(original) > MANY:
                left_out[name] = f"{enough[0]} links nearly everybody already"
                continue
            try:
                outcomes[name] = entry().attempt(target, context.within(name))
            except NotApplicable as reason:
                left_out[name] = str(reason)
        if not outcomes:
            raise NotApplicable(next(iter(left_out.values()), "no attack applies"))
        winner = max(outcomes, key=lambda name: outcomes[name].success)
        best = outcomes[winner]
        title = next(e.spec.title for e in entries("attack") if e.spec.name == winner)
        knowing = [n for n in outcomes if _knows_method(n)]
        without = [o.success for n, o in outcomes.items() if n not in knowing]
        ignorant = max(without) if knowing and without else None
        notes = [f"by {title[0].lower()}{title[1:]}", *([best.note] if best.note else [])]
        if ignorant is not None:
            notes.append(f"{100 * ignorant:.1f} % without knowing the method")
        if self.method_knowledge and not knowing:
            why = next(reason for name, reason in left_out.items() if _knows_method(name))
            notes.append(f"no attack that knows the method was tried: {why}")
        return Score(
            best.success,
            interval=best.interval,
            per_record=best.per_record,
            detail={
                "winner": winner,
                "success": {name: outcome.success for name, outcome in outcomes.items()},
                "certain": {n: o.certain for n, o in outcomes.items() if o.certain is not None},
                "left out": left_out,
                "expected by chance": best.blind,
            },
            note="; ".join(notes),
            blind=best.blind,
            ignorant=ignorant,
        )

    def _attacks(self) -> list[type[Attack]]:
        """Return the attacks that link, those first that need not run the method."""
        linking = [e for e in entries("attack") if issubclass(e, Attack) and e.aim is Aim.LINK]
        known = [e for e in linking if self.method_knowledge or not e.knows_method]
        return sorted(known, key=lambda e: e.knows_method)


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
