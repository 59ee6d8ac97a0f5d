"""DiSCO: original records about which a synthetic file says one value, and says it correctly."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Better,
    Context,
    MeasureSpec,
    Pairing,
    Question,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.confidential import ConfidentialMeasure, by_name, confidential_columns
from discreet.measures.same_keys import SameKeys, same_keys
from discreet.microdata import Microdata


class DisclosiveInSynthetic(ConfidentialMeasure):
    """The share of original records that are disclosive in the synthetic file, correctly (DiSCO).

    An intruder looks up a person's keys in the release. If all records with these keys have one
    value of a confidential column, it is taken for the person's. The share of the original's
    records for which this happens and is right is the value, that of the worst column. It does not
    know what could be guessed without the release: a value that nearly everybody has is disclosed,
    too (`DiSDiO` counts those that the original's own records disclose; the attack `inference`
    compares with a blind guess).

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

    groups: int | None = param(
        default=None,
        help="number of classes that numbers are cut into at the original's quantiles; compared as "
        "they are if not given",
        at_least=2,
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
        known = [name for name in original.quasi_identifiers if name != self.confidential]
        if not known:
            raise NotApplicable("no column is a quasi-identifier")
        if not len(original) or not len(released):
            raise NotApplicable("it needs records in both files")
        keys = same_keys(original, released, known, context, self.groups)
        figures = {
            name: _figures(keys, same_keys(original, released, [name], context, self.groups))
            for name in names
            if name in original.schema
        }
        if not figures:
            raise NotApplicable("no confidential column is in both files")
        columns = {name: found["DiSCO"] for name, found in figures.items()}
        worst = max(columns, key=columns.__getitem__)
        return Score(
            columns[worst], detail={"figures": figures}, parts=by_name(columns), column=worst
        )


def _figures(keys: SameKeys, target: SameKeys) -> dict[str, float]:
    """Return the figures of attribute disclosure, as shares of the records of a file."""
    both = keys.crossed(target)
    d, s = (counts.astype(np.float64) for counts in both.counts)
    # The keys of each combination of keys and target.
    key_of = np.zeros(len(d), dtype=np.int64)
    key_of[both.before], key_of[both.after] = keys.before, keys.after
    of_original, of_release = (counts.astype(np.float64)[key_of] for counts in keys.counts)
    n, m = d.sum(), s.sum()
    in_original = (d > 0) & (d == of_original)
    in_release = (s > 0) & (s == of_release)
    disclosed = np.zeros(len(keys.counts[0]), dtype=bool)
    disclosed[key_of[in_release]] = True
    released_share = np.divide(s, of_release, out=np.zeros_like(s), where=of_release > 0)
    return {
        "Dorig": float(d[in_original].sum() / n),
        "Dsyn": float(s[in_release].sum() / m),
        "iS": float(d[of_release > 0].sum() / n),
        "DiS": float(d[disclosed[key_of]].sum() / n),
        "DiSCO": float(d[in_release].sum() / n),
        "DiSDiO": float(d[in_release & in_original].sum() / n),
        "DCAP": float((d * released_share).sum() / n),
    }
