"""The reports of an existing release, redrawn from the files in its directory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from discreet.errors import DataError
from discreet.io.files import read_table
from discreet.io.frames import from_native
from discreet.io.whole_file import write_whole
from discreet.publishing.checksum import sha256
from discreet.publishing.directory import as_json
from discreet.publishing.manifest import (
    INTERNAL_REPORT,
    MANIFEST,
    PUBLIC_REPORT,
    RECORD,
    read_manifest,
)
from discreet.publishing.record import read_record
from discreet.report import from_manifest, public, render
from discreet.report.components import republished
from discreet.report.content import Content
from discreet.report.plain import from_json
from discreet.report.public_form import PublicContent


def draw_reports(directory: Path) -> list[Path]:
    """Draw both reports of a release directory; without the private record, only the public one."""
    manifest = read_manifest(directory)
    file = directory / manifest["release"]["file"]
    columns = manifest["release"]["columns"]
    if not file.exists():
        raise DataError(f"the release file '{file}' is missing; a report cannot be drawn")
    if sha256(file) != manifest["release"]["sha256"]:
        raise DataError(
            f"'{file}' is not the file that was released: its checksum differs from the manifest's"
        )
    several = file.is_dir() or "joined" in manifest["release"]
    if not (directory / RECORD).exists() and several:
        raise DataError(
            "the report of a release in several files is drawn from its private record, but "
            f"'{directory}' holds none; its owner has it"
        )
    if not (directory / RECORD).exists():
        data = from_native(
            read_table(file, **manifest["release"]["reading"]).table,
            {column["name"]: column["role"] for column in columns},
            {column["name"]: "nominal" for column in columns if column["kind"] != "continuous"},
        )
        _write_public(directory, manifest, from_manifest(manifest, data))
        return [directory / PUBLIC_REPORT]
    try:
        content = from_json(Content, read_record(directory / RECORD)["report"])
    except (AttributeError, KeyError, TypeError, ValueError):
        raise DataError(f"'{directory / RECORD}' does not hold the content of a report") from None
    content = replace(content, steps=tuple(republished(step) for step in content.steps))
    _write_public(directory, manifest, public(content))
    write_whole(directory / INTERNAL_REPORT, render(content).encode(), private=True)
    return [directory / PUBLIC_REPORT, directory / INTERNAL_REPORT]


def _write_public(directory: Path, manifest: dict[str, Any], content: PublicContent) -> None:
    """Write the public report, and its checksum if another version of discreet drew the old
    page."""
    write_whole(directory / PUBLIC_REPORT, render(content).encode())
    checksum = sha256(directory / PUBLIC_REPORT)
    if manifest["files"].get(PUBLIC_REPORT) != checksum:
        files = {**manifest["files"], PUBLIC_REPORT: checksum}
        write_whole(directory / MANIFEST, as_json({**manifest, "files": files}).encode())
