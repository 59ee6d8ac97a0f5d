"""Work that takes time and shows nothing new when repeated, left out of most cases.

A plan beside a mutated file is parsed once, the free memory is queried once, and three of four
releases have blank pages for reports. The checks of a release stay the same.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

MOST_PLANS = 200


@contextmanager
def read_once() -> Iterator[None]:
    """Parse no text of a plan twice, and query the free memory only once."""
    from discreet.io.memory_guard import available_memory
    from discreet.release.plan_file import parse_plan_text

    free = available_memory()
    with ExitStack() as stack:
        for place in ("discreet.io.memory_guard", "discreet.scaling.memory"):
            stack.enter_context(patch(f"{place}.available_memory", lambda: free))
        parse = remembering(parse_plan_text)
        stack.enter_context(patch("discreet.release.plan_file.parse_plan_text", parse))
        yield


def remembering(parse: Callable[..., Any]) -> Callable[..., Any]:
    """Return a parser that returns a fresh copy of its result for a text that it has seen before.

    Texts with variables, and texts that are refused, are parsed every time.

    >>> calls = []
    >>> parse = remembering(lambda text, name="plan", variables=None: calls.append(text) or [text])
    >>> parse("steps: []") == parse("steps: []"), parse("${A}") == parse("${A}"), calls
    (True, True, ['steps: []', '${A}', '${A}'])
    """
    known: dict[tuple[str, str], bytes] = {}

    def parsed(text: str, name: str = "plan", variables: Any = None) -> Any:
        if (text, name) in known:
            return pickle.loads(known[text, name])
        parsed_plan = parse(text, name, variables)
        if "$" not in text:
            if len(known) >= MOST_PLANS:
                known.clear()
            known[text, name] = pickle.dumps(parsed_plan)
        return parsed_plan

    return parsed


@contextmanager
def blank_reports() -> Iterator[None]:
    """Have releases written with blank pages instead of reports."""
    with patch("discreet.report.render", lambda content: "<!doctype html>\n"):
        yield
