"""A planted fault is found, made small, and kept."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from bench.campaign.faults import Fault
from bench.campaign.hunting import hunt


def check(numbers: list[int], counts: bool) -> None:
    if max(numbers, default=0) > 100:
        raise Fault("a number is large", str(numbers))
    if len(numbers) > 8:
        raise Fault("the list is long", str(numbers))


def write(numbers: list[int], folder: Path) -> None:
    (folder / "case").write_text(str(numbers))


def look(root: Path, known: set[str]) -> tuple[str, str] | None:
    kept = hunt(
        st.lists(st.integers(0, 110), max_size=10),
        check,
        seed=1,
        examples=200,
        known=known,
        root=root,
        write=write,
        how="look at them",
    )
    return None if kept is None else (kept.kind, Path(kept.folder, "case").read_text())


def test_the_smallest_example_of_one_kind_is_kept(tmp_path: Path) -> None:
    assert look(tmp_path, set()) == ("a number is large", "[101]")
    assert "look at them" in (tmp_path / "a-number-is-large" / "FAULT.txt").read_text()


def test_known_kinds_are_passed_over(tmp_path: Path) -> None:
    found = look(tmp_path, {"a number is large"})
    assert found == ("the list is long", str([0] * 9))
    assert look(tmp_path, {"a number is large", "the list is long"}) is None
