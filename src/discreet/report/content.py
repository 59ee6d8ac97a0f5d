"""Everything that the internal report shows, as typed data independent of any page.

Private figures are added to those of the public form; the names are those of the private record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from discreet.models.dependency import DependencyTree
from discreet.release.attacking import Attacked
from discreet.release.losses import Losses
from discreet.release.revealing import Revealed
from discreet.release.verdict import Verdict
from discreet.report.public_form import (
    About,
    Bars,
    Binned,
    Histogram,
    NotDrawn,
    PublicColumn,
    PublicContent,
    PublicReleased,
    PublicScore,
    Quantiles,
    Records,
    Rest,
    Step,
)


@dataclass(frozen=True)
class JoinedFile:
    """One of several files that were joined, as a plan names it, with its columns."""

    name: str
    file: str | None
    columns: tuple[str, ...]


@dataclass(frozen=True)
class InputFile:
    """The file that was read, or those that were joined, and notes from reading."""

    name: str | None = None
    notes: tuple[str, ...] = ()
    joined: tuple[JoinedFile, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BothRecords(Records):
    """How many records went in and came out."""

    original: int


@dataclass(frozen=True)
class PlannedStep(Step):
    """A step with all its parameters, as its plan has them."""

    planned: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Score(PublicScore):
    """A measure before and after, with its parts, and what a blind guess reaches."""

    before: float | None = None
    blind: float | None = None
    ignorant: float | None = None
    note: str = ""
    detail: Mapping[str, Any] | None = None

    @property
    def was(self) -> float | None:
        """What it is compared with: the value of the original."""
        return self.before


@dataclass(frozen=True)
class LeftOut:
    """A measure that was left out, and why."""

    name: str
    title: str
    reason: str


@dataclass(frozen=True)
class BothQuantiles(Quantiles):
    """Quantiles of both sides."""

    original: Mapping[str, float]


@dataclass(frozen=True)
class BothRests(Rest):
    """The categories without a bar, and their share on both sides."""

    original: float


@dataclass(frozen=True, kw_only=True)
class ComparedHistogram(Histogram):
    """Original and released numbers in the same bins."""

    original: Binned
    quantiles: BothQuantiles


@dataclass(frozen=True, kw_only=True)
class ComparedBars(Bars):
    """Shares of original and released categories."""

    original: tuple[float, ...]
    rest: BothRests


@dataclass(frozen=True, kw_only=True)
class Released(PublicReleased):
    """A released column beside its original.

    `changed` is the share of records whose value differs; None if the column was recoded or the
    records are synthetic.
    """

    missing: float
    distinct: int
    changed: float | None
    synthetic: bool
    distribution: ComparedHistogram | ComparedBars | NotDrawn


@dataclass(frozen=True, kw_only=True)
class Column(PublicColumn):
    """A column of the original; `released` is None where it was dropped."""

    kind: str
    categories: tuple[Any, ...]
    missing: float
    distinct: int
    released: Released | None


Matrix = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class Correlations:
    """Correlations of some columns; `others` is how many more there are."""

    columns: tuple[str, ...]
    others: int
    before: Matrix
    after: Matrix
    difference: Matrix

    @property
    def widest(self) -> float:
        """The largest difference."""
        return max((abs(v) for row in self.difference for v in row if v is not None), default=0.0)


@dataclass(frozen=True)
class Attribute:
    """A node of the dependency tree; `parent` is the index of its parent."""

    name: str
    parent: int | None
    depth: int
    measure: float | None
    degree: int
    key: bool
    bins: int | None


@dataclass(frozen=True)
class Dependency:
    """The dependency tree of the quasi-identifiers; `others` is how many are not in it."""

    nodes: tuple[Attribute, ...]
    key: tuple[str, ...]
    others: int = 0

    @classmethod
    def of(cls, tree: DependencyTree | None, columns: int) -> Dependency | None:
        """Return a tree of this many columns as plain data."""
        if tree is None:
            return None
        degree = dict(zip(tree.names, tree.degrees, strict=True))
        bins = dict(zip(tree.names, tree.bins, strict=True))
        nodes: list[Attribute] = []
        above: list[int] = []
        for name, depth, measure in tree.walk():
            del above[depth:]
            parent = above[-1] if above else None
            weight = None if measure is None else round(measure, 9)
            key = name in tree.key
            nodes.append(Attribute(name, parent, depth, weight, degree[name], key, bins[name]))
            above.append(len(nodes) - 1)
        return cls(tuple(nodes), tree.key, columns - len(tree.names))


@dataclass(frozen=True)
class Groups:
    """How large the groups are; `beyond` are those off the axis of the picture."""

    promised: int
    count: int
    least: int
    largest: int
    mean: float
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    beyond: int
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecordAtRisk:
    """A released record by the row of its original, with a figure for each measure."""

    row: int | None
    figures: tuple[float, ...]
    group_size: int | None


@dataclass(frozen=True)
class AtRisk:
    """The records most at risk; `reached` are as much at risk as the last one, or more."""

    measures: tuple[About, ...] = ()
    reached: int = 0
    records: tuple[RecordAtRisk, ...] = ()

    def __post_init__(self) -> None:
        # A record that was read back may be damaged.
        if any(len(record.figures) != len(self.measures) for record in self.records):
            raise ValueError("a record at risk needs a figure for each measure")


@dataclass(frozen=True)
class Analysed:
    """A figure of a declared analysis from the original and from the release, with both errors."""

    figure: str
    analysis: str
    original: float
    original_error: float
    released: float | None
    released_error: float | None
    overlap: float


@dataclass(frozen=True, kw_only=True)
class Content(PublicContent):
    """Everything that the internal report shows; it holds original figures."""

    file: InputFile
    records: BothRecords
    dropped: tuple[str, ...]
    allowed: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    calibrate: tuple[str, ...] = ()
    hold_back: float | None = None
    steps: tuple[PlannedStep, ...]
    notes: tuple[str, ...]
    scores: tuple[Score, ...]
    left_out: tuple[LeftOut, ...]
    columns: tuple[Column, ...]
    correlations: Correlations | None
    dependency: Dependency | None
    groups: Groups | None
    attack: Attacked | None
    at_risk: AtRisk
    verdict: Verdict | None = None
    analyses: tuple[Analysed, ...] = ()
    column_losses: Losses | None = None
    pair_losses: Losses | None = None
    revealing: Revealed | None = None
