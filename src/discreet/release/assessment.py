"""Assessment: scores before and after, for display and for further work."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from discreet.contracts import Claim, Measure, MeasureSpec, Pairing, Score, Side
from discreet.contracts.flattening import columns_of, flat, of_one_type
from discreet.errors import UsageError
from discreet.io.formats import FileFormat
from discreet.io.memory_guard import give_memory_back
from discreet.microdata import Microdata, Source
from discreet.models.dependency import DependencyTree, shown_tree
from discreet.release.attacking import Attacked, attacked
from discreet.release.losses import Losses, losses
from discreet.release.revealing import Revealed, revealed
from discreet.release.verdict import Reason, Thresholds, Verdict, named, verdict

LEFT_OUT = 3
"""At most this many left-out measures are shown; the rest are counted."""


@dataclass(frozen=True, eq=False)
class Row:
    """A measure: its value before and its score after, or why it was left out."""

    measure: Measure
    before: float | None = None
    after: Score | None = None
    left_out: str = ""
    parts_before: Mapping[tuple[str, ...], float] = field(default_factory=dict)

    @property
    def spec(self) -> MeasureSpec:
        """The measure's spec."""
        return self.measure.spec


class Compared(NamedTuple):
    """The tables that were assessed, and which original each released record came from.

    The `dropped` identifiers are not in the original here. `claims` are those made about the
    release, and `thresholds` those of the verdict. `written_as` is the format of the released file,
    where there is one, `by_hand` whether a person chose the seed, `sampled` what was measured in
    place of a file that is larger than memory, `rules` the relations that should hold between
    columns, `counted` the reasons that were found on all records of such a file.
    """

    original: Microdata
    released: Microdata
    pairing: Pairing | None
    dropped: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    thresholds: Thresholds = Thresholds()
    written_as: FileFormat | None = None
    by_hand: bool = False
    sampled: str = ""
    rules: tuple[str, ...] = ()
    counted: tuple[Reason, ...] = ()


class Assessment:
    """The measures of a release: a table on the terminal and in a notebook.

    `risk`, `utility` and `trade_off` give the scores by name; `left_out` says what was not
    measured and why; `subdomains` has an assessment of utility for each requested part. `verdict`,
    `attack`, `revealing` and `dependency` are computed on first use.
    """

    def __init__(
        self,
        rows: tuple[Row, ...],
        source: Source | None = None,
        subdomains: Mapping[str, Assessment] | None = None,
        compared: Compared | None = None,
    ) -> None:
        self.rows = rows
        self.subdomains = dict(subdomains or {})
        self._source = source
        self._compared = compared

    @cached_property
    def verdict(self) -> Verdict:
        """What holds, what got worse, what was left as it was, and where to look first."""
        if self._compared is None:
            raise UsageError("a verdict is about a whole release, not about a part of it")
        result = verdict(self.rows, self._compared)
        give_memory_back()
        return result

    def written_as(self, format: FileFormat) -> Assessment:
        """Return the assessment, for a release that is written in this format."""
        if self._compared is None or self._compared.written_as == format:
            return self
        assessment = copy(self)
        assessment._compared = self._compared._replace(written_as=format)
        vars(assessment).pop("verdict", None)
        return assessment

    def of_sample(
        self, sampled: str, dropped: tuple[str, ...], counted: tuple[Reason, ...] = ()
    ) -> Assessment:
        """Return the assessment of a large file by a sample, with the columns that were dropped.

        `counted` are reasons that were found on all records.
        """
        assert self._compared is not None
        assessment = copy(self)
        assessment._compared = self._compared._replace(
            sampled=sampled, dropped=dropped, counted=counted
        )
        return assessment

    @property
    def column_losses(self) -> Losses | None:
        """How much of each column was lost, the worst first; None if that was not measured."""
        return losses(self.rows, 1)

    @property
    def pair_losses(self) -> Losses | None:
        """How much of each pair of columns was lost, the worst first."""
        return losses(self.rows, 2)

    @cached_property
    def attack(self) -> Attacked | None:
        """What an intruder's tree reveals; None where there is nothing to learn."""
        return attacked(*self._compared[:3]) if self._compared else None

    @cached_property
    def revealing(self) -> Revealed | None:
        """Which columns, records and cells give people away; None where nobody can be linked."""
        return revealed(*self._compared[:3]) if self._compared else None

    @cached_property
    def dependency(self) -> DependencyTree | None:
        """How the quasi-identifiers of the original depend on each other."""
        original = self._compared.original if self._compared else None
        tree = shown_tree(original, original.quasi_identifiers) if original else None
        give_memory_back()
        return tree

    @property
    def risk(self) -> Mapping[str, Score]:
        """The scores of an intruder, by measure."""
        return self._side(Side.RISK)

    @property
    def utility(self) -> Mapping[str, Score]:
        """The scores of an analyst, by measure."""
        return self._side(Side.UTILITY)

    @property
    def trade_off(self) -> Mapping[str, Score]:
        """The scores that weigh risk and utility, by measure."""
        return self._side(Side.TRADE_OFF)

    @property
    def left_out(self) -> Mapping[str, str]:
        """The measures that were left out, with the reason."""
        return {row.spec.name: row.left_out for row in self.rows if row.left_out}

    def _side(self, side: Side) -> Mapping[str, Score]:
        return {
            row.spec.name: row.after
            for row in self.rows
            if row.spec.side is side and row.after is not None
        }

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the table as plain columns, with one for each parameter of a measure."""
        taken = [row for row in self.rows if row.after is not None]
        scores = [row.after for row in taken if row.after is not None]
        return {
            "side": [row.spec.side.value for row in taken],
            "measure": [row.spec.name for row in taken],
            "before": [row.before for row in taken],
            "after": [score.value for score in scores],
            "low": [score.interval[0] if score.interval else None for score in scores],
            "high": [score.interval[1] if score.interval else None for score in scores],
            "better": [row.spec.better.value for row in taken],
            "note": [score.note for score in scores],
            **columns_of([flat(row.measure.recipe()) for row in taken]),
        }

    def to_frame(self) -> Any:
        """Return the table as the kind of frame that the data came in (pyarrow for a file)."""
        import narwhals as nw
        import pyarrow as pa

        table = pa.table(of_one_type(self.to_dict()))
        if self._source is None:
            return table
        backend = self._source.frame.implementation
        return table if backend.is_pyarrow() else nw.from_arrow(table, backend=backend).to_native()

    def lines(self) -> list[tuple[str, str, str, str, str]]:
        """Return the rows as text: side, title, before, after, what is better."""
        lines = []
        for row in self.rows:
            if row.after is None:
                continue
            lines.append(
                (
                    row.spec.side.value,
                    named(row.spec.title, row.after.column),
                    shown(row.before, row.spec),
                    shown_score(row.after, row.spec),
                    f"{row.spec.better.value} is better",
                )
            )
        return lines

    def __repr__(self) -> str:
        return self.text("the attribute left_out has them")

    def text(self, more: str = "") -> str:
        """Return the table as text, with all measures left out.

        If `more` says where to find them, only a few are listed.
        """
        lines = [("", "measure", "before", "after", ""), *self.lines()]
        widths = [max(len(line[i]) for line in lines) for i in range(5)]
        text = []
        for number, line in enumerate(lines):
            side = line[0] if number < 2 or line[0] != lines[number - 1][0] else ""
            text.append(
                f"{side:<{widths[0]}}  {line[1]:<{widths[1]}}  {line[2]:>{widths[2]}}  "
                f"{line[3]:>{widths[3]}}  {line[4]}".rstrip()
            )
        for row in self.rows:
            if row.after is None:
                continue
            # A score is never printed without its parts, nor the success of an intruder who knows
            # the method without that of one who does not.
            if row.spec.side is Side.TRADE_OFF or row.after.ignorant is not None:
                text.append(f"{row.spec.name}: {row.after.note}")
        absent = [f"left out: {name}: {reason}" for name, reason in self.left_out.items()]
        few = LEFT_OUT if more and len(absent) > LEFT_OUT + 1 else len(absent)
        text += absent[:few]
        if absent[few:]:
            text.append(f"and {len(absent) - few} more ({more})")
        for name, part in self.subdomains.items():
            text += ["", f"within {name}", part.text(more)]
        return "\n".join(text)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{cell}</th>" for cell in ("", "measure", "before", "after", ""))
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in line) + "</tr>"
            for line in self.lines()
        )
        left = "".join(
            f"<p>left out: {html.escape(name)}: {html.escape(reason)}</p>"
            for name, reason in self.left_out.items()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{left}"


def shown(value: float | None, spec: MeasureSpec) -> str:
    """Return a value in readable form: shares in percent, counts as whole numbers."""
    if value is None:
        return ""
    if not math.isfinite(value):
        return "∞" if value > 0 else str(value)
    if spec.percent:
        return f"{100 * value:.2f} %"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.4g}"


def shown_score(score: Score, spec: MeasureSpec) -> str:
    """Return a score with its interval, if it has one."""
    text = shown(score.value, spec)
    if score.interval is None:
        return text
    low, high = score.interval
    return f"{text} ({shown(low, spec)} – {shown(high, spec)})"
