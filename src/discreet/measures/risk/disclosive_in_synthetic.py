"""DiSCO: original records about which a synthetic file says one value, and says it correctly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Context,
    MeasureSpec,
    Pairing,
    Question,
    Score,
    Side,
)
from discreet.errors import NotApplicable
from discreet.measures.confidential import ConfidentialMeasure, by_name, confidential_columns
from discreet.measures.same_keys import KeyTables, SameKeys, combined, same_keys
from discreet.microdata import Microdata

LEAST_ALIKE, NEARLY_ALL = 4, 0.8
"""synthpop's `thresh_2way`: more originals than this in a cell, more than this share of a key."""


class DisclosiveInSynthetic(KeyTables, ConfidentialMeasure):
    """The share of original records that are disclosive in the synthetic file, correctly (DiSCO).

    An intruder looks up a person's keys in the release. If all records with these keys have one
    value of a confidential column, it is taken to be the person's. The share of the original's
    records for which this happens and is right is the value, that of the worst column. It does not
    account for what could be guessed without the release: a value that nearly everybody has is
    disclosed, too (`DiSDiO` counts those that the original's own records disclose; the attack
    `inference` compares with a blind guess). The detail has all figures of synthpop's
    `disclosure()`: TCAP is the share of the disclosed records for which the value is right, DCAP
    the chance of a right guess by a record that is drawn from those with the keys, baseCAP that by
    any record. What one key nearly says by itself is not a disclosure by the release: `pairs to
    check` counts such pairs of a key's value and the target's among the disclosures (`check_2way`),
    and `in pairs to check` is the share of the disclosed records that are in one.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier", "ill": "confidential"}
    >>> original = discreet.read({"age": [30, 30, 41, 52], "ill": list("abab")}, roles=roles)
    >>> synthetic = discreet.read({"age": [30, 30, 41, 52], "ill": list("aaab")}, roles=roles)
    >>> found = DisclosiveInSynthetic().score(original, synthetic, Context())
    >>> found.value, found.detail["figures"]["ill"]["DiS"]
    (0.75, 1.0)
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="disclosive-in-synthetic",
        title="Disclosive in synthetic, correct (DiSCO)",
        citation="Raab, Nowok & Dibben (2024), Practical privacy metrics for synthetic data; "
        "synthpop's disclosure()",
        missing="a category of its own, among keys and confidential values",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=None,
        default=False,
        percent=True,
        formula="DiSCO = 1/n Σ of d(t, q) over the q and t with s(t, q) = s(q) > 0, where d and s "
        "count the records of the original and of the release with the keys q and the value t",
        cost="c·n·log n time for each confidential column; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return DiSCO of the worst column; detail has all figures of each."""
        names = confidential_columns(original, released, self.confidential)
        keys = self.keys(original, released, context, but=self.confidential)
        figures = {
            name: _figures(keys, same_keys(original, released, [name], context, self.groups))
            for name in names
            if name in original.schema
        }
        if not figures:
            raise NotApplicable("no confidential column is in both files")
        columns = {name: of_column["DiSCO"] for name, of_column in figures.items()}
        worst = max(columns, key=columns.__getitem__)
        return Score(
            columns[worst], detail={"figures": figures}, parts=by_name(columns), column=worst
        )


def _figures(each_key: Sequence[SameKeys], target: SameKeys) -> dict[str, float]:
    """Return the figures of attribute disclosure, by synthpop's names.

    The last letter says what they are a share of: d of the original's records, s of the release's,
    b of the release's whose keys are in the original, for which reason those with b may exceed 1.
    The denominators are the records of the original in each cell that is disclosed correctly.
    """
    keys = combined(each_key)
    both = keys.crossed(target)
    d, s = (counts.astype(np.float64) for counts in both.counts)
    # The keys and the target of each combination of both.
    key_of, value_of = (np.zeros(len(d), dtype=np.int64) for _ in range(2))
    key_of[both.before], key_of[both.after] = keys.before, keys.after
    value_of[both.before], value_of[both.after] = target.before, target.after
    of_original, of_release = (counts.astype(np.float64)[key_of] for counts in keys.counts)
    n, m, met = d.sum(), s.sum(), s[of_original > 0].sum()
    in_original = (d > 0) & (d == of_original)
    in_release = (s > 0) & (s == of_release)
    disclosed = np.zeros(len(keys.counts[0]), dtype=bool)
    disclosed[key_of[in_release]] = True
    own_share = np.divide(d, of_original, out=np.zeros_like(d), where=of_original > 0)
    released_share = np.divide(s, of_release, out=np.zeros_like(s), where=of_release > 0)
    right, expected = d[in_release], float((d * released_share).sum())
    denominators = right[right > 0]
    by_value = np.bincount(value_of[in_release], right)
    pairs, within = _to_check(each_key, target, (in_release & (d > LEAST_ALIKE))[both.before])
    return {
        "Dorig": float(d[in_original].sum() / n),
        "Dsyn": float(s[in_release].sum() / m),
        "iS": float(d[of_release > 0].sum() / n),
        "DiS": float(d[disclosed[key_of]].sum() / n),
        "DiSCO": float(right.sum() / n),
        "DiSDiO": float(d[in_release & in_original].sum() / n),
        "max denom": float(denominators.max(initial=0)),
        "mean denom": float(denominators.mean()) if len(denominators) else 0.0,
        "commonest value": _share(by_value.max(initial=0), right.sum()),
        "pairs to check": float(pairs),
        "in pairs to check": _share(within, right.sum()),
        "baseCAPd": float(((target.counts[0] / n) ** 2).sum()),
        "CAPd": float((d * own_share).sum() / n),
        "CAPs": float((s * released_share).sum() / m),
        "DCAPd": expected / float(n),
        "DCAPs": expected / float(m),
        "DCAPb": _share(expected, met),
        "TCAPs": float(right.sum() / m),
        "TCAPb": _share(right.sum(), met),
        "TCAP": _share(right.sum(), d[disclosed[key_of]].sum()),
    }


def _to_check(
    each_key: Sequence[SameKeys], target: SameKeys, disclosed: NDArray[np.bool_]
) -> tuple[int, int]:
    """Return the pairs of values that need a look, and how many disclosed records are in one.

    A pair of a key's value and the target's needs it if most originals with the one have the other.
    `disclosed` are the originals in the cells that count.
    """
    count, within = 0, np.zeros(len(disclosed), dtype=bool)
    for key in each_key:
        pair = key.crossed(target).before
        sizes = np.bincount(pair)
        expected = sizes[pair] > NEARLY_ALL * np.bincount(key.before)[key.before]
        suspected = disclosed & expected
        count += len(np.unique(pair[suspected]))
        within |= suspected
    return count, int(within.sum())


def _share(part: float, of: float) -> float:
    """Return a share; 0 if there is nothing."""
    return float(part / of) if of else 0.0
