"""The door for those who receive a release."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from discreet import analysis


def test_everything_named_is_there_and_nothing_else_is_public() -> None:
    named = filter(str.isidentifier, vars(analysis))  # pytest may have put others there
    public = {name for name in named if not name.startswith("_")}
    assert public == set(analysis.__all__)


def test_what_an_analyst_does_needs_no_other_import() -> None:
    matrix = analysis.MarkovMatrix.from_mapping({"a": {"a": 0.8, "b": 0.2}, "b": {"b": 1}})
    found = analysis.true_frequencies({"a": 48, "b": 52}, matrix)
    assert found.counts == pytest.approx([60, 40])
    assert analysis.take_apart("flu3+asthma1", weighted=True) == {"flu": 3, "asthma": 1}
    combined = analysis.combine([[1.0], [3.0]], [[0.5], [0.5]], "partial")
    assert combined.estimates == pytest.approx([2.0])


def test_its_page_imports_from_there_alone() -> None:
    page = Path(__file__).parents[1] / "docs" / "analysts.md"
    imported = re.findall(r"^>>> (?:from|import) (\S+)", page.read_text("utf-8"), re.MULTILINE)
    assert {name for name in imported if name.startswith("discreet")} == {"discreet.analysis"}


def test_importing_it_loads_nothing_heavy() -> None:
    code = (
        "import sys, discreet.analysis; "
        "print(sorted({'numba', 'scipy', 'sklearn', 'pandas', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
