"""Citations as BibTeX: the sources that an entry names, and discreet itself.

A spec names its sources in words: authors, year and title in one of the two usual orders, separated
by semicolons. Anything else becomes a note, word for word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache

from discreet.contracts import registry
from discreet.contracts.parameters import Component
from discreet.version import version

NAME = r"(?:van |de |El )?[A-ZŠÄÖÜÉ][\w'’-]+(?: [A-Z][\w'’-]+)?"
AUTHORS = rf"{NAME}(?:, {NAME})*(?: (?:&|and) {NAME}| et al\.)?"
YEAR_FIRST = re.compile(
    rf"^(?P<who>{AUTHORS}) \((?P<year>\d{{4}})\)(?:, (?P<title>.+)| (?P<rest>.+))?$"
)
YEAR_LAST = re.compile(rf"^(?P<who>{AUTHORS}), (?P<title>.+?) \((?P<year>\d{{4}})\)(?P<rest>.*)$")
NO_YEAR = re.compile(rf"^(?P<who>{AUTHORS}), (?P<title>A survey .+?|Protecting .+?)(?P<rest>,.*)?$")
BEFORE = re.compile(r"^(?P<before>[^:(]+?:|.*? as in|loss of|the .+? of) (?=[A-Z])")
"""What a source is cited for may precede it."""
PLACE = re.compile(
    r"(?:,|:)? ?(?:§|eq\.|Fig|Figure|Table|Theorem|Algorithm|Example|Definition|section|where|as "
    r"described|conclusion|related|introduction|with|after).*$"
)

SECTION = re.compile(r"(?:§|eq\.|Fig\.|Table|Theorem|Algorithm) ?\d")


@dataclass(frozen=True)
class Source:
    """A cited work, with the place in it."""

    authors: tuple[str, ...]
    title: str
    year: str
    note: str = ""

    @property
    def key(self) -> str:
        """The key of the work: its first author with the year, or with a word of its title.

        >>> Source(("Särndal", "Swensson"), "Model Assisted Survey Sampling", "1992").key
        'sarndal1992'
        """
        first = self.authors[0] if self.authors else "unnamed"
        plain = unicodedata.normalize("NFKD", first).encode("ascii", "ignore").decode()
        words = [word for word in re.findall(r"[a-z]+", self.title.lower()) if len(word) > 3]
        suffix = self.year or (words[0] if words else "")
        return re.sub(r"[^a-z]", "", plain.lower()) + suffix


def sources(citation: str) -> list[Source]:
    """Return the works that a citation in words names.

    >>> sources("Kim (1986); Li & Sarkar, Class-restricted clustering (2013), eq. 13")
    [Source(authors=('Kim',), title='', year='1986', note=''),
     Source(authors=('Li', 'Sarkar'), title='Class-restricted clustering', year='2013',
            note='eq. 13')]
    """
    works: list[Source] = []
    for part in citation.split(";"):
        source = _source(part.strip())
        if not source.authors and works and works[-1].authors and SECTION.search(source.note):
            # Another place in the same work.
            work = works.pop()
            source = replace(work, note="; ".join(filter(None, (work.note, source.note))))
        if source.authors or source.note:
            works.append(source)
    return works


def _source(text: str) -> Source:
    match = BEFORE.match(text)
    if match is not None and (inner := _source(text[match.end() :])).authors:
        why = match["before"].rstrip(":")
        return replace(inner, note="; ".join(part for part in (why, inner.note) if part))
    for form in (YEAR_FIRST, YEAR_LAST, NO_YEAR):
        match = form.match(text)
        if match is None:
            continue
        parts = match.groupdict()
        title, rest = parts.get("title") or "", parts.get("rest") or ""
        if form is YEAR_FIRST and (place := PLACE.search(f" {title}")):
            at = max(place.start() - 1, 0)
            title, rest = title[:at], title[at:]
        authors = re.split(r", | & | and ", parts["who"].replace(" et al.", ", others"))
        return Source(
            tuple(authors), title.strip(" ,:"), parts.get("year") or "", rest.strip(" ,:")
        )
    return Source((), "", "", text)


def bibtex(entries: list[type[Component]]) -> str:
    """Return the sources of some entries, and discreet itself, as BibTeX.

    >>> from discreet.contracts.registry import find
    >>> print(bibtex([find("measure", "l-diversity")]).partition("@software")[0])
    % l-diversity: ...
    @misc{machanavajjhala2007,
      author = {Machanavajjhala and Kifer and Gehrke and Venkitasubramaniam},
      title = {{l-Diversity}},
      year = {2007},
      note = {distinct, entropy and recursive (c, l)-diversity},
    }
    <BLANKLINE>
    """
    titles = _titles()
    entry_of: dict[tuple[object, ...], str] = {}
    keys: Counter[str] = Counter()
    for entry in entries:
        for source in sources(entry.spec.citation):
            work = (source.authors, source.year) if source.authors else (source.note,)
            if work in entry_of:
                continue
            known = replace(source, title=source.title or titles.get(work, ""))
            suffix = "abcdefghijklmnopqrstuvwxyz"[keys[known.key] % 26] if keys[known.key] else ""
            keys[known.key] += 1
            head = f"% {entry.spec.name}: {entry.spec.title}\n"
            entry_of[work] = head + _written(known, known.key + suffix)
    title = "discreet: statistical disclosure control of microdata"
    software = f"@software{{discreet,\n  title = {{{{{title}}}}},\n  version = {{{version()}}},\n}}"
    return "\n\n".join([*entry_of.values(), software])


@cache
def _titles() -> dict[tuple[object, ...], str]:
    """Return the titles of works by authors and year, since only one entry has to state it."""
    named = [source for entry in registry.entries() for source in sources(entry.spec.citation)]
    return {(source.authors, source.year): source.title for source in named if source.title}


def _written(source: Source, key: str) -> str:
    fields = {
        "author": " and ".join(source.authors),
        # In extra braces, so that BibTeX leaves capitals as they are.
        "title": f"{{{source.title}}}" if source.title else "",
        "year": source.year,
        "note": source.note,
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key},", *lines, "}"])
