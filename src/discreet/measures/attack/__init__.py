"""What an intruder can do with a file: one attack per file, collected by the registry."""

from __future__ import annotations

from typing import Any

from discreet.contracts.registry import exported, listed


def __getattr__(name: str) -> Any:
    return exported("attack", name, "discreet.attack")


def __dir__() -> list[str]:
    return listed("attack")
