"""The independent checker: everything that a release states about itself, checked from outside."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.campaign.counting import COUNTED, Seen, same
from bench.campaign.faults import Fault
from bench.campaign.seeing import Attributes, seen_file

PUBLIC = ("manifest.json", "report-public.html")
PRIVATE = ("record.json", "report-internal.html")


def check_directory(directory: Path) -> tuple[dict[str, Any], Seen]:
    """Check a written release; return its manifest and the released cells."""
    names = sorted(path.name for path in directory.iterdir())
    data = [name for name in names if name.startswith("release.")]
    if len(data) != 1 or set(names) != {*data, *PUBLIC, *PRIVATE}:
        raise Fault("release: not the files of a release", ", ".join(names))
    for name in PRIVATE:
        if (directory / name).stat().st_mode & 0o077:
            raise Fault("release: a private file is readable by others", name)
    manifest: dict[str, Any] = json.loads((directory / "manifest.json").read_text("utf-8"))
    stated = manifest["release"]
    content = (directory / data[0]).read_bytes()
    if hashlib.sha256(content).hexdigest() != stated["sha256"] or len(content) != stated["bytes"]:
        raise Fault("release: the manifest has another checksum than the file", data[0])
    try:
        seen = seen_file(directory / stated["file"], stated["reading"], stated["columns"])
    except Exception as error:
        where = f"{Path(stated['file']).suffix} {type(error).__name__}"
        raise Fault(f"release: a plain reader cannot read it ({where})", str(error)) from error
    rows = {len(column.cells) for column in seen.values()}
    if rows - {stated["records"]}:
        raise Fault("release: the file has other records than the manifest", f"{rows}")
    check_claims(manifest["claims"], seen, "file")
    for score in manifest["scores"]:
        figure = {"measure": score["measure"], "measured": score["after"]}
        check_claims([figure], seen, "score of the file")
    return manifest, seen


def check_claims(claims: Any, seen: Seen, where: str) -> None:
    """Recount each claim that can be counted, and compare it with what is stated."""
    for claim in claims:
        name = claim["measure"]
        if name not in COUNTED or claim.get("measured") is None:
            continue
        counted = COUNTED[name](seen)
        if counted is None:
            continue
        if not same(counted, claim["measured"]):
            raise Fault(
                f"false claim on the {where}: {name}",
                f"{claim['measured']:g} stated, {counted:g} counted",
            )
        bound = claim.get("bound")
        low = name in ("t-closeness", "sample-uniqueness", "special-uniques")
        if bound is not None and (counted > bound + 1e-12 if low else counted < bound - 1e-12):
            raise Fault(f"broken bound on the {where}: {name}", f"{bound:g} claimed, {counted:g}")


def attributes_of(release: Any) -> Attributes:
    """Return name, role and kind of the columns of a release that was not written."""
    return [
        {"name": a.name, "role": a.role.value, "kind": a.kind.value} for a in release.data.schema
    ]


def told_claims(release: Any) -> list[Mapping[str, Any]]:
    """Return the claims of a release that was not written, as a manifest has them."""
    return [
        {"measure": claim.measure, "bound": claim.bound, "measured": claim.measured}
        for claim in release.claims
    ]
