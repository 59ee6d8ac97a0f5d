"""Dates are recoded as dates: no reader knows them as days or microseconds since 1970."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import DataError, UsageError

DAYS = [date(1931, 4, 2) + timedelta(days=311 * i) for i in range(60)]
MOMENTS = [datetime(1931, 4, 2, 13, 5) + timedelta(days=311 * i) for i in range(60)]


def table(born: list[Any]) -> discreet.Microdata:
    return discreet.read({"born": born}, roles={"born": "quasi-identifier"})


def recoded(born: list[Any], **options: Any) -> list[str]:
    masked = discreet.GlobalRecoding(**options).protect(table(born), Context())
    column = masked.data.column("born")
    return [str(column.attribute.categories[code]) for code in column.values]


@pytest.mark.parametrize("born", [DAYS, MOMENTS])
@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_levels_are_those_of_the_calendar(born: list[Any], level: int) -> None:
    span = {3: 5, 4: 10}
    wanted = {
        1: [f"{d.year}-{d.month:02d}" for d in born],
        2: [f"{d.year}" for d in born],
    }
    for n, years in span.items():
        first = [d.year // years * years for d in born]
        wanted[n] = [f"{year}–{year + years - 1}" for year in first]
    assert recoded(born, k=None, levels={"born": level}) == wanted[level]


@pytest.mark.parametrize("method", ["global-recoding", "local-recoding"])
@pytest.mark.parametrize("born", [DAYS, MOMENTS])
def test_labels_are_short_dates(method: str, born: list[Any]) -> None:
    release = discreet.protect(table([*born[:50], *[born[50]] * 10]), method, seed=1)
    for label in release.data.schema["born"].categories:
        assert label == "*" or 1920 <= int(str(label)[:4]) <= 1981
    assert release.claims[0].measured is not None


def test_intervals_are_given_as_dates() -> None:
    cut = ["1950-01-01", date(1970, 1, 1)]
    found = recoded(DAYS, k=None, intervals={"born": cut})
    texts = ["before 1950-01-01", "from 1950-01-01 to before 1970-01-01", "1970-01-01 and after"]
    assert found == [texts[(d.year >= 1950) + (d.year >= 1970)] for d in DAYS]


def test_mappings_and_hierarchies_name_dates_as_they_are_written() -> None:
    found = recoded(
        [date(1990, 5, 17), date(1990, 5, 18), date(1991, 1, 1)],
        k=None,
        mappings={"born": {"spring": ["1990-05-17", date(1990, 5, 18)]}},
    )
    assert found == ["spring", "spring", "1991-01-01"]


def test_durations_are_refused() -> None:
    with pytest.raises(DataError, match="times of day or durations"):
        recoded([timedelta(hours=h) for h in range(9)], k=2)


def test_thresholds_are_given_as_dates() -> None:
    method = discreet.TopBottomCoding(top={"born": "1975-06-30"}, bottom_share=0, value="threshold")
    release = discreet.protect(table(DAYS), method, shuffle=False)
    coded = [datetime.fromisoformat(str(d)).date() for d in release.frame()["born"].to_pylist()]
    assert coded == [min(d, date(1975, 6, 30)) for d in DAYS]
    with pytest.raises(UsageError, match="must be a date such as"):
        discreet.protect(table(DAYS), discreet.TopBottomCoding(top={"born": 9}))


def test_the_rules_of_an_attack_name_dates() -> None:
    data = discreet.read(
        {"born": DAYS, "pay": [10.0] * 30 + [90.0] * 30},
        roles={"born": "quasi-identifier", "pay": "confidential"},
    )
    found = discreet.attack.RegressionAttack(leaf=20).run(data)
    [lower, upper] = sorted(place.rule[0] for place in found.places)
    assert lower.startswith("born > 195")
    assert lower[-10:] == upper[-10:]
    assert DAYS[29] <= date.fromisoformat(lower[-10:]) < DAYS[30]
