"""The public form of a report: what a reader of the release may know, and nothing else.

It is a separate type with no field for anything else, so that no figure of the original can get
into it; what is added to the internal form later is not published by default. Left out are: every
figure of the original other than a measure's declared value at identity, every score that compares
with the original (a bias and the released mean yield the original mean), the name of the input, the
names of dropped columns, notes (a note may quote a figure), the details of scores, groups,
correlations, single records, and the bins and categories that come from the original.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from discreet.report.plain import from_json


@dataclass(frozen=True)
class Part:
    """A partition, a replacement or another part of a step."""

    family: str
    name: str
    title: str
    citation: str
    meaning: str


@dataclass(frozen=True)
class Step:
    """What was done: a method with its parameters, and its parts.

    `withheld` are the parameters that are set but not published, since they may hold values of the
    data.
    """

    name: str
    title: str
    citation: str
    meaning: str = ""
    missing: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True)
class Claim:
    """What is claimed about a measure, and whether the measured value confirms it."""

    measure: str
    title: str
    better: str
    percent: bool
    of_release: bool
    bound: float | None
    measured: float | None = None
    holds: bool | None = None
    rests_on: str = ""
    of_what: str = ""


@dataclass(frozen=True, kw_only=True)
class About:
    """What a measure measures, and the question that it answers.

    `identity` is its value where nothing was changed; `share` says that its values are shares of a
    whole, which can share an axis with others. `blind_to` are the losses that it may not see.
    """

    name: str
    title: str
    meaning: str = ""
    citation: str = ""
    side: str = ""
    better: str = ""
    percent: bool = False
    of_release: bool = False
    rests_on: str = ""
    identity: float | None = None
    question: str = ""
    share: bool = False
    blind_to: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PublicScore(About):
    """What a measure says about the release, or about the worst confidential column if it names
    one."""

    after: float | None
    interval: tuple[float, float] | None = None
    column: str = ""

    @property
    def was(self) -> float | None:
        """What it is compared with: for a release alone, the declared value at identity."""
        return self.identity


@dataclass(frozen=True)
class Binned:
    """The share of values in each bin, and the shares that are off the axis."""

    shares: tuple[float, ...]
    below: float
    above: float

    @property
    def beyond(self) -> float:
        """The share off the axis."""
        return self.below + self.above


@dataclass(frozen=True)
class Quantiles:
    """Quantiles of the released values, by their percentage."""

    released: Mapping[str, float]


@dataclass(frozen=True)
class Rest:
    """The categories that have no bar of their own, and their share."""

    categories: int
    released: float


@dataclass(frozen=True, kw_only=True)
class Histogram:
    """Released numbers in bins; `dates` is their unit, "D" or "us", where they count since 1970."""

    form: Literal["histogram"] = "histogram"
    dates: str = ""
    edges: tuple[float, ...]
    released: Binned
    quantiles: Quantiles


@dataclass(frozen=True, kw_only=True)
class Bars:
    """Shares of released categories."""

    form: Literal["bars"] = "bars"
    labels: tuple[str, ...]
    released: tuple[float, ...]
    rest: Rest


@dataclass(frozen=True)
class NotDrawn:
    """Why there is no picture."""

    reason: str
    form: Literal["none"] = "none"


@dataclass(frozen=True, kw_only=True)
class PublicReleased:
    """A released column: its kind, and its distribution `alone`, by the released values only."""

    kind: str
    alone: Histogram | Bars | NotDrawn


@dataclass(frozen=True, kw_only=True)
class PublicColumn:
    """A column of the release; the public form has no others."""

    name: str
    role: str
    released: PublicReleased | None


@dataclass(frozen=True)
class ReleasedFile:
    """The file that was written."""

    name: str | None = None
    sha256: str | None = None
    bytes: int | None = None
    spreadsheet_safe: bool = False


@dataclass(frozen=True, kw_only=True)
class Records:
    """How many records there are."""

    released: int


@dataclass(frozen=True, kw_only=True)
class PublicContent:
    """Everything that the public report shows."""

    discreet: str
    released_file: ReleasedFile | None = None
    records: Records
    shuffled: bool
    keep_decimals: bool = True
    steps: tuple[Step, ...]
    claims: tuple[Claim, ...]
    scores: tuple[PublicScore, ...]
    columns: tuple[PublicColumn, ...]


def public(content: PublicContent) -> PublicContent:
    """Return the public form of a report's content; a public form is returned unchanged.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    >>> from discreet.report import collect
    >>> content = collect(release, discreet.assess(data, release))
    >>> content.records, public(content).records
    (BothRecords(released=4, original=4), Records(released=4))
    """
    content = replace(
        content,
        claims=tuple(c if c.of_release else replace(c, measured=None) for c in content.claims),
        scores=tuple(score for score in content.scores if score.of_release),
        columns=tuple(column for column in content.columns if column.released is not None),
    )
    return from_json(PublicContent, content)
