"""The report as one HTML file: no scripts, no assets from elsewhere, the same bytes each time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from discreet.report.attack import regression_attack
from discreet.report.closing import at_risk, citations, left_out, reproduce
from discreet.report.dependency import dependency
from discreet.report.markup import text
from discreet.report.pictures import correlations, distributions, groups
from discreet.report.public_form import public as public_form
from discreet.report.sections import done, scores, section, verdict
from discreet.report.style import STYLE

WARNING = "internal: contains figures of the original data; do not release"


def render(content: Mapping[str, Any], *, public: bool) -> str:
    """Return the report as HTML.

    With `public`, internal content is first reduced to its public form, so that a mistake here
    cannot publish a figure of the original.

    >>> import discreet
    >>> from discreet.report import collect
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    >>> content = collect(release, discreet.assess(data, release))
    >>> "do not release" in render(content, public=False)
    True
    >>> "do not release" in render(content, public=True)
    False
    """
    if public:
        content = public_form(content)
    internal = content["form"] == "internal"
    parts = [
        ("verdict", "Verdict", verdict(content)),
        ("done", "What was done", done(content)),
        ("risk", "Disclosure risk", scores(content, "risk")),
        ("utility", "Utility", scores(content, "utility")),
        ("distributions", "Distributions", distributions(content)),
        ("correlations", "Correlations", correlations(content) if internal else ""),
        ("dependency", "Dependency tree", dependency(content) if internal else ""),
        ("groups", "Group sizes", groups(content) if internal else ""),
        ("attack", "Regression attack", regression_attack(content) if internal else ""),
        ("records", "Records most at risk", at_risk(content) if internal else ""),
        ("left-out", "What was left out, and why", left_out(content) if internal else ""),
        ("reproduce", "How to reproduce", reproduce(content)),
        ("citations", "Sources", citations(content)),
    ]
    title = f"Release report ({'internal' if internal else 'public'})"
    lead = (
        "Original against released data, for the owner of the data."
        if internal
        else "How these data were protected, and what they are good for."
    )
    return page(title, lead, parts, content["discreet"], warning=WARNING if internal else "")


def page(
    title: str, lead: str, parts: Iterable[tuple[str, str, str]], version: str, warning: str = ""
) -> str:
    """Return a whole page of sections, each of an anchor, a heading and a body.

    A section without a body is left out; so is a warning without words.

    >>> page("Columns", "What they hold.", [("a", "Ages", "<p>31</p>")], "0.1").count("<section")
    1
    """
    shown = [part for part in parts if part[2]]
    links = "".join(
        f'<li><a href="#{anchor}">{text(heading)}</a></li>' for anchor, heading, _ in shown
    )
    banner = f'<div class="banner" role="note">{text(warning)}</div>\n' if warning else ""
    body = "".join(section(*part) for part in shown)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="robots" content="noindex">\n'
        f"<title>{text(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{banner}"
        f'<header>\n<h1>{text(title)}</h1>\n<p class="lead">{text(lead)}</p>\n'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n</header>\n'
        f"<main>\n{body}</main>\n"
        f"<footer>Made with discreet {text(version)}.</footer>\n</body>\n</html>\n"
    )
