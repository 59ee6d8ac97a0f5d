"""Trial: one method with one set of parameters and one seed, run and measured."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from discreet.exploring.candidates import Steps


@dataclass(frozen=True)
class Task:
    """What is to be run: the steps, and which repetition it is (repetitions differ in seed)."""

    steps: Steps
    repeat: int = 0

    @property
    def key(self) -> str:
        """A short name that is the same for the same work.

        >>> Task(({"pram": {}},)).key == Task(({"pram": {}},)).key != Task(({"pram": {}},), 1).key
        True
        """
        text = json.dumps([self.steps, self.repeat], sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Trial:
    """What came out: a score per measure, or the reason why there is none."""

    task: Task
    scores: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0

    @property
    def failed(self) -> bool:
        """Whether it gave no release, or not all of the measures."""
        return bool(self.reason)
