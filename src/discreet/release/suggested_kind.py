"""Suggesting a kind for a column, with the reason: codes are not quantities."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from discreet.io.arrow_arrays import EXACT
from discreet.microdata import Kind, Role
from discreet.release.hints import hinted, measured_in, numbered, words_of
from discreet.release.profile import REPEATED, Profile

FEW_CATEGORIES = 12
MOST_GRADES = 30
LATE = 100
"""A few numbers that begin above this are years of a survey or similar, not counts."""
NAMING = (Role.IDENTIFIER, Role.HOUSEHOLD, Role.PERSON, Role.STRATUM)

Suggested = tuple[Kind, str, tuple[Any, ...]]


def suggested_kind(profile: Profile, role: Role) -> Suggested:
    """Return a kind for a column, why, and the categories of an ordinal one in their order.

    >>> import discreet
    >>> data = discreet.read({"region": [11, 24, 53, 76] * 25, "wave": [1, 2, 3, 4] * 25})
    >>> for name in data.schema.names:
    ...     print(*suggested_kind(Profile.of(data, name), Role.QUASI_IDENTIFIER)[:2], sep=": ")
    nominal: its name says 'region': numbers are treated as codes
    ordinal: its name says 'wave': ordered grades
    """
    attribute = profile.column.attribute
    if profile.value_labels:
        return _labelled(profile)
    if profile.intervals:
        ordered = tuple(sorted(attribute.categories, key=_span))
        return Kind.ORDINAL, "spans of numbers have an order", ordered
    if role is Role.WEIGHT:  # weights are summed, however few differ
        return attribute.kind, "", ()
    if attribute.continuous and profile.whole:
        return _of_whole_numbers(profile, role)
    long = any(type(c) is int and abs(c) > EXACT for c in attribute.categories[:10])
    why = "numbers of more than 15 digits are treated as codes" if long else ""
    if profile.leading_zeros:
        why = "leading zeros show that it holds codes"
    return attribute.kind, why, attribute.categories


def _of_whole_numbers(profile: Profile, role: Role) -> Suggested:
    distinct, numbers = profile.distinct, profile.numbers
    assert numbers is not None
    if role in NAMING:
        return Kind.NOMINAL, "", ()
    grade, count, code = (_word(profile, s) for s in ("grade", "count", "code"))
    code = code or _word(profile, "area")
    if distinct == 1 and profile.present >= REPEATED:
        return Kind.NOMINAL, "a single whole number is treated as a code", ()
    if distinct == 2 and profile.present >= REPEATED * distinct:
        return Kind.NOMINAL, "2 different whole numbers are treated as codes", ()
    if code and count and _ends_in_number(profile):
        count = ""
    few = distinct <= FEW_CATEGORIES
    if not few and measured_in(profile.name):
        return Kind.CONTINUOUS, "", ()
    if code and len(numbers) > 4 and not grade and _counted(profile):
        return Kind.CONTINUOUS, "from 0 up, less and less frequent: a count of something", ()
    if _word(profile, "amount") and not few:
        return Kind.CONTINUOUS, "", ()
    if few and (numbered(profile.name) or (count and numbers[0] > LATE)):
        return Kind.ORDINAL, "few of many numbers, consecutive: ordered", ()
    if count and not (few and profile.gaps) and not (few and grade):
        return Kind.CONTINUOUS, "", ()
    if role is Role.QUASI_IDENTIFIER and profile.last_digits:
        return Kind.NOMINAL, "last digits of longer numbers are codes", ()
    if code and not grade and distinct <= max(FEW_CATEGORIES, profile.present / 2):
        return Kind.NOMINAL, f"its {code}: numbers are treated as codes", ()
    if grade and distinct <= (MOST_GRADES if _word(profile, "level") else FEW_CATEGORIES):
        return Kind.ORDINAL, f"its {grade}: ordered grades", ()
    if profile.present < REPEATED * distinct:
        if role is Role.QUASI_IDENTIFIER and profile.listed_codes:
            return Kind.NOMINAL, f"{distinct} different whole numbers of one length: codes", ()
        return Kind.CONTINUOUS, "", ()
    if few and not profile.gaps:
        if _counted(profile):
            return Kind.CONTINUOUS, "from 0 up, less and less frequent: a count of something", ()
        if numbers[0] > 1 and not profile.years:
            return (
                Kind.NOMINAL,
                f"{distinct} different whole numbers from {numbers[0]:g}: codes",
                (),
            )
        if role is Role.QUASI_IDENTIFIER and not profile.years:
            return Kind.NOMINAL, f"{distinct} different whole numbers: codes, or else ordinal", ()
        return (
            Kind.ORDINAL,
            f"{distinct} different whole numbers: ordered grades, or else nominal",
            (),
        )
    if profile.gaps and not _word(profile, "amount"):
        if count:
            return (
                Kind.ORDINAL,
                f"{distinct} different whole numbers with gaps: ordered classes",
                (),
            )
        if _with_a_long_tail(profile):
            return Kind.CONTINUOUS, "from 0 or 1 up, ever rarer: a count of something", ()
        return Kind.NOMINAL, f"{distinct} different whole numbers with gaps: codes", ()
    return Kind.CONTINUOUS, "", ()


def _word(profile: Profile, section: str) -> str:
    for source, text in (("name", profile.name), ("label", profile.label)):
        word = hinted(text, section)
        if word:
            return f"{source} says '{word}'"
    return ""


def _ends_in_number(profile: Profile) -> bool:
    """Whether name or label end as in "cluster number", which counts nothing."""
    texts = (words_of(text) for text in (profile.name, profile.label))
    return any(len(words) > 1 and hinted(words[-1], "number") for words in texts)


def _counted(profile: Profile) -> bool:
    """Whether whole numbers from 0 or 1 up become less and less frequent, as counts do."""
    numbers, counts = profile.numbers, profile.counts
    assert numbers is not None
    top = int(np.argmax(counts))
    falling = bool((np.diff(counts[top:]) <= 0.02 * profile.present).all())
    return bool(
        numbers[0] == 0
        and len(numbers) > 3
        and falling
        and top <= (len(numbers) - 1) / 2
        and counts[-1] <= 0.02 * profile.present
    )


def _with_a_long_tail(profile: Profile) -> bool:
    """Whether many whole numbers from 0 or 1 up have gaps only where they are rare, like the staff
    of firms: a third of them are consecutive, and codes of a list do not become ever rarer.
    """
    numbers, counts = profile.numbers, profile.counts
    assert numbers is not None
    third = len(numbers) // 3
    return bool(
        third >= FEW_CATEGORIES
        and numbers[0] in (0, 1)
        and numbers[third - 1] - numbers[0] == third - 1
        and counts[-third:].sum() <= 0.05 * counts[:third].sum()
    )


def _labelled(profile: Profile) -> Suggested:
    """Return the kind of a column whose values have labels, all of them or the special ones."""
    attribute, numbers = profile.column.attribute, profile.numbers
    if attribute.continuous:
        assert numbers is not None
        bare = [n for n in numbers if n not in profile.value_labels]
        if len(bare) > len(numbers) / 2 and len(bare) > 2:
            return Kind.CONTINUOUS, "only some of its values have labels", ()
    labels = " ".join(profile.value_labels.values())
    if attribute.kind is Kind.ORDINAL:
        return Kind.ORDINAL, "the file calls it ordinal", attribute.categories
    grade = _word(profile, "grade") or (
        f"labels say '{word}'" if (word := hinted(labels, "grade-label")) else ""
    )
    if grade and profile.distinct > 2 and not _word(profile, "code"):
        return Kind.ORDINAL, f"its {grade}: ordered grades", ()
    return Kind.NOMINAL, "its values have labels: codes", ()


def _span(text: Any) -> tuple[float, bool]:
    """Return where a span of numbers lies among others."""
    match = re.search(r"\d[\d.,]*", str(text))
    low = float(match[0].replace(",", "").rstrip(".")) if match else float("inf")
    return low, str(text).strip().startswith((">", "over", "more", "≥"))
