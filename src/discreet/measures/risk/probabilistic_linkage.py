"""Probabilistic linkage disclosure: Fellegi–Sunter weights link the released to the originals.

There are good libraries for probabilistic linkage, and none is used here. Linkage for disclosure
control compares every released record with every original one, blocks nothing and needs only the
counts of agreement patterns; splink is made for SQL databases and would add DuckDB as a dependency,
and recordlinkage, last released in 2023, holds every pair in a data frame: 70 seconds on 2.3
million pairs where counting patterns takes half a second. What remains is one loop over the pairs
(`discreet.kernels.agreement`) and an EM on a few hundred counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Score,
    Side,
    known_pairing,
    param,
)
from discreet.measures.linkage.agreement import Compared
from discreet.measures.linkage.fellegi_sunter import assign, counts_of_patterns, fit
from discreet.measures.view import compared_keys
from discreet.microdata import Microdata
from discreet.microdata.decoded import Decoded
from discreet.microdata.equivalence import classes

MOST_PAIRS = 50_000**2
"""Above this many pairs of different records a sample of the released records is linked."""
MOST_COLUMNS = 20
"""A pattern is a bit per column, and there is a counter for each pattern."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class ProbabilisticLinkage(Measure):
    """The share of released records that Fellegi–Sunter linkage assigns to their own original.

    Each pair of a released and an original record has a pattern of agreements: categories agree
    if equal, numbers if within `tolerance` standard deviations of the original column, a label
    with all values that it stands for; a missing value agrees with nothing. Given the counts of
    the patterns, EM finds the chances m and u that a column agrees for two records of the same
    person and of different ones; the share of pairs of the same person is not estimated but known,
    1/n. A pair's weight is the sum of log(m/u) over the columns that agree and of
    log((1 − m)/(1 − u)) over the others.

    The heaviest pair is linked first, and both records are then taken. Pairs of equal weight are
    linked at random; the value is the expectation, and needs no random numbers. With
    rᵢ and sⱼ for how much of a released and an original record is still free, a pair of the same
    weight is linked with chance rᵢ sⱼ / max(Σ s over i's originals, Σ r over j's released): 1/t
    where a record has t candidates of its own or competes with t − 1 others for the same one. What
    remains free is distributed again a few times before the next weight. Where the candidates of
    several records overlap this is an approximation, within a tenth of the mean of many random
    assignments on the Census file.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier", "town": "quasi-identifier"}
    >>> data = discreet.read({"age": [20, 40, 60, 60], "town": list("abcc")}, roles=roles)
    >>> score = ProbabilisticLinkage().score(data, data, Context(), Pairing.same_order(4))
    >>> score.per_record.tolist()
    [1.0, 1.0, 0.5, 0.5]
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="probabilistic-linkage",
        title="Probabilistic linkage (PLD)",
        citation="Fellegi & Sunter (1969), A theory for record linkage; Jaro (1989); "
        "Domingo-Ferrer, A survey of inference control methods, Example 1.4",
        missing="agrees with nothing, not even another missing value",
        random=True,
        side=Side.RISK,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        paired=True,
        default=False,
        percent=True,
        on_all_cores=True,
        formula="w = Σ_{j agrees} log(mⱼ/uⱼ) + Σ_{j does not} log((1 − mⱼ)/(1 − uⱼ))\n"
        "PLD = (1/n) Σᵢ P(i is linked to its own original), pairs linked one to one, largest w "
        "first",
        cost="n² comparisons of different records, of a sample where these are more than 50,000²; "
        "memory n, and up to some hundred megabytes for pairs of one weight",
    )

    tolerance: float = param(
        default=0.1,
        help="numbers agree if they differ by at most this many standard deviations",
        at_least=0,
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the linked share; per record the chance of being linked to its own original."""
        compared_keys(original, released)
        pairing = known_pairing(pairing)
        rows, sampled = self._rows(original, released, context)
        origin = pairing.origin[rows]
        if sampled:
            released = released.take(rows)
        compared, names, left_out = self.compared(original, released, origin)
        if compared is None:
            return Score(
                1 / len(original),
                per_record=None if sampled else np.full(len(released), 1 / len(original)),
                detail={"columns": [], "expected by chance": 1 / len(original)},
                note="the release says nothing about any quasi-identifier",
                blind=1 / len(original),
            )
        counts = counts_of_patterns(compared, context, weighted=True)
        model = fit(counts, len(names), len(original))
        linked = assign(compared, model, origin, context)
        value = float(linked.mean())
        notes = []
        if sampled:
            notes.append(f"{len(rows):,} released records, drawn at random, were linked")
        if left_out:
            notes.append(f"without {', '.join(left_out)}, which tell records apart least")
        error = 1.96 * float(linked.std() / np.sqrt(len(rows)))
        return Score(
            value,
            interval=(max(0.0, value - error), min(1.0, value + error)) if sampled else None,
            per_record=None if sampled else linked,
            detail={
                "columns": names,
                "expected by chance": 1 / len(original),
                "agreement of the same (m)": dict(zip(names, model.m.tolist(), strict=True)),
                "agreement of others (u)": dict(zip(names, model.u.tolist(), strict=True)),
                "patterns": len(model.patterns),
            },
            note="; ".join(notes),
            blind=1 / len(original),
        )

    def compared(
        self, original: Microdata, released: Microdata, origin: Ints
    ) -> tuple[Compared | None, list[str], list[str]]:
        """Return both files side by side, the columns compared, and those left out.

        None if the release says nothing about any quasi-identifier.
        """
        view = Decoded(original, released, original.quasi_identifiers, origin)
        names = [name for name in view.names if name not in view.lost]
        if not names:
            return None, [], []
        tolerance = self.tolerances(original, names)
        left_out: list[str] = []
        if len(names) > MOST_COLUMNS:
            names, tolerance, left_out = _most_telling(original, names, tolerance)
        return Compared.of(original, released, view, names, tolerance), names, left_out

    def tolerances(self, original: Microdata, names: Sequence[str]) -> Floats:
        """Return how far apart the values of each column may lie that agree."""
        return np.array([self._tolerance(original, name) for name in names])

    def _tolerance(self, original: Microdata, name: str) -> float:
        column = original.column(name)
        values = column.values[~column.missing]
        if not column.attribute.continuous or len(values) < 2:
            return 0.0
        # A difference of exactly the tolerance agrees, whatever its last bit says.
        return float(self.tolerance * values.std(ddof=1) * (1 + 1e-9))

    def _rows(
        self, original: Microdata, released: Microdata, context: Context
    ) -> tuple[Ints, bool]:
        rows = np.arange(len(released))
        if len(original) * len(released) <= MOST_PAIRS:
            return rows, False
        different, originals = different_records(original, released)
        if different * originals <= MOST_PAIRS:
            return rows, False
        size = max(1, MOST_PAIRS // originals)
        chosen = context.generator("sample of records").choice(len(rows), size, replace=False)
        return np.sort(chosen), True


def different_records(original: Microdata, released: Microdata) -> tuple[int, int]:
    """Return how many different records there are by the quasi-identifiers, released and original.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 40, 40]}, roles={"age": "quasi-identifier"})
    >>> different_records(data, data)
    (2, 2)
    """
    names = original.quasi_identifiers
    known = [name for name in names if name in released.schema]
    after, before = classes(released, known), classes(original, names)
    return int(after.max(initial=-1)) + 1, int(before.max(initial=-1)) + 1


def _values(data: Microdata, names: list[str]) -> Floats:
    """Return numbers and category codes side by side, −inf for a missing value."""
    columns = []
    for name in names:
        column = data.column(name)
        columns.append(np.where(column.missing, -np.inf, column.values.astype(np.float64)))
    return np.column_stack(columns)


def _most_telling(
    original: Microdata, names: list[str], tolerance: Floats
) -> tuple[list[str], Floats, list[str]]:
    """Return the columns that agree least often by chance, as many as a pattern has bits for."""
    chance = []
    for name, most in zip(names, tolerance, strict=True):
        values = np.sort(_values(original, [name])[:, 0])
        values = values[np.isfinite(values)]
        ahead = np.searchsorted(values, values + most, "right")
        behind = np.searchsorted(values, values - most, "left")
        chance.append(float((ahead - behind).sum()) / max(len(values), 1) ** 2 or 1.0)
    kept = np.sort(np.argsort(chance, kind="stable")[:MOST_COLUMNS])
    left_out = [name for i, name in enumerate(names) if i not in set(kept.tolist())]
    return [names[i] for i in kept], tolerance[kept], left_out
