"""The records of each cluster, in blocks."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.mixture import members as module
from discreet.models.mixture.members import members


def test_every_record_once_in_the_order_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 7)
    labels = np.random.default_rng(1).integers(0, 4, 100)
    for cluster, blocks in enumerate(members(labels)):
        assert max(map(len, blocks)) <= 7
        assert np.concatenate(blocks).tolist() == np.flatnonzero(labels == cluster).tolist()


def test_a_cluster_without_records_keeps_its_place() -> None:
    assert [len(blocks) for blocks in members(np.array([2, 0]))] == [1, 0, 1]
    assert list(members(np.zeros(0, dtype=np.int64))) == []
