"""The opening sections: the verdict, what was done, and the scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.report.markup import THIN, figure, name, paragraphs, shown, table, text
from discreet.report.svg import dumbbells

Content = Mapping[str, Any]
HEADLINES = ("k-anonymity", "distance-linkage", "sse-sst")
INTRODUCTIONS = {
    "risk": "What an intruder could do with the release who knows the quasi-identifiers of the "
    "people in it from elsewhere.",
    "utility": "What an analyst loses by working with the released instead of the original data.",
}
ARROW = '<span class="arrow" aria-label="to"> → </span>'


def section(anchor: str, heading: str, body: str) -> str:
    """Return a section, or nothing if it has nothing to say."""
    if not body:
        return ""
    return (
        f'<section id="{anchor}" aria-labelledby="{anchor}-heading">\n'
        f'<h2 id="{anchor}-heading">{text(heading)}</h2>\n{body}</section>\n'
    )


def verdict(content: Content) -> str:
    """Return whether the claims hold, and the figures that a steward asks for first."""
    claims = content["claims"]
    if not claims:
        words, css = "The release makes no claim; the figures below say what was measured.", ""
    elif all(claim["holds"] for claim in claims):
        words = "The claim holds" if len(claims) == 1 else f"All {len(claims)} claims hold"
        words, css = f"{words}, as measured on the released data.", " good"
    elif any(claim["holds"] is False for claim in claims):
        words, css = "A claim does not hold; this must not be released.", " bad"
    else:
        words, css = "Not every claim was measured.", ""
    tiles = "".join(_tile(score) for score in content["scores"] if score["name"] in HEADLINES)
    records = _plain_tile(
        "Released", f"{content['records']['released']:,} records", f"{_released(content)} columns"
    )
    return (
        f'<p class="verdict{css}">{text(words)}</p>\n<div class="tiles">{records}{tiles}</div>\n'
        + _claims(claims)
    )


def _released(content: Content) -> int:
    return sum(column["released"] is not None for column in content["columns"])


def before(score: Content) -> Any:
    """Return a score's value before, or in the public form the declared value at identity."""
    return score.get("before", score.get("identity"))


def _tile(score: Content) -> str:
    value = text(_brief(score["after"], score["percent"]))
    was = before(score)
    if was is not None:
        value = f'<span class="was">{text(_brief(was, score["percent"]))}</span>{ARROW}{value}'
    return _tile_html(score["title"], value, f"{score['better']} is better")


def _brief(value: Any, percent: bool) -> str:
    """Return a figure as a headline has it: three digits of a share."""
    if percent and isinstance(value, int | float):
        return f"{100 * value:.3g}{THIN}%"
    return shown(value, percent)


def _plain_tile(title: str, value: str, note: str) -> str:
    return _tile_html(title, text(value), note)


def _tile_html(title: str, value: str, note: str) -> str:
    return (
        f'<dl class="tile"><dt>{text(title)}</dt><dd>{value}</dd>'
        f'<dd class="quiet">{text(note)}</dd></dl>'
    )


def _claims(claims: list[Content]) -> str:
    if not claims:
        return ""
    words = {True: "holds", False: "does not hold", None: "not measured"}
    rows = [
        (
            text(claim["title"]),
            _bound(claim),
            text(shown(claim["measured"], claim["percent"])),
            words[claim["holds"]],
        )
        for claim in claims
    ]
    return table(
        ("claim", "claimed", "measured", "verdict"), rows, numeric=(1, 2), caption="What is claimed"
    )


def _bound(claim: Content) -> str:
    side = {"higher": "at least ", "lower": "at most "}.get(claim["better"], "")
    return side + text(shown(claim["bound"], claim["percent"]))


def done(content: Content) -> str:
    """Return the steps in their order, and what happened to rows and columns."""
    steps = "".join(_step(step) for step in content["steps"])
    facts = []
    file = content.get("file")
    if file and file["name"]:
        facts.append(f"Read from {file['name']}: {content['records']['original']:,} records.")
    facts += file["notes"] if file else []
    if content.get("dropped"):
        facts.append(f"Identifiers that were dropped: {', '.join(content['dropped'])}.")
    facts.append(
        "The rows were shuffled, so that their order links to nothing."
        if content["shuffled"]
        else "The rows are in the order of the original, which links them to whoever has it."
    )
    released = content["released_file"]
    if released and released["name"]:
        size = f", {released['bytes']:,} bytes" if isinstance(released["bytes"], int) else ""
        digest = f", SHA-256 {released['sha256']}" if released["sha256"] else ""
        facts.append(f"Released as {released['name']}{size}{digest}.")
    notes = paragraphs(content.get("notes", ()))
    return (
        f"<ol>{steps}</ol>\n{paragraphs(facts)}"
        + (f"<h3>Noted on the way</h3>\n{notes}" if notes else "")
        + _columns(content)
    )


def _step(step: Content) -> str:
    parts = "".join(
        f"<li>{text(part['title'])}. {text(part['meaning'])}</li>" for part in step["parts"]
    )
    meaning = f" {text(step['meaning'])}" if step["meaning"] else ""
    missing = f'<p class="quiet">Missing values: {text(step["missing"])}.</p>'
    return (
        f"<li><strong>{text(step['title'])}.</strong>{meaning}"
        f'<br><span class="quiet">{text(_parameters(step["parameters"]))}</span>'
        + (f'<ul class="parts">{parts}</ul>' if parts else "")
        + (missing if step["missing"] else "")
        + "</li>\n"
    )


def _parameters(values: Any) -> str:
    """Return parameters in one line, those of parts in brackets."""
    if isinstance(values, Mapping):
        found = []
        for key, value in values.items():
            inner = _parameters(value)
            if not isinstance(value, Mapping):
                found.append(f"{key} = {inner}")
            elif len(value) == 1 and isinstance(next(iter(value.values())), Mapping):
                part, settings = next(iter(value.items()))
                settled = _parameters(settings)
                found.append(f"{key} = {part} ({settled})" if settled else f"{key} = {part}")
            else:
                found.append(f"{key} ({inner})" if inner else key)
        return ", ".join(found)
    if isinstance(values, list):
        return " and ".join(map(str, values))
    return shown(values) if isinstance(values, int | float) else str(values)


def _columns(content: Content) -> str:
    """Return the table of columns; the public one has no figures of the original."""
    if content["form"] == "public":
        cells = [
            (name(c["name"]), text(c["role"]), text(c["released"]["kind"]))
            for c in content["columns"]
        ]
        return table(("column", "role", "kind"), cells, caption="The released columns")
    rows = [_column(column) for column in content["columns"]]
    head = ("column", "role", "kind", "missing", "distinct values", "changed")
    return table(head, rows, numeric=(3, 4, 5), caption="Columns, original → released")


def _column(column: Content) -> tuple[str, ...]:
    after = column["released"]
    missing, distinct = shown(column["missing"], True), f"{column['distinct']:,}"
    if after is None:
        return (
            name(column["name"]),
            text(column["role"]),
            text(column["kind"]),
            text(missing),
            text(distinct),
            "dropped",
        )
    changed = "recoded" if after["changed"] is None else shown(after["changed"], True)
    if after["synthetic"]:
        changed = "synthetic"
    return (
        name(column["name"]),
        text(column["role"]),
        _pair(column["kind"], after["kind"]),
        _pair(missing, shown(after["missing"], True)),
        _pair(distinct, f"{after['distinct']:,}"),
        text("unchanged" if after["changed"] == 0 else changed),
    )


def _pair(old: str, new: str) -> str:
    return text(new) if old == new else f"{text(old)}{ARROW}{text(new)}"


def scores(content: Content, side: str) -> str:
    """Return the measures of one side: a picture of the shares, and a table of all."""
    rows = [score for score in content["scores"] if score["side"] == side]
    if not rows:
        return ""
    compared = content["form"] == "internal" or any(before(row) is not None for row in rows)
    drawn = [
        {"title": row["title"], "before": _finite(before(row)), "after": row["after"]}
        for row in rows
        if row["percent"] and _finite(row["after"]) is not None
    ]
    picture = dumbbells(f"Measures of {side}", drawn, whole=side == "risk") if drawn else ""
    legend = LEGEND if any(row["before"] is not None for row in drawn) else ""
    cells = [_score(row, compared) for row in rows]
    head = ("measure", "before", "after", "better") if compared else ("measure", "after", "better")
    numeric = range(1, len(head) - 1)
    return (
        f'<p class="lead">{text(INTRODUCTIONS.get(side, ""))}</p>\n'
        + (f"<figure>{legend}{picture}</figure>\n" if picture else "")
        + table(head, cells, numeric=numeric, caption=f"Measures of {side}")
        + _details(rows)
    )


LEGEND = (
    '<p class="legend"><span><i class="key original"></i>original</span>'
    '<span><i class="key released"></i>released</span></p>\n'
)


def _finite(value: Any) -> float | None:
    return value if isinstance(value, int | float) else None


def _score(row: Content, compared: bool) -> tuple[str, ...]:
    percent = row["percent"]
    note = f"<small>{text(row['note'])}</small>" if row.get("note") else ""
    about = (
        f'<div class="measure">{text(row["title"])}'
        f"<small>{text(row['meaning'])}</small>{note}</div>"
    )
    after = text(shown(row["after"], percent))
    if row["interval"]:
        low, high = (text(shown(bound, percent)) for bound in row["interval"])
        after += f'<br><span class="quiet">{low} – {high}</span>'
    cells = (about, text(shown(before(row), percent)), after, text(row["better"]))
    return cells if compared else (cells[0], *cells[2:])


def _details(rows: list[Content]) -> str:
    """Return the parts of the scores, folded away; the public form has none."""
    parts = "".join(_detail(row) for row in rows)
    folded = f"<details><summary>The parts of these figures</summary>{parts}</details>\n"
    return folded if parts else ""


def _detail(row: Content) -> str:
    lines = []
    for key, value in (row.get("detail") or {}).items():
        if isinstance(value, Mapping):
            lines += [(f"{key}: {inner}", _cell(figures)) for inner, figures in value.items()]
        elif value not in ([], "", None):
            lines.append((key, _cell(value)))
    if not lines:
        return ""
    rows = [(text(key), text(value)) for key, value in lines]
    return table(("part", "value"), rows, caption=row["title"])


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_cell(inner) for inner in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return figure(value)
    return shown(value) if not isinstance(value, Mapping) else _parameters(value)
