"""The reports of a release that was written before, drawn once more from what lies there."""

from __future__ import annotations

import json
from pathlib import Path

from discreet.errors import DataError
from discreet.io.files import read_table
from discreet.io.frames import from_native
from discreet.io.whole_file import write_whole
from discreet.publishing.directory import INTERNAL_REPORT, MANIFEST, PUBLIC_REPORT, RECORD, sha256
from discreet.publishing.record import read_record
from discreet.report.content import from_manifest, public
from discreet.report.html import render


def draw_reports(directory: Path) -> list[Path]:
    """Draw both reports of a release directory; only the public one without the private record."""
    if not directory.is_dir():
        raise DataError(f"'{directory}' is not a directory; give the directory of a release")
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        file = directory / manifest["release"]["file"]
        checksum = manifest["release"]["sha256"]
        columns = [(c["name"], c["role"], c["kind"]) for c in manifest["release"]["columns"]]
        [step["name"] for step in manifest["steps"]]
    except FileNotFoundError:
        raise DataError(
            f"'{directory}' holds no {MANIFEST}, so it is not a release; give the directory that "
            "'discreet protect' wrote to"
        ) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError(f"'{directory / MANIFEST}' is not the manifest of a release") from None
    if not file.is_file():
        raise DataError(f"the release file '{file}' is missing; a report cannot be drawn")
    if sha256(file) != checksum:
        raise DataError(
            f"'{file}' is not the file that was released: its checksum differs from the manifest's"
        )
    if not (directory / RECORD).exists():
        data = from_native(
            read_table(file, **manifest["release"].get("reading", {})).table,
            {name: role for name, role, _ in columns},
            {name: "nominal" for name, _, kind in columns if kind != "continuous"},
        )
        page = render(from_manifest(manifest, data), public=True)
        write_whole(directory / PUBLIC_REPORT, page.encode())
        return [directory / PUBLIC_REPORT]
    content = read_record(directory / RECORD)["report"]
    write_whole(directory / PUBLIC_REPORT, render(public(content), public=True).encode())
    internal = render(content, public=False).encode()
    write_whole(directory / INTERNAL_REPORT, internal, private=True)
    return [directory / PUBLIC_REPORT, directory / INTERNAL_REPORT]
