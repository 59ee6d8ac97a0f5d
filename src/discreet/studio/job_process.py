"""The process that does long work: it takes one job from its input, reports progress, and ends.

It is started ahead of time, so that a job need not wait for imports. If the server is gone, its
input ends, and so does the worker: nothing keeps running unseen.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from typing import Any

from discreet.errors import DiscreetError

UNEXPECTED = "this should not have happened ({}), and nothing was released; please report it"


def main() -> None:
    """Take a job and do it."""
    import discreet.release.protecting
    import discreet.studio.steps_seen  # noqa: F401
    from discreet.contracts.registry import entries
    from discreet.studio.tasks import TASKS
    from discreet.studio.telling import Telling

    # What libraries print must not be taken for what the worker tells.
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    tell = Telling(stream)
    entries()
    _rehearse()
    try:
        job: dict[str, Any] = pickle.load(sys.stdin.buffer)
    except EOFError:
        return
    threading.Thread(target=_end_with_server, daemon=True).start()
    try:
        result = TASKS[job.pop("task")](tell=tell, **job)
        tell.line(result=result)
    except DiscreetError as error:
        tell.line(error=str(error))
    except MemoryError:
        tell.line(error="out of memory; use fewer columns or a sample of the records")
    except Exception as error:
        # Only the kind of the error is reported: its text might quote a record.
        if os.environ.get("DISCREET_DEBUG"):
            raise
        tell.line(error=UNEXPECTED.format(type(error).__name__))


def _rehearse() -> None:
    """Try some steps on a few invented records, so that what they load is there: half of the time
    that a preview would take.
    """
    import io

    from discreet.contracts.registry import build
    from discreet.io.reading import read
    from discreet.studio.tasks import preview
    from discreet.studio.telling import Telling

    data = read(
        {"age": [float(i) for i in range(20)], "sex": ["f", "m"] * 10},
        {"age": "quasi-identifier", "sex": "quasi-identifier"},
    )
    preview(Telling(io.StringIO()), data, [build("method", "microaggregation")], "")


def _end_with_server() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os._exit(1)


if __name__ == "__main__":
    main()
