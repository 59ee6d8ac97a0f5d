"""Work in a process of its own."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from bench.campaign.isolating import Died, isolated


def test_an_answer_comes_back(tmp_path: Path) -> None:
    assert isolated(lambda: {"released": 3}, tmp_path, 20) == {"released": 3}


def test_a_crash_is_told(tmp_path: Path) -> None:
    with pytest.raises(Died, match="SIGSEGV"):
        isolated(lambda: os.kill(os.getpid(), signal.SIGSEGV), tmp_path, 20)


def test_what_takes_too_long_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(Died, match="no answer"):
        isolated(lambda: time.sleep(60), tmp_path, 0.2)


def test_a_mistake_of_the_campaign_is_no_fault_of_discreet(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="the campaign itself"):
        isolated(lambda: 1 / 0, tmp_path, 20)


def test_memory_is_bounded(tmp_path: Path) -> None:
    def greedy() -> bool:
        try:
            bytearray(8 * 2**30)
        except MemoryError:
            return True
        return False

    assert isolated(greedy, tmp_path, 20)
