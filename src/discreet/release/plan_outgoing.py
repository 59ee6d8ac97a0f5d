"""What a plan says about how values come in and go out: missing codes, decimals, order, format."""

from __future__ import annotations

from typing import Any

from discreet.errors import UsageError
from discreet.io.csv_dialect import checked_truth
from discreet.io.formats import format_for
from discreet.release.holding_back import refuse_unless_share
from discreet.release.plan_file import PlanText

WORDS = {
    "decimals": ("original", "free"),
    "missing_codes": ("drop", "keep"),
    "unnamed": ("drop", "keep"),
}


def outgoing(text: PlanText, value: Any) -> dict[str, Any]:
    """Return what a plan says below `release:`, as fields of a plan.

    >>> from discreet.release.plan_file import parse_plan_text
    >>> outgoing(parse_plan_text("{}"), {"decimals": "free"})
    {'shuffle': True, 'format': None, 'keep_decimals': False, 'keep_codes': False,
     'keep_unnamed': False, 'hold_back': None}
    """
    known = ("shuffle", "format", "hold_back", *WORDS)
    content = {} if value is None else text.mapping(("release",), value, known)
    shuffle = content.get("shuffle", True)
    if not isinstance(shuffle, bool):
        text.wrong(("release", "shuffle"), "this must be true or false")
    format = content.get("format")
    if format is not None:
        try:
            format_for(str(format))
        except UsageError as error:
            text.wrong(("release", "format"), str(error))
    hold_back = content.get("hold_back")
    if hold_back is not None:
        try:
            refuse_unless_share(hold_back)
        except UsageError as error:
            text.wrong(("release", "hold_back"), str(error))
    for key, words in WORDS.items():
        if content.get(key, words[0]) not in words:
            text.wrong(("release", key), f"this must be {' or '.join(words)}")
    return {
        "shuffle": shuffle,
        "format": format,
        "keep_decimals": content.get("decimals") != "free",
        "keep_codes": content.get("missing_codes") == "keep",
        "keep_unnamed": content.get("unnamed") == "keep",
        "hold_back": hold_back,
    }


def stated_codes(text: PlanText, value: Any) -> dict[str, list[Any]]:
    """Return the codes for missing values that a plan states, by column.

    >>> from discreet.release.plan_file import parse_plan_text
    >>> stated_codes(parse_plan_text("{}"), {"income": -999})
    {'income': [-999]}
    """
    codes: dict[str, list[Any]] = {}
    for name, listed in ({} if value is None else text.mapping(("missing",), value, None)).items():
        codes[name] = listed if isinstance(listed, list) else [listed]
        if any(isinstance(code, list | dict | bool) or code is None for code in codes[name]):
            text.wrong(("missing", name), "this must be a list of numbers or texts, as [-999, NA]")
    return codes


def checked_spreadsheet_safe(text: PlanText, value: Any) -> bool:
    """Return whether a CSV release is written so that a spreadsheet runs none of its cells."""
    content = {} if value is None else text.mapping(("csv",), value, ("spreadsheet_safe",))
    try:
        return checked_truth(content.get("spreadsheet_safe", False))
    except UsageError as error:
        text.wrong(("csv", "spreadsheet_safe"), str(error))
