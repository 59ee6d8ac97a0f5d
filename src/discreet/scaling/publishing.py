"""What is written beside the parts of a large release: reports, manifest and private record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from discreet.io.atomic import write_private
from discreet.io.files import read_cells, write_table
from discreet.io.formats import FileFormat, kind_named
from discreet.io.frames import to_table
from discreet.microdata import Column, Kind, Microdata, Source
from discreet.publishing.cell_meanings import texts_of
from discreet.publishing.checksum import sha256
from discreet.publishing.directory import as_json, record_of
from discreet.publishing.manifest import (
    INTERNAL_REPORT,
    MANIFEST,
    PUBLIC_REPORT,
    RECORD,
    manifest_of,
)
from discreet.publishing.parts import HELD_BACK, ORIGIN
from discreet.release.assessment import Assessment
from discreet.release.release import Release
from discreet.report import collect, public, render
from discreet.report.content import BothRecords, Content
from discreet.report.plain import as_json as plain_content
from discreet.report.public_form import ReleasedFile
from discreet.scaling.measured_sample import Sample
from discreet.scaling.store import Store
from discreet.scaling.writing_parts import Part

RELEASE = "release.parquet"


def released_name(format: FileFormat) -> str:
    """Return the name of the released file, or of the folder of its parts.

    >>> from discreet.io.formats import format_for
    >>> released_name(format_for(".csv"))
    'release.csv'
    """
    return f"release{format.suffix}"


@dataclass(frozen=True, eq=False)
class Written:
    """The parts of a release in their folder, and what they were made of.

    `original` is how many records there were; `used` are the codes that occur in each ordinal
    column; `labelled` says that the private parts have the group of each row.
    """

    folder: Path
    path: Path | None
    parts: list[Part]
    used: Mapping[str, list[int]]
    original: int
    store: Store
    sample: Sample
    format: FileFormat
    labelled: bool

    @property
    def records(self) -> int:
        """The number of released records."""
        return sum(part.records for part in self.parts)

    @property
    def file(self) -> Path:
        """The released file, or the folder of its parts."""
        return self.folder / released_name(self.format)

    @property
    def in_parts(self) -> bool:
        """Whether the release is a folder of parts."""
        return self.format.kind == "parquet"

    @property
    def bytes(self) -> int:
        """The bytes of the file, or of all parts."""
        return sum(p.bytes for p in self.parts) if self.in_parts else self.file.stat().st_size


def write_about(written: Written, release: Release, assessment: Assessment) -> None:
    """Write the reports, the manifest and the record."""
    folder = written.folder
    checksum = sha256(written.file)
    reading = kind_named(written.format.kind).options_of(written.format)
    safe = bool(reading.get("spreadsheet_safe"))
    file = ReleasedFile(written.file.name, checksum, written.bytes, safe)
    content = _content(written, release, assessment, file)
    (folder / PUBLIC_REPORT).write_text(render(public(content)), encoding="utf-8")
    checksums = {written.file.name: checksum, PUBLIC_REPORT: sha256(folder / PUBLIC_REPORT)}
    cells = partial(to_table, release.data)
    manifest = manifest_of(release, assessment, written.file, written.format, cells, checksums)
    manifest["release"] = _released(written, manifest["release"])
    (folder / MANIFEST).write_text(as_json(manifest), encoding="utf-8")
    record = record_of(release, plain_content(content), file)
    if written.path is not None:
        record["input"] = {"path": str(written.path), "sha256": sha256(written.path)}
    record["origin"] = {"parts": ORIGIN}
    record["groups"] = {"parts": ORIGIN} if written.labelled else None
    record["held back"] = [] if release.hold_back is None else {"parts": HELD_BACK}
    record["sample"] = {"records": len(written.sample.origin), "is": written.sample.described}
    write_private(folder / RECORD, as_json(record).encode())
    write_private(folder / INTERNAL_REPORT, render(content).encode())


def _content(
    written: Written, release: Release, assessment: Assessment, file: ReleasedFile
) -> Content:
    """Return what the report shows: figures of the sample, and the number of all records."""
    content = collect(release, assessment, file)
    rows = written.sample.rows
    at_risk = replace(
        content.at_risk,
        records=tuple(
            replace(r, row=None if r.row is None else int(rows[r.row - 1]) + 1)
            for r in content.at_risk.records
        ),
    )
    records = BothRecords(original=written.original, released=written.records)
    return replace(content, records=records, at_risk=at_risk)


def _released(written: Written, stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the manifest says about the release, for all parts instead of the sample."""
    columns = [
        {**column, "order": _order(written, column["name"])}
        if column["kind"] == Kind.ORDINAL.value
        else column
        for column in stated["columns"]
    ]
    parts = {"parts": [vars(part) for part in written.parts]} if written.in_parts else {}
    return {
        **stated,
        "bytes": written.bytes,
        "records": written.records,
        "columns": columns,
        **parts,
    }


def _order(written: Written, name: str) -> list[str]:
    """Return the texts of an ordinal column that occur in the release, in their order."""
    import narwhals as nw
    import pyarrow as pa

    attribute = written.store.attributes[name]
    codes = np.array(written.used.get(name, []), dtype=np.int32)
    kind = written.store.types.field(name).type
    source = Source(nw.from_native(pa.table({name: pa.nulls(len(codes), kind)}), eager_only=True))
    column = Microdata([Column(attribute, codes)], source.touch([name]))
    table = to_table(column)
    if not written.in_parts:
        small = written.folder / f"order{written.format.suffix}"
        write_table(table, small, written.format)
        reading = kind_named(written.format.kind).options_of(written.format)
        table = read_cells(small, **reading)
        small.unlink()
    cells = table.column(name).combine_chunks()
    return [text for text in texts_of(cells) if text is not None]
