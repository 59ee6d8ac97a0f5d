"""The form of texts: codes of diseases, postcodes, times, spans, and what names somebody."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

DISEASE = re.compile(r"[A-TV-Z]\d{2}(?:\.?[0-9X][0-9A-Z]{0,3})?[A-Z*+†]?")
"""A code of ICD-10 in its usual spellings."""
POSTCODE = re.compile(r"\d{4} ?[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d")
"""Postcodes of the Netherlands, of the United Kingdom and of Canada."""
CLOCK = re.compile(r"(?:[01]?\d|2[0-4])[:h][0-5]\d(?::[0-5]\d)?")
"""A time of day."""
INTERVAL = re.compile(
    r"^(?:[<>≤≥]=?|under|over|up to|less than|more than)?\s*\d[\d.,]*\s*"
    r"(?:(?:-|–|to|bis|à|a|tot)\s*\d[\d.,]*|\+|and (?:over|more|older))?$",
    re.IGNORECASE,
)
FORMS: Mapping[str, re.Pattern[str]] = {
    "e-mail addresses": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    "account numbers": re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}[A-Z0-9]{0,4}"),
    # Zeros and digits alone may just as well be a number that was assigned.
    "telephone numbers": re.compile(
        r"(?:\+|\(\+?\d+\))[\d ()/-]{7,}|00\d{1,3}[ ()/-][\d ()/-]{5,}"
    ),
    "names of people": re.compile(
        r"(?:Dr|Prof|Mr|Mrs|Ms|Mme|Mlle|Herr|Frau|Sr|Sra|Dott|Dhr|Mevr)\.?(?: +[^\s\d]+){1,3}"
    ),
    "universal identifiers": re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
    "addresses of computers": re.compile(r"\d{1,3}(?:\.\d{1,3}){3}"),
    "web addresses": re.compile(r"https?://\S+"),
}
"""Values of these forms name a person, or a machine of one."""


def of_somebody(texts: Sequence[str]) -> str:
    """Return the form of naming a person that nearly all texts have, or an empty string.

    >>> of_somebody(["a@b.example", "c@d.example", "e@f.example"]), of_somebody(["a", "b", "c"])
    ('e-mail addresses', '')
    """
    if len(texts) < 3:
        return ""
    for form, pattern in FORMS.items():
        if sum(bool(pattern.fullmatch(text)) for text in texts) >= 0.9 * len(texts):
            return form
    return ""


def leading_zeros(texts: Sequence[str]) -> bool:
    """Whether texts are digits of one width, some with a zero in front.

    >>> leading_zeros(["01067", "99084"]), leading_zeros(["0", "1"])
    (True, False)
    """
    widths = {len(text) for text in texts}
    return (
        len(widths) == 1
        and widths != {1}
        and all(text.isdigit() for text in texts)
        and any(text.startswith("0") for text in texts)
    )


def diseases(texts: Sequence[str]) -> bool:
    """Whether texts are codes of the classification of diseases.

    >>> diseases(["E11.9", "I10", "J45.0", "C50.1"]), diseases(["A10", "B20", "C30"])
    (True, False)
    """
    firsts = [re.split(r"[|;, ]+", text.strip())[0] for text in texts]
    codes = [text for text in firsts if DISEASE.fullmatch(text)]
    usual = any("." in code for code in codes) or len({len(code) for code in codes}) > 1
    letters = len({code[0] for code in codes})
    return usual and letters >= 3 and len(codes) >= 0.9 * len(texts)


def postcodes(texts: Sequence[str]) -> bool:
    """Whether texts are postcodes of letters and digits.

    >>> postcodes(["1012 AB", "9712 CP", "3511 LX"]), postcodes(["10117", "01067", "80331"])
    (True, False)
    """
    return len(texts) > 2 and all(POSTCODE.fullmatch(text.strip()) for text in texts)


def times_of_day(texts: Sequence[str]) -> bool:
    """Whether texts are times of day.

    >>> times_of_day(["14:05", "9h30", "23:59:59"])
    True
    """
    return len(texts) > 2 and all(CLOCK.fullmatch(text.strip()) for text in texts)


def intervals(texts: Sequence[str]) -> bool:
    """Whether texts are spans of numbers.

    >>> intervals(["18-34", "35-64", "65+"]), intervals(["18", "35"])
    (True, False)
    """
    spans = [text for text in texts if not text.replace(".", "").isdigit()]
    return bool(spans) and all(INTERVAL.match(text) for text in texts)


def long_codes(texts: Sequence[str], digits: int, with_letters: int) -> bool:
    """Whether texts have one form with this many digits in it, fewer if there are letters too.

    >>> long_codes(["AB 123456", "XY 654321"], 9, 6), long_codes(["12345-678", "98765-432"], 9, 6)
    (True, False)
    """
    forms = {_form(text.strip()) for text in texts}
    if len(forms) != 1:
        return False
    form = forms.pop()
    return form.count("0") >= (with_letters if "A" in form else digits)


def _form(text: str) -> str:
    """Return a text with 0 for every digit and A for every letter."""
    return "".join("0" if s.isdigit() else "A" if s.isalpha() else s for s in text)
