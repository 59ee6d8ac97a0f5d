"""Every plan is kept; a kill at any moment leaves one that was there."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.io.whole_file import write_whole
from discreet.studio import history as module
from discreet.studio.history import OUTSIDE, History


@pytest.fixture
def history(tmp_path: Path) -> History:
    history = History(tmp_path / "plan.yaml")
    for number in (1, 2, 3):
        history.add(f"version: {number}\n", f"change {number}")
    return history


def test_undo_and_redo_go_any_distance(history: History) -> None:
    assert [history.undo(), history.undo(), history.undo()][-1] is None
    assert history.plan.read_text() == "version: 1\n"
    assert [history.redo(), history.redo(), history.redo()][-1] is None
    assert history.plan.read_text() == "version: 3\n"


def test_a_change_after_undoing_starts_a_branch_and_loses_nothing(history: History) -> None:
    history.undo()
    entry = history.add("version: 4\n", "another way")
    assert (entry.number, entry.after) == (4, 2)
    assert len(history.entries) == 4
    history.undo()
    assert history.next is not None
    assert history.next.number == 4
    assert history.go_to(3) is not None
    assert history.plan.read_text() == "version: 3\n"


def test_another_process_sees_the_same(history: History) -> None:
    history.undo()
    again = History(history.plan)
    assert again.current.number == 2
    assert [entry.change for entry in again.entries] == ["change 1", "change 2", "change 3"]


def test_a_plan_that_was_edited_elsewhere_becomes_an_entry(history: History) -> None:
    history.plan.write_text("version: 9\n")
    assert (history.current.number, history.current.change) == (4, OUTSIDE)
    history.undo()
    assert history.plan.read_text() == "version: 3\n"


@pytest.mark.parametrize("step", range(3))
def test_a_kill_between_any_two_writes_leaves_a_plan(
    history: History, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, count = write_whole, 0

    def killed(path: Path, content: bytes) -> None:
        nonlocal count
        if count == step:
            raise KeyboardInterrupt
        count += 1
        whole(path, content)

    monkeypatch.setattr(module, "write_whole", killed)
    with pytest.raises(KeyboardInterrupt):
        history.add("version: 4\n", "interrupted")
    monkeypatch.setattr(module, "write_whole", whole)
    after = History(history.plan)
    assert after.current.text in ("version: 3\n", "version: 4\n")
    assert after.current.text == after.plan.read_text()
    assert after.add("version: 5\n", "on").after == after.entries[-2].number or step == 1


def test_what_is_no_entry_is_passed_over(history: History) -> None:
    (history.folder / "0009.yaml").write_text("no head\n")
    (history.folder / "notes.yaml").write_text("mine\n")
    assert [entry.number for entry in History(history.plan).entries] == [1, 2, 3]
