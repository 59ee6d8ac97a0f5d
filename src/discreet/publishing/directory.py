"""Publishing: a release is written to a directory, completely or not at all.

It contains the release file, `manifest.json` and `report-public.html` for everybody, and
`record.json` and `report-internal.html` for the owner of the data only (mode 0600). Only the first
three may be passed on.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from platform import python_version
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.errors import ClaimError, DataError, NotApplicable
from discreet.io.atomic import publish_directory, refuse_occupied, write_private
from discreet.io.files import FileFormat
from discreet.io.formats import kind_named, known_kinds
from discreet.io.frames import to_table
from discreet.io.into.target import TableTarget
from discreet.io.joining import Joined
from discreet.io.memory_guard import give_memory_back
from discreet.io.missing_codes import without_codes
from discreet.io.reading import like_original
from discreet.io.stat_tags import with_tags
from discreet.microdata import Microdata
from discreet.microdata.levels import stated_unit
from discreet.publishing.checksum import sha256
from discreet.publishing.manifest import (
    INTERNAL_REPORT,
    MANIFEST,
    PUBLIC_REPORT,
    RECORD,
    accounting_of,
    manifest_of,
)
from discreet.publishing.parts import HELD_BACK, ORIGIN
from discreet.publishing.schema_version import SCHEMA
from discreet.publishing.verifying import verify
from discreet.publishing.written_files import (
    described,
    joined_cells,
    joined_of,
    read_records_back,
    refuse_apart,
    write_records,
)
from discreet.publishing.written_table import refuse_unlike_table, removed_unless_published
from discreet.release.assessing import assess
from discreet.release.assessment import Assessment
from discreet.release.gate import check_claims
from discreet.release.plan import Plan
from discreet.release.plan_files import PlannedFile
from discreet.release.release import Release
from discreet.version import version

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.report.public_form import ReleasedFile

BY_HAND = "seed given by hand"
RECORDED = ("discreet", "numpy", "randomgen", "scipy", "numba", "pyarrow")
"""What reproducing a release bit for bit may depend on."""

LOG = logging.getLogger(__name__)


def publish(
    release: Release,
    directory: Path,
    file_format: FileFormat,
    overwrite: bool,
    assessment: Assessment | None,
    into: TableTarget | None = None,
) -> Path:
    """Write everything to a directory next to the target, check it there, then move it into
    place.

    `into` is a table of a database that receives the records too. It is committed just before the
    directory is moved into place, and removed again if that fails.
    """
    from discreet.report import collect, public, render
    from discreet.report.plain import as_json as plain_content
    from discreet.report.public_form import ReleasedFile

    refuse_over_inputs(directory, _inputs(release))
    if assessment is None:
        assessment = assess(release.original, release)
    assessment = assessment.written_as(file_format)
    joined = joined_of(release.original)
    refuse_apart(release.data, joined)
    if into is not None:
        refuse_unlike_table(file_format, joined)
    with (
        removed_unless_published(into) as keep,
        publish_directory(directory, overwrite=overwrite, owned=owned) as folder,
    ):
        give_memory_back()
        files, types, second = _write(release.data, folder, file_format, joined)
        file = files[0]
        read_back = partial(read_records_back, files, file_format, types, joined)
        written = _as_written(release, read_back, file_format)
        give_memory_back()
        assessment = _measured_again(assessment, release, written)
        checksum = sha256(file)
        reading = kind_named(file_format.kind).options_of(file_format)
        safe = bool(reading.get("spreadsheet_safe"))
        released_file = ReleasedFile(file.name, checksum, file.stat().st_size, safe)
        content = collect(written, assessment, released_file)
        (folder / PUBLIC_REPORT).write_text(render(public(content)), encoding="utf-8")
        names = (*(part.name for part in files), PUBLIC_REPORT)
        checksums = {name: sha256(folder / name) for name in names}
        stated = {"file": file.name, "reading": reading, "columns": [], **second}
        cells = partial(joined_cells, folder, stated)
        manifest = manifest_of(written, assessment, file, file_format, cells, checksums)
        manifest["release"] |= second
        if into is not None:
            manifest["release"]["table"] = {"system": into.system, "name": into.name}
        (folder / MANIFEST).write_text(as_json(manifest), encoding="utf-8")
        record = record_of(written, plain_content(content), released_file)
        if into is not None:
            record["table"] = {"database": into.address, "name": into.name}
        write_private(folder / RECORD, as_json(record).encode())
        write_private(folder / INTERNAL_REPORT, render(content).encode())
        give_memory_back()
        _refuse_unless_verified(folder)
        if into is not None:
            keep(folder)
    LOG.info("wrote a release to %s", directory)
    return directory


def _write(
    data: Microdata, folder: Path, file_format: FileFormat, joined: Joined | None
) -> tuple[list[Path], pa.Schema, dict[str, Any]]:
    """Write the released files; return them, the types that the columns had in memory, and what
    the manifest says about other files."""
    table = to_table(data)
    if file_format.kind == "dta":
        table = with_tags(table, data)
    files = write_records(table, folder, file_format, joined)
    types, stated = table.schema, described(joined, files, table)
    del table
    give_memory_back()
    return files, types, stated


def owned(name: str) -> bool:
    """Whether a file name is one that a release writes.

    >>> owned("release.csv"), owned("archive/release.csv"), owned("release.docx")
    (True, False, False)
    """
    suffixes = {suffix for kind in known_kinds().values() for suffix in kind.suffixes}
    data = {f"release{suffix}" for suffix in suffixes}
    if re.fullmatch(rf"(release\.parquet|{ORIGIN}|{HELD_BACK})/part-[0-9]+\.parquet", name):
        return True
    if re.fullmatch(rf"release-[A-Za-z0-9_-]+({'|'.join(map(re.escape, suffixes))})", name):
        return True
    return name in data | {MANIFEST, RECORD, PUBLIC_REPORT, INTERNAL_REPORT}


def refuse_target(directory: Path, overwrite: bool) -> None:
    """Refuse, before any work is done, a directory that a release could not be written to."""
    refuse_occupied(Path(os.path.realpath(directory)), overwrite, owned)


def refuse_over_inputs(directory: Path, inputs: Iterable[Path]) -> None:
    """Refuse a directory that holds an input of the release."""
    place = Path(os.path.realpath(directory))
    for path in inputs:
        if Path(os.path.realpath(path)).is_relative_to(place):
            raise DataError(
                f"a release is never written over its input, but '{directory}' holds '{path}'; "
                "choose another directory"
            )


def _inputs(release: Release) -> list[Path]:
    source = release.original.source
    original = [source.path] if source and source.path else []
    joined = joined_of(release.original)
    original += [] if joined is None else joined.paths
    return original + [Path(path) for step in release.steps for path in step.files()]


def record_of(release: Release, content: dict[str, Any], file: ReleasedFile) -> dict[str, Any]:
    """Return the private record: the seed, the plan, and where each released row came from."""
    source = release.original.source
    path = source.path if source else None
    groups, joined = release.groups, joined_of(release.original)
    return {
        "schema": SCHEMA,
        "private": "this file holds the seed and the order of the rows; never release it",
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": release.randomness.reveal(),
        BY_HAND: release.randomness.by_hand,
        "versions": {
            "python": python_version(),
            **{name: version(name) for name in RECORDED},
        },
        "input": {"path": str(path), "sha256": sha256(path)} if path else None,
        **({} if joined is None else {"inputs": _inputs_of(joined)}),
        "release": {"sha256": file.sha256},
        "plan": Plan(
            steps=release.steps,
            files={} if joined is None else _planned(joined, release.original),
            roles={a.name: a.role.value for a in release.original.schema},
            kinds={a.name: a.kind.value for a in release.original.schema},
            levels={a.name: a.level.value for a in release.original.schema if a.level},
            unit=stated_unit(release.original),
            claims={claim.measure: claim.bound for claim in release.claims},
            measures=tuple(claim.by for claim in release.claims if claim.by is not None) or None,
            analyses=release.analyses,
            allow=release.allowed,
            rules=release.rules,
            calibrate=release.calibrate,
            shuffle=release.shuffled,
            keep_decimals=release.keep_decimals,
            hold_back=release.hold_back,
            spreadsheet_safe=file.spreadsheet_safe,
        ).content(),
        **accounting_of(release),
        "held back": release.held_back,
        "origin": release.origin,
        "groups": groups.labels if groups is not None else None,
        "drawn within groups": groups is not None and groups.drawn,
        "columns drawn within groups": sorted(groups.drawn_columns) if groups is not None else [],
        "report": content,
    }


def _inputs_of(joined: Joined) -> list[dict[str, str]]:
    return [{"path": str(path), "sha256": sha256(path)} for path in joined.paths]


def _planned(joined: Joined, original: Microdata) -> dict[str, PlannedFile]:
    """Return the files of a release as a plan names them."""
    names = list(original.schema.names)
    paths = [str(path) for path in joined.paths] or list(joined.files)
    return {
        name: PlannedFile(path, {}, tuple(joined.columns(name, names)))
        for name, path in zip(joined.files, paths, strict=True)
    }


def _as_written(release: Release, read_back: Callable[[], pa.Table], format: FileFormat) -> Release:
    """Return the release as read back from its file, with the claims measured on that.

    A file may hold less than the data it was written from: CSV cannot distinguish an empty text
    from a missing one.
    """
    data, table = release.data, read_back()
    if table.num_rows != len(data) or table.column_names != list(data.schema.names):
        raise DataError(
            f"the {format.kind} file does not hold, when read back, the {len(data)} records and "
            f"{len(data.schema)} columns to be released; write another format with format="
        )
    written = copy(release)
    with_codes = data.source is not None and data.source.codes
    if not with_codes:
        while table.num_columns and _same_column(data, table, table.column_names[0]):
            # A column that has been checked makes room for the next.
            table = table.remove_column(0)
        if not table.num_columns:
            # The file holds what was to be written: everything measured on that holds for it.
            return written
        table = read_back()
    if data.source is not None:
        kept = {n: codes.drop_null().unique().to_pylist() for n, codes in data.source.codes.items()}
        table, _ = without_codes(table, {n: kept[n] for n in table.column_names if n in kept})
    written.data = like_original(data, table)
    if data.source is not None and data.source.codes and written.data.source is not None:
        # The file has codes where these data have no value, and the manifest lists them.
        rows = data.rows_read
        codes = {name: column_codes.take(rows) for name, column_codes in data.source.codes.items()}
        written.data = Microdata(list(written.data), replace(written.data.source, codes=codes))
    written.claims = check_claims(
        release.claims,
        release.original,
        written.data,
        release.pairing,
        Context(release.randomness, control=release.control, accounting=release.accounting),
        release.analyses,
    )
    return written


def _same_column(data: Microdata, table: pa.Table, name: str) -> bool:
    """Whether a file that was read back holds a column as it was to be written.

    One column at a time: a second table of all of them would not fit beside large files.
    """
    again = like_original(data, table.select([name]))
    return again.column(name).same_as(data.column(name))


def _measured_again(assessment: Assessment, held: Release, written: Release) -> Assessment:
    """Return the assessment with its published figures measured on the file as written."""
    if all(column.same_as(held.data.column(column.name)) for column in written.data):
        return assessment
    context = Context(
        written.randomness,
        path=("assessment",),
        control=written.control,
        accounting=written.accounting,
    )
    rows = []
    for row in assessment.rows:
        if row.after is not None and row.spec.of_release:
            try:
                score = row.measure.score(
                    written.original, written.data, context.within(row.spec.name), written.pairing
                )
                row = replace(row, after=score)
            except NotApplicable as reason:
                row = replace(row, after=None, left_out=str(reason))
        rows.append(row)
    again = copy(assessment)
    again.rows = tuple(rows)
    return again


def _refuse_unless_verified(folder: Path) -> None:
    """Refuse to publish what a recipient's check would find to be wrong."""
    for fault in verify(folder).faults:
        raise ClaimError(f"{fault}; nothing was released")


def as_json(content: Mapping[str, Any]) -> str:
    """Return JSON that people can read and that is the same for the same content.

    Rows of numbers, such as a place for every record, are on one line.

    >>> print(as_json({"rows": np.array([3, 1]), "seed": {"by hand": True}}), end="")
    {
     "rows": [3, 1],
     "seed": {
      "by hand": true
     }
    }
    """
    entries = (f" {_text(name)}: {_text(value)}" for name, value in content.items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"[{_listed(value)}]"
    numbers = isinstance(value, list) and set(map(type, value)) <= {int}
    # The encoder that indents is several times slower.
    indent = None if numbers else 1
    text = json.dumps(value, indent=indent, ensure_ascii=False, allow_nan=False)
    return text if numbers else text.replace("\n", "\n ")


def _listed(numbers: NDArray[np.int64]) -> str:
    """Return whole numbers separated by commas; a million Python integers would take 40
    megabytes.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pa.array(np.asarray(numbers, dtype=np.int64)).cast(pa.string())
    whole = pa.ListArray.from_arrays(pa.array([0, len(texts)], pa.int32()), texts)
    return str(pc.binary_join(whole, ", ")[0].as_py())
