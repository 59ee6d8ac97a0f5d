"""Trial: one method with one set of parameters and one seed, run and measured."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from discreet.exploring.candidates import Steps


@dataclass(frozen=True)
class Task:
    """What to run: the steps, and which repetition it is (repetitions differ in seed).

    `enough` names measures with the figure above which it does not matter how large they are.
    """

    steps: Steps
    repeat: int = 0
    enough: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def plain_steps(self) -> Any:
        """The steps as JSON can hold them."""
        return _named_by_text(self.steps)

    @cached_property
    def key(self) -> str:
        """A short name that is the same for the same work.

        >>> Task(({"pram": {}},)).key == Task(({"pram": {}},)).key != Task(({"pram": {}},), 1).key
        True
        """
        text = json.dumps([self.plain_steps, self.repeat], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Trial:
    """The outcome: a score per measure, or the reason why there is none.

    `stopped` names the limit at which the trial was stopped: "seconds" or "megabytes". `lost` are
    the columns in which all released records agree, `loose` those that were cut loose from the
    others, `kept` is the share of the association between columns that is kept, `changed` the share
    of it that changed. `at_least` names the measures that may be larger than their figure, since
    that is enough.
    """

    task: Task
    scores: Mapping[str, float] = field(default_factory=dict)
    reason: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0
    stopped: str = ""
    lost: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    kept: float | None = None
    changed: float | None = None
    at_least: tuple[str, ...] = ()

    def answers(self, task: Task) -> bool:
        """Whether the figures are as exact as a task needs them.

        >>> trial = Trial(Task(()), {"strongest-linkage": 0.2}, at_least=("strongest-linkage",))
        >>> trial.answers(Task((), enough={"strongest-linkage": 0.15})), trial.answers(Task(()))
        (True, False)
        """
        return all(self.scores[name] > task.enough.get(name, math.inf) for name in self.at_least)


def _named_by_text(value: Any) -> Any:
    """Return steps whose keys are text: a table may be keyed by numbers and truth values."""
    if isinstance(value, Mapping):
        return {str(key): _named_by_text(inner) for key, inner in value.items()}
    return [_named_by_text(part) for part in value] if isinstance(value, list | tuple) else value
