"""The outcome of a try, read back from its release: the content of the report that was written."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from discreet.errors import DataError
from discreet.publishing.manifest import RECORD
from discreet.publishing.record import read_record
from discreet.report.content import Content
from discreet.report.plain import from_json
from discreet.studio.tries import Outcome
from discreet.studio.work import Work


def content_of(work: Work, outcome: Outcome | None) -> Content | None:
    """Return what the internal report of a try shows; None if its files are gone."""
    if outcome is None or outcome.error or not work.tries.has_files(outcome):
        return None
    record = work.tries.directory(outcome.number) / RECORD
    try:
        return _content(record, record.stat().st_mtime_ns)
    except (OSError, DataError, AttributeError, KeyError, TypeError, StopIteration):
        return None


@lru_cache(maxsize=8)
def _content(record: Path, stamp: int) -> Content:
    plain: dict[str, Any] = read_record(record)["report"]
    return from_json(Content, plain)
