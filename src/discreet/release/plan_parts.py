"""The parts of a plan: each key of the file checked and turned into a field of `Plan`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from discreet.contracts import Analysis, Measure, Method
from discreet.contracts.claim import claim_bound
from discreet.contracts.registry import find
from discreet.errors import UsageError
from discreet.microdata.levels import UNITS
from discreet.release.plan_columns import columns_of
from discreet.release.plan_components import listed, method_of
from discreet.release.plan_file import PlanText
from discreet.release.plan_files import files_of, steps_of_files
from discreet.release.plan_outgoing import checked_spreadsheet_safe, outgoing, stated_codes
from discreet.release.verdict import Thresholds

VERSION = 1
STRICT = "strict"
KEYS = (
    "version",
    "frozen",
    "data",
    "files",
    "schema",
    "columns",
    "unit",
    "missing",
    "allow",
    "rules",
    "steps",
    "calibrate",
    "claims",
    "analyses",
    "measures",
    "verdict",
    "release",
    "csv",
)


def parts_of(text: PlanText, folder: Path, unfinished: bool = False) -> dict[str, Any]:
    """Return the fields of a plan, or say on which line it is wrong.

    An unfinished plan may have no steps.

    >>> from discreet.release.plan_file import parse_plan_text
    >>> parts_of(parse_plan_text("{steps: [rounding], unit: household}"), Path())["unit"]
    'household'
    """
    if text.content is None:
        raise UsageError(
            f"{text.name} is empty; 'discreet describe FILE --out plan.yaml' makes one"
        )
    content = text.mapping((), text.content, KEYS)
    version = content.get("version", VERSION)
    if isinstance(version, bool) or version != VERSION:
        text.wrong(("version",), f"this version of discreet reads plans of version {VERSION}")
    strict = _strict(text, content.get("schema"))
    files, stated = files_of(text, content.get("files"), strict)
    for key in ("data", "columns") if files else ():
        if key in content:
            text.wrong((key,), "a plan with 'files:' states this below each of the files")
    stated = stated if files else columns_of(text, content.get("columns"), strict)
    file, options = _data(text, content.get("data"))
    steps = steps_of_files(text, content.get("files"), files, stated)
    if content.get("steps") or not (unfinished or steps):
        steps += _steps(text, content.get("steps"))
    return {
        "steps": tuple(step.files_from(folder) for step in steps),
        "roles": stated.roles,
        "kinds": stated.kinds,
        "levels": stated.levels,
        "types": stated.types,
        "allowed": stated.allowed,
        "strict": strict,
        "frozen": _truth(text, "frozen", content.get("frozen", False)),
        "unit": _unit(text, content.get("unit")),
        "file": file,
        "files": files,
        "options": options,
        "claims": _claims(text, content.get("claims")),
        "analyses": tuple(
            analysis
            for analysis in listed(text, "analyses", "analysis", content.get("analyses")) or ()
            if isinstance(analysis, Analysis)
        ),
        "measures": _measures(text, content.get("measures"), folder),
        "thresholds": _thresholds(text, content.get("verdict")),
        "allow": text.names(("allow",), content.get("allow")),
        "rules": text.names(("rules",), content.get("rules"), "rules"),
        "calibrate": text.names(("calibrate",), content.get("calibrate")),
        **outgoing(text, content.get("release")),
        "missing": stated_codes(text, content.get("missing")),
        "spreadsheet_safe": checked_spreadsheet_safe(text, content.get("csv")),
        "folder": folder,
    }


def _data(text: PlanText, value: Any) -> tuple[str | None, dict[str, Any]]:
    if value is None:
        return None, {}
    if isinstance(value, str):
        return value, {}
    options = dict(text.mapping(("data",), value, None))
    file = options.pop("file", None)
    if file is not None and not isinstance(file, str):
        text.wrong(("data", "file"), "this must be the name of a file")
    return file, options


def _truth(text: PlanText, key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        text.wrong((key,), "this must be true or false")
    return value


def _strict(text: PlanText, value: Any) -> bool:
    if value not in (None, STRICT):
        text.wrong(
            ("schema",),
            "this must be 'strict', or be left out: columns that the plan does not name are then "
            "not released",
        )
    return bool(value == STRICT)


def _unit(text: PlanText, value: Any) -> str | None:
    if value not in (None, *UNITS):
        text.wrong(("unit",), f"{' or '.join(map(repr, UNITS))} belongs here, or leave the key out")
    return None if value is None else str(value)


def _steps(text: PlanText, value: Any) -> tuple[Method, ...]:
    if not isinstance(value, list) or not value:
        text.wrong(
            ("steps",) if value is not None else (),
            "a plan needs 'steps:' with a list of methods below it, such as '- microaggregation'",
        )
    return tuple(method_of(text, ("steps", i), entry) for i, entry in enumerate(value))


def _claims(text: PlanText, value: Any) -> dict[str, float]:
    if value is None:
        return {}
    claims = {}
    for name, bound in text.mapping(("claims",), value, None).items():
        try:
            find("measure", name)
        except UsageError as error:
            text.wrong(("claims", name), str(error))
        try:
            claims[name] = claim_bound(name, bound)
        except UsageError as error:
            text.wrong(("claims", name), str(error))
    return claims


def _measures(text: PlanText, value: Any, folder: Path) -> tuple[Measure, ...] | None:
    listed_measures = listed(text, "measures", "measure", value)
    if listed_measures is None:
        return None
    return tuple(m.files_from(folder) for m in listed_measures if isinstance(m, Measure))


def _thresholds(text: PlanText, value: Any) -> Thresholds:
    known = tuple(field.name for field in fields(Thresholds))
    content = {} if value is None else text.mapping(("verdict",), value, known)
    for name, threshold in content.items():
        if isinstance(threshold, bool) or not isinstance(threshold, int | float) or threshold < 0:
            text.wrong(("verdict", name), "this must be a number of 0 or more, such as 0.1")
    return Thresholds(**{name: float(threshold) for name, threshold in content.items()})
