"""The reference: one page per entry of the registry, made from its spec and parameters alone.

Run by `conf.py` at the start of a build; `python -m docs.generate` does the same by hand. A new
method, partition, replacement, measure or attack gets its page without an edit in this folder.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from discreet.contracts import ALL_KINDS, Better, Component, MeasureSpec, Param, Side
from discreet.contracts.explaining import FAMILIES, default_of, description, facts
from discreet.contracts.registry import entries
from discreet.microdata import Kind
from docs.blindness import blindness
from docs.guarantees import guarantees
from docs.interfaces import commands, python
from docs.layers_picture import draw_layers
from docs.markup import fenced, formula, joined, prose, table, toctree
from docs.snippets import docstring_example, plan_snippet
from docs.survey import survey_tables

SIDES = {
    Side.RISK: "Risk: what an intruder could learn",
    Side.UTILITY: "Utility: what analysts lose",
    Side.TRADE_OFF: "Trade-off between the two",
}
ELSEWHERE = "Methods from other packages"


def write_reference(folder: Path) -> list[Path]:
    """Write all pages below `folder`, take away those of entries that are gone, return them."""
    for field in ("citation", "formula", "cost"):
        absent = without(field)
        if absent:
            raise ValueError(f"entries whose spec has no {field}: {', '.join(absent)}")
    pages = {
        "index.md": _contents(),
        "kinds.md": _kinds_of_methods(),
        "survey.md": survey_tables(),
        "blindness.md": blindness(),
        "guarantees.md": guarantees(),
        "commands.md": commands(),
        "python.md": python(),
        "layers.svg": draw_layers(),
    }
    for family in FAMILIES:
        pages[f"{family}/index.md"] = _family(family)
        for entry in entries(family):
            pages[f"{family}/{entry.spec.name}.md"] = page(entry)
    written = []
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # An unchanged page keeps its date, so that Sphinx need not read it again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        written.append(path)
    for path in set(folder.rglob("*.md")) - set(written):
        path.unlink()
    return written


def page(entry: type[Component]) -> str:
    """Return the page of an entry."""
    spec = entry.spec
    parts = [
        f"# {prose(spec.title)}",
        f"`{spec.name}` is {_with_article(entry.family)}. {_reach(entry)}",
        prose(description(entry)),
        # A method of another package need not have one.
        *(["## Formula", formula(spec.formula)] if spec.formula else []),
        "## What it accepts and promises",
        _accepted(spec.kinds),
        table(("", ""), [(f"**{word}**", prose(text)) for word, text in _facts(entry)]),
        "## Parameters",
        _parameters(entry),
    ]
    example = docstring_example(entry)
    if example:
        parts += ["## Example", fenced("python", example)]
    snippet = plan_snippet(entry)
    if snippet:
        parts += ["## In a plan", fenced("yaml", snippet)]
        if isinstance(spec, MeasureSpec):
            bound = "smallest" if spec.better is Better.HIGHER else "largest"
            parts.append(
                f"Under `claims:` it takes a number: the {bound} value that the release may have."
            )
    if entry.family == "attack":
        parts += [
            "## On the command line",
            fenced("text", f"discreet attack plan.yaml --attack {spec.name}"),
        ]
    parts += ["## Source", prose(spec.citation)]
    return joined(parts)


def _with_article(family: str) -> str:
    return f"an {family}" if family[0] in "aeiou" else f"a {family}"


def _reach(entry: type[Component]) -> str:
    name = entry.spec.name
    if isinstance(entry.spec, MeasureSpec):
        return f'In Python: `discreet.assess(data, release, ["{name}"])`.'
    if entry.family == "analysis":
        return "Declare it under `analyses:` in a plan."
    package = "discreet" if entry.family == "method" else f"discreet.{entry.family}"
    return f"In Python: `{package}.{entry.__name__}`."


def _facts(entry: type[Component]) -> list[tuple[str, str]]:
    # Kinds and source have places of their own on the page.
    rows = [
        ("cost, for n records and c columns" if word == "cost" else word, text)
        for word, text in facts(entry)
        if word not in ("kinds", "source")
    ]
    if isinstance(entry.spec, MeasureSpec):
        needed = (
            "yes: only the owner of the data can measure it"
            if entry.spec.paired
            else "no: two files are enough"
        )
        rows.append(("needs to know which record is which", needed))
    return rows


def _accepted(kinds: Sequence[Kind]) -> str:
    row = ["yes" if kind in kinds else "no" for kind in ALL_KINDS]
    return table(("kind of column", *ALL_KINDS), [("accepted", *row)])


def _parameters(entry: type[Component]) -> str:
    params = entry.params()
    if not params:
        return "None."
    rows = [(f"`{p.name}`", *map(prose, (p.help, p.domain, _default(p)))) for p in params.values()]
    return table(("name", "what it is", "values", "default"), rows)


def _default(param: Param) -> str:
    # The head of the column says the word already.
    return default_of(param).removeprefix("default: ").removesuffix(" by default")


def _contents() -> str:
    parts = [
        "# Reference",
        (
            "Every method, partition, replacement, measure and attack, generated from the code. "
            "`discreet methods NAME` prints the same in the terminal."
        ),
        toctree(
            [
                "kinds",
                "survey",
                "guarantees",
                "blindness",
                *(f"{family}/index" for family in FAMILIES),
                "commands",
                "python",
            ],
            depth=2,
        ),
    ]
    return joined(parts)


def _family(family: str) -> str:
    parts = [f"# {FAMILIES[family]}"]
    registered = entries(family)
    if family == "measure":
        for side, heading in SIDES.items():
            chosen = [
                e for e in registered if isinstance(e.spec, MeasureSpec) and e.spec.side is side
            ]
            parts += [f"## {heading}", _listed(chosen)]
        parts.append(
            "[What each guarantee promises](../guarantees.md), and "
            "[what each measure of utility is blind to](../blindness.md)"
        )
    elif family == "method":
        for heading, introduction, chosen in _taxonomy():
            parts += [f"## {heading}", introduction, _listed(chosen)]
    else:
        parts.append(_listed(registered))
    parts.append(toctree([e.spec.name for e in registered], depth=1, hidden=True))
    return joined(parts)


def _listed(registered: Sequence[type[Component]]) -> str:
    rows = [
        (f"[{prose(e.spec.title)}]({e.spec.name}.md)", f"`{e.spec.name}`", prose(_first_line(e)))
        for e in registered
    ]
    return table(("title", "name in a plan", "what it does"), rows)


def _first_line(entry: type[Component]) -> str:
    return " ".join(description(entry).split("\n\n")[0].split())


def _taxonomy() -> list[tuple[str, str, list[type[Component]]]]:
    """Return the methods by the folder that they lie in, with what the folder says of itself."""
    by_package: dict[str, list[type[Component]]] = {}
    for entry in entries("method"):
        ours = entry.__module__.startswith("discreet.methods.")
        by_package.setdefault(entry.__module__.rpartition(".")[0] if ours else "", []).append(entry)
    sections = []
    for package, chosen in sorted(by_package.items(), key=lambda item: (not item[0], item[0])):
        text = (importlib.import_module(package).__doc__ or "") if package else ""
        heading, _, rest = " ".join(text.split()).partition(":")
        sections.append((heading or ELSEWHERE, _sentence(rest), chosen))
    return sections


def _sentence(text: str) -> str:
    text = text.strip()
    return prose(text[:1].upper() + text[1:])


def _kinds_of_methods() -> str:
    parts = [
        "# Which method for which kind of column",
        (
            "A method refuses a column of a kind that it cannot treat; it never silently skips it. "
            "The tables of the survey by Domingo-Ferrer are on [a separate page](survey.md)."
        ),
    ]
    for heading, introduction, chosen in _taxonomy():
        rows = [
            (
                f"[{prose(e.spec.title)}](method/{e.spec.name}.md)",
                *("yes" if kind in e.spec.kinds else "" for kind in ALL_KINDS),
                "yes" if e.spec.random else "",
                prose(", ".join(e.spec.guarantees)),
            )
            for e in chosen
        ]
        head = ("method", *ALL_KINDS, "draws random numbers", "guarantees")
        parts += [f"## {heading}", introduction, table(head, rows)]
    for family in ("partition", "replacement"):
        rows = [
            (
                f"[{prose(e.spec.title)}]({family}/{e.spec.name}.md)",
                *("yes" if kind in e.spec.kinds else "" for kind in ALL_KINDS),
            )
            for e in entries(family)
        ]
        parts += [f"## {family.capitalize()}s", table((family, *ALL_KINDS), rows)]
    return joined(parts)


def without(field: str) -> list[str]:
    """Return the entries of this package whose spec leaves a field empty, such as `formula`."""
    ours = [e for e in entries() if e.__module__.startswith("discreet.")]
    return [f"{e.family} {e.spec.name}" for e in ours if not getattr(e.spec, field)]


if __name__ == "__main__":
    for written in write_reference(Path(__file__).resolve().parent / "reference"):
        print(written)
