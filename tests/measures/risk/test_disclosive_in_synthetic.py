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
            "pairs to check": 0,  # no cell of more than four
            "in pairs to check": 0,
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
        "pairs to check": len({x for x in sure if d[x] > 4 and d[x] > 0.8 * dq[x[0]]}),
        "in pairs to check": sum(d[x] for x in sure if d[x] > 4 and d[x] > 0.8 * dq[x[0]])
        / sum(right),
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


def test_what_one_key_nearly_says_by_itself_is_to_be_checked() -> None:
    """Six of the seven with age 1 have a; all five with 2 and b are disclosed, but half have a."""
    original = [(1, "a")] * 6 + [(1, "b")] + [(2, "b")] * 5 + [(2, "a")] * 5
    found = figures(original, [(1, "a"), (2, "b")])
    assert found["DiSCO"] == pytest.approx(11 / 17)
    assert found["pairs to check"] == 1
    assert found["in pairs to check"] == pytest.approx(6 / 11)


@pytest.mark.parametrize("seed", range(4))
def test_pairs_to_check_beside_the_definition(seed: int) -> None:
    """Cells of both keys and the target, then each key by itself, as synthpop's check_2way."""
    draw = np.random.default_rng(seed)
    sex, age = draw.integers(0, 2, 200), draw.integers(0, 4, 200)
    ill = np.where(draw.random(200) < 0.08, "b", np.where(age == 0, "c", "a"))
    tables = []
    for rows in (slice(0, 150), slice(150, 200)):
        columns = {"sex": sex[rows], "age": age[rows], "ill": ill[rows]}
        roles = {"sex": "quasi-identifier", "age": "quasi-identifier", "ill": "confidential"}
        tables.append(discreet.read(columns, roles=roles))
    original, synthetic = tables
    score = DisclosiveInSynthetic().score(original, synthetic, Context())
    found = score.detail["figures"]["ill"]
    mine = list(zip(sex[:150], age[:150], ill[:150], strict=True))
    theirs = list(zip(sex[150:], age[150:], ill[150:], strict=True))
    told = {q: {t for *other, t in theirs if tuple(other) == q} for q in {r[:2] for r in theirs}}
    right = [r for r in mine if told.get(r[:2]) == {r[2]}]
    many = [r for r in right if right.count(r) > 4]
    pairs = set()
    for record in many:
        for key in (0, 1):
            same = [r for r in mine if r[key] == record[key]]
            if sum(r[2] == record[2] for r in same) / len(same) > 0.8:
                pairs.add((key, record[key], record[2]))
    within = [r for r in many if {(0, r[0], r[2]), (1, r[1], r[2])} & pairs]
    assert found["pairs to check"] == len(pairs)
    assert found["in pairs to check"] == pytest.approx(len(within) / max(1, len(right)))


def test_without_a_key_in_common_nothing_is_attributed() -> None:
    found = figures([(1, "a"), (2, "b")], [(8, "a"), (9, "a")])
    assert [found[name] for name in ("iS", "DiSCO", "DCAPb", "TCAPb", "TCAP")] == [0] * 5


def test_the_worst_column_counts_and_numbers_may_be_grouped() -> None:
    columns = {"age": [1, 1, 2, 2], "ill": list("abab"), "pay": [10.0, 11.0, 90.0, 95.0]}
    data = discreet.read(columns, roles=ROLES)
    found = DisclosiveInSynthetic(groups=2).score(data, data, Context())
    assert (found.column, found.value) == ("pay", 1.0)
    assert DisclosiveInSynthetic().score(data, data, Context()).value == 0
