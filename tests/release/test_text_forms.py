"""The form of texts: what is taken for a code, a time or a name, and what is not."""

from __future__ import annotations

import pytest

from discreet.release import text_forms


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["+49 30 123456", "+49 40 654321", "+44 20 111111"], "telephone numbers"),
        (["0049 30 123456", "0049 40 654321", "0044 20 11111"], "telephone numbers"),
        (["DE89370400440532013000"] * 3, "account numbers"),
        (["10.0.0.1", "10.0.0.2", "192.168.1.1"], "addresses of computers"),
        (["Dr. Weiss", "Mrs Lang", "Herr de Wit"], "names of people"),
        (["12345678", "23456789", "34567890"], ""),
        (["a@b.example", "c@d.example"], ""),
    ],
)
def test_what_names_somebody(texts: list[str], form: str) -> None:
    assert text_forms.of_somebody(texts) == form


@pytest.mark.parametrize(
    ("texts", "long"),
    [
        (["CLM/23/000123", "CLM/22/999999"], True),
        (["012345678", "987654321"], True),
        (["01067", "99084"], False),
        (["AB123456", "ABC12345"], False),
        (["AAAAAAAA", "BBBBBBBB"], False),
        ([], False),
    ],
)
def test_long_codes_have_one_form_and_many_digits(texts: list[str], long: bool) -> None:
    assert text_forms.long_codes(texts, 9, 6) is long


def test_empty_lists_have_no_form() -> None:
    for asked in (
        text_forms.leading_zeros,
        text_forms.diseases,
        text_forms.postcodes,
        text_forms.times_of_day,
        text_forms.intervals,
    ):
        assert asked([]) is False
