"""Words in the names and labels of columns that hint at what they hold.

They serve to suggest, never to decide: a person confirms every role. The words are in `words.txt`,
in English, German, French, Spanish, Portuguese, Italian and Dutch.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

NUMBER_ENDINGS = ("number", "nummer", "num", "nr", "no", "id", "code", "key")
"""What turns a word for a person into the word for a number: "patientid", "Fallnummer"."""

INSIDE = ("quasi-identifier", "area", "confidential", "amount", "household", "weight", "code")
"""Sections whose words also count inside longer ones that are not listed."""
LONG = 6
"""The fewest letters of a word that is searched for inside others; shorter ones occur by chance."""


_LETTERS = str.maketrans(
    {
        "ß": "ss",
        "ø": "o",
        "Ø": "O",
        "æ": "ae",
        "Æ": "Ae",
        "œ": "oe",
        "ł": "l",
        "Ł": "L",
        "ð": "d",
        "ı": "i",
    }
)
"""Letters that are not a plain letter with an accent."""


@dataclass(frozen=True)
class _Words:
    """The words of one section: whole ones, beginnings and endings."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]
    endings: tuple[str, ...]

    def __contains__(self, word: str) -> bool:
        return word in self.whole or word.startswith(self.beginnings) or word.endswith(self.endings)


@cache
def _sections() -> dict[str, _Words]:
    text = files("discreet.release").joinpath("words.txt").read_text(encoding="utf-8")
    listed: dict[str, list[str]] = {}
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif not line.startswith("#"):
            listed.setdefault(section, []).extend(_folded(word) for word in line.split())
    return {
        name: _Words(
            frozenset(w.strip("*") for w in words),
            tuple(w[:-1] for w in words if w.endswith("*")),
            tuple(w[1:] for w in words if w.startswith("*")),
        )
        for name, words in listed.items()
        if name
    }


@cache
def _means(word: str, section: str) -> bool:
    words, folded = _sections()[section], _folded(word)
    if not (word in words or folded in words):
        return _has_inside(folded, section)
    begins = folded in words.whole or folded.startswith(words.beginnings)
    return begins or word in words.whole or not _begins_elsewhere(folded)


@cache
def _begins_elsewhere(word: str) -> bool:
    """Whether a section lists the beginning of a word: a passport is no place, but a Vorort is."""
    return any(
        word in words.whole or word.startswith(words.beginnings) for words in _sections().values()
    )


@cache
def _has_inside(word: str, section: str) -> bool:
    """Whether a long unlisted word contains one of a section: "gbageboortejaar"."""
    if section not in INSIDE or len(word) <= LONG or _listed_anywhere(word):
        return False
    # Compiling a pattern of this many words would take longer than looking up all names of a file.
    if any(listed in word for listed in _long_words(section)):
        return True
    return any(part in _sections()[section] for part in parts_of(word))


@cache
def _listed_anywhere(word: str) -> bool:
    return any(
        word in _sections()[section] for section in (*INSIDE, "identifier", "other", "linking")
    )


@cache
def _long_words(section: str) -> tuple[str, ...]:
    words = _sections()[section]
    return tuple(w for w in (*words.whole, *words.beginnings) if len(w) >= LONG)


@cache
def parts_of(word: str) -> tuple[str, ...]:
    """Return the listed words that a word is made of, if nothing is left over.

    >>> parts_of("startage"), parts_of("dtnasc"), parts_of("mileage")
    (('start', 'age'), ('dt', 'nasc'), ())
    """
    known = _parts()
    ways: list[tuple[str, ...] | None] = [()] + [None] * len(word)
    for end in range(2, len(word) + 1):
        for start in range(end - 1):
            before = ways[start]
            if before is not None and word[start:end] in known and ways[end] is None:
                ways[end] = (*before, word[start:end])
    return ways[-1] or ()


@cache
def _parts() -> frozenset[str]:
    """The words that may be part of another: abbreviations, and listed ones of three letters."""
    sections = _sections()
    listed = {w for name in (*INSIDE, "number") for w in sections[name].whole if len(w) >= 3}
    return frozenset(listed) | sections["abbreviation"].whole


def hinted(name: str, section: str) -> str:
    """Return the word in a name that is in a section of the list, or an empty string.

    >>> hinted("date_of_birth", "quasi-identifier")
    'birth'
    >>> hinted("householdID", "household")
    'householdid'
    >>> hinted("Körpergröße", "quasi-identifier")
    'korpergrosse'
    >>> hinted("weight_kg", "weight")
    ''
    """
    words = words_of(name)
    telling = [word for word in words if word not in _sections()["linking"]]
    joined = ("".join(words), *("".join(pair) for pair in pairwise(telling)))
    whole = _sections()[section].whole
    together = (word for word in joined if _folded(word) in whole)
    return next(together, next((word for word in words if _means(word, section)), ""))


def listed_whole(name: str, section: str) -> bool:
    """Whether a name as a whole, such as cell_id, or its end, is a word of a section.

    >>> [listed_whole(n, "quasi-identifier") for n in ("cell_id", "home_cell_id", "cell_id_no")]
    [True, True, False]
    """
    words = words_of(name)
    # A single word at the end may be the number of what precedes it.
    starts = range(max(1, len(words) - 1))
    return any(_folded("".join(words[i:])) in _sections()[section].whole for i in starts)


def numbered(name: str) -> str:
    """Return the part of a name that says that it numbers people, or an empty string.

    >>> numbered("patientID"), numbered("Fallnummer"), numbered("id_persona"), numbered("paid")
    ('patientid', 'fallnummer', 'idpersona', '')
    """
    words = words_of(name)
    person = [word for word in words if _of_somebody(_folded(word))]
    number = [word for word in words if _means(_folded(word), "number") and word not in person]
    if person and number:
        return "".join(word for word in words if word in (*person, *number))
    return next((word for word in words if _number_of_somebody(_folded(word))), "")


def measured_in(name: str) -> str:
    """Return the unit that a name ends in, as in floor_area_m2, or an empty string.

    >>> measured_in("floor_area_m2"), measured_in("statura_cm"), measured_in("cm")
    ('m2', 'cm', '')
    """
    ending = re.search(r"[_ .(\[-]([a-z]+[23]?)[)\]]?$", name.lower())
    return ending[1] if ending and ending[1] in _sections()["unit"].whole else ""


def only_somebody(name: str) -> str:
    """Return the word for a person if it is the whole name, or an empty string.

    >>> only_somebody("Ticket"), only_somebody("customer age")
    ('ticket', '')
    """
    words = words_of(name)
    return words[0] if len(words) == 1 and _of_somebody(words[0]) else ""


def only_people(name: str) -> bool:
    """Whether a name is a word for people and nothing else.

    >>> only_people("Patient"), only_people("Ticket"), only_people("patient group")
    (True, False, False)
    """
    words = words_of(name)
    return len(words) == 1 and _means(words[0], "people")


def _of_somebody(word: str) -> bool:
    return _means(word, "people") or _means(word, "who")


def _number_of_somebody(word: str) -> bool:
    stems = (word.removesuffix(ending) for ending in NUMBER_ENDINGS if word.endswith(ending))
    return any(
        stem and any(_of_somebody(short) for short in (stem, stem.removesuffix("s")))
        for stem in stems
    )


@cache
def words_of(name: str) -> tuple[str, ...]:
    """Return the words that a name is made of, in lower case and without accents.

    >>> words_of("DateOfBirth2"), words_of("prénom"), words_of("kjønn")
    (('date', 'of', 'birth', '2'), ('prenom',), ('kjonn',))
    """
    plain = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    name = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return tuple(w.lower() for w in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name))


def _folded(word: str) -> str:
    """Return a word in which ä and ae are the same, since German files have both."""
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
