"""A profile: what the values of a column look like, whatever the column is called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Microdata
from discreet.microdata.all_cores import computed_once
from discreet.microdata.counting import bin_counts, counted
from discreet.microdata.dates import unit_of
from discreet.microdata.decimals import rounded
from discreet.release import given_numbers, suspected_codes, text_forms

ALL_DIFFERENT_ROWS = 20
"""Fewer rows than this are too often all different by chance to mean anything."""
NEARLY_ALL = 0.95
"""If at least this share of the values is distinct, they distinguish nearly every record."""
REPEATED = 20
"""Whole numbers that occur this often on average are treated as codes or grades."""
FEW_RECORDS, LONG_CODE = (1.2, 6.0), given_numbers.LONG
"""How many records a person with several has on average, and how long the codes for persons are."""
MANY_RECORDS, LONG_TEXT, LONG_WITH_LETTERS = 100, 9, 6
"""At least this many records, all different, with this many digits or more, beside letters or
alone.
"""
FAR_APART = 10
"""In a list of codes, at most one number in this many occurs."""
SEVERAL_TEXTS, LONG_REPEATED = 6, 5
"""This many codes, each with this many digits or more, are those of a list."""
YOUNGEST, OLDEST = 25, (70, 112)
"""The highest value at which the ages of a file may begin, and where they end."""
OFTEN = 5
"""Codes of a list occur in this many records each, on average."""
FIRST_YEAR, LAST_YEAR, MANY_YEARS = 1890, 2060, 20
FEW_YEARS = 1950
"""From here on a few consecutive whole numbers are years."""
SAMPLE = 200
"""How many texts of a column are examined for their form."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A column with what is known about it: its labels, and whether it holds dates."""

    column: Column
    temporal: bool = False
    label: str = ""
    value_labels: Mapping[Any, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Microdata, name: str) -> Profile:
        """Return the profile of a column.

        >>> import discreet
        >>> profile = Profile.of(discreet.read({"row": list(range(30))}), "row")
        >>> profile.distinct, profile.whole, profile.all_different, profile.few
        (30, True, True, False)
        """
        format = data.source.format if data.source else None
        labels = getattr(format, "variable_labels", {})
        return cls(
            data.column(name),
            unit_of(data, name) is not None,
            labels.get(name, ""),
            getattr(format, "value_labels", {}).get(name, {}),
        )

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    @computed_once
    def _used(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The distinct values (codes of categories) in their order, and how often each occurs."""
        values = self.column.values
        if not self.column.attribute.continuous:
            # A missing value has the code −1.
            counts = bin_counts(values, len(self.column.attribute.categories), -1)[1:]
            used = np.flatnonzero(counts)
            return used, counts[used]
        return counted(values[~np.isnan(values)] if np.isnan(values.min(initial=0)) else values)

    @computed_once
    def present(self) -> int:
        """The number of records with a value."""
        return int(self._used[1].sum())

    @property
    def distinct(self) -> int:
        """The number of distinct values."""
        return len(self._used[0])

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each value occurs, in the order of the values."""
        return self._used[1]

    @computed_once
    def numbers(self) -> NDArray[np.float64] | None:
        """The distinct values as numbers, in their order; None if they are not all numbers."""
        if self.column.attribute.continuous:
            return self._used[0]
        categories = self.column.attribute.categories
        used = [categories[code] for code in self._used[0]]
        if not used or any(type(value) not in (int, float) for value in used):
            return None
        return np.sort(np.array(used, dtype=np.float64))

    @computed_once
    def whole(self) -> bool:
        """Whether all values are whole numbers, and no dates."""
        numbers = self.numbers
        return (
            numbers is not None
            and not self.temporal
            and len(numbers) > 0
            and all(np.array_equal(some, np.rint(some)) for some in (numbers[:SAMPLE], numbers))
        )

    @computed_once
    def texts(self) -> list[str]:
        """Some of the texts of a column of text, spread over all of them."""
        categories, used = self.column.attribute.categories, self._used[0]
        if self.column.attribute.continuous or self.numbers is not None:
            return []
        places = used[:: max(1, len(used) // SAMPLE)]
        return [c for c in (categories[place] for place in places) if isinstance(c, str)]

    @property
    def all_different(self) -> bool:
        """Whether all, or nearly all, records have different values."""
        return self.present >= ALL_DIFFERENT_ROWS and self.distinct >= NEARLY_ALL * self.present

    @property
    def few(self) -> bool:
        """Whether there are very few values that are repeated often, as in yes and no."""
        return self.distinct <= 3 and self.present >= 5 * self.distinct

    @property
    def several(self) -> bool:
        """Whether there are many values, though each may occur several times, as in visits."""
        return self.distinct > self.present / 10

    @computed_once
    def decimals(self) -> int:
        """The most decimals that a value of a sample has, up to six."""
        numbers = self.numbers
        if numbers is None or self.temporal or self.whole or not len(numbers):
            return 0
        some = numbers[:: max(1, len(numbers) // SAMPLE)]
        for digits in range(1, 6):
            if np.allclose(some, rounded(some, digits), rtol=1e-12, atol=0):
                return digits
        return 6

    @computed_once
    def form(self) -> str:
        """The form of naming a person that nearly all texts have, or an empty string."""
        return text_forms.of_somebody(self.texts)

    @property
    def free_text(self) -> bool:
        """Whether the texts are sentences, most of them different."""
        words = [text.count(" ") + 1 for text in self.texts]
        return (
            self.present >= ALL_DIFFERENT_ROWS
            and self.distinct > self.present / 2
            and bool(words)
            and sum(words) >= 4 * len(words)
        )

    @computed_once
    def leading_zeros(self) -> bool:
        """Whether the texts are digits of one width, some with a zero in front: codes."""
        return text_forms.leading_zeros(self.texts)

    @computed_once
    def diseases(self) -> bool:
        """Whether the texts are codes of the classification of diseases, such as E11.9 and I10."""
        return text_forms.diseases(self.texts)

    @computed_once
    def postcodes(self) -> bool:
        """Whether the texts are postcodes of letters and digits, as 1012 AB and SW1A 2AA."""
        return text_forms.postcodes(self.texts)

    @computed_once
    def times_of_day(self) -> bool:
        """Whether the texts are times of day, such as 14:05."""
        return text_forms.times_of_day(self.texts)

    @computed_once
    def years(self) -> bool:
        """Whether whole numbers are years: many within a lifetime, or a few consecutive ones."""
        numbers = self.numbers
        if numbers is None or not self.whole or self.distinct < 2:
            return False
        many = self.distinct >= MANY_YEARS and numbers[0] >= FIRST_YEAR
        on_end = numbers[0] >= FEW_YEARS and self.distinct >= 0.8 * (numbers[-1] - numbers[0] + 1)
        return bool((many or on_end) and numbers[-1] <= LAST_YEAR)

    @computed_once
    def numbers_members(self) -> bool:
        """Whether whole numbers count from 1 within groups of neighbouring records: persons."""
        values = self.column.values
        if not self.whole or not self.column.attribute.continuous or len(values) < 50:
            return False
        first = values == 1
        if self.distinct <= 2 or not first[0] or not 0.15 < first.mean() < 0.9:
            return False
        on = values[1:] == values[:-1] + 1
        return bool((first[1:] | on).all())

    @property
    def intervals(self) -> bool:
        """Whether the texts are spans of numbers, such as 18-34 and 65+."""
        return 2 <= self.distinct <= SAMPLE and text_forms.intervals(self.texts)

    @computed_once
    def given_number(self) -> str:
        """Why whole numbers look assigned rather than measured, or an empty string."""
        numbers = self.numbers
        if numbers is None or not self.whole or not self.all_different:
            return ""
        if self.distinct == self.present == numbers[-1] - numbers[0] + 1:
            return "it numbers the records"
        widths = {len(str(int(end))) for end in (numbers[0], numbers[-1])}
        if numbers[0] > 0 and len(widths) == 1 and (width := widths.pop()) >= 5:
            return f"every record has a different number of {width} digits"
        if self._without_a_pair:
            return "no two records have the same whole number, as if they had been assigned"
        return ""

    @computed_once
    def _without_a_pair(self) -> bool:
        """Whether no two records share a whole number though many would by chance."""
        if self.numbers is None or not self.whole or not self.present == self.distinct > 1:
            return False
        return given_numbers.without_a_pair(self.numbers)

    @computed_once
    def given_out(self) -> str:
        """Why whole numbers were assigned even if their column is named after an amount.

        Sums of money differ in length, crowd at small ones, are shared or round.
        """
        if self.numbers is None or self.distinct < MANY_RECORDS or not self.given_number:
            return ""
        shown = self.long_numbers or given_numbers.drawn(self.numbers)
        running = self._without_a_pair and not given_numbers.of_one_step(self.numbers)
        return self.given_number if shown or running else ""

    @computed_once
    def perhaps_given_out(self) -> bool:
        """Whether whole numbers of four digits or more do not have the shape of measurements."""
        numbers = self.numbers
        if numbers is None or self.temporal or not self.whole or not self.all_different:
            return False
        large = numbers[0] >= 0 and numbers[-1] >= 1000
        return bool(large and given_numbers.even_and_not_round(numbers))

    @computed_once
    def last_digits(self) -> bool:
        """Whether whole numbers fill three or four digits evenly: the ends of longer ones."""
        if self.numbers is None or not self.whole or self.distinct < MANY_RECORDS:
            return False
        return given_numbers.last_digits(self.numbers, self.counts)

    @property
    def no_weights(self) -> bool:
        """Whether whole numbers were assigned to records, or are too long for weights."""
        return self._without_a_pair or self.long_numbers or bool(self.given_out)

    @computed_once
    def numbers_neighbours(self) -> bool:
        """Whether whole numbers rise from record to record, some repeated, as household numbers
        do.
        """
        values = self.column.values
        if not self.whole or not self.column.attribute.continuous or len(values) < 50:
            return False
        if not 0.15 < self.distinct / len(values) < 0.8:
            return False
        steps = np.diff(values)
        return bool(((steps == 0) | (steps == 1)).all())

    @computed_once
    def suspected_codes(self) -> tuple[float, ...]:
        """Values that look like codes for missing ones: -999, 99 or 9999, far from all others."""
        numbers = self.numbers
        if numbers is None or self.given_number or len(numbers) < 3:
            return ()
        return suspected_codes.suspected(numbers, self.counts, self.whole)

    @property
    def coded(self) -> bool:
        """Whether whole numbers repeat and skip others between them, as codes do."""
        return self.present >= REPEATED * self.distinct and self.gaps

    @computed_once
    def long_numbers(self) -> bool:
        """Whether whole numbers are long and of one length, unlike sums of money.

        Those have several lengths, and many of them are round.
        """
        numbers = self.numbers
        if numbers is None or not self.whole or self.distinct < 50:
            return False
        return given_numbers.long_of_one_length(numbers)

    @computed_once
    def opaque_numbers(self) -> bool:
        """Whether long codes of one length occur in a few records each, as those of persons do."""
        each = self.present / max(1, self.distinct)
        if not FEW_RECORDS[0] <= each <= FEW_RECORDS[1] or self.distinct < 50:
            return False
        if self.numbers is not None:
            return self.long_numbers
        if not self.texts:
            return False
        lengths = {len(text.strip()) for text in self.texts}
        digits = all(any(sign.isdigit() for sign in text) for text in self.texts)
        return digits and len(lengths) == 1 and lengths.pop() >= LONG_CODE

    @computed_once
    def listed_codes(self) -> bool:
        """Whether whole numbers of one length are few among those between them, and repeat.

        Measurements are closer together, or have a common step.
        """
        numbers = self.numbers
        if numbers is None or not self.whole or numbers[0] < 100 or self.distinct < MANY_YEARS:
            return False
        one_length = len(str(int(numbers[0]))) == len(str(int(numbers[-1])))
        steps = np.diff(numbers).astype(np.int64) if numbers[-1] < 2**53 else np.zeros(1, np.int64)
        apart = (numbers[-1] - numbers[0]) / max(1, int(np.gcd.reduce(steps))) / self.distinct
        repeats = self.present >= OFTEN * self.distinct
        return bool(one_length and repeats and apart >= FAR_APART and self.gaps)

    @computed_once
    def record_codes(self) -> bool:
        """Whether every single record has a long code of its own, unlike places."""
        if self.distinct < max(self.present, MANY_RECORDS):
            return False
        return self.long_numbers or text_forms.long_codes(self.texts, LONG_TEXT, LONG_WITH_LETTERS)

    @computed_once
    def repeated_codes(self) -> bool:
        """Whether texts are codes of one form with several digits, as of practices and clerks."""
        several = self.distinct >= SEVERAL_TEXTS and not self.all_different
        return several and text_forms.long_codes(self.texts, LONG_REPEATED, LONG_REPEATED)

    @computed_once
    def ages(self) -> bool:
        """Whether whole numbers run from young to old, with hardly one skipped, as ages do.

        Numbers that end at 100 may equally be points or percentages.
        """
        numbers = self.numbers
        if numbers is None or not self.whole or self.present < 3 * self.distinct:
            return False
        low, high = float(numbers[0]), float(numbers[-1])
        spread = 0 <= low <= YOUNGEST and OLDEST[0] <= high <= OLDEST[1] and high != 100
        return bool(spread and self.distinct >= 0.85 * (high - low + 1))

    def without_codes(self) -> Profile:
        """Return the profile of the column without the codes that it seems to have."""
        if not self.suspected_codes or not self.column.attribute.continuous:
            return self
        coded = np.isin(self.column.values, self.suspected_codes)
        column = self.column.with_values(np.where(coded, np.nan, self.column.values))
        return replace(self, column=column)

    @computed_once
    def gaps(self) -> bool:
        """Whether whole numbers skip others that lie between them, as codes do.

        A common step, as in 20, 30, 40, is not a gap.
        """
        numbers = self.numbers
        if numbers is None or not self.whole or len(numbers) < 3 or self.temporal:
            return False
        often = numbers[self.counts >= 0.02 * self.present / max(1, len(numbers) / 10)]
        if len(often) < 3 or np.abs(often).max() > 2**53:
            return False
        steps = np.diff(often).astype(np.int64)
        return bool((often[-1] - often[0]) / np.gcd.reduce(steps) + 1 >= 1.2 * len(often))
