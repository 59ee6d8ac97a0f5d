"""Replies as HTML: templates with the words of a language, around them the frame of all screens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markupsafe import Markup

from discreet.report.html import filled
from discreet.report.markup import UNWRITABLE
from discreet.report.spark import spark
from discreet.studio.replies import Fragment, Page
from discreet.studio.request import Ask
from discreet.studio.texts import LANGUAGES, translator
from discreet.version import version

TEMPLATES = Path(__file__).parent / "templates"
SCREENS = ("columns", "risk", "protect", "compare", "release", "plan")


def page(reply: Page, ask: Ask) -> str:
    """Return a screen; where it is shown already, its middle and what changed around it."""
    frame = "frame/part.html" if ask.partial else "frame/whole.html"
    return _text(reply.template, {**_values(ask), **reply.values, "frame": frame})


def fragment(reply: Fragment, ask: Ask) -> str:
    """Return a part of a screen."""
    return _text(reply.template, {**_values(ask), **reply.values})


def _text(template: str, values: dict[str, Any]) -> str:
    return UNWRITABLE.sub("\ufffd", filled(template, TEMPLATES, **values))


def _values(ask: Ask) -> dict[str, Any]:
    """Return what every template may use."""
    values: dict[str, Any] = {
        "ask": ask,
        "t": translator(ask.language),
        "language": ask.language,
        "languages": LANGUAGES,
        "csrf": ask.studio.keys.csrf,
        "screens": SCREENS,
        "version": version(),
        "root": str(ask.studio.places.root),
        "spark": lambda name, picture: Markup(spark(name, picture)),
        "work": None,
        "history": None,
        "jobs": [],
        "screen": "",
        "here": "",
    }
    if "plan" in ask.path:
        work = ask.work
        values["work"] = work
        values["history"] = work.history
        values["jobs"] = ask.studio.jobs.of(ask.place)
    return values
