"""Deciding whether a file is protected in memory or on the disk, and saying what that takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.contracts import Method, Needs
from discreet.io.formats import kind_of_path
from discreet.scaling.blocks import part_rows
from discreet.scaling.engine import Stage, duration
from discreet.scaling.memory import for_records
from discreet.scaling.source import LargeFile, files_of

PER_CELL = 104
"""Bytes that protecting and assessing take in memory for each value (1.56 KB for 15 columns)."""


@dataclass(frozen=True)
class Size:
    """How large a file is."""

    rows: int
    columns: int
    bytes: int
    folder: bool

    @property
    def in_memory(self) -> int:
        """The bytes that it would take in memory."""
        return self.rows * self.columns * PER_CELL

    def exceeds(self, limit: int) -> bool:
        """Whether it is protected on the disk: it would not fit, or it is a folder."""
        return self.folder or self.in_memory > limit

    def words(self, limit: int) -> str:
        """Say how the file is protected."""
        what = f"{self.rows:,} records of {self.columns} columns" if self.rows else "a folder"
        if not self.exceeds(limit):
            return f"{what}: working in memory"
        if self.in_memory <= limit:
            return f"{what} in a folder: working on the disk, within {_gb(limit)} of memory"
        return (
            f"{what} would need about {_gb(self.in_memory)} in memory, and {_gb(limit)} may be "
            "used: working on the disk"
        )


def size_of(path: Path, options: Mapping[str, Any] | None = None) -> Size | None:
    """Return the size of a Parquet file, a DuckDB table or a folder; None for other files.

    >>> import pyarrow as pa, pyarrow.parquet, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "people.parquet")
    ...     pa.parquet.write_table(pa.table({"age": [31, 47, 52]}), file)
    ...     size_of(file).words(10**9)
    '3 records of 1 columns: working in memory'
    """
    if not path.exists():
        return None
    files = files_of(path)
    kind = kind_of_path(files[0])[0].name
    total = sum(file.stat().st_size for file in files)
    if kind == "parquet":
        rows, columns = _of_parquet(files)
    elif kind == "duckdb":
        # Not opened here: a value takes at least a byte in such a file.
        rows, columns = total // 8, 8
    elif path.is_dir():
        rows, columns = 0, 0
    else:
        return None
    return Size(rows, columns, total, path.is_dir())


def size_of_file(file: LargeFile) -> Size:
    """Return the size of a file that has been opened."""
    return Size(file.rows, len(file.schema), file.bytes, file.path.is_dir())


def _of_parquet(files: Sequence[Path]) -> tuple[int, int]:
    import pyarrow as pa
    from pyarrow import parquet

    rows = columns = 0
    for file in files:
        try:
            metadata = parquet.read_metadata(file)
        except (pa.ArrowException, OSError):
            return 0, 0  # reading it says what is wrong
        rows, columns = rows + metadata.num_rows, metadata.num_columns
    return rows, columns


STORE, TREAT, CUT, GROUP, WRITE, COUNT, SORT = 0.12, 0.06, 0.1, 0.6, 0.3, 0.5, 1.0
"""Seconds of one core for a million values; grouping is that of MDAV with k = 5 in blocks of 5,000.

Measured on 5,000,000 records of 10 columns, six of them grouped, four of these nominal."""
SAMPLE = 60.0
"""Seconds of one core for the measures on the sample."""


def estimate(size: Size, steps: Sequence[Method], limit: int) -> list[Stage]:
    """Return what protecting a large file takes, stage by stage.

    >>> from discreet.contracts.registry import build
    >>> size = Size(50_000_000, 10, 2 * 10**9, False)
    >>> [stage.passes for stage in estimate(size, [build("method", "global-recoding")], 2 * 10**9)]
    [2, 2, 2, 2]
    """
    cells = size.rows * size.columns / 1e6
    values = size.rows * 8 * size.columns
    stages = [Stage("reading: categories, then values", 2, STORE * cells, values)]
    for number, step in enumerate(steps, start=1):
        title = f"step {number}: {step.spec.name}"
        if step.needs is Needs.BLOCKS:
            parts = max(1, size.rows // part_rows(for_records(limit), size.columns + 1, 1))
            cuts = 4 * max(1, (parts - 1).bit_length())
            work = (CUT * cuts / 4 + GROUP) * cells
            stages.append(Stage(title, cuts + 4, work, 2 * values))
        elif step.needs is Needs.ORDER:
            stages.append(Stage(title, 4, SORT * cells, 4 * size.rows * 8))
        else:
            stages.append(Stage(title, 2, TREAT * cells, values))
    stages.append(Stage("writing: dealt into buckets, then parts", 2, WRITE * cells, 2 * values))
    gate = SAMPLE + COUNT * cells
    stages.append(Stage("counting: the gate, then again on the parts", 2, gate, values))
    return stages


def estimate_lines(size: Size, stages: Sequence[Stage], limit: int) -> list[str]:
    """Return an estimate as lines of text."""
    lines = [f"{'stage':<44} {'passes':>6} {'core time':>10} {'disk':>9}"]
    for stage in stages:
        lines.append(
            f"{stage.title:<44} {stage.passes:>6} {duration(stage.seconds):>10} "
            f"{_gb(stage.disk):>9}"
        )
    seconds, disk = sum(s.seconds for s in stages), sum(s.disk for s in stages)
    lines.append(
        f"{size.rows:,} records: {sum(s.passes for s in stages)} passes, about {duration(seconds)} "
        f"of one core, at most {_gb(limit)} of memory and {_gb(disk)} on the disk"
    )
    return lines


def _gb(count: float) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e8 else f"{count / 1e6:.0f} MB"
