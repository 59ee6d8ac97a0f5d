"""Names of months: complete lists, found in any letter case."""

from __future__ import annotations

import pytest

from discreet.io.month_names import _NAMES, month_names


@pytest.mark.parametrize("line", _NAMES.strip().split("\n"))
def test_a_list_has_twelve_names_that_differ(line: str) -> None:
    names = line.split()
    assert len(set(names)) == 12
    for case in (str.upper, str.lower, str.title):
        cased = tuple(map(case, names))
        assert all(cased in month_names(name) for name in cased)


@pytest.mark.parametrize("word", ["Decem", "dEC", "de"])
def test_other_words_are_no_months(word: str) -> None:
    assert not list(month_names(word))
