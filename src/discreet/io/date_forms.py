"""Forms in which files write dates: 31.12.1990, 31 Dec 1990, 1990-12-31 14:05, 1990-W07.

A column has a form if every value parses as a date in it and prints back unchanged. In the table
it is a date, or a moment where there is a time of day; it is written in its form again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from discreet.io.month_names import month_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["DateForm", "find_date_form"]

FIRST_OF_CENTURY = 1930
"""Two-digit years are those of the hundred years that begin with this one."""
EARLIEST, LATEST = 1600, 2200
TELLING = 10
"""Values of eight digits are taken for dates only if there are at least this many."""
_SHAPES = (
    (r"[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{4}", ("%d{0}%m{0}%Y", "%m{0}%d{0}%Y")),
    (r"[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2}", ("%d{0}%m{0}%y", "%m{0}%d{0}%y")),
    (r"[0-9]{4}([./-])[0-9]{1,2}\1[0-9]{1,2}", ("%Y{0}%m{0}%d",)),
    (r"[0-9]{1,2}([./-])[0-9]{4}", ("%m{0}%Y",)),
    (r"[0-9]{4}([/-])[0-9]{1,2}", ("%Y{0}%m",)),
    (r"[0-9]{4}(-?)W[0-9]{2}", ("%G{0}W%V",)),
    (r"[0-9]{4}(-?)Q[1-4]", ("%Y{0}Q",)),
    (r"(?:1[89]|20)[0-9]{6}", ("%Y%m%d",)),
)
_NAME, _BETWEEN = r"(?P<name>[^\W\d_]{3,})", r"(\. ?|[-/ ]|, ?| del? |)"
_NAMED_SHAPES = (
    (rf"[0-9]{{1,2}}{_BETWEEN}{_NAME}{_BETWEEN}[0-9]{{4}}", "%d{0}%b{2}%Y"),
    (rf"[0-9]{{1,2}}{_BETWEEN}{_NAME}{_BETWEEN}[0-9]{{2}}", "%d{0}%b{2}%y"),
    (rf"{_NAME}{_BETWEEN}[0-9]{{1,2}}{_BETWEEN}[0-9]{{4}}", "%b{1}%d{2}%Y"),
    (rf"[0-9]{{4}}{_BETWEEN}{_NAME}{_BETWEEN}[0-9]{{1,2}}", "%Y{0}%b{2}%d"),
    (rf"{_NAME}{_BETWEEN}[0-9]{{4}}", "%b{1}%Y"),
    (rf"{_NAME}{_BETWEEN}[0-9]{{2}}", "%b{1}%y"),
)
_TIME = re.compile(
    r"(?P<before>[ T])[0-9]{2}:[0-9]{2}"
    r"(?P<seconds>:[0-9]{2}(?:(?P<sign>[.,])(?P<fraction>[0-9]{1,6}))?)?"
    r"(?P<zone> ?(?:Z|UTC|GMT|[+-][0-9]{2}:?(?:[0-9]{2})?))?$"
)
_FRACTION = r"(:[0-9]{2})[.,](?P<fraction>[0-9]+)"


@dataclass(frozen=True)
class DateForm:
    """How a column writes its dates; those not `padded` have no leading zeros, as in 1.5.1990.

    `months` has the names that stand for `%b`, `digits` says how many digits of a second `%f` are.
    A time zone is part of the pattern: all values have the same one, which the moments have too.

    >>> import pyarrow as pa
    >>> form = DateForm("%d.%m.%Y")
    >>> dates = form.read(pa.array(["31.12.1990"]))
    >>> dates.to_pylist(), form.write(dates).to_pylist()
    ([datetime.date(1990, 12, 31)], ['31.12.1990'])
    """

    pattern: str
    padded: bool = True
    months: tuple[str, ...] = ()
    digits: int = 0

    @property
    def described(self) -> str:
        """The form as people write it.

        >>> DateForm("%d.%m.%Y %H:%M").described
        'dd.mm.yyyy hh:mm'
        """
        signs = {
            "%d": "dd", "%m": "mm", "%Y": "yyyy", "%y": "yy", "%H": "hh", "%M": "mm", "%S": "ss",
            "%G": "yyyy", "%V": "ww", "%b": "mmm", "%f": "f" * self.digits,
        }  # fmt: skip
        return re.sub("%[a-zA-Z]", lambda sign: signs[sign[0]], self.pattern)

    def recipe(self) -> dict[str, str]:
        """Return what a reader of the text must know."""
        return {"date": self.pattern} | ({"months": " ".join(self.months)} if self.months else {})

    @property
    def month_first(self) -> bool:
        """Whether the month comes before the day."""
        return self.pattern.startswith("%m") and "%d" in self.pattern

    def fits(self, kind: pa.DataType) -> bool:
        """Whether values of a type can be written in this form."""
        import pyarrow.types as types

        return bool(types.is_date(kind) or types.is_timestamp(kind))

    def read(self, texts: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array | None:
        """Return dates or moments; None if a text is not of this form."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if "%V" in self.pattern or self.pattern.endswith("Q"):
            moments = self._spans(texts)
        else:
            moments = self._moments(texts)
        if "%y" in self.pattern:
            moments = _within_a_century(moments)
        typed = moments if "%H" in self.pattern else moments.cast(pa.date32())
        same = pc.equal(self.write(typed), texts.cast(pa.large_string()))
        whole = typed.null_count == texts.null_count and pc.all(same).as_py() is not False
        return typed if whole else None

    def _moments(self, texts: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
        import pyarrow as pa
        import pyarrow.compute as pc

        # Set apart by a separator: in 1jan2000 the day would run into the number of the month.
        pattern = re.sub("[.,]%f", "", self.pattern).replace("%b", "/%m/")
        numbers = texts
        for place, name in sorted(enumerate(self.months, 1), key=lambda named: -len(named[1])):
            numbers = pc.replace_substring(numbers, name, f"/{place:02d}/")
        if not self.digits:
            return pc.strptime(numbers, format=pattern, unit="s", error_is_null=True)
        whole = pc.replace_substring_regex(numbers, _FRACTION, r"\1")
        moments = pc.strptime(whole, format=pattern, unit="us", error_is_null=True)
        digits = pc.struct_field(pc.extract_regex(texts, _FRACTION.replace("(:", "(?P<s>:")), 1)
        fraction = pc.utf8_rpad(digits, 6, "0").cast(pa.int64()).cast(pa.duration("us"))
        return pc.add(moments, fraction)

    def write(self, dates: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
        """Return the texts of dates or moments."""
        import pyarrow as pa
        import pyarrow.compute as pc

        text = pa.large_string()
        if pa.types.is_timestamp(dates.type) and dates.type.unit != "s":
            # A cast would round moments before 1970 up.
            moments = pc.floor_temporal(dates, unit="second").cast(pa.timestamp("s"))
        else:
            moments = dates.cast(pa.timestamp("s"), safe=False)
        if self.pattern.endswith("Q"):
            year = pc.strftime(moments, format=self.pattern[:-1]).cast(text)
            quarter = pc.quarter(moments).cast(text)
            return pc.binary_join_element_wise(year, quarter, pa.scalar("Q", text))
        if self.padded and not self.months and not self.digits:
            return pc.strftime(moments, format=self.pattern).cast(text)
        parts = []
        for part in re.findall("%[a-zA-Z]|[^%]+", self.pattern):
            if part == "%b":
                names = pa.array(self.months, text)
                parts.append(names.take(pc.subtract(pc.month(moments), 1)))
            elif part == "%f":
                exact = pc.strftime(dates.cast(pa.timestamp("us")), format="%S").cast(text)
                parts.append(pc.utf8_slice_codeunits(exact, 3, 3 + self.digits))
            elif part in ("%d", "%m") and not self.padded:
                parts.append((pc.day if part == "%d" else pc.month)(moments).cast(text))
            elif part.startswith("%"):
                parts.append(pc.strftime(moments, format=part).cast(text))
            else:
                parts.append(pa.scalar(part, text))
        return pc.binary_join_element_wise(*parts, pa.scalar("", text))

    def _spans(self, texts: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
        """Return the first day of weeks or quarters, worked out once for each."""
        import pyarrow as pa

        listed = texts.unique().to_pylist()
        first = {text: _first_day(text) for text in listed if text is not None}
        days = pa.array([first.get(text) for text in texts.to_pylist()], pa.date32())
        return days.cast(pa.timestamp("s"))


def _first_day(text: str) -> date | None:
    year, span = int(text[:4]), text[4:].lstrip("-")
    try:
        if span.startswith("W"):
            return date.fromisocalendar(year, int(span[1:]), 1)
        return date(year, 3 * int(span[1:]) - 2, 1)
    except ValueError:
        return None


def _within_a_century(moments: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """Return dates of two-digit years in the hundred years that they are taken from."""
    import numpy as np
    import pyarrow as pa

    array = moments.combine_chunks() if isinstance(moments, pa.ChunkedArray) else moments
    missing = np.asarray(array.is_null())
    seconds = array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    times = seconds.astype("datetime64[s]")
    months = times.astype("datetime64[M]")
    late = months.astype(np.int64) // 12 + 1970 >= FIRST_OF_CENTURY + 100
    earlier = (months - 1200).astype("datetime64[s]") + (times - months)
    return pa.array(np.where(late, earlier, times), pa.timestamp("s"), mask=missing)


def find_date_form(texts: pa.ChunkedArray, month_first: bool | None = None) -> DateForm | None:
    """Return the form that all texts have, or None.

    01/02/1990 alone is ambiguous; then the day comes first unless `month_first` says otherwise.

    >>> import pyarrow as pa
    >>> find_date_form(pa.chunked_array([["1/31/1990", "2/1/1991"]])).pattern
    '%m/%d/%Y'
    """
    present = texts.drop_null()
    if not len(present):
        return None
    for form in _candidates(present[0].as_py(), month_first):
        if form.pattern == "%Y%m%d" and len(present.slice(0, TELLING).unique()) < TELLING:
            continue
        if form.read(present.slice(0, 1000)) is not None and _of_our_time(form.read(present)):
            return form
    return None


def _of_our_time(dates: pa.ChunkedArray | pa.Array | None) -> bool:
    """Whether there are dates, and none is implausible: codes may look like dates."""
    import pyarrow.compute as pc

    if dates is None:
        return False
    years = pc.min_max(pc.year(dates)).as_py()
    return bool(years["min"] >= EARLIEST and years["max"] <= LATEST)


def _candidates(text: str, month_first: bool | None) -> Iterator[DateForm]:
    time = _TIME.search(text)
    day = text[: time.start()] if time else text
    clock, digits = _clock(time) if time else ("", 0)
    for pattern, months in _days(day, month_first):
        if clock and "%d" not in pattern:
            continue
        for padded in (True, False):
            yield DateForm(pattern + clock, padded, months, digits)


def _clock(time: re.Match[str]) -> tuple[str, int]:
    """Return the pattern of a time of day, and how many digits of a second it has."""
    seconds = ":%S" if time["seconds"] else ""
    fraction = f"{time['sign']}%f" if time["sign"] else ""
    pattern = f"{time['before']}%H:%M{seconds}{fraction}{time['zone'] or ''}"
    return pattern, len(time["fraction"] or "")


def _days(text: str, month_first: bool | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield patterns that a date may have, with the names of months in it."""
    for shape, patterns in _SHAPES:
        match = re.fullmatch(shape, text)
        if match is not None:
            for pattern in reversed(patterns) if month_first else patterns:
                yield pattern.format(*match.groups()), ()
    for shape, pattern in _NAMED_SHAPES:
        match = re.fullmatch(shape, text)
        if match is not None:
            for names in month_names(match["name"]):
                yield pattern.format(*match.groups()), names
