"""The sections of pictures: distributions, correlations and group sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.report.markup import THIN, figure, name, shown, table, text
from discreet.report.sections import LEGEND, Content
from discreet.report.svg import bars, heat_map, histogram

QUANTILE_NAMES = {"0": "least", "50": "median", "100": "greatest"}


def distributions(content: Content) -> str:
    """Return a small picture of every released column, changed ones first."""
    released = [column for column in content["columns"] if column["released"] is not None]
    if content["form"] == "public":
        figures = [_figure(c["name"], c["role"], c["released"]["alone"]) for c in released]
        words = (
            '<p class="quiet">Of the released values only. Far values are off the axis, and rare '
            "categories are put together.</p>\n"
        )
        return f'{words}<div class="grid">{"".join(figures)}</div>\n' if figures else ""
    changed = [c for c in released if c["released"]["changed"] != 0]
    same = [c for c in released if c["released"]["changed"] == 0]
    parts = []
    if changed:
        parts.append(f"{LEGEND}{_grid(changed)}")
    if same:
        summary = f"Columns released unchanged ({len(same)})"
        parts.append(f"<details><summary>{summary}</summary>{_grid(same)}</details>\n")
    return "".join(parts)


def _grid(columns: Sequence[Content]) -> str:
    figures = [_figure(c["name"], c["role"], c["released"]["distribution"]) for c in columns]
    return f'<div class="grid">{"".join(figures)}</div>\n'


def _figure(title: str, role: str, distribution: Content) -> str:
    caption = f"<figcaption><strong>{name(title)}</strong> {text(role)}</figcaption>\n"
    return f"<figure>{caption}{_picture(title, distribution)}</figure>\n"


def _picture(title: str, distribution: Content) -> str:
    sides = [side for side in ("original", "released") if side in distribution]
    if distribution["form"] == "histogram":
        drawn = {side: distribution[side]["shares"] for side in sides}
        return (
            histogram(title, distribution["edges"], drawn)
            + _beyond(distribution, sides)
            + _quantiles(title, distribution["quantiles"])
        )
    if distribution["form"] == "bars":
        drawn = {side: distribution[side] for side in sides}
        return bars(title, distribution["labels"], drawn) + _rest(distribution["rest"], sides)
    return f'<p class="quiet">Not drawn: {text(distribution["reason"])}.</p>\n'


def _rest(rest: Content, sides: Sequence[str]) -> str:
    """Return in words what would dwarf the bars: all smaller categories taken together."""
    if not rest["categories"]:
        return ""
    other = "1 other category" if rest["categories"] == 1 else f"{rest['categories']:,} others"
    words = ", ".join(f"{shown(rest[side], True)} of {side}" for side in sides)
    return f'<p class="quiet">{text(other)}: {text(words)} values.</p>\n'


def _beyond(distribution: Content, sides: Sequence[str]) -> str:
    """Return the shares that are off the axis, so that nobody takes the picture for the whole."""
    off = {side: distribution[side]["below"] + distribution[side]["above"] for side in sides}
    if not any(off.values()):
        return ""
    words = ", ".join(f"{shown(share, True)} of {side}" for side, share in off.items())
    return f'<p class="quiet">Off the axis: {text(words)} values.</p>\n'


def _quantiles(title: str, quantiles: Mapping[str, Mapping[str, float]]) -> str:
    if not quantiles:
        return ""
    at = list(next(iter(quantiles.values())))
    head = ["quantile", *quantiles]
    rows = [
        [
            text(QUANTILE_NAMES.get(share, f"{share}{THIN}%")),
            *(text(figure(values[share])) for values in quantiles.values()),
        ]
        for share in at
    ]
    return table(head, rows, numeric=range(1, len(head)), caption=f"Quantiles of {title}")


def correlations(content: Content) -> str:
    """Return heat maps of the correlations before, after, and of their difference."""
    found = content["correlations"]
    if not found:
        return ""
    names = found["columns"]
    widest = max((abs(v) for row in found["difference"] for v in row if v is not None), default=0.0)
    # A difference of a hundredth must not look like a large one.
    most = max(0.1, widest)
    maps = (
        ("Original", found["before"], 1.0),
        ("Released", found["after"], 1.0),
        (f"Difference (full colour at {most:.2f})", found["difference"], most),
    )
    figures = "".join(
        f"<figure><figcaption><strong>{text(words)}</strong></figcaption>\n"
        f"{heat_map(words, names, matrix, most=limit)}</figure>\n"
        for words, matrix, limit in maps
    )
    others = (
        f'<p class="quiet">{found["others"]} more columns are not shown.</p>'
        if found["others"]
        else ""
    )
    return (
        '<p class="lead">Correlations of the continuous quasi-identifiers: blue is positive, '
        f'orange negative.</p>\n<div class="grid">{figures}</div>\n{others}'
    )


def groups(content: Content) -> str:
    """Return how many records the groups have."""
    found: Any = content["groups"]
    if not found:
        return ""
    sizes = (
        f"of {found['least']:,} records each"
        if found["least"] == found["largest"]
        else f"of {found['least']:,} to {found['largest']:,} records, {figure(found['mean'])} on "
        "average"
    )
    words = f"{found['count']:,} groups {sizes}; at least {found['promised']:,} were asked for."
    picture = ""
    if found["edges"] and found["least"] < found["largest"]:
        drawn = histogram("Records in a group", found["edges"], {"released": found["counts"]})
        beyond = (
            f'<p class="quiet">Off the axis: {found["beyond"]:,} groups.</p>\n'
            if found["beyond"]
            else ""
        )
        picture = f"<figure>{drawn}{beyond}</figure>\n"
    said = "".join(f"<li>{text(sentence)}</li>" for sentence in found.get("said", ()))
    said = f"<ul>{said}</ul>\n" if said else ""
    return f"<p>{text(words)}</p>\n{said}{picture}"
