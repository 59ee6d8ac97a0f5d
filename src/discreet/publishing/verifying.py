"""Verifying: whether a release matches its manifest, judged from the release alone.

Anyone who receives a release can run this; the gate runs it on what it is about to publish. It does
not depend on how the release was made or measured: the checksums are computed again, and the
figures that the file can show are counted on its cells (`discreet.publishing.second_count`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.contracts.claim import of_what
from discreet.errors import DataError, DiscreetError
from discreet.io.into.target import same_records, table_target
from discreet.io.memory_guard import give_memory_back
from discreet.io.stored_types import like_schema
from discreet.publishing.cell_meanings import Writing
from discreet.publishing.checksum import sha256
from discreet.publishing.manifest import INTERNAL_REPORT, MANIFEST, RECORD, read_manifest
from discreet.publishing.parts import (
    HELD_BACK,
    ORIGIN,
    USUAL,
    PartedCells,
    counted_on_disk,
    parted_cells,
)
from discreet.publishing.released_cells import NO_KEYS, Cells, NotCountable, ReleasedColumn
from discreet.publishing.second_count import COUNTS, counted, fewest_households
from discreet.publishing.written_files import joined_cells

if TYPE_CHECKING:
    import pyarrow as pa

CLOSE = 1e-9
"""Two counts of a share are the same if they differ by rounding only."""

MOST_NAMED = 5
PRIVATE = (RECORD, INTERNAL_REPORT, ORIGIN, HELD_BACK)
"""What the owner of a release has beside it, and the manifest does not list."""

HOUSEHOLDS = "fewest households in a class"

OWNERS = "what the owner of the data measured against the original"


@dataclass(frozen=True)
class Figure:
    """A figure that the manifest states: as a claim with its bound, or as a score without one.

    `counted` is the second count; where there is none, `reason` says why. `counts` says what is
    counted, in a file of households or persons.
    """

    measure: str
    stated: float | None
    bound: float | None = None
    counted: float | None = None
    reason: str = ""
    counts: str = ""

    @property
    def fault(self) -> str:
        """What is wrong with the figure, in one sentence; nothing if it holds or cannot be
        counted.

        A claim about quasi-identifiers was never measured if the manifest names none:
        somebody gave the columns another role.
        """
        if self.counted is None:
            if self.bound is None or self.reason != NO_KEYS:
                return ""
            return (
                f"{self.measure} is claimed, but the manifest names no quasi-identifier that it "
                "could hold for"
            )
        if self.bound is not None:
            at_least = COUNTS[self.measure].at_least
            short = self.bound - self.counted if at_least else self.counted - self.bound
            if short > CLOSE * max(1.0, abs(self.bound)):
                word = "least" if at_least else "most"
                return (
                    f"{self.measure} is claimed to be at {word} {self.bound:g}, but counted on "
                    f"the file it is {self.counted:g}"
                )
        if self.stated is not None and not _same(self.stated, self.counted):
            return (
                f"{self.measure} is stated to be {self.stated:g}, but counted on the file it is "
                f"{self.counted:g}"
            )
        return ""

    @property
    def verdict(self) -> str:
        """The outcome of the check, in a few words."""
        if self.fault:
            return "WRONG"
        if self.counted is not None:
            return "holds" if self.bound is not None else "right"
        return f"cannot be checked from the file; {self.reason}"

    @property
    def line(self) -> tuple[str, str, str, str]:
        """Its row of the table."""
        claims = []
        if self.bound is not None:
            known = COUNTS.get(self.measure)
            word = "bound" if known is None else "at least" if known.at_least else "at most"
            claims.append(f"{word} {self.bound:g}")
        if self.stated is not None:
            claims.append(f"measured {self.stated:g}{of_what(self.counts, None)}")
        recounted = "" if self.counted is None else f"{self.counted:g}"
        return self.measure, ", ".join(claims), recounted, self.verdict


@dataclass(frozen=True, eq=False)
class Verification:
    """The outcome of verifying a release: what is wrong, every figure, and further notes."""

    problems: tuple[str, ...]
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """Everything that differs from the manifest, a sentence each."""
        return (*self.problems, *(figure.fault for figure in self.figures if figure.fault))

    @property
    def holds(self) -> bool:
        """Whether the release matches its manifest, as far as the file can show."""
        return not self.faults

    def __repr__(self) -> str:
        lines = [("", "the manifest says", "in the file", ""), *(f.line for f in self.figures)]
        widths = [max(len(line[place]) for line in lines) for place in range(3)]
        table = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, (*widths, 0), strict=True))
            for line in lines
        ]
        counted = sum(figure.counted is not None for figure in self.figures)
        verdict = (
            f"The release matches its manifest; {counted} of {len(self.figures)} figures "
            "were confirmed by a second count of the file."
            if self.holds
            else "The release does not match its manifest."
        )
        shown = [line.rstrip() for line in table] if self.figures else []
        return "\n".join([*shown, *self.notes, *self.faults, verdict])


def verify(
    directory: str | os.PathLike[str],
    published: str | None = None,
    memory: int | None = None,
    *,
    database: str | os.PathLike[str] | None = None,
) -> Verification:
    """Check a release directory against its manifest, and recount what its file can show.

    A directory without a manifest, or one that does not look like a manifest, is an error.
    `published` is the SHA-256 checksum of the manifest that was published, if it is known. `memory`
    is how many bytes counting may take; a release in parts, and a CSV file that would need more,
    are counted on the disk. `database` is the address or file of the database whose table received
    the records; the table is checked too.

    >>> import discreet, tempfile
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.protect(data, discreet.Microaggregation(discreet.partition.MDAV(k=2)))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = verify(release.write(folder + "/out"))
    >>> found.holds, found.figures[0].counted
    (True, 2.0)
    """
    folder = Path(directory)
    manifest = read_manifest(folder)
    stated = manifest["release"]
    problems = list(_changed_files(folder, manifest))
    checksum = sha256(folder / MANIFEST)
    if published not in (None, checksum):
        problems.append(f"'{MANIFEST}' is not the one that was published: its checksum differs")
    notes = [f"{MANIFEST} has the SHA-256 checksum {checksum}", *_not_listed(folder, manifest)]
    if problems:
        return Verification(tuple(problems), notes=tuple(notes))
    file = folder / stated["file"]
    described = [_column(c, stated["reading"]) for c in stated["columns"]]
    with ExitStack() as held:
        try:
            opened = _cells(folder, stated, described, memory)
            cells, column_names, rows = held.enter_context(opened)
        except DiscreetError as error:
            return Verification((str(error),), notes=tuple(notes))
        names = [column["name"] for column in stated["columns"]]
        if column_names != names or rows != stated["records"]:
            problem = (
                f"the manifest states {stated['records']:,} records with {len(names)} named "
                f"columns, but '{file.name}' has {rows:,} with {len(column_names)}, or "
                "other names"
            )
            return Verification((problem,), notes=tuple(notes))
        figures, problems = _figures(cells, manifest)
    table_notes, table_problems = _table(folder, manifest, database)
    return Verification((*problems, *table_problems), figures, (*notes, *table_notes))


@contextmanager
def _cells(
    folder: Path,
    stated: Mapping[str, Any],
    described: list[ReleasedColumn],
    memory: int | None,
) -> Iterator[tuple[Cells | PartedCells, list[str], int]]:
    """Yield the cells of a release, the names of its columns, and how many records it has."""
    file = folder / stated["file"]
    if not stated.get("joined") and counted_on_disk(file, memory):
        limit = USUAL if memory is None else memory
        with parted_cells(file, stated["reading"], described, limit) as parted:
            yield parted
        return
    table = joined_cells(folder, stated)
    cells = Cells(table, described, stated.get("risks") == "units")
    yield cells, table.column_names, table.num_rows


def table_faults(folder: Path, manifest: Mapping[str, Any], stored: pa.Table) -> list[str]:
    """Return how a table of a database differs from the release that it received.

    Its records are compared with the file's, and every figure is counted on them once more.
    """
    stated = manifest["release"]
    name = stated["table"]["name"]
    file = joined_cells(folder, stated)
    if not same_records(file, stored):
        records = f"the {stated['records']:,} records of '{stated['file']}'"
        return [f"the table '{name}' does not hold {records}"]
    described = [_column(c, stated["reading"]) for c in stated["columns"]]
    again = like_schema(stored, file.schema)
    cells = Cells(again, described, stated.get("risks") == "units")
    figures, problems = _figures(cells, manifest)
    faults = [*problems, *(figure.fault for figure in figures if figure.fault)]
    return [f"in the table '{name}': {fault}" for fault in faults]


def _table(
    folder: Path, manifest: Mapping[str, Any], database: str | os.PathLike[str] | None
) -> tuple[list[str], list[str]]:
    """Return a note on the table of a release, and what is wrong with it."""
    stated = manifest["release"].get("table")
    if stated is None:
        if database is None:
            return [], []
        return [], ["the manifest names no table of a database"]
    title = f"the table '{stated['name']}' of a {stated['system']} database"
    if database is None:
        return [f"{title} received the records too; name the database to check it"], []
    try:
        faults = table_faults(folder, manifest, table_target(database, str(stated["name"])).read())
    except DiscreetError as error:
        return [], [str(error)]
    return ([] if faults else [f"{title} holds the same records, counted there too"]), faults


def _figures(
    cells: Cells | PartedCells, manifest: Mapping[str, Any]
) -> tuple[tuple[Figure, ...], list[str]]:
    """Return every figure of a manifest with its second count, and what cannot be counted."""
    figures: list[Figure] = []
    problems: list[str] = []
    for entry in (*manifest["claims"], *manifest["scores"]):
        # Otherwise the memory of one count of a large file would still be held during the next.
        give_memory_back()
        try:
            figures.append(replace(_figure(cells, entry), counts=entry.get("counts", "")))
            figures += _households(cells, entry)
            problems += _counts(cells, entry)
        except DataError as error:
            problems.append(str(error))
    return tuple(figures), list(dict.fromkeys(problems))


def _households(cells: Cells | PartedCells, entry: Mapping[str, Any]) -> list[Figure]:
    """Return how few households a class has, where a claim states it beside its figure."""
    if "households" not in entry:
        return []
    stated = entry["households"]
    if not cells.having("household"):
        reason = "no released column says which household a record belongs to"
        return [Figure(HOUSEHOLDS, stated, reason=reason)]
    fewest = (
        cells.fewest_households() if isinstance(cells, PartedCells) else fewest_households(cells)
    )
    return [Figure(HOUSEHOLDS, stated, counted=fewest)]


def _counts(cells: Cells | PartedCells, entry: Mapping[str, Any]) -> Iterable[str]:
    """Yield a sentence if a claim does not count what the columns of the file say."""
    stated, counted_here = entry.get("counts"), f"{cells.counts}s"
    if stated not in (None, counted_here):
        yield f"{entry['measure']} is stated to count {stated}, but it counts {counted_here}"


def _figure(cells: Cells | PartedCells, entry: Mapping[str, Any]) -> Figure:
    measure, bound = str(entry["measure"]), entry.get("bound")
    stated = entry.get("measured", entry.get("after"))
    if stated is None:
        reason = f"it rests on {entry.get('rests on', OWNERS)}"
        return Figure(measure, None, bound, reason=reason)
    try:
        parameters = entry.get("parameters", {})
        if isinstance(cells, PartedCells):
            return Figure(measure, stated, bound, cells.counted(measure, parameters))
        return Figure(measure, stated, bound, counted(cells, measure, parameters))
    except NotCountable as reason:
        return Figure(measure, stated, bound, reason=str(reason))


def _column(stated: Mapping[str, Any], reading: Mapping[str, Any]) -> ReleasedColumn:
    decimal = str(reading.get("decimal") or ".")
    order, missing, form = (stated.get(key) for key in ("order", "missing", "form"))
    codes = frozenset(stated.get("codes", ()))
    writing = Writing(stated["kind"], order or (), missing, decimal, form or {}, codes)
    return ReleasedColumn(stated["name"], stated["role"], writing, stated.get("unit"))


def _changed_files(folder: Path, manifest: Mapping[str, Any]) -> Iterable[str]:
    """Yield a sentence for each file that is not the one that was published."""
    main = manifest["release"]["file"]
    files = dict(manifest["files"])
    if files.get(main) != manifest["release"]["sha256"]:
        yield f"the manifest does not state the same checksum of '{main}' twice"
    for name, checksum in files.items():
        path = folder / name
        if Path(name).name != name or name in ("", ".", ".."):
            yield f"the manifest names '{name}', which is not a file of its directory"
        elif not path.exists():
            yield f"'{name}' is missing"
        elif not _ordinary(path):
            yield f"'{name}' is not an ordinary file, or holds one that is not"
        elif sha256(path) != checksum:
            yield f"'{name}' is not the file that was published: its checksum differs"


def _ordinary(path: Path) -> bool:
    """Whether a path is a file or a folder of files: reading a pipe or a device never ends."""
    inside = path.rglob("*") if path.is_dir() else [path]
    return all(file.is_file() or file.is_dir() for file in inside)


def _not_listed(folder: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Return a note on files beside the release that nobody vouches for."""
    known = {MANIFEST, *manifest["files"], *PRIVATE}
    others = sorted(path.name for path in folder.iterdir() if path.name not in known)
    if not others:
        return []
    named = ", ".join(f"'{name}'" for name in others[:MOST_NAMED])
    more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    return [f"not listed in the manifest, and not checked: {named}{more}"]


def _same(stated: float, recounted: float) -> bool:
    return math.isclose(stated, recounted, rel_tol=CLOSE, abs_tol=CLOSE)
