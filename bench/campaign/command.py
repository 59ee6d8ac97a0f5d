"""The command line, run in this process, and the rules that its outcome must follow."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import FrameType

from bench.campaign.faults import Fault, Overtime

CODES = (0, 1, 2, 3)
WAITING = 20
"""How much longer than its computing time a command may take on a busy machine."""
SHOWN = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
"""Warnings that Python does not show to users of a program."""


@dataclass(frozen=True)
class Outcome:
    """What a command produced: its exit code, and what it printed."""

    code: int
    out: str
    err: str
    warned: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """The sentence that reports an error."""
        return self.err.removeprefix("discreet: ").strip()


@contextlib.contextmanager
def in_time(seconds: float) -> Iterator[None]:
    """Raise `Overtime` if the block computes longer than this, or waits without end.

    The block is not to blame if the machine is busy with other work.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise Overtime

    timers = {
        signal.SIGPROF: (signal.ITIMER_PROF, seconds),
        signal.SIGALRM: (signal.ITIMER_REAL, WAITING * seconds),
    }
    before = {number: signal.signal(number, stop) for number in timers}
    for timer, limit in timers.values():
        signal.setitimer(timer, limit)
    try:
        yield
    finally:
        for number, (timer, _) in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


def run(arguments: Sequence[str], seconds: float = 60) -> Outcome:
    """Run `discreet` with these arguments; taking too long is a fault."""
    from discreet.cli.main import run as run_discreet

    out, err = io.StringIO(), io.StringIO()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with (
                _debugging(),
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
                in_time(seconds),
            ):
                code = run_discreet(list(arguments))
        except Overtime:
            raise Fault(f"{arguments[0]} takes too long", f"more than {seconds:g} s") from None
        except SystemExit as left:
            raise Fault(f"{arguments[0]} leaves by SystemExit", repr(left.code)) from None
        except Exception as error:
            raise broke(error, arguments[0]) from error
    seen = tuple(
        f"{w.category.__name__} at {w.filename.rpartition('/')[2]}:{w.lineno}: {w.message}"
        for w in caught
        if not issubclass(w.category, SHOWN)
    )
    return Outcome(code, out.getvalue(), err.getvalue(), seen)


@contextlib.contextmanager
def _debugging() -> Iterator[None]:
    """Let unforeseen errors leave the command line, instead of a sentence about them."""
    before = os.environ.get("DISCREET_DEBUG")
    os.environ["DISCREET_DEBUG"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["DISCREET_DEBUG"]
        else:
            os.environ["DISCREET_DEBUG"] = before


def broke(error: BaseException, attempted: str) -> Fault:
    """Return an unforeseen error as a fault, named by the place in the package."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if "/discreet/" in frame.filename]
    place = ""
    if inside:
        path = inside[-1].filename.rpartition("/discreet/")[2]
        place = f" at {path} in {inside[-1].name}"
    trace = "".join(traceback.format_exception(error))[-3000:]
    return Fault(f"{attempted}: {type(error).__name__}{place}", trace)


def judge(outcome: Outcome, attempted: str) -> None:
    """Raise a fault if an outcome is not one that a user may get."""
    if outcome.code not in CODES:
        raise Fault(f"{attempted}: exit code {outcome.code}", outcome.err)
    for warning in outcome.warned:
        raise Fault(f"{attempted}: warning {warning.partition(': ')[0]}", warning)
    if "Traceback (most recent call last)" in outcome.out + outcome.err:
        raise Fault(f"{attempted}: traceback", outcome.err)
    if "out of memory" in outcome.err:
        raise Fault(f"{attempted}: out of memory", outcome.err)
    reported = outcome.code == 1 and outcome.out and not outcome.err
    if outcome.code in (1, 2) and not (reported and attempted.endswith("verify")):
        lines = outcome.err.splitlines()
        messages = [line for line in lines if not line.startswith("note: ")]
        if len(messages) != 1 or not messages[0].startswith("discreet: ") or len(messages[0]) < 20:
            raise Fault(f"{attempted}: the message is not one line", repr(outcome.err))
