from __future__ import annotations

import stat
from pathlib import Path

from discreet.studio.tries import MOST_KEPT, Outcome, Tries
from tests.studio.client import Client


def test_outcomes_are_kept_and_old_files_go(tmp_path: Path) -> None:
    tries = Tries(tmp_path)
    for number in range(1, MOST_KEPT + 3):
        (tries.directory(number)).mkdir(parents=True)
        (tries.directory(number) / "manifest.json").touch()
        tries.keep(Outcome(number, 1, f"text {number}", scores={"k-anonymity": (1.0, 5.0)}))
    again = Tries(tmp_path)
    assert len(again.all()) == MOST_KEPT + 2
    assert not again.has_files(again.all()[0])
    assert again.has_files(again.all()[-1])
    assert again.next_number() == MOST_KEPT + 3
    found = again.of_plan("text 3")
    assert found is not None
    assert found.scores == {"k-anonymity": (1.0, 5.0)}


def test_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    tries = Tries(tmp_path)
    tries.keep(Outcome(1, 1, "a"))
    (tries.folder / "0002.json").write_text("{")
    (tries.folder / "0003.json").write_text('{"number": 3}')
    assert [outcome.number for outcome in tries.all()] == [1]
    assert tries.find(7) is None


def test_tries_are_private(done: tuple[Client, str]) -> None:
    client, work = done
    folder = client.studio.work(work.removeprefix("/w/")).folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "tried" / "0001.json").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "risk.json").stat().st_mode) == 0o600
