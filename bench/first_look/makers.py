"""Makers of invented values: each returns the texts of a column, as they would be in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

Texts = list[str]
Maker = Callable[..., Texts]

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
TOWNS = "Ayle Bron Corve Dunmar Elst Fenwick Garda Holm Ivry Jessen Kelby Lorne"
FORENAMES = "Anna Ben Carla David Eva Finn Greta Hugo Ines Jonas Karin Luis Maria"
SYLLABLES = "ba ber den fel gar hal ker lin mar nor pel rus ster tal ven wick zan"
STREETS = "Hill Mill Church Station Garden Lake Market"
SENTENCES = {
    "en": "patient was seen by the nurse and reports mild pain since last week at home",
    "de": "die Person wohnt allein und klagt seit einer Woche über Schmerzen im Rücken",
    "fr": "la personne est venue seule et dit avoir mal depuis une semaine environ",
    "es": "la persona vino sola y dice que tiene dolor desde hace una semana",
    "it": "la persona vive da sola e dice di avere dolore da circa una settimana",
    "nl": "de persoon woont alleen en heeft sinds een week pijn in de rug",
}


class Makers:
    """The makers, by name, for one file: its records, generator and decimal mark."""

    def __init__(self, rows: int, generator: np.random.Generator, decimal: str) -> None:
        self.rows, self.random, self.decimal = rows, generator, decimal
        sizes = 1 + generator.poisson(1.4, rows)
        self._homes = np.repeat(np.arange(rows), sizes)[:rows]

    def make(self, recipe: str) -> Texts:
        """Return the texts of a recipe such as "normal 50 10 0 ~0.05=-999"."""
        name, *words = recipe.split()
        missing = words.pop()[1:] if words and words[-1].startswith("~") else ""
        texts: Texts = getattr(self, name)(*words)
        if missing:
            share, _, code = missing.partition("=")
            gone = self.random.random(self.rows) < float(share)
            texts = [code if lost else text for text, lost in zip(texts, gone, strict=True)]
        return texts

    def _different(self, draw: Callable[[], str]) -> Texts:
        texts: dict[str, None] = {}
        while len(texts) < self.rows:
            texts[draw()] = None
        return list(texts)

    def _numbers(self, values: NDArray[np.float64], digits: int) -> Texts:
        return [f"{value:.{digits}f}".replace(".", self.decimal) for value in values]

    def _pick(self, listed: Sequence[str], weights: NDArray[np.float64] | None = None) -> Texts:
        return [listed[i] for i in self.random.choice(len(listed), self.rows, p=weights)]

    # Identifiers

    def digits(self, width: str) -> Texts:
        return self.pattern("1" + "#" * (int(width) - 1))

    def pattern(self, form: str) -> Texts:
        return self._different(lambda: self._drawn(form))

    def pattern_of(self, count: str, form: str) -> Texts:
        return self._pick([self._drawn(form) for _ in range(int(count))])

    def _drawn(self, form: str) -> str:
        signs = {"#": "0123456789", "A": LETTERS, "_": " "}
        places = self.random.integers(0, 1 << 30, len(form)).tolist()
        listed = (signs.get(sign, sign) for sign in form)
        return "".join(some[place % len(some)] for some, place in zip(listed, places, strict=True))

    def serial(self, start: str) -> Texts:
        return [str(int(start) + i) for i in range(self.rows)]

    def gaps(self, start: str) -> Texts:
        numbers = int(start) + np.cumsum(1 + self.random.poisson(2, self.rows))
        return [str(number) for number in self.random.permutation(numbers)]

    def uuid(self) -> Texts:
        return self._different(lambda: "-".join(self._hex(w) for w in (8, 4, 4, 4, 12)))

    def hash(self) -> Texts:
        return self._different(lambda: self._hex(32))

    def _hex(self, width: int) -> str:
        return "".join(self.random.choice(list("0123456789abcdef"), width))

    def surname(self) -> Texts:
        return [self._name() for _ in range(self.rows)]

    def forename(self) -> Texts:
        return self._pick(
            [first + end for first in FORENAMES.split() for end in ("", "-Lou", "e", "o")]
        )

    def fullname(self) -> Texts:
        pairs = zip(self.forename(), self.surname(), strict=True)
        return [f"{first} {last}" for first, last in pairs]

    def email(self) -> Texts:
        return [f"{text.lower()}{i}@mail.example" for i, text in enumerate(self.surname())]

    def phone(self, prefix: str) -> Texts:
        return self._different(lambda: self._drawn(f"{prefix}_###_######"))

    def street(self) -> Texts:
        numbers = self.random.integers(1, 150, self.rows)
        named = zip(self.surname(), self._pick(STREETS.split()), numbers, strict=True)
        return [f"{name} {street} {number}" for name, street, number in named]

    def company(self) -> Texts:
        return self._different(lambda: f"{self._name()} Ltd")

    def _name(self) -> str:
        return "".join(self.random.choice(SYLLABLES.split(), 3)).title()

    def address(self) -> Texts:
        return self._different(lambda: ".".join(map(str, self.random.integers(1, 255, 4))))

    def words(self, language: str) -> Texts:
        sizes = self.random.integers(5, 15, self.rows)
        return [" ".join(self.random.choice(SENTENCES[language].split(), size)) for size in sizes]

    # Codes, grades and places

    def choice(self, *listed: str) -> Texts:
        return self._pick(list(listed), self.random.dirichlet(np.full(len(listed), 5.0)))

    def labelled(self, *listed: str) -> Texts:
        return self.choice(*(entry.partition("=")[0] for entry in listed))

    def sparse(self, count: str, low: str, high: str) -> Texts:
        """Codes with gaps between them, such as those of regions."""
        return self.distinct(count, low, high)

    def distinct(self, count: str, low: str, high: str) -> Texts:
        values = int(high) - int(low) + 1
        codes = int(low) + np.sort(self.random.choice(values, int(count), replace=False))
        return self._pick([str(code) for code in codes])

    def zeros(self, width: str, count: str, low: str, high: str) -> Texts:
        """Codes of a fixed width, some of which begin with a zero."""
        return [text.zfill(int(width)) for text in self.distinct(count, low, high)]

    def grades(self, low: str, high: str) -> Texts:
        listed = [str(grade) for grade in range(int(low), int(high) + 1)]
        middle = np.arange(len(listed)) - (len(listed) - 1) * self.random.uniform(0.4, 0.7)
        weights = np.exp(-0.5 * (middle / (0.35 * len(listed))) ** 2)
        return self._pick(listed, weights / weights.sum())

    def town(self) -> Texts:
        return self._pick(TOWNS.split())

    def household(self) -> Texts:
        return [str(number + 1) for number in self._homes]

    def member(self) -> Texts:
        starts = np.searchsorted(self._homes, self._homes)
        return [str(place) for place in np.arange(self.rows) - starts + 1]

    # Quantities

    def normal(
        self, mean: str, sd: str, digits: str, low: str = "-inf", high: str = "inf"
    ) -> Texts:
        values = self.random.normal(float(mean), float(sd), self.rows)
        return self._numbers(np.clip(values, float(low), float(high)), int(digits))

    def lognormal(self, mean: str, sd: str, digits: str) -> Texts:
        return self._numbers(self.random.lognormal(float(mean), float(sd), self.rows), int(digits))

    def zeroed(self, share: str, mean: str, sd: str, digits: str) -> Texts:
        values = self.random.lognormal(float(mean), float(sd), self.rows)
        values[self.random.random(self.rows) < float(share)] = 0
        return self._numbers(values, int(digits))

    def poisson(self, mean: str) -> Texts:
        return [str(count) for count in self.random.poisson(float(mean), self.rows)]

    def between(self, low: str, high: str, digits: str) -> Texts:
        values = self.random.uniform(float(low), float(high), self.rows)
        return self._numbers(values, int(digits))

    def euro(self, mean: str, sd: str) -> Texts:
        return [f"{_grouped(value, '.', ',')} €" for value in self._amounts(mean, sd)]

    def reais(self, mean: str, sd: str) -> Texts:
        return [f"R$ {_grouped(value, '.', ',')}" for value in self._amounts(mean, sd)]

    def dollars(self, mean: str, sd: str) -> Texts:
        return [f"${_grouped(value, ',', '.')}" for value in self._amounts(mean, sd)]

    def percent(self, mean: str, sd: str) -> Texts:
        return [f"{text}%" for text in self.normal(mean, sd, "1", "0", "100")]

    def _amounts(self, mean: str, sd: str) -> NDArray[np.float64]:
        return self.random.lognormal(float(mean), float(sd), self.rows)

    # Times

    def year(self, low: str, high: str) -> Texts:
        return [str(year) for year in self.random.integers(int(low), int(high) + 1, self.rows)]

    def date(self, form: str, low: str, high: str) -> Texts:
        return self.moment(form, low, high)

    def month(self, form: str, low: str, high: str) -> Texts:
        return self.moment(form, low, high)

    def week(self, low: str, high: str) -> Texts:
        return self.moment("%G-W%V", low, high)

    def moment(self, form: str, low: str, high: str) -> Texts:
        first = datetime(int(low), 1, 1)
        seconds = (datetime(int(high) + 1, 1, 1) - first).total_seconds()
        shape = form.replace("_", " ")
        drawn = self.random.integers(0, int(seconds), self.rows).tolist()
        return [(first + timedelta(seconds=second)).strftime(shape) for second in drawn]


def _grouped(value: float, thousands: str, decimal: str) -> str:
    signs = {",": thousands, ".": decimal}
    return "".join(signs.get(sign, sign) for sign in f"{value:,.2f}")
