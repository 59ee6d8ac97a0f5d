"""Local suppression, top and bottom coding, microaggregation: the effect of each setting."""

from __future__ import annotations

import tempfile
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import discreet
from discreet import (
    LinkedSuppression,
    LocalSuppression,
    Microaggregation,
    Microdata,
    RiskSuppression,
    TopBottomCoding,
)
from discreet.contracts import Context, Randomness
from discreet.microaggregation.partition import MDAV, VMDAV
from discreet.microdata.equivalence import class_sizes
from tests.methods.help_checks import holds, masked, quasi, released, words_of

KEYS = ("a", "b", "c")


def keys(rows: int = 400) -> Microdata:
    rng = np.random.default_rng(9)
    codes = np.minimum(rng.geometric(0.4, (3, rows)) - 1, 7)
    return quasi({name: [f"{name}{i}" for i in row] for name, row in zip(KEYS, codes, strict=True)})


def many() -> Microdata:
    """Return a table too large for the fewest cells to be proved, however long the search."""
    return keys(700)


def gaps(data: Microdata) -> dict[str, int]:
    return {name: int(data.column(name).missing.sum()) for name in KEYS}


@holds("local-suppression.k", "minimum number of records that share the values left to them")
def _() -> None:
    cells = {}
    for k in (2, 10):
        now = released(keys(), LocalSuppression(k=k, steps=0))
        assert class_sizes(now, KEYS).min() >= k
        cells[k] = sum(gaps(now).values())
    assert cells[2] < cells[10]


@holds("risk-suppression.threshold", "0.1 is a link that is right one time in ten")
def _() -> None:
    data = keys()
    for threshold in (0.5, 0.1, 0.02):
        now = released(data, RiskSuppression(threshold=threshold))
        sizes = class_sizes(now, KEYS)
        assert (1 / sizes).max() <= threshold, "without weights one over the number of records"
        kept = class_sizes(data, KEYS) >= 1 / threshold
        assert (now.column("a").missing == ~kept).all()


def with_gaps() -> Microdata:
    data = keys()
    values = data["a"].copy()
    values[::3] = -1
    return data.replace([data.column("a").with_values(values)])


@holds("linked-suppression.where", "the column whose gaps are taken over")
def _() -> None:
    data = with_gaps()
    now = released(data, LinkedSuppression(where="a", columns=["b"]))
    assert (now.column("b").missing == data.column("a").missing).all()
    assert gaps(released(data, LinkedSuppression(where="c", columns=["b"])))["b"] == 0


@holds("linked-suppression.columns", "which become missing where that one is")
def _() -> None:
    data = with_gaps()
    now = released(data, LinkedSuppression(where="a", columns=["b"]))
    assert now.column("c").same_as(data.column("c"))
    assert gaps(released(data, LinkedSuppression(where="a", columns=["b", "c"])))["c"] > 0


def alike(now: Microdata) -> int:
    """Return the fewest records that agree with one if a gap agrees with anything."""
    table = np.column_stack([now[name] for name in KEYS])
    same = (table[:, None] == table) | (table[:, None] < 0) | (table < 0)
    return int(same.all(axis=2).sum(axis=1).min())


@holds("local-suppression.missing_matches", "nothing but another missing one (safe), or anything")
def _() -> None:
    data = keys(200)
    safe, loose = (
        released(data, LocalSuppression(k=3, missing_matches=m, steps=5000))
        for m in ("nothing", "anything")
    )
    assert class_sizes(safe, KEYS).min() >= 3
    assert class_sizes(loose, KEYS).min() < 3 <= alike(loose)
    assert sum(gaps(loose).values()) < sum(gaps(safe).values()), "fewer cells"


@holds("local-suppression.importance", "a column with 2 loses a cell only where it saves two")
def _() -> None:
    data = many()
    plain = gaps(released(data, LocalSuppression(k=5, steps=20_000)))
    spared = gaps(released(data, LocalSuppression(k=5, steps=20_000, importance={"a": 20})))
    assert spared["a"] < 0.3 * plain["a"]
    assert spared["b"] + spared["c"] > plain["b"] + plain["c"]
    # Two records that differ in a, or else in b and c: a goes at cost 1, the others at cost 3.
    pair = quasi({"a": ["x", "y"], "b": ["u", "u"], "c": ["v", "v"]})
    assert gaps(released(pair, LocalSuppression(k=2, importance={"a": 9})))["a"] == 2
    four = quasi({"a": list("xxyy"), "b": list("uvuv"), "c": list("zzzz")})
    for dear, cheap in (("a", "b"), ("b", "a")):
        gone = gaps(released(four, LocalSuppression(k=2, importance={dear: 2})))
        assert (gone[dear], gone[cheap]) == (0, 4)


@holds("local-suppression.subsets", "every choice of this many columns is made k-anonymous")
def _() -> None:
    data = keys()
    now = released(data, LocalSuppression(k=3, subsets=2, steps=0))
    assert all(class_sizes(now, pair).min() >= 3 for pair in combinations(KEYS, 2))
    assert class_sizes(now, KEYS).min() < 3, "instead of all columns together"


def towns() -> Microdata:
    rng = np.random.default_rng(1)
    return quasi({"town": [f"{i:02d}" for i in np.minimum(rng.geometric(0.08, 500), 60)]})


@holds("local-suppression.recode_until", "0.01 is 1 % of the cells of the treated columns")
def _() -> None:
    shares = {}
    for until in (None, 0.1, 0.01):
        now = released(towns(), LocalSuppression(k=10, recode_until=until))
        shares[until] = float(now.column("town").missing.mean())
        assert until is None or shares[until] <= until
    assert shares[None] > 0.1 > 0.01, "so there is something to recode for"


@holds("local-suppression.hierarchies", "hierarchy files for recode_until, each written as")
def _() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "towns.csv")
        path.write_text("".join(f"{i:02d};x{i % 2};*\n" for i in range(61)), encoding="utf-8")
        method = LocalSuppression(k=10, recode_until=0.0, hierarchies=[f"town={path}"])
        assert set(words_of(released(towns(), method), "town")) == {"x0", "x1"}


@holds("local-suppression.steps", "more take longer and may save some; 2000 per record with")
def _() -> None:
    cells = {
        steps: sum(gaps(released(many(), LocalSuppression(k=5, steps=steps))).values())
        for steps in (0, 50_000, None)
    }
    assert cells[50_000] < cells[0], "saved some"
    assert cells[None] < cells[0]


def incomes() -> Microdata:
    rng = np.random.default_rng(2)
    return quasi({"pay": rng.permutation(np.arange(1.0, 1001.0)), "age": rng.uniform(0, 90, 1000)})


@holds(
    "top-bottom-coding.top", "a number, a date, or a category of an ordinal column); values above"
)
def _() -> None:
    data = incomes()
    now = released(data, TopBottomCoding(top={"pay": 900}, value="threshold", bottom_share=0))
    assert now["pay"].tolist() == np.minimum(data["pay"], 900).tolist()
    grades = quasi({"grade": list("abcd") * 3}, kinds={"grade": list("abcd")})
    now = released(grades, TopBottomCoding(top={"grade": "b"}, value="threshold", bottom_share=0))
    assert set(words_of(now, "grade")) == {"a", "b"}


@holds("top-bottom-coding.bottom", "a category of an ordinal column); values below it are coded")
def _() -> None:
    data = incomes()
    now = released(data, TopBottomCoding(bottom={"pay": 100}, value="threshold", top_share=0))
    assert now["pay"].tolist() == np.maximum(data["pay"], 100).tolist()


@holds("top-bottom-coding.top_share", "where neither top nor bottom names a threshold for")
def _() -> None:
    data = incomes()
    for share in (0.05, 0.2, 0.0):
        now = released(data, TopBottomCoding(top_share=share, bottom_share=0))["pay"]
        changed = now != data["pay"]
        assert changed.sum() == pytest.approx(1000 * share, abs=1)
        assert (data["pay"][changed] > 1000 * (1 - share)).all()
    whole = released(data, TopBottomCoding(top={"pay": 999}, top_share=0.5, bottom_share=0))
    assert (whole["pay"] != data["pay"]).sum() == 1, "the threshold of the column comes first"
    assert (whole["age"] != data["age"]).sum() == pytest.approx(500, abs=1)
    tied = quasi({"pay": [1.0] * 90 + [2.0] * 10})
    now = released(tied, TopBottomCoding(top_share=0.05, bottom_share=0))["pay"]
    assert np.array_equal(now, tied["pay"]), "the largest share: ten percent would be more"


@holds("top-bottom-coding.bottom_share", "where neither top nor bottom names a threshold for")
def _() -> None:
    data = incomes()
    for share in (0.05, 0.2, 0.0):
        now = released(data, TopBottomCoding(top_share=0, bottom_share=share))["pay"]
        changed = now != data["pay"]
        assert changed.sum() == pytest.approx(1000 * share, abs=1)
        assert (data["pay"][changed] <= 1000 * share).all()
    whole = released(data, TopBottomCoding(top={"pay": 900}, value="threshold"))
    assert whole["pay"].tolist() == np.minimum(data["pay"], 900).tolist(), "one end was asked for"
    assert (whole["age"] != data["age"]).any()


@holds("top-bottom-coding.value", "their mean (their median category in an ordinal column), or")
def _() -> None:
    data = incomes()
    by = {
        v: released(data, TopBottomCoding(top={"pay": 900}, value=v)) for v in ("mean", "threshold")
    }
    high = data["pay"] > 900
    assert set(by["mean"]["pay"][high]) == {950.5}
    assert set(by["threshold"]["pay"][high]) == {900.0}
    assert by["mean"]["pay"].mean() == pytest.approx(data["pay"].mean())
    grades = quasi({"grade": list("aabcdde")}, kinds={"grade": list("abcde")})
    now = released(grades, TopBottomCoding(top={"grade": "b"}, bottom_share=0))
    assert words_of(now, "grade") == list("aab") + ["d"] * 4


def measures() -> Microdata:
    rng = np.random.default_rng(7)
    return quasi({name: rng.lognormal(0, 1, 120) for name in "vwxyz"})


@holds("microaggregation.partition", "how records are put into groups")
def _() -> None:
    data = measures()
    for partition in (MDAV(k=7), VMDAV(k=4)):
        outcome = masked(data, Microaggregation(partition))
        assert outcome.groups is not None
        direct = partition.groups(data, list("vwxyz"), Context(Randomness(1)))
        assert np.array_equal(outcome.groups.labels, direct.labels)
        assert class_sizes(outcome.data, "vwxyz").min() >= partition.k


@holds("microaggregation.replacement", "what replaces the values of a group")
def _() -> None:
    data = measures()
    for replacement in ("centroid", "microperturbation"):
        outcome = masked(data, Microaggregation(MDAV(k=5), replacement))
        assert outcome.groups is not None
        for group in range(outcome.groups.count):
            rows = outcome.groups.labels == group
            now, before = outcome.data["v"][rows], data["v"][rows]
            if replacement == "centroid":
                assert now == pytest.approx([before.mean()] * len(before))
            else:
                assert np.ptp(now) > 0


def together(now: Microdata, names: str, k: int) -> bool:
    """Whether groups of at least k records have equal values in these columns."""
    return bool(class_sizes(now, list(names)).min() >= k)


@holds("microaggregation.attributes_at_a_time", "in their order (the last group may have fewer)")
def _() -> None:
    now = released(measures(), Microaggregation(MDAV(k=5), attributes_at_a_time=2))
    assert [together(now, part, 5) for part in ("vw", "xy", "z")] == [True] * 3
    assert [together(now, part, 5) for part in ("wx", "yz", "vwxyz")] == [False] * 3


@holds("microaggregation.attribute_groups", "names joined by +, such as age+height")
def _() -> None:
    method = Microaggregation(MDAV(k=5), attribute_groups=["v+z", "w+x+y"])
    now = released(measures(), method)
    assert [together(now, part, 5) for part in ("vz", "wxy")] == [True] * 2
    assert [together(now, part, 5) for part in ("vw", "vwxyz")] == [False] * 2
    with pytest.raises(discreet.UsageError, match="exactly one"):
        released(measures(), Microaggregation(MDAV(k=5), attribute_groups=["v+z"]))


@holds("microaggregation.dominance", "groups are merged until this holds")
def _() -> None:
    data = measures()

    def largest(dominance: float | None) -> float:
        outcome = masked(data, Microaggregation(MDAV(k=3), dominance=dominance))
        assert outcome.groups is not None
        groups = [outcome.groups.labels == g for g in range(outcome.groups.count)]
        return max(float(data[n][g].max() / data[n][g].sum()) for n in "vwxyz" for g in groups)

    assert largest(None) > 0.6
    assert largest(0.6) <= 0.6
    assert largest(0.3) <= 0.3


@holds("individual-ranking.k", "minimum number of values in a group")
def _() -> None:
    now = released(measures(), discreet.IndividualRanking(k=7))
    assert all(7 <= class_sizes(now, [name]).min() < 14 for name in "vwxyz")


@holds("individual-ranking.optimal", "with the least sum of squares, instead of the classic")
def _() -> None:
    data = measures()
    classic, best = (
        released(data, discreet.IndividualRanking(k=7, optimal=o)) for o in (False, True)
    )
    for name in "vwxyz":
        sizes = class_sizes(classic, [name])
        assert sorted(set(sizes.tolist())) == [7, 8], "120 are 16 groups of 7, and 8 in the last"
        assert class_sizes(best, [name]).max() <= 13
        lost = [np.square(now[name] - data[name]).sum() for now in (best, classic)]
        assert lost[0] < lost[1]


@holds("individual-ranking.replacement", "what replaces the values of a group")
def _() -> None:
    data = measures()
    means = released(data, discreet.IndividualRanking(k=5))
    assert class_sizes(means, ["v"]).min() >= 5
    drawn = released(data, discreet.IndividualRanking(k=5, replacement="microperturbation"))
    assert class_sizes(drawn, ["v"]).max() == 1, "values of their own, unlike means"
