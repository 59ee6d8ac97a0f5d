"""How Sphinx builds these pages: `sphinx-build -W -b html docs docs/_build`, without a network."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import discreet

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from sphinx.util import logging  # noqa: E402

from docs.executing import failures  # noqa: E402
from docs.generate import write_reference  # noqa: E402

project = "discreet"
author = "the discreet authors"
copyright = "the discreet authors"
version = release = discreet.__version__

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"discreet {version}"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["tables.css"]

# The reference is made from the registry, so it is never out of step with the code.
write_reference(FOLDER / "reference")


def check(app: Any, page: str, source: list[str]) -> None:
    """Run the examples of a page when it is read: what is not true any more is a warning."""
    if not app.config.run_examples:
        return
    with tempfile.TemporaryDirectory() as folder:
        for failure in failures(source[0], Path(folder)):
            logging.getLogger(__name__).warning("an example fails: %s", failure, location=page)


def look(app: Any, config: Any) -> None:
    """Leave the theme out of a build without examples: its navigation takes half of the time."""
    if not config.run_examples:
        config.html_theme = "basic"


def search(app: Any) -> None:
    """Leave the index of words out of a build without examples: it takes most of the rest."""
    if not app.config.run_examples:
        app.builder.search = False


def setup(app: Any) -> None:
    """Let the build run the examples; `-D run_examples=0` builds without, and plainly."""
    app.add_config_value("run_examples", True, "", bool)
    app.connect("config-inited", look)
    app.connect("builder-inited", search)
    app.connect("source-read", check)
