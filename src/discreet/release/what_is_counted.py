"""What the claims of a release count, in words, if nobody asked for it or many would not expect
it."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.microdata import Microdata, Role
from discreet.microdata.clusters import unit_key
from discreet.microdata.levels import RECORD, stated_unit


def note_on_counting(released: Microdata) -> Iterator[str]:
    """Yield a note if households are counted by default, or the records of persons one by one.

    >>> import discreet
    >>> columns, roles = {"age": [30], "hid": [1]}, {"age": "quasi-identifier", "hid": "household"}
    >>> print(*note_on_counting(discreet.read(columns, roles=roles)))
    k, l, t and uniqueness count different households, not records, since 'hid' numbers them; ...
    >>> list(note_on_counting(discreet.read(columns, roles=roles, unit="record")))
    []
    """
    if not released.quasi_identifiers:
        return
    stated, counted = stated_unit(released), unit_key(released)
    if stated is None and counted is not None and released.schema[counted].role is Role.HOUSEHOLD:
        yield (
            f"k, l, t and uniqueness count different households, not records, since '{counted}' "
            "numbers them; the notes of the methods say what was merged or suppressed for this; "
            f"'unit: {RECORD}' counts records, as sdcMicro does"
        )
    elif stated == RECORD and (persons := released.having(Role.PERSON)):
        yield (
            f"k, l, t and uniqueness count records, as 'unit: {RECORD}' says: a person with "
            f"several records (by '{persons[0]}') counts as several"
        )
