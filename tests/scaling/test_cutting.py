"""Cuts on the disk are those in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from discreet.contracts import Progress
from discreet.io.reading import read
from discreet.microaggregation.blocks import cut_into_blocks
from discreet.microdata.embedding import Embedding
from discreet.scaling.cutting import Cut, cut_to_fit, fitted_embedding
from discreet.scaling.engine import Engine
from discreet.scaling.source import large_file
from discreet.scaling.store import Store
from discreet.scaling.storing import stored
from tests.scaling.people import COLUMNS, written

NAMES = ("age", "sex", "region", "income")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The invented file on the disk."""
    folder = tmp_path_factory.mktemp("cutting")
    written(folder, "  - rounding")
    file = large_file(folder / "people.parquet")
    return stored(file, COLUMNS, None, folder, Engine(), 10_000_000)


def test_parts_are_the_blocks_of_the_table_in_memory(store: Store, tmp_path: Path) -> None:
    data = read(store.folder / "people.parquet", COLUMNS)
    embedding = Embedding.fit(data, NAMES)
    assert fitted_embedding(store, NAMES, "standard") == embedding
    points = embedding.coded(data)
    blocks = cut_into_blocks(points, 20_000, 5, embedding.nominal, embedding.code_widths)
    cut = Cut(store, NAMES, embedding)
    leaves, scatter = cut_to_fit(cut, tmp_path, 20_000, 5, Progress())
    assert [leaf.rows for leaf in leaves] == [len(block) for block in blocks]
    for leaf, block in zip(leaves, blocks, strict=True):
        rows = np.fromfile(leaf.path).reshape(-1, cut.width)[:, 0]
        assert np.array_equal(rows, block)
    numbers = points[:, : -embedding.nominal]
    counts = [np.bincount(codes.astype(int)) for codes in points[:, -embedding.nominal :].T]
    gini = sum(0.5 * (len(points) - (c**2).sum() / len(points)) for c in counts)
    assert scatter == pytest.approx(len(points) * numbers.var(axis=0).sum() + gini)


@pytest.mark.parametrize("scaling", ["range", "robust", "none"])
def test_spreads_are_those_in_memory(store: Store, scaling: str) -> None:
    data = read(store.folder / "people.parquet", COLUMNS)
    expected = Embedding.fit(data, ("age", "income"), scaling)
    assert fitted_embedding(store, ("age", "income"), scaling) == expected
