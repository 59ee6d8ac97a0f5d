"""The public manifest of a release: its content, and whether a file is a valid one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.contracts import MeasureSpec
from discreet.contracts.registry import find
from discreet.errors import DataError
from discreet.io.files import FileFormat
from discreet.io.formats import kind_named
from discreet.microdata import Kind, Microdata, Role
from discreet.microdata.clusters import unit_key
from discreet.publishing.cell_meanings import texts_of
from discreet.publishing.schema_version import SCHEMA, current_manifest
from discreet.release.assessment import Assessment
from discreet.release.release import Release
from discreet.version import version

if TYPE_CHECKING:
    import pyarrow as pa

MANIFEST, RECORD = "manifest.json", "record.json"
PUBLIC_REPORT, INTERNAL_REPORT = "report-public.html", "report-internal.html"
"""The files of a release beside its data; the record and the internal report are private."""


def manifest_of(
    release: Release,
    assessment: Assessment,
    file: Path,
    file_format: FileFormat,
    cells: Callable[[], pa.Table],
    checksums: Mapping[str, str],
) -> dict[str, Any]:
    """Return what may be public: methods, parameters, claims, checksums.

    No seed, no row order and no statistic of the original: a measure is given only if anyone can
    compute it from the release. One that compares with the original would give part of it away (a
    bias and the released mean yield the original mean), so for such a claim only the bound is
    shown. `cells` reads those of the written file, `checksums` are those of the files that may be
    passed on.
    """
    claims = []
    for claim in release.claims:
        measure = claim.by or find("measure", claim.measure)()
        spec = measure.spec
        assert isinstance(spec, MeasureSpec)
        entry: dict[str, Any] = {
            "measure": claim.measure,
            "parameters": measure.recipe(public=True)[claim.measure],
            "bound": claim.bound,
            "rests on": spec.rests_on,
        }
        if spec.of_release:
            entry["measured"] = claim.measured
            if claim.counts:
                entry["counts"] = claim.counts
            if claim.households is not None:
                entry["households"] = claim.households
        claims.append(entry)
    return {
        "schema": SCHEMA,
        "discreet": version(),
        "release": {
            "file": file.name,
            "sha256": checksums[file.name],
            "bytes": file.stat().st_size,
            "reading": kind_named(file_format.kind).options_of(file_format),
            "records": len(release.data),
            "columns": _columns(release.data, file_format, cells),
        },
        "files": dict(checksums),
        "steps": [
            {
                "name": step.spec.name,
                "title": step.spec.title,
                "citation": step.spec.citation,
                "parameters": step.recipe(public=True)[step.spec.name],
                "withheld": step.withheld(),
            }
            for step in release.steps
        ],
        "claims": claims,
        **accounting_of(release),
        "shuffled": release.shuffled,
        "decimals": "original" if release.keep_decimals else "free",
        "scores": [
            {
                "side": row.spec.side.value,
                "measure": row.spec.name,
                "title": row.spec.title,
                "parameters": row.measure.recipe(public=True)[row.spec.name],
                "after": row.after.value,
                "better": row.spec.better.value,
                "percent": row.spec.percent,
                **({"column": row.after.column} if row.after.column else {}),
            }
            for row in assessment.rows
            if row.after is not None and row.spec.of_release
        ],
    }


def accounting_of(release: Release) -> dict[str, Any]:
    """Return what the steps spend of the privacy of a record, if some are mechanisms."""
    accounting = release.accounting
    return {"accounting": accounting.plain()} if accounting and accounting.spent else {}


def _columns(
    data: Microdata, file_format: FileFormat, read: Callable[[], pa.Table]
) -> list[dict[str, Any]]:
    """Return each column with its role and kind, and what is needed to read its texts."""
    import pyarrow as pa

    # The cells of a large file are read only if some column needs them.
    cells, counted = cache(read), unit_key(data)
    missing: Mapping[str, str] = getattr(file_format.details, "missing", {})
    forms = file_format.written_forms
    described = []
    for column in data:
        attribute = column.attribute
        entry: dict[str, Any] = {
            "name": attribute.name,
            "role": attribute.role.value,
            "kind": attribute.kind.value,
        }
        if attribute.role in (Role.HOUSEHOLD, Role.PERSON):
            entry["unit"] = attribute.name == counted
        if attribute.kind is Kind.ORDINAL:
            # Only what occurs: listing a category that is gone would reveal that it existed.
            codes, rows = np.unique(column.values, return_index=True)
            texts = texts_of(cells().column(attribute.name).take(rows[codes >= 0]).combine_chunks())
            entry["order"] = list(dict.fromkeys(text for text in texts if text is not None))
        if attribute.name in missing:
            entry["missing"] = missing[attribute.name]
        if attribute.name in forms and attribute.continuous:
            entry["form"] = forms[attribute.name].recipe()
        if data.source is not None and attribute.name in data.source.codes:
            # A cell without a value holds a code that says why it has none.
            coded = cells().column(attribute.name).filter(pa.array(column.missing)).unique()
            entry["codes"] = [text for text in texts_of(coded) if text is not None]
        described.append(entry)
    return described


def read_manifest(directory: Path) -> dict[str, Any]:
    """Return the manifest in the directory of a release, or report why there is none."""
    if not directory.is_dir():
        raise DataError(f"'{directory}' is not a directory; give the directory of a release")
    path = directory / MANIFEST
    if path.exists() and not path.is_file():
        raise DataError(f"'{path}' is not an ordinary file, so it is not the manifest of a release")
    try:
        content = json.loads(
            path.read_text(encoding="utf-8"),
            parse_constant=_refuse,
            object_pairs_hook=_without_repeated_keys,
        )
    except FileNotFoundError:
        raise DataError(
            f"'{directory}' holds no {MANIFEST}, so it is not a release; give the directory that "
            "'discreet protect' wrote to"
        ) from None
    except OSError as error:
        raise DataError(f"'{path}' cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise DataError(f"'{path}' is not the manifest of a release") from None
    if isinstance(content, dict):
        content = current_manifest(content, path)
    fault = next(iter(faults(content)), None)
    if fault is not None:
        raise DataError(f"'{path}' is not the manifest of a release: {fault}")
    return dict(content)


def released_file(place: Path) -> Path:
    """Return the file of records in the directory of a release, or the place itself if it is none.

    >>> released_file(Path("release.csv")).name
    'release.csv'
    """
    if not (place / MANIFEST).exists():
        return place
    return place / str(read_manifest(place)["release"]["file"])


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


def _without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an entry that is stated twice: another program may read the other one."""
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("an entry is stated twice")
    return content


NUMBER = (int, float)
OPTIONAL = "?"

SHAPE: Mapping[str, Any] = {
    "schema": int,
    "discreet": str,
    "release": {
        "file": str,
        "sha256": str,
        "bytes": int,
        "reading": {},
        "records": int,
        "risks?": ("units",),
        "table?": {"system": str, "name": str},
        "joined?": [{"file": str, "key": str, "records": int, "columns": [str]}],
        "columns": [
            {
                "name": str,
                "role": tuple(role.value for role in Role),
                "kind": tuple(kind.value for kind in Kind),
                "unit?": bool,
                "order?": [str],
                "missing?": str,
                "form?": {},
                "codes?": [str],
            }
        ],
    },
    "files": {},
    "steps": [{"name": str, "title": str, "citation": str, "parameters": {}, "withheld?": [str]}],
    "claims": [
        {
            "measure": str,
            "bound": NUMBER,
            "measured?": NUMBER,
            "counts?": ("records", "persons", "households"),
            "households?": int,
            "parameters?": {},
            "rests on?": str,
        }
    ],
    "shuffled": bool,
    "decimals?": ("original", "free"),
    "scores": [{"measure": str, "after": NUMBER, "parameters?": {}}],
}
"""What a manifest must contain: a type, a choice of words, a list of shapes, or keys with shapes.

A key with a question mark may be absent; keys that are not listed here are allowed.
"""

WORDS: Mapping[Any, str] = {str: "text", int: "a whole number", bool: "true or false"}


def faults(content: Any) -> list[str]:
    """Return what is missing or wrong in a manifest, in words.

    >>> faults({"schema": 4, "discreet": 1})[0]
    "'discreet' must be text"
    """
    return _faults(content, SHAPE, "")


def _faults(value: Any, shape: Any, place: str) -> list[str]:
    if isinstance(shape, Mapping):
        if not isinstance(value, dict):
            return [f"{_named(place)} must have names with values"]
        problems = []
        for key, inner in shape.items():
            name = key.removesuffix(OPTIONAL)
            within = f"{place}.{name}" if place else name
            if name in value:
                problems += _faults(value[name], inner, within)
            elif not key.endswith(OPTIONAL):
                problems.append(f"{_named(within)} is missing")
        return problems
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{_named(place)} must be a list"]
        return [f for i, part in enumerate(value) for f in _faults(part, shape[0], f"{place}.{i}")]
    if shape == NUMBER:
        right = isinstance(value, NUMBER) and not isinstance(value, bool)
        return [] if right else [f"{_named(place)} must be a number"]
    if isinstance(shape, tuple):
        return [] if value in shape else [f"{_named(place)} must be one of {', '.join(shape)}"]
    right = isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
    return [] if right else [f"{_named(place)} must be {WORDS[shape]}"]


def _named(place: str) -> str:
    return f"'{place}'" if place else "it"
