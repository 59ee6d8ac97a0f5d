"""A worker: a separate process that runs trials, so that one that hangs can be stopped.

It receives everything on its standard input and answers on its standard output, each message one
pickled object. What a method prints would disturb that, so it goes to standard error.
"""

from __future__ import annotations

import importlib
import os
import pickle
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from discreet.contracts import MeasureSpec, Randomness, Score, Side
from discreet.contracts.registry import register
from discreet.errors import DataError, DiscreetError
from discreet.exploring.shared_table import table_of
from discreet.exploring.trial import Task, Trial
from discreet.microdata import Microdata
from discreet.microdata.lasting import lasting

if TYPE_CHECKING:
    from discreet.release.release import Release

Looks = dict[tuple[tuple[str, ...], tuple[str, ...]], DataError | None]
"""What was found, by the columns that were protected and those that were left as they are."""

READY = "ready"
"""What a worker answers once it can start a trial."""
ASSOCIATION = "association"
"""What a recommended release must not lose, whatever else is asked of it."""

REHEARSED = 120
"""Records on which the measures are tried before the first trial."""
EXCHANGED = "it releases the records of the original, only in each other's places"
EXCHANGED_KEYS = "it releases all quasi-identifiers of people as they are, only in others' records"


def run_trial(
    data: Microdata,
    task: Task,
    seed: int,
    measures: Sequence[str | Mapping[str, Any]],
    allow: Sequence[str] = (),
    looks: Looks | None = None,
) -> Trial:
    """Protect and measure once; `allow` are the columns that may give back a protected one.

    `looks` are what was found about that in earlier trials.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> task = Task(({"microaggregation": {"partition": {"mdav": {"k": 2}}}},))
    >>> run_trial(data, task, 1, ["k-anonymity"]).scores
    {'k-anonymity': 2.0}
    """
    from discreet.contracts import Progress
    from discreet.release.assessing import assess
    from discreet.release.exchanged_records import exchanged_keys, only_exchanged
    from discreet.release.lost_columns import lost_columns
    from discreet.release.protecting import protect
    from discreet.release.verdict import Thresholds

    started = time.perf_counter()

    def ended(scores: Mapping[str, float], reason: str = "") -> Trial:
        return Trial(task, scores, reason, time.perf_counter() - started, _megabytes())

    try:
        # The trial's seed is derived from the search's, and from nothing that happened before.
        trial_seed = Randomness(seed).derived("trial", task.key)
        release = protect(
            data,
            list(task.steps),
            trial_seed,
            allow=None,  # what gives a column back is looked for below, once for all trials
            keep_decimals=True,  # as a plan does that says nothing else
            progress=Progress(),
        )
        _look(data, release, seed, allow, {} if looks is None else looks)
        if only_exchanged(data, release.data, release.pairing):
            return ended({}, EXCHANGED)
        if exchanged_keys(data, release.data, release.pairing) > Thresholds().attack:
            return ended({}, EXCHANGED_KEYS)
        wanted = {_name(measure): measure for measure in (ASSOCIATION, *measures)}
        assessment = assess(
            data,
            release,
            list(wanted.values()),
            progress=Progress(),
            before=False,
            enough=task.enough,
        )
    except DiscreetError as error:
        return ended({}, str(error))
    except MemoryError:
        return ended({}, "it ran out of memory")
    except Exception as error:
        # Only the kind of the error is kept: its text might quote a record.
        return ended({}, f"it failed ({type(error).__name__})")
    asked = {_name(measure) for measure in measures}
    rows = [row for row in assessment.rows if row.spec.name in asked]
    scores = {row.spec.name: _counted(row.spec, row.after) for row in rows if row.after is not None}
    reason = "; ".join(f"{row.spec.name}: {row.left_out}" for row in rows if row.left_out)
    together = assessment.utility.get(ASSOCIATION)
    return replace(
        ended(scores, reason),
        at_least=tuple(r.spec.name for r in rows if r.after is not None and r.after.at_least),
        lost=tuple(lost_columns(data, release.data)),
        loose=() if together is None else tuple(together.detail["cut loose"]),
        kept=None if together is None else float(together.detail["kept"]),
        changed=None if together is None else float(together.value),
    )


def _look(data: Microdata, release: Release, seed: int, allow: Sequence[str], looks: Looks) -> None:
    """Refuse what `protect` would refuse: columns left as they are that give back a protected one.

    The answer depends only on the original and on which columns were protected, and takes as long
    as a quick method and its measures together.
    """
    from discreet.release.given_back import look_among, treated_and_left

    protected, left = treated_and_left(data, release.data, release.origin)
    key = tuple(protected), tuple(left)
    if key not in looks:
        looks[key] = None
        try:
            rng = Randomness(seed).generator("columns left")
            look_among(data, protected, left, allow, rng)
        except DataError as error:
            looks[key] = error
    refusal = looks[key]
    if refusal is not None:
        raise refusal


def _counted(spec: MeasureSpec, score: Score) -> float:
    """Return the figure that a limit is held to: of a risk, what the plan's claim will be."""
    return score.at_worst(spec.better) if spec.side is Side.RISK else score.value


def _name(measure: str | Mapping[str, Any]) -> str:
    return measure if isinstance(measure, str) else next(iter(measure))


def _megabytes() -> float:
    try:
        import resource
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def resident_megabytes(pid: int) -> float:
    """Return the memory that a process holds now; 0 where the system does not say."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return 0.0
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20


def computing_seconds(pid: int) -> float | None:
    """Return how long a process has computed so far; None where the system does not say.

    >>> computing_seconds(0) is None
    True
    """
    try:
        stated = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
        # The program's name, in parentheses, may hold anything; the times are the 14th and 15th.
        user, system = stated.rpartition(")")[2].split()[11:13]
    except (OSError, ValueError):
        return None
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def send(stream: IO[bytes], message: Any) -> None:
    """Write one message."""
    content = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(content).to_bytes(8, "little") + content)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message; None at the end, or if the sender died in the middle of one."""
    head = stream.read(8)
    length = int.from_bytes(head, "little")
    content = stream.read(length) if len(head) == 8 else b""
    return pickle.loads(content) if len(head) == 8 and len(content) == length else None


def _listen(stream: IO[bytes], messages: SimpleQueue[Any]) -> None:
    """Receive messages while trials run, and exit when the sender does.

    A parent that was killed stops nothing itself. Its closed end of the pipe is noticed here, even
    in the middle of a trial that nobody awaits any more.
    """
    while (message := receive(stream)) is not None:
        messages.put(message)
    os._exit(0)


def _load() -> None:
    """Load what every trial needs: that takes seconds, which are charged to no trial."""
    from discreet.contracts.registry import entries

    entries()
    for module in ("assessing", "protecting", "lost_columns"):
        importlib.import_module(f"discreet.release.{module}")


def _rehearse(data: Microdata, measures: Sequence[str | Mapping[str, Any]]) -> None:
    """Measure a few records once, so that libraries and compiled loops are loaded first.

    Otherwise a first look, which has little time, would end before it started to compute.
    """
    from discreet.contracts import Pairing, Progress
    from discreet.release.assessing import assess

    few = data.take(np.arange(min(len(data), REHEARSED)))
    # Whatever is wrong will be reported for the trial concerned.
    with suppress(Exception):
        copy, pairing = few.take(np.arange(len(few))), Pairing.same_order(len(few))
        assess(few, copy, [ASSOCIATION, *measures], pairing=pairing, progress=Progress())


def main() -> None:
    """Serve until there is nothing more to do."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    messages: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, messages), daemon=True).start()
    shared, seed, measures, allow, added = messages.get()
    data = lasting(table_of(shared))
    _load()
    for component in pickle.loads(added):
        register(component)
    _rehearse(data, measures)
    send(answers, READY)
    looks: Looks = {}
    while True:
        send(answers, run_trial(data, messages.get(), seed, measures, allow, looks))


if __name__ == "__main__":
    main()
