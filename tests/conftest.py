"""Fixtures for all tests. The real reference data are found here and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import discreet
from discreet import datasets
from tests.command_line import discreet_command, folder

__all__ = ["discreet_command", "folder"]


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of real reference data: $DISCREET_DATA, or shared/data beside the project."""
    project = Path(__file__).resolve().parent.parent
    folder = Path(os.environ.get("DISCREET_DATA", project.parent / "shared" / "data"))
    if not (folder / "casc_census.csv").is_file():
        pytest.skip("the reference data are not here: set DISCREET_DATA to their folder")
    return folder


@pytest.fixture(scope="session")
def patients() -> discreet.Microdata:
    return discreet.read(datasets.path(), roles=datasets.roles(), kinds=datasets.kinds())
