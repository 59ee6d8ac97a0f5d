"""The pages: complete, true to what the code does, linked, and built without a warning."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet import datasets
from discreet.cli.main import run
from discreet.parameters import Component
from discreet.registry import entries

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(p for p in DOCS.rglob("*.md") if not {"_build", "reference"} & set(p.parts))
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def named(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def blocks(text: str, language: str) -> list[str]:
    return [content for found, content in FENCE.findall(text) if found == language]


def examples_fail(text: str, name: str) -> str:
    """Run the examples of one page one after the other; return what went wrong."""
    code = "\n".join(block for block in blocks(text, "python") if ">>>" in block)
    said: list[str] = []
    test = doctest.DocTestParser().get_doctest(code, {}, name, name, 0)
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    return "".join(said)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The generated pages, in a folder of their own."""
    sys.path.insert(0, str(DOCS))
    try:
        folder = tmp_path_factory.mktemp("docs") / "reference"
        importlib.import_module("generate").write_reference(folder)
        yield folder
    finally:
        sys.path.remove(str(DOCS))


ENTRIES = pytest.mark.parametrize(
    "entry", entries(), ids=lambda entry: f"{entry.family}-{entry.spec.name}"
)


def text_of(reference: Path, entry: type[Component]) -> str:
    return (reference / entry.family / f"{entry.spec.name}.md").read_text(encoding="utf-8")


def shown(text: str) -> str:
    """Return the words of a page without Markdown's escapes."""
    return " ".join(re.sub(r"\\(.)", r"\1", text).split())


@ENTRIES
def test_every_entry_has_a_page_with_all_it_says(reference: Path, entry: type[Component]) -> None:
    text = shown(text_of(reference, entry))
    spec = entry.spec
    for said in (spec.title, spec.citation, spec.missing, *spec.kinds, *spec.guarantees):
        assert shown(said) in text
    for param in entry.params().values():
        assert f"`{param.name}`" in text
        assert shown(param.help) in text
        assert shown(param.domain) in text


@ENTRIES
def test_every_entry_is_listed(reference: Path, entry: type[Component]) -> None:
    listed = (reference / entry.family / "index.md").read_text(encoding="utf-8")
    assert f"({entry.spec.name}.md)" in listed
    if entry.family == "method":
        assert f"(method/{entry.spec.name}.md)" in (reference / "kinds.md").read_text("utf-8")


@ENTRIES
def test_the_example_of_an_entry_runs_as_it_stands(reference: Path, entry: type[Component]) -> None:
    text = text_of(reference, entry)
    assert ">>>" in text, "the docstring has no example"
    assert examples_fail(text, entry.spec.name) == ""


@ENTRIES
def test_the_plan_of_an_entry_parses(reference: Path, entry: type[Component]) -> None:
    snippets = blocks(text_of(reference, entry), "yaml")
    if entry.family == "attack":
        # A plan makes a release; an attack is run on the plan's file by a command of its own.
        assert not snippets
        return
    assert snippets, "no method takes it"
    for snippet in snippets:
        alone = "steps:" not in snippet
        plan = discreet.Plan.parse(("steps: [microaggregation]\n" if alone else "") + snippet)
        assert entry.spec.name in snippet
        assert plan.steps


def test_python_names_have_examples_that_run(reference: Path) -> None:
    text = (reference / "python.md").read_text(encoding="utf-8")
    for name in discreet.__all__:
        assert f"discreet.{name}`" in text or name in ("attack", "partition", "replacement")
    assert examples_fail(text, "python names") == ""


def test_pages_of_entries_that_are_gone_are_taken_away(reference: Path) -> None:
    stale = reference / "method" / "gone.md"
    stale.write_text("# Gone\n", encoding="utf-8")
    pages = importlib.import_module("generate").write_reference(reference)
    assert not stale.exists()
    assert all(page.exists() for page in pages)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert examples_fail(page.read_text(encoding="utf-8"), page.name) == ""


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_plans_parse(page: Path) -> None:
    for text in blocks(page.read_text(encoding="utf-8"), "yaml"):
        assert discreet.Plan.parse(text).steps


def test_every_key_of_a_plan_is_explained() -> None:
    from discreet.plan import KEYS

    text = (DOCS / "plans.md").read_text(encoding="utf-8")
    for key in KEYS:
        assert f"| `{key}" in text


def test_the_commands_of_the_guide_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (DOCS / "guide.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shutil.copy(datasets.path("patients"), tmp_path)
    corrected = next(plan for plan in blocks(text, "yaml") if plan.startswith("# plan.yaml\n"))
    Path("strict.yaml").write_text(
        corrected.replace("distance-linkage: 0.2", "distance-linkage: 0.1")
    )
    for block in blocks(text, "console"):
        command, *expected = block.splitlines()
        words = shlex.split(command.removeprefix("$ "))
        assert words[0] == "discreet"
        run(words[1:])
        printed = capsys.readouterr()
        missing = not_found(expected, f"{printed.out}\n{printed.err}")
        assert not missing, f"'{command}' no longer prints: {missing}"
        if words[1] == "describe":
            Path("plan.yaml").write_text(corrected, encoding="utf-8")
    assert Path("again/release.csv").read_bytes() == Path("release/release.csv").read_bytes()


def not_found(expected: list[str], printed: str) -> list[str]:
    """Return the lines that do not occur in this order; widths of columns do not matter."""
    lines = iter([" ".join(line.split()) for line in printed.splitlines()])
    wanted = [" ".join(line.split()) for line in expected if line.strip() not in ("", "…")]
    return [line for line in wanted if line not in lines]


def test_the_tree_of_the_design_is_there() -> None:
    tree = blocks((DOCS / "design.md").read_text(encoding="utf-8"), "text")[0]
    package = Path(discreet.__file__).parent
    names = re.findall(r"(?:^ {2}|(?<=\.py {2})|(?<=/ {2}))([a-z_]+(?:\.py|/))", tree, re.MULTILINE)
    assert len(names) > 30
    for name in names:
        assert list(package.rglob(name.rstrip("/"))), f"design.md names {name}, which is not there"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_resolve(page: Path, reference: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
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
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    # From a copy, so that the test leaves nothing in the project's own folder.
    source = tmp_path / "docs"
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("_build", "reference"))
    command: list[Any] = [
        sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", source, tmp_path / "html"
    ]  # fmt: skip
    built = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert built.returncode == 0, built.stdout + built.stderr
    for entry in entries():
        assert (tmp_path / f"html/reference/{entry.family}/{entry.spec.name}.html").is_file()
