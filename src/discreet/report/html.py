"""Content as one HTML file: no external assets, the same bytes each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.contracts import Question
from discreet.report import ladder, markup, svg, trees
from discreet.report.components import asked
from discreet.report.content import Content
from discreet.report.moves import moves_picture
from discreet.report.public_form import PublicContent, PublicScore
from discreet.report.reproducing import cited, parameters, plan

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
WARNING = "internal: contains figures of the original data; do not release"
SECTIONS = (
    ("verdict", "Verdict"),
    ("done", "What was done"),
    ("found", "Can somebody be found?"),
    ("learned", "Can something be learned about them without finding them?"),
    ("use", "Is the file still fit for its purpose?"),
    ("review", "What should a reviewer look at?"),
    ("reproduce", "How to reproduce"),
    ("citations", "Sources"),
)


def render(content: PublicContent) -> str:
    """Return the report of a release: the public one of public content, else the internal one.

    >>> import discreet
    >>> from discreet.report import collect, public
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 2}}}})
    >>> content = collect(release, discreet.assess(data, release))
    >>> "do not release" in render(content), "do not release" in render(public(content))
    (True, False)
    """
    internal = isinstance(content, Content)
    parts = [
        (anchor, heading, filled(f"{anchor}.html", content=content, internal=internal))
        for anchor, heading in SECTIONS
    ]
    title = f"Release report ({'internal' if internal else 'public'})"
    lead = (
        "Original against released data, for the owner of the data."
        if internal
        else "How these data were protected, and what they can be used for."
    )
    return page(title, lead, parts, content.discreet, warning=WARNING if internal else "")


def page(
    title: str,
    lead: str,
    parts: Iterable[tuple[str, str, str]],
    version: str,
    *,
    warning: str = "",
    style: str = "",
    script: str = "",
    folder: Path = TEMPLATES,
) -> str:
    """Return a whole page of sections, each with an anchor, a heading and a body.

    A section without a body is left out; so is an empty warning. `style` and `script` name
    files of the templates, or of another folder, that are written into the page.

    >>> from markupsafe import Markup
    >>> body = Markup("<p>31</p>")
    >>> page("Columns", "What they hold.", [("a", "Ages", body)], "0.1").count("<section")
    1
    """
    sections = [part for part in parts if part[2].strip()]
    whole = filled(
        "page.html", folder, title=title, lead=lead, sections=sections, version=version,
        warning=warning, style=style, script=script,
    )  # fmt: skip
    return markup.UNWRITABLE.sub("\ufffd", whole)


def filled(template: str, folder: Path = TEMPLATES, **values: Any) -> str:
    """Return a filled template as markup that other templates take as it is."""
    from markupsafe import Markup

    return Markup(_environment(folder).get_template(template).render(values))


@cache
def _environment(folder: Path) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    def drawn(picture: Callable[..., str]) -> Callable[..., Markup]:
        return lambda *given, **options: Markup(picture(*given, **options))

    environment = Environment(
        autoescape=True,
        loader=FileSystemLoader([folder, TEMPLATES]),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    words = (
        markup.shown,
        markup.brief,
        markup.clipped,
        markup.dated,
        markup.in_words,
        markup.parts,
        markup.unbroken,
    )
    page_filters = (added, asked, cited, losses_of, on_one_axis, parameters, plan, sides)
    for filter in (*words, markup.given_away, *page_filters):
        environment.filters[filter.__name__] = filter
    pictures = (svg.histogram, svg.bars, svg.heat_map, svg.dumbbells, moves_picture)
    for picture in (*pictures, ladder.ladder, trees.dependency_picture, trees.attack_picture):
        environment.globals[picture.__name__] = drawn(picture)
    environment.globals |= {"drawn_columns": trees.COLUMNS, "Question": Question}
    return environment


def added(columns: Iterable[str]) -> Iterable[str]:
    """Return columns as they are added to each other: all but the first with a plus.

    >>> list(added(["age", "sex"]))
    ['age', '+ sex']
    """
    return (f"+ {name}" if number else name for number, name in enumerate(columns))


def on_one_axis(scores: Iterable[PublicScore]) -> list[PublicScore]:
    """Return the scores that can share an axis: shares of a whole where less is better.

    >>> on_one_axis([PublicScore(name="k-anonymity", title="k", better="higher", after=5.0)])
    []
    """
    return [s for s in scores if s.share and s.better == "lower" and s.after is not None]


MOST_COLUMNS = 14
"""More columns than this make a heat map unreadable."""


def losses_of(content: Content) -> tuple[list[str], list[list[float | None]]]:
    """Return the columns that lost most, and the matrix of losses of columns (diagonal) and
    pairs."""
    worst = [x.worst for x in (content.column_losses, content.pair_losses) if x is not None]
    share = {frozenset(loss.names): loss.share for losses in worst for loss in losses}
    ranked = [name for losses in worst for loss in losses for name in loss.names]
    names = list(dict.fromkeys(ranked))[:MOST_COLUMNS]
    return names, [[share.get(frozenset((row, column))) for column in names] for row in names]


def sides(compared: object, field: str | None = None) -> Mapping[str, Any]:
    """Return the values for the original, if the comparison has them, and for the release.

    >>> from discreet.report.public_form import Rest
    >>> sides(Rest(3, 0.25))
    {'released': 0.25}
    """
    names: Sequence[str] = [s for s in ("original", "released") if hasattr(compared, s)]
    values = {side: getattr(compared, side) for side in names}
    return values if field is None else {s: getattr(v, field) for s, v in values.items()}
