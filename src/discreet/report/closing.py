"""The closing sections: records at risk, what was left out, how to reproduce, and the sources."""

from __future__ import annotations

from typing import Any

from discreet.release.plan_file import dump
from discreet.report.markup import shown, table, text
from discreet.report.sections import Content


def at_risk(content: Content) -> str:
    """Return the records most at risk, by the row of the original; for the owner only."""
    found = content["at_risk"]
    if not found["records"]:
        return ""
    grouped = any(record["group_size"] is not None for record in found["records"])
    head = ["row of the original", *(text(measure["title"]) for measure in found["measures"])]
    rows = []
    for record in found["records"]:
        figures = zip(record["figures"], found["measures"], strict=True)
        cells = ["synthetic" if record["row"] is None else f"{record['row']:,}"]
        cells += [text(shown(value, measure["percent"])) for value, measure in figures]
        if grouped:
            cells.append(text(shown(record["group_size"])))
        rows.append(cells)
    if grouped:
        head.append("records in its group")
    last, first = found["records"][-1]["figures"][0], found["measures"][0]
    reached = (
        f"<p>{found['reached']:,} records are as much at risk as the last one shown, or more, by "
        f"{text(first['title'])} ({text(shown(last, first['percent']))}).</p>\n"
        if found["reached"] > len(rows)
        else ""
    )
    words = (
        '<p class="lead">The rows are counted from 1, without the heading of the file. Look at '
        "these records first: can anybody be recognised?</p>\n"
    )
    return (
        words + reached + table(head, rows, numeric=range(len(head)), caption="Most at risk first")
    )


def left_out(content: Content) -> str:
    """Return the measures that were not taken, and why."""
    rows = [(text(entry["title"]), text(entry["reason"])) for entry in content["left_out"]]
    return table(("measure", "why"), rows, caption="Not measured") if rows else ""


def reproduce(content: Content) -> str:
    """Return the plan of the release, without the seed."""
    internal = content["form"] == "internal"
    plan: dict[str, Any] = {"version": 1}
    if internal and content["file"]["name"]:
        plan["data"] = {"file": content["file"]["name"]}
    plan["columns"] = {column["name"]: _planned(column) for column in content["columns"]}
    plan["steps"] = [{step["name"]: step["parameters"]} for step in content["steps"]]
    if content["claims"]:
        plan["claims"] = {claim["measure"]: claim["bound"] for claim in content["claims"]}
    if not content["shuffled"]:
        plan["release"] = {"shuffle": False}
    words = (
        "This plan, the original file and the seed give the same release."
        if internal
        else "The released columns and the steps, as a plan that the owner of the original can run."
    )
    words += (
        " The seed is a secret and is kept in the private record only: who has it can take random "
        "changes off again."
    )
    version = f"Made with discreet {content['discreet']}."
    return f"<p>{text(words)} {text(version)}</p>\n<pre>{text(dump(plan))}</pre>\n"


def _planned(column: Content) -> dict[str, Any]:
    kind = column.get("kind") or column["released"]["kind"]
    planned: dict[str, Any] = {"role": column["role"], "kind": kind}
    if column.get("categories"):
        planned["categories"] = column["categories"]
    return planned


def citations(content: Content) -> str:
    """Return where the methods and measures come from, each once."""
    rows: dict[str, list[str]] = {}
    described = [
        *content["steps"],
        *(part for step in content["steps"] for part in step["parts"]),
        *content["scores"],
    ]
    for entry in described:
        titles = rows.setdefault(entry["citation"], [])
        if entry["title"] not in titles:
            titles.append(entry["title"])
    items = "".join(
        f'<li>{text(citation)}<br><span class="quiet">{text("; ".join(titles))}</span></li>'
        for citation, titles in rows.items()
        if citation
    )
    return f"<ul>{items}</ul>\n" if items else ""
