"""`discreet pool`: a batch that is too small waits; enough of them are released together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command_line import Discreet


def test_batches_wait_until_they_can_be_released_together(
    folder: Path, discreet_command: Discreet
) -> None:
    head, *rows = (folder / "people.csv").read_text().splitlines()
    for number, part in enumerate((rows[:1], rows[1:2], rows[2:20], rows[20:22])):
        (folder / f"{number}.csv").write_text("\n".join([head, *part]) + "\n")

    def pooled(number: int) -> dict[str, Any]:
        said = discreet_command(
            "pool", "room", "plan.yaml", "--data", f"{number}.csv", "--out", "out", "--json"
        )
        document: dict[str, Any] = json.loads(said.out)
        assert document["exit_code"] == said.code
        return document

    one = pooled(0)
    assert one["exit_code"] == 4
    assert one["result"]["waiting"] == 1
    assert "at least two records" in one["result"]["reason"]
    assert not (folder / "out").exists()
    assert pooled(0)["exit_code"] == 1, "the same batch again"
    two = pooled(1)
    assert two["exit_code"] == 4
    assert (two["result"]["waiting"], two["result"]["batches"]) == (2, 2)
    done = pooled(2)
    assert done["exit_code"] == 0
    assert done["result"]["releases"][0]["records"] == 20
    assert discreet_command("verify", "out").code == 0
    assert list((folder / "room").iterdir()) == []
    assert pooled(3)["exit_code"] == 1, "the directory is in use"
    assert discreet_command("pool", "room", "plan.yaml", "--out", "new").code == 1


def test_a_batch_that_the_plan_refuses_does_not_get_in(
    folder: Path, discreet_command: Discreet
) -> None:
    (folder / "other.csv").write_text("age,town\n31,A\n")
    said = discreet_command("pool", "room", "plan.yaml", "--data", "other.csv")
    assert said.is_one_sentence()
    assert list((folder / "room").iterdir()) == []
