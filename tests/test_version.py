"""The version is looked up where it is stated."""

from __future__ import annotations

import subprocess
import sys

import discreet
from discreet.version import version


def test_the_package_states_the_installed_version() -> None:
    assert discreet.__version__ == version()
    assert [part.isdigit() for part in version().split(".")[:2]] == [True, True]


def test_importing_does_not_look_it_up() -> None:
    code = "import sys, discreet; print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
