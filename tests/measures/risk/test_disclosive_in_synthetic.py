"""DiSCO and its companions by hand, and by the definitions written out."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.measures.risk.disclosive_in_synthetic import DisclosiveInSynthetic
from discreet.microdata import Microdata

ROLES = {"age": "quasi-identifier", "ill": "confidential", "pay": "confidential"}


def file(rows: list[tuple[int, str]]) -> Microdata:
    columns = {"age": [a for a, _ in rows], "ill": [i for _, i in rows]}
    return discreet.read(columns, roles={"age": ROLES["age"], "ill": ROLES["ill"]})


def figures(original: list[tuple[int, str]], synthetic: list[tuple[int, str]]) -> dict[str, float]:
    found = DisclosiveInSynthetic().score(file(original), file(synthetic), Context())
    by_column: dict[str, dict[str, float]] = found.detail["figures"]
    assert found.value == by_column["ill"]["DiSCO"]
    return by_column["ill"]


def test_wrong_and_right_disclosures() -> None:
    original = [(1, "a"), (1, "b"), (2, "a"), (3, "b"), (4, "a")]
    synthetic = [(1, "a"), (1, "a"), (2, "b"), (3, "b"), (3, "a"), (7, "a")]
    assert figures(original, synthetic) == pytest.approx(
        {
            "Dorig": 3 / 5,  # 2, 3 and 4
            "Dsyn": 4 / 6,  # 1 twice, 2 and 7
            "iS": 4 / 5,
            "DiS": 3 / 5,  # 1 twice and 2
            "DiSCO": 1 / 5,  # the first alone
            "DiSDiO": 0,
            "max denom": 1,
            "mean denom": 1,
            "commonest value": 1,
            "baseCAPd": (3 / 5) ** 2 + (2 / 5) ** 2,
            "CAPd": (2 / 2 + 3) / 5,  # 1 by half each, the others surely
            "CAPs": (2 + 1 + 2 / 2 + 1) / 6,
            "DCAPd": (1 + 0.5) / 5,  # 1 a surely, 3 b by half
            "DCAPs": (1 + 0.5) / 6,
            "DCAPb": (1 + 0.5) / 5,  # 7 is not in the original
            "TCAPs": 1 / 6,
            "TCAPb": 1 / 5,
            "TCAP": 1 / 3,  # of the three that seem to be disclosed
        }
    )


@pytest.mark.parametrize("seed", range(3))
def test_beside_the_definitions(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows = [
        list(
            zip(draw.integers(0, 15, n).tolist(), draw.choice(list("ab"), n).tolist(), strict=True)
        )
        for n in (40, 30)
    ]
    d, s = map(Counter, rows)
    dq, sq = (Counter(age for age, _ in r) for r in rows)
    sure = {(q, t) for q, t in s if s[q, t] == sq[q]}
    own = {(q, t) for q, t in d if d[q, t] == dq[q]}
    expected = {
        "Dorig": sum(d[x] for x in own) / 40,
        "Dsyn": sum(s[x] for x in sure) / 30,
        "iS": sum(dq[q] for q in dq if sq[q]) / 40,
        "DiS": sum(dq[q] for q, _ in sure) / 40,
        "DiSCO": sum(d[x] for x in sure) / 40,
        "DiSDiO": sum(d[x] for x in sure & own) / 40,
    }
    cap = sum(c * s[q, t] / sq[q] for (q, t), c in d.items() if sq[q])
    right = [d[x] for x in sure if d[x]]
    by_value = [sum(d[q, t] for q, t in sure if t == value) for value in "ab"]
    met = sum(s[q, t] for q, t in s if dq[q])
    expected |= {
        "max denom": max(right),
        "mean denom": sum(right) / len(right),
        "commonest value": max(by_value) / sum(by_value),
        "baseCAPd": sum((sum(d[q, t] for q in dq) / 40) ** 2 for t in "ab"),
        "CAPd": sum(c * c / dq[q] for (q, _), c in d.items()) / 40,
        "CAPs": sum(c * c / sq[q] for (q, _), c in s.items()) / 30,
        "DCAPd": cap / 40,
        "DCAPs": cap / 30,
        "DCAPb": cap / met,
        "TCAPs": sum(right) / 30,
        "TCAPb": sum(right) / met,
        "TCAP": sum(right) / sum(dq[q] for q, _ in sure),
    }
    assert figures(*rows) == pytest.approx(expected)


def test_without_a_key_in_common_nothing_is_attributed() -> None:
    found = figures([(1, "a"), (2, "b")], [(8, "a"), (9, "a")])
    assert [found[name] for name in ("iS", "DiSCO", "DCAPb", "TCAPb", "TCAP")] == [0] * 5


def test_the_worst_column_counts_and_numbers_may_be_grouped() -> None:
    columns = {"age": [1, 1, 2, 2], "ill": list("abab"), "pay": [10.0, 11.0, 90.0, 95.0]}
    data = discreet.read(columns, roles=ROLES)
    found = DisclosiveInSynthetic(groups=2).score(data, data, Context())
    assert (found.column, found.value) == ("pay", 1.0)
    assert DisclosiveInSynthetic().score(data, data, Context()).value == 0
