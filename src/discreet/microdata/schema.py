"""What each column is: its role in a disclosure, and its kind of scale.

Roles follow the survey of Domingo-Ferrer (§1) and add what surveys of persons carry: a sampling
weight, a household, a person with several records, and a stratum. Kinds are the survey's continuous
and categorical attributes, the latter ordinal or nominal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from discreet.errors import UsageError, nearest
from discreet.microdata.unknown_column import unknown_column

if TYPE_CHECKING:
    from discreet.microdata.decoding import Decoding


SYNONYMS = {
    "sensitive": "confidential",
    "key": "quasi-identifier",
    "keys": "quasi-identifier",
    "quasi": "quasi-identifier",
    "quasi-identifiers": "quasi-identifier",
    "qi": "quasi-identifier",
    "qid": "quasi-identifier",
    "id": "identifier",
    "identifiers": "identifier",
    "direct-identifier": "identifier",
    "insensitive": "other",
}
"""Other words in use for the roles."""


def plain_word(text: object) -> str:
    """Return a word as it is looked up.

    >>> plain_word(" Quasi_Identifier")
    'quasi-identifier'
    """
    return str(text).strip().lower().replace("_", "-").replace(" ", "-")


class _Named(StrEnum):
    """An enumeration whose members are also given as text, in a plan or a call."""

    @classmethod
    def parse(cls, text: object, *, column: str) -> Self:
        """Return the member called `text`; `column` is named in the error."""
        known = [member.value for member in cls]
        word = plain_word(text)
        word = SYNONYMS.get(word, word)
        if word in known:
            return cls(word)
        aspect = cls.__name__.lower()
        raise UsageError(
            f"the {aspect} of column '{column}' must be one of {', '.join(known)}, "
            f"but '{text}' was given{nearest(word, known)}"
        )


class Role(_Named):
    """What a column means to an intruder or to the file's owner."""

    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi-identifier"
    CONFIDENTIAL = "confidential"
    OTHER = "other"
    WEIGHT = "weight"
    HOUSEHOLD = "household"
    PERSON = "person"
    STRATUM = "stratum"


class Level(_Named):
    """Whose value a column holds: the record's, or one that a person or a household has in all.

    A record that is a person, as in most files of households, is of the level person.
    """

    RECORD = "record"
    PERSON = "person"
    HOUSEHOLD = "household"


class Kind(_Named):
    """The scale of a column's values."""

    CONTINUOUS = "continuous"
    ORDINAL = "ordinal"
    NOMINAL = "nominal"


@dataclass(frozen=True)
class Attribute:
    """One column's name, role and kind; for ordinal and nominal columns also its categories.

    The categories of an ordinal attribute are in their order. `declared` distinguishes a role that
    somebody stated from one that was assumed: the release gate is stricter with the latter. A
    recoded column says in `decoding` which values of the original its categories denote. `level`
    says whose value it is, where households or persons with several records are known; None if it
    has not been determined. `unit` says whether claims count by this key, None if nobody said so;
    if it is `whole`, groups consist of whole households or persons. `value_labels` are the words
    that a file has for its codes.

    >>> Attribute("age", Role.QUASI_IDENTIFIER, Kind.CONTINUOUS)
    Attribute(name='age', role='quasi-identifier', kind='continuous')
    """

    name: str
    role: Role = Role.OTHER
    kind: Kind = Kind.CONTINUOUS
    categories: tuple[Any, ...] = ()
    declared: bool = True
    decoding: Decoding | None = field(default=None, compare=False)
    level: Level | None = None
    unit: bool | None = None
    whole: bool = False
    value_labels: Mapping[Any, str] = field(default_factory=dict, compare=False)

    def label_of(self, category: Any) -> str:
        """Return a category in words: its label, or else the category as text.

        >>> area = Attribute("area", value_labels={1: "urban"})
        >>> area.label_of(1.0), area.label_of(2.0)
        ('urban', '2')
        """
        from discreet.microdata.hierarchy import text_of

        label = self.value_labels.get(category)
        if label is None:
            return text_of(category)
        alike = sum(other == label for other in self.value_labels.values()) > 1
        return f"{label} ({text_of(category)})" if alike else label

    def __repr__(self) -> str:
        return f"Attribute(name={self.name!r}, role='{self.role}', kind='{self.kind}')"

    @property
    def continuous(self) -> bool:
        """Whether arithmetic on the values makes sense."""
        return self.kind is Kind.CONTINUOUS

    def recoded(
        self, kind: Kind, categories: Iterable[Any] = (), decoding: Decoding | None = None
    ) -> Attribute:
        """Return the same attribute on another scale, as after recoding.

        `decoding` says what the new categories mean on this scale. Without it, categories of
        a recoded attribute keep their meaning, and new ones say nothing about the original.
        """
        new = tuple(categories)
        if self.decoding is not None:
            if decoding is not None:
                decoding = decoding.after(self.decoding)
            else:
                decoding = self.decoding.renamed(self.categories, new)
        return replace(self, kind=kind, categories=new, decoding=decoding)


class Schema:
    """The attributes of a file in the order of its columns.

    >>> schema = Schema([Attribute("name", Role.IDENTIFIER, Kind.NOMINAL), Attribute("age")])
    >>> schema.names
    ('name', 'age')
    >>> schema.having(Role.IDENTIFIER)
    ('name',)
    """

    def __init__(self, attributes: Iterable[Attribute]) -> None:
        self._attributes = {attribute.name: attribute for attribute in attributes}

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self._attributes.values())

    def __len__(self) -> int:
        return len(self._attributes)

    def __contains__(self, name: object) -> bool:
        return name in self._attributes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash(self.names)

    def __getitem__(self, name: str) -> Attribute:
        if name not in self._attributes:
            raise UsageError(unknown_column(name, self.names))
        return self._attributes[name]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names in order."""
        return tuple(self._attributes)

    def having(self, *roles: Role) -> tuple[str, ...]:
        """Return the names of the columns with one of these roles, in order."""
        return tuple(a.name for a in self if a.role in roles)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The columns that an intruder may know from elsewhere."""
        return self.having(Role.QUASI_IDENTIFIER)
