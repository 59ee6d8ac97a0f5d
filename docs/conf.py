"""How Sphinx builds these pages: `sphinx-build -W -b html docs docs/_build`, without a network."""

from __future__ import annotations

import sys
from pathlib import Path

import discreet

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from generate import write_reference  # noqa: E402

project = "discreet"
author = "the discreet contributors"
copyright = "the discreet contributors"
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
