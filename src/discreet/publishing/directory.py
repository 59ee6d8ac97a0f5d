"""Publishing: a release becomes a directory, whole or not at all.

What lies in it: the release file, `manifest.json` and `report-public.html` for everybody;
`record.json` and `report-internal.html` for the owner of the data alone (mode 0600). Only the
first three may be passed on.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

from discreet.contracts import Context, MeasureSpec
from discreet.contracts.registry import find
from discreet.errors import DataError
from discreet.io.atomic import publish_directory, write_private
from discreet.io.files import FileFormat, format_for, read_back, write_table
from discreet.io.formats import kind_named, known_kinds
from discreet.io.frames import to_table
from discreet.io.reading import like_original
from discreet.microdata import Microdata
from discreet.release.assessing import assess
from discreet.release.assessment import Assessment
from discreet.release.gate import check_claims
from discreet.release.release import Release

MANIFEST, RECORD = "manifest.json", "record.json"
PUBLIC_REPORT, INTERNAL_REPORT = "report-public.html", "report-internal.html"


def publish(
    release: Release,
    directory: Path,
    format: str | None,
    overwrite: bool,
    assessment: Assessment | None,
) -> Path:
    """Write everything to a directory beside the target, check it there, then put it in place."""
    from discreet.report.content import collect, public
    from discreet.report.html import render

    source = release.original.source
    file_format = _format(release, format)
    refuse_over_inputs(directory, _inputs(release))
    if assessment is None:
        assessment = assess(release.original, release)
    with publish_directory(directory, overwrite=overwrite, owned=owned) as folder:
        file = folder / f"release{file_format.suffix}"
        write_table(to_table(release.data), file, file_format)
        _check_as_written(release, file, file_format)
        checksum = sha256(file)
        content = collect(release, assessment)
        size = file.stat().st_size
        content["released_file"] = {"name": file.name, "sha256": checksum, "bytes": size}
        manifest = manifest_of(release, assessment, file, file_format, checksum)
        (folder / MANIFEST).write_text(as_json(manifest), encoding="utf-8")
        page = render(public(content), public=True)
        (folder / PUBLIC_REPORT).write_text(page, encoding="utf-8")
        record = _record(release, content, checksum, source.path if source else None)
        write_private(folder / RECORD, as_json(record).encode())
        write_private(folder / INTERNAL_REPORT, render(content, public=False).encode())
    return directory


def owned(name: str) -> bool:
    """Whether a file name is one that a release writes.

    >>> owned("release.csv"), owned("archive/release.csv"), owned("release.docx")
    (True, False, False)
    """
    suffixes = {suffix for kind in known_kinds().values() for suffix in kind.suffixes}
    data = {f"release{suffix}" for suffix in suffixes}
    return name in data | {MANIFEST, RECORD, PUBLIC_REPORT, INTERNAL_REPORT}


def refuse_over_inputs(directory: Path, inputs: Iterable[Path]) -> None:
    """Refuse a directory that holds something that the release was made from."""
    place = Path(os.path.realpath(directory))
    for path in inputs:
        if Path(os.path.realpath(path)).is_relative_to(place):
            raise DataError(
                f"a release is never written over its input, and '{directory}' holds '{path}'; "
                "choose another directory"
            )


def _inputs(release: Release) -> list[Path]:
    source = release.original.source
    own = [source.path] if source and source.path else []
    return own + [Path(path) for step in release.steps for path in step.files()]


def manifest_of(
    release: Release,
    assessment: Assessment,
    file: Path,
    file_format: FileFormat,
    checksum: str,
) -> dict[str, Any]:
    """Return what everybody may know: methods, parameters, claims, checksum.

    No seed, no row order and no statistic of the original: a measure is given where anybody can
    read it off the release. One that compares with the original would give part of that away (a
    bias and the released mean make the original mean), so of such a claim only the bound is told.
    """
    claims = []
    for claim in release.claims:
        spec = find("measure", claim.measure).spec
        assert isinstance(spec, MeasureSpec)
        entry = {"measure": claim.measure, "bound": claim.bound}
        claims.append({**entry, "measured": claim.measured} if spec.of_release else entry)
    return {
        "discreet": version("discreet"),
        "release": {
            "file": file.name,
            "sha256": checksum,
            "bytes": file.stat().st_size,
            "reading": kind_named(file_format.kind).options_of(file_format),
            "records": len(release.data),
            "columns": [
                {"name": a.name, "role": a.role.value, "kind": a.kind.value}
                for a in release.data.schema
            ],
        },
        "steps": [
            {
                "name": step.spec.name,
                "title": step.spec.title,
                "citation": step.spec.citation,
                "parameters": step.recipe(public=True)[step.spec.name],
            }
            for step in release.steps
        ],
        "claims": claims,
        "shuffled": release.shuffled,
        "scores": [
            {
                "side": row.spec.side.value,
                "measure": row.spec.name,
                "title": row.spec.title,
                "after": row.after.value,
                "better": row.spec.better.value,
                "percent": row.spec.percent,
            }
            for row in assessment.rows
            if row.after is not None and row.spec.of_release
        ],
    }


def _record(
    release: Release, content: dict[str, Any], checksum: str, path: Path | None
) -> dict[str, Any]:
    groups = release.groups
    return {
        "private": "this file holds the seed and the order of the rows; never release it",
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": release.randomness.reveal(),
        "versions": {
            "python": python_version(),
            **{name: version(name) for name in ("discreet", "numpy", "scipy", "numba", "pyarrow")},
        },
        "input": {"path": str(path), "sha256": sha256(path)} if path else None,
        "release": {"sha256": checksum},
        "plan": {
            "columns": {
                a.name: {"role": a.role.value, "kind": a.kind.value}
                for a in release.original.schema
            },
            "steps": [step.recipe() for step in release.steps],
            "claims": {claim.measure: claim.bound for claim in release.claims},
            "release": {"shuffle": release.shuffled},
        },
        "origin": release.origin.tolist(),
        "groups": groups.labels.tolist() if groups is not None else None,
        "drawn within groups": groups is not None and groups.drawn,
        "groups cover": groups is not None and groups.covers,
        "report": content,
    }


def _format(release: Release, format: str | None) -> FileFormat:
    if format is not None:
        return format_for(format)
    source = release.original.source
    found = source.format if source is not None else None
    return found if isinstance(found, FileFormat) else FileFormat.default()


def _check_as_written(release: Release, file: Path, format: FileFormat) -> None:
    """Read the file back and measure the claims on it: the very data that will be published."""
    table = read_back(file, format)
    if table.num_rows != len(release.data) or table.column_names != list(release.data.schema.names):
        raise DataError(
            f"the {format.kind} file does not hold the {len(release.data)} records and "
            f"{len(release.data.schema)} columns to be released when read back; write another "
            "format with format="
        )
    written: Microdata = like_original(release.data, table)
    check_claims(release.claims, release.original, written, release.pairing, Context())


def sha256(path: Path) -> str:
    """Return the checksum of a file.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     sha256(Path(file.name))[:8]
    'e3b0c442'
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def as_json(content: dict[str, Any]) -> str:
    """Return JSON that people can read and that is the same for the same content."""
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
