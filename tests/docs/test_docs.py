"""The pages: complete, true to what the code does, linked, and built without a warning."""

from __future__ import annotations

import importlib.util
import io
import json
import re
import shutil
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from docs.executing import blocks, failures

import discreet
from discreet.contracts import Component
from discreet.contracts.registry import entries
from docs import executing, generate, markup, survey
from tests.command_line import Discreet, held_to_schema

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(p for p in DOCS.rglob("*.md") if not {"_build", "reference"} & set(p.parts))
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def named(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generated pages, in a folder of their own."""
    folder = tmp_path_factory.mktemp("docs") / "reference"
    generate.write_reference(folder)
    return folder


ENTRIES = pytest.mark.parametrize(
    "entry", entries(), ids=lambda entry: f"{entry.family}-{entry.spec.name}"
)


def text_of(reference: Path, entry: type[Component]) -> str:
    return (reference / entry.family / f"{entry.spec.name}.md").read_text(encoding="utf-8")


def shown(text: str) -> str:
    """Return the words of a page without Markdown's escapes."""
    return " ".join(re.sub(r"\\(.)", r"\1", text).split())


def test_every_entry_has_a_page_with_all_it_says(reference: Path) -> None:
    for entry in entries():
        text, spec = shown(text_of(reference, entry)), entry.spec
        for said in (spec.title, spec.citation, spec.missing, *spec.kinds, *spec.guarantees):
            assert shown(said) in text
        assert shown(spec.cost) in text
        assert markup.formula(spec.formula) in text_of(reference, entry)
        for param in entry.params().values():
            assert f"`{param.name}`" in text
            assert shown(param.help) in text
            assert shown(param.domain) in text


@pytest.mark.parametrize(
    ("plain", "drawn"),
    [
        ("x̄_g < Σ_{i∈g} xᵢ", "x̄<sub>g</sub> &lt; Σ<sub>i∈g</sub> xᵢ"),
        ("X^α · X_s^(1 − α)", "X<sup>α</sup> · X<sub>s</sub><sup>1 − α</sup>"),
        ("(4/n)^(1/(p + 4)) S^−Q", "(4/n)<sup>1/(p + 4)</sup> S<sup>−Q</sup>"),
        ("Π_{i=k}^{min(M, A−1)}", "Π<sub>i=k</sub><sup>min(M, A−1)</sup>"),
    ],
)
def test_formulas_are_drawn_with_what_is_above_and_below_the_line(plain: str, drawn: str) -> None:
    assert markup.formula(plain) == f'<div class="formula">{drawn}</div>'


def test_plain_text_is_shown_as_it_is_but_for_code_and_stress() -> None:
    assert markup.prose("a*b, *not so*, `x[1]*2` [0]") == "a\\*b, *not so*, `x[1]*2` \\[0\\]"


def test_every_entry_is_listed(reference: Path) -> None:
    kinds = (reference / "kinds.md").read_text("utf-8")
    for entry in entries():
        listed = (reference / entry.family / "index.md").read_text(encoding="utf-8")
        assert f"({entry.spec.name}.md)" in listed
        if entry.family == "method":
            assert f"(method/{entry.spec.name}.md)" in kinds


@ENTRIES
def test_the_example_of_an_entry_runs_as_it_stands(
    reference: Path, entry: type[Component], tmp_path: Path
) -> None:
    text = text_of(reference, entry)
    assert ">>>" in text, "the docstring has no example"
    assert failures(text, tmp_path) == []


def test_the_plan_of_an_entry_parses(reference: Path) -> None:
    for entry in entries():
        snippets = blocks(text_of(reference, entry), "yaml")
        if entry.family == "attack":
            # A plan makes a release; an attack is run on the plan's file by a command of its own.
            assert not snippets
            continue
        assert snippets, f"no method takes {entry.spec.name}"
        for snippet in snippets:
            alone = "steps:" not in snippet
            plan = discreet.Plan.parse(("steps: [microaggregation]\n" if alone else "") + snippet)
            assert entry.spec.name in snippet
            assert plan.steps


SURVEY = {
    "additive-noise": ("X", ""),
    "microaggregation": ("X", "X"),
    "rank-swapping": ("X", "X"),
    "rounding": ("X", ""),
    "resampling": ("X", ""),
    "pram": ("", "X"),
    "massc": ("", "X"),
    "sampling": ("", "X"),
    "global-recoding": ("X", "X"),
    # An unordered attribute has no top and no bottom.
    "top-bottom-coding": ("X", "ordinal"),
    "local-suppression": ("", "X"),
}
"""Tables 1.1 and 1.3: continuous and categorical data."""


def test_the_tables_of_the_survey_are_made_from_the_specs(reference: Path) -> None:
    text = (reference / "survey.md").read_text(encoding="utf-8")
    rows = re.findall(r"\(method/([a-z-]+)\.md\) \| (.*?) \| (.*?) \|", text)
    assert {name: (number, category) for name, number, category in rows} == SURVEY
    named_rows = {name for rows in survey.TABLES.values() for name in rows.values()}
    assert named_rows == set(SURVEY)


@pytest.mark.parametrize("field", ["citation", "formula", "cost"])
def test_a_page_without_source_formula_or_cost_is_an_error(
    field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert generate.without(field) == []
    entry = entries("method")[0]
    emptied: dict[str, Any] = {field: ""}
    monkeypatch.setattr(entry, "spec", replace(entry.spec, **emptied))
    with pytest.raises(ValueError, match=f"no {field}: method {entry.spec.name}"):
        generate.write_reference(tmp_path)


def test_every_page_is_reached_from_the_start() -> None:
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    for page in PAGES:
        name = named(page).removesuffix(".md")
        if name != "index" and not name.startswith("decisions/"):
            assert re.search(rf"^{name}$", text, re.MULTILINE), f"{name} is in no table of contents"


def test_python_names_have_examples_that_run(reference: Path, tmp_path: Path) -> None:
    text = (reference / "python.md").read_text(encoding="utf-8")
    for name in discreet.__all__:
        assert f"discreet.{name}`" in text or name in ("attack", "partition", "replacement")
    assert failures(text, tmp_path) == []


def test_pages_of_entries_that_are_gone_are_taken_away(reference: Path) -> None:
    stale = reference / "method" / "gone.md"
    stale.write_text("# Gone\n", encoding="utf-8")
    pages = generate.write_reference(reference)
    assert not stale.exists()
    assert all(page.exists() for page in pages)


ATTACKS_SHOWN = ("attacking.md", "intruders.md")
"""Pages with the figures of attacks, which must be those that a reader gets."""


@pytest.mark.usefixtures("trials_in_process")
@pytest.mark.parametrize("page", PAGES, ids=named)
def test_examples_run_and_print_what_the_page_shows(
    page: Path,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    discreet_command: Discreet,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    if named(page) not in ATTACKS_SHOWN:
        request.getfixturevalue("few_neighbourhoods")
    assert failures(page.read_text(encoding="utf-8"), tmp_path) == []
    # The next stage of a pipeline has the document of `protect` alone, in a place of its own.
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "handed-on.json"
    documents = answers(tmp_path)
    for document in documents:
        if held_to_schema(document.read_text(encoding="utf-8"))["command"] == "protect":
            document.rename(elsewhere)
            monkeypatch.chdir(elsewhere.parent)
            found = discreet_command("verify", elsewhere.name, "--json")
            assert found.code == 0, found.out
    assert bool(documents) == (named(page) == "tutorials/engineer.md")


def answers(folder: Path) -> list[Path]:
    """Return the documents that commands of a page wrote with `--json`."""
    return sorted(
        path
        for path in folder.rglob("*.json")
        if {"schema", "command"} <= set(json.loads(path.read_text(encoding="utf-8")))
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```python\n>>> 1 + 1\n3\n```", "Expected"),
        ("```console\n$ discreet methods mdavv\n```", "did you mean 'mdav'"),
        ("```console\n$ echo one && echo two\none\n```", "two"),
        ("```console\n$ discreet assess\n…\n$ echo $?\n0\n```", "2"),
    ],
)
def test_an_example_that_is_not_true_is_found(text: str, said: str, tmp_path: Path) -> None:
    assert said in "".join(failures(text, tmp_path))


def test_examples_share_names_files_and_what_was_left_out(tmp_path: Path) -> None:
    page = """```yaml
# plan.yaml
steps: [microaggregation]
```
```python
>>> from pathlib import Path
>>> text = Path("plan.yaml").read_text()
```
```python
>>> "steps" in text
True
```
```console
$ echo one && echo two && \\
    echo three
one
…
```
"""
    assert failures(page, tmp_path) == []


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_plans_parse(page: Path) -> None:
    for text in blocks(page.read_text(encoding="utf-8"), "yaml"):
        assert discreet.Plan.parse(text).steps


def test_every_key_of_a_plan_is_explained() -> None:
    from discreet.release.plan_parts import KEYS

    text = (DOCS / "plans.md").read_text(encoding="utf-8")
    for key in KEYS:
        assert f"| `{key}" in text


def test_the_tree_of_the_design_is_there() -> None:
    tree = blocks((DOCS / "design.md").read_text(encoding="utf-8"), "text")[0]
    package = Path(discreet.__file__).parent
    named = set(re.findall(r"^ {2}([a-z_]+(?:\.py|/)) ", tree, re.MULTILINE))
    there = {p.name if p.is_file() else f"{p.name}/" for p in package.iterdir()}
    assert named == there - {"__init__.py", "__pycache__/", "py.typed"}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_resolve(page: Path, reference: Path) -> None:
    text = executing.FENCE.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        path = target.split("#")[0]
        if re.match(r"[a-z]+:", target) or not path:
            continue
        found = (page.parent / path).resolve()
        if found.is_relative_to(DOCS / "reference"):
            found = reference / found.relative_to(DOCS / "reference")
        assert found.is_file(), f"{named(page)} links to {target}, which is not there"


NEEDED = ("sphinx", "furo", "myst_parser")


def absent() -> list[str]:
    return [name for name in NEEDED if importlib.util.find_spec(name) is None]


@pytest.mark.skipif(
    bool(absent()), reason=f"building the pages needs {', '.join(absent())}: install discreet[docs]"
)
def test_the_site_builds_without_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace

    # From a copy, so that the test leaves nothing in the project's own folder.
    source, site = tmp_path / "docs", tmp_path / "html"
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("_build", "reference"))
    monkeypatch.setattr(sys, "path", [*sys.path])  # the settings add the folder to it
    said = io.StringIO()
    with docutils_namespace(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Sphinx thinks of its libraries
        # The examples are run by the tests above.
        settings = {"run_examples": False}
        site_of = Sphinx(source, source, site, site, "html", settings, status=None, warning=said)
        site_of.build()
    assert said.getvalue() == ""
    for entry in entries():
        assert (tmp_path / f"html/reference/{entry.family}/{entry.spec.name}.html").is_file()


def test_a_release_that_is_not_what_it_says_is_found(tmp_path: Path) -> None:
    page = """```python
>>> import discreet
>>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
>>> _ = discreet.protect(data, "rounding").write("out")
```
```console
$ echo >> out/release.csv
```
"""
    assert "its checksum differs" in "".join(failures(page, tmp_path))
