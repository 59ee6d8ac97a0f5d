"""Deciding whether a file is protected in memory or on disk, and stating what that takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.contracts import Grain, Method, Needs
from discreet.errors import DataError
from discreet.io.arrow_arrays import kind_of
from discreet.io.csv_size import csv_size
from discreet.io.database import count_records, is_address
from discreet.io.formats import format_for, kind_of_path
from discreet.microdata import Kind, Role
from discreet.scaling.engine import Stage, duration
from discreet.scaling.memory import for_records
from discreet.scaling.microaggregating import part_rows
from discreet.scaling.source import LargeFile, files_of

if TYPE_CHECKING:
    import pyarrow as pa

PER_CELL = 104
"""Bytes that protecting and assessing take in memory for each value (1.56 KB for 15 columns)."""


@dataclass(frozen=True)
class Size:
    """How large a file is; `widths` has the bytes that a value of each column takes when stored.

    `copied` are the bytes of the copy that is made of what is not Parquet.
    """

    rows: int
    columns: int
    bytes: int
    folder: bool
    widths: Mapping[str, int] = field(default_factory=dict)
    copied: int = 0

    @property
    def in_memory(self) -> int:
        """The bytes that it would take in memory."""
        return self.rows * self.columns * PER_CELL

    def exceeds(self, limit: int) -> bool:
        """Whether it is protected on the disk: it would not fit, or it is a folder."""
        return self.folder or self.in_memory > limit

    def words(self, limit: int) -> str:
        """Say how the file is protected."""
        unknown = self.folder and not self.rows
        content = "a folder" if unknown else f"{self.rows:,} records of {self.columns} columns"
        if not self.exceeds(limit):
            return f"{content}: working in memory"
        if self.in_memory <= limit:
            return f"{content} in a folder: working on the disk, within {_gb(limit)} of memory"
        return (
            f"{content} would need about {_gb(self.in_memory)} in memory, and {_gb(limit)} may be "
            "used: working on the disk"
        )


def size_of(path: Path | str, options: Mapping[str, Any] | None = None) -> Size | None:
    """Return the size of a Parquet file, a table of a database or a folder; None for other files.

    >>> import pyarrow as pa, pyarrow.parquet, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "people.parquet")
    ...     pa.parquet.write_table(pa.table({"age": [31, 47, 52]}), file)
    ...     size_of(file).words(10**9)
    '3 records of 1 columns: working in memory'
    """
    if is_address(path):
        rows, schema = count_records(str(path), options or {})
        widths = _widths(schema)
        # As large as values are in a Parquet file if nothing repeats.
        total = rows * sum(widths.values())
        return Size(rows, len(schema), total, False, widths, total)
    path = Path(path)
    if not path.exists():
        return None
    files = files_of(path)
    kind = kind_of_path(files[0])[0].name
    total = sum(file.stat().st_size for file in files)
    widths = {}
    if kind == "parquet":
        rows, columns, widths = _of_parquet(files)
    elif kind == "duckdb":
        # Not opened here: a value takes at least a byte in such a file.
        rows, columns = total // 8, 8
    elif path.is_dir():
        rows, columns = 0, 0
    else:
        return None
    return Size(rows, columns, total, path.is_dir(), widths, 0 if kind == "parquet" else total)


def refuse_large_csv(path: Path | str, options: Mapping[str, Any] | None, limit: int) -> None:
    """Refuse one CSV file that would need more memory: it is read whole, for the types of columns.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "people.csv")
    ...     _ = file.write_text("age,sex\\n" + "31,f\\n" * 100)
    ...     refuse_large_csv(file, None, 10_000)
    Traceback (most recent call last):
    discreet.errors.DataError: a single CSV file is read whole, but 'people.csv', of about 100
    records and 2 columns, would need about 0 MB of memory, and 0 MB may be used; copy it to Parquet
    or split it into a folder of CSV files (docs/large.md says how), or allow more with --memory
    """
    if is_address(path) or not Path(path).is_file() or kind_of_path(Path(path))[0].name != "csv":
        return
    dimensions = csv_size(Path(path), options)
    if dimensions is None:
        return
    size = Size(*dimensions, Path(path).stat().st_size, False)
    if size.exceeds(limit):
        raise DataError(
            f"a single CSV file is read whole, but '{Path(path).name}', of about {size.rows:,} "
            f"records and {size.columns} columns, would need about {_gb(size.in_memory)} of "
            f"memory, and {_gb(limit)} may be used; copy it to Parquet or split it into a folder "
            "of CSV files (docs/large.md says how), or allow more with --memory"
        )


def size_of_file(file: LargeFile) -> Size:
    """Return the size of a file that has been opened."""
    widths = _widths(file.schema)
    folder = file.path is not None and file.path.is_dir()
    return Size(file.rows, len(file.schema), file.bytes, folder, widths)


def _widths(schema: pa.Schema) -> dict[str, int]:
    """Return the bytes of a value of each column: a number takes eight, a code four."""
    return {f.name: 8 if kind_of(f.type) is Kind.CONTINUOUS else 4 for f in schema}


def _of_parquet(files: Sequence[Path]) -> tuple[int, int, dict[str, int]]:
    import pyarrow as pa
    from pyarrow import parquet

    rows, columns, widths = 0, 0, dict[str, int]()
    for file in files:
        try:
            metadata = parquet.read_metadata(file)
            widths = _widths(metadata.schema.to_arrow_schema())
        except (pa.ArrowException, OSError):
            return 0, 0, {}  # reading it says what is wrong
        rows, columns = rows + metadata.num_rows, metadata.num_columns
    return rows, columns, widths


STORE, TREAT, CUT, GROUP, WRITE, COUNT, SORT = 0.12, 0.06, 0.1, 0.6, 0.3, 0.5, 1.0
"""Seconds of one core for a million values; grouping is that of MDAV with k = 5 in blocks of 5,000.

Measured on 5,000,000 records of 10 columns, six of them grouped, four of these nominal."""
SAMPLE = 60.0
"""Seconds of one core for the measures on the sample."""


CSV_TEXT, CSV_CELL = 0.25, 8
"""Seconds of one core to write and read a million values of a CSV file, and bytes of a value."""


def estimate(
    size: Size,
    steps: Sequence[Method],
    limit: int,
    roles: Mapping[str, str] | None = None,
    format: str | None = None,
    hold_back: float | None = None,
) -> list[Stage]:
    """Return what protecting a large file takes, stage by stage.

    `roles` are those that the plan gives columns: identifiers are not stored. `format` is that of
    the release as the plan names it, `hold_back` the share of records that are held back.

    >>> from discreet.contracts.registry import build
    >>> size = Size(50_000_000, 10, 2 * 10**9, False)
    >>> [stage.passes for stage in estimate(size, [build("method", "global-recoding")], 2 * 10**9)]
    [2, 2, 2, 2]
    """
    cells = size.rows * size.columns / 1e6
    widths = size.widths or {str(place): 8 for place in range(size.columns)}
    kept = {name: w for name, w in widths.items() if (roles or {}).get(name) != Role.IDENTIFIER}
    known = [name for name in kept if (roles or {}).get(name) == Role.QUASI_IDENTIFIER]
    record = sum(kept.values())
    values = size.rows * record + size.copied
    stages = [Stage("reading: categories, then values", 2, STORE * cells, values)]
    keys = [name for name in kept if (roles or {}).get(name) in (Role.HOUSEHOLD, Role.PERSON)]
    if keys:
        # Numbers, agreement, and what follows from the members in the order of their households.
        work = 3 * COUNT * cells
        stages.append(_stage(size, "households: numbers and levels", 5, work, 0, record + 24))
    if hold_back is not None:
        # All columns again, of the records held back and of the others, with their rows.
        stages.append(_stage(size, "holding records back", 2, TREAT * cells, record + 9, 0))
    for number, step in enumerate(steps, start=1):
        title = f"step {number}: {step.spec.name}"
        named = step.values().get("columns") or known or list(kept)
        of_step = sum(kept.get(name, 8) for name in named)
        if step.grain is Grain.FILE:
            of_step = record + 8
        if step.by is not None:
            # All columns are dealt to the strata, and the outcome of a step is put back.
            dealt = record + of_step + 8
            seconds = (STORE + GROUP) * cells
            stages.append(_stage(size, f"{title}, in strata", 4, seconds, of_step + 8, dealt))
            continue
        if step.needs is Needs.BLOCKS or step.in_blocks is not None:
            # Records as floats with their rows, what they become beside them, then the outcome.
            width = len(kept) if step.in_blocks is not None else len(named)
            parts = max(1, size.rows // part_rows(for_records(limit), width + 1, 1))
            cuts = 4 * max(1, (parts - 1).bit_length())
            work = (CUT * cuts / 4 + GROUP) * cells
            passing = 16 * (width + 1)
            stages.append(_stage(size, title, cuts + 4, work, of_step + 8, passing))
        elif step.needs is Needs.ORDER:
            # A sort holds keys, values and rows; scores are sorted over and over.
            times = (2 + int(step.values().get("refinements", 0))) if step.by_ranks else 1
            passing = 32 + (24 * len(named) if step.by_ranks else 0)
            work = times * SORT * cells
            stages.append(_stage(size, title, 4 * times, work, of_step, passing))
        else:
            stages.append(_stage(size, title, 2, TREAT * cells, of_step, 0))
    # Rounded numbers, then rows in buckets as they are written, then compressed in parts.
    buckets = record + record // 2 + 24
    title = "writing: dealt into buckets, then parts"
    stages.append(_stage(size, title, 2, WRITE * cells, buckets, 0, 2 * size.bytes))
    if format is not None and format_for(format).kind == "csv":
        # The text itself, and a copy of its cells while they are counted.
        text = CSV_CELL * len(kept)
        stages.append(_stage(size, "writing: one CSV file", 2, CSV_TEXT * cells, text, text))
    gate = SAMPLE + (4 if keys else 1) * COUNT * cells
    title = "counting: the gate, then again on the parts"
    stages.append(_stage(size, title, 5 if keys else 2, gate, 0, record // 2 + 40 * len(keys)))
    return stages


def _stage(
    size: Size, title: str, passes: int, seconds: float, left: int, passing: int, more: int = 0
) -> Stage:
    """Return a stage, given the bytes of a record that it leaves and those that it gives back."""
    return Stage(title, passes, seconds, size.rows * left + more, size.rows * passing)


def disk_at_most(stages: Sequence[Stage]) -> int:
    """Return the disk that stages take at the same time.

    >>> disk_at_most([Stage("a", 1, 1.0, 10), Stage("b", 1, 1.0, 5, 20), Stage("c", 1, 1.0, 5)])
    35
    """
    left = accumulate(stage.disk for stage in stages)
    return max(so_far + stage.passing for so_far, stage in zip(left, stages, strict=True))


def estimate_lines(size: Size, stages: Sequence[Stage], limit: int) -> list[str]:
    """Return an estimate as lines of text."""
    lines = [f"{'stage':<44} {'passes':>6} {'core time':>10} {'disk':>9}"]
    for stage in stages:
        lines.append(
            f"{stage.title:<44} {stage.passes:>6} {duration(stage.seconds):>10} "
            f"{_gb(stage.disk + stage.passing):>9}"
        )
    seconds = sum(s.seconds for s in stages)
    lines.append(
        f"{size.rows:,} records: {sum(s.passes for s in stages)} passes, about {duration(seconds)} "
        f"of one core, at most {_gb(limit)} of memory and about {_gb(disk_at_most(stages))} on the "
        "disk at once"
    )
    return lines


def _gb(count: float) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.0f} MB"
