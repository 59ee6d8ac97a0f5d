"""Ways of replacing the values within groups: one file each, collected by the registry."""

from __future__ import annotations

from typing import Any

from discreet.contracts.registry import exported, listed


def __getattr__(name: str) -> Any:
    return exported("replacement", name, "discreet.replacement")


def __dir__() -> list[str]:
    return listed("replacement")
