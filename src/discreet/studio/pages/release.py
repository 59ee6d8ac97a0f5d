"""Release: the verdict, what will be public and what stays private; write it, verify it."""

from __future__ import annotations

from pathlib import Path

from discreet.errors import DataError, UsageError
from discreet.publishing.manifest import INTERNAL_REPORT, PUBLIC_REPORT
from discreet.report.paragraph import paragraph
from discreet.report.public_form import public
from discreet.studio.outcomes import content_of
from discreet.studio.replies import Download, Page, Reply, Report
from discreet.studio.request import Ask
from discreet.studio.work import Work

RELEASES = "releases"


def show(ask: Ask) -> Reply:
    """Show the release of the plan, and those that were written."""
    work = ask.work
    outcome = work.tries.of_plan(work.text)
    content = content_of(work, outcome)
    writing = ask.studio.jobs.latest(ask.place, "release", "verify")
    values = {
        "outcome": outcome,
        "content": content,
        "files": _files(work.tries.directory(outcome.number)) if outcome and content else [],
        "paragraph": paragraph(public(content)) if content else "",
        "written": [(place.name, _files(place)) for place in work.releases()],
        "writing": writing,
        "target": f"{RELEASES}/{_next(work)}",
        "options": work.plan,
        "job": ask.studio.jobs.latest(ask.place, "protect"),
        "internal": True,
    }
    return Page("screens/release.html", {"screen": "release", **values})


def write(ask: Ask) -> Reply:
    """Write the release that is shown, and verify it."""
    work = ask.work
    outcome = work.tries.of_plan(work.text)
    if outcome is None or not work.tries.has_files(outcome):
        raise UsageError("there is no release of this plan yet; protect the file first")
    source = str(work.tries.directory(outcome.number))
    target = str(work.folder / RELEASES / _next(work))
    ask.studio.jobs.start("release", ask.place, source=source, target=target)
    return show(ask)


def verify(ask: Ask) -> Reply:
    """Verify a release that was written."""
    place = _written(ask.work, ask.text("release"))
    ask.studio.jobs.start("verify", ask.place, target=str(place))
    return show(ask)


def set_option(ask: Ask) -> Reply:
    """Set how the file is written."""
    name, value = ask.text("option"), ask.text("value")
    known = {
        "shuffle": ("release", None if value else False),
        "format": ("release", value or None),
        "spreadsheet_safe": ("csv", True if value else None),
    }
    if name not in known:
        raise UsageError(f"the options of a release are {', '.join(known)}")
    section, chosen = known[name]
    ask.work.change(lambda draft: draft.set_option(section, name, chosen))
    return show(ask)


def report(ask: Ask) -> Reply:
    """Show the internal or the public report of a try, as a page."""
    work = ask.work
    outcome = work.tries.find(ask.number("number"))
    if outcome is None or not work.tries.has_files(outcome):
        raise DataError("the files of this release are gone; protect the file again")
    name = PUBLIC_REPORT if ask.query.get("form") == "public" else INTERNAL_REPORT
    return Report(work.tries.directory(outcome.number) / name)


def download(ask: Ask) -> Reply:
    """Save a file of a release that was written."""
    place = _written(ask.work, ask.path["release"])
    name = ask.path["file"]
    if name not in [file["name"] for file in _files(place)]:
        raise DataError("there is no such file in this release")
    return Download(place / name, name)


def _written(work: Work, name: str) -> Path:
    for place in work.releases():
        if place.name == name:
            return place
    raise DataError("there is no such release in the folder of this work")


def _files(place: Path) -> list[dict[str, object]]:
    """Return the files of a release, those that may be passed on first."""
    listed: list[dict[str, object]] = []
    for file in sorted(place.iterdir()):
        private = not file.stat().st_mode & 0o077
        listed.append({"name": file.name, "private": private, "bytes": file.stat().st_size})
    return sorted(listed, key=lambda entry: bool(entry["private"]))


def _next(work: Work) -> str:
    number = 1
    while (work.folder / RELEASES / f"release-{number}").exists():
        number += 1
    return f"release-{number}"


ROUTES = [
    ("GET", "/w/{plan:path}/release", show),
    ("POST", "/w/{plan:path}/release/write", write),
    ("POST", "/w/{plan:path}/release/verify", verify),
    ("POST", "/w/{plan:path}/release/option", set_option),
    ("GET", "/w/{plan:path}/tried/{number}", report),
    ("GET", "/w/{plan:path}/releases/{release}/{file}", download),
]
