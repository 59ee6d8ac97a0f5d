"""`python -m bench.campaign`: look for faults until the time is up."""

from __future__ import annotations

import argparse
import resource
import secrets
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.campaign.releases import methods
from bench.campaign.running import PARTS, Campaign
from bench.campaign.tally import EACH_METHOD, TARGETS, missing, table

TODAY = Path("bench") / "results" / "campaign"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign; return 1 if there was a fault, or if a method hardly ever succeeded."""
    parser = argparse.ArgumentParser(prog="python -m bench.campaign", description=__doc__)
    whole = ", ".join(f"{number:,} {name}" for name, number in TARGETS.items())
    parser.add_argument(
        "--hours",
        type=float,
        help=f"when to stop; without it after {whole}, and every method {EACH_METHOD} times",
    )
    parser.add_argument("--seed", type=int, help="a number, to see the same cases again")
    parser.add_argument(
        "--keep-going", action="store_true", help="collect one fault of each kind without stopping"
    )
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--out", type=Path, default=TODAY, help="where reproducers are kept")
    given = parser.parse_args(arguments)
    seed = secrets.randbelow(10**9) if given.seed is None else given.seed
    print(f"seed {seed}; reproducers go to {given.out}", flush=True)
    campaign = Campaign(
        seed=seed,
        root=given.out,
        hours=given.hours,
        keep_going=given.keep_going,
        only=given.only,
        say=lambda words: print(words, flush=True),
    )
    started = time.monotonic()
    # If it was started in the background, either signal ends it, and it reports what it did.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        campaign.run()
    except KeyboardInterrupt:
        print("stopped by hand")
    wall = time.monotonic() - started
    print(table(campaign.counts, methods(), wall, _machine_seconds()))
    for fault in campaign.faults:
        print(f"FAULT {fault.kind} ({fault.folder})")
    rare = missing(campaign.counts, methods()) if "releases" in given.only else []
    if rare and given.hours is None:
        print(f"succeeded fewer than {EACH_METHOD} times: {', '.join(rare)}")
    return 1 if campaign.faults else 0


def _machine_seconds() -> float:
    processes = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(process) for process in processes]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


if __name__ == "__main__":
    sys.exit(main())
