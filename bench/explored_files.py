"""Real files: whether a recommended release keeps half of the association, and every column.

`python -m bench explored_files adult pima --budget 60s` takes some of the files, and another time
limit for each. At most 5 % of the records may be linked by distance, as in the first search of a
new user; with `--usual` by the strongest attack, as when no risk is named. A line for each file:
the winner with its figures, the best of the other kind of records, how much of the association
between all pairs of columns is kept and how much changed, and the columns in which all records
agree. A second line says how long the search took, when it had its first answer, and which answer
it had after a tenth of its time.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import discreet
from bench.data import reference_data
from bench.papers.alcohol import alcohol
from bench.papers.li_sarkar import diabetes, medicare
from discreet.contracts import Context, Progress, Randomness
from discreet.exploring.asking import seconds_of
from discreet.exploring.exploration import Exploration
from discreet.exploring.point import Point
from discreet.exploring.worker import computing_seconds
from discreet.measures.utility.association import Association
from discreet.microdata import Microdata
from discreet.release.lost_columns import lost_columns

RISK = {"distance-linkage": 0.05}
KEPT = 0.5
QUASI, SECRET, OTHER = "quasi-identifier", "confidential", "other"


def _read(folder: Path, file: str, others: dict[str, str]) -> Microdata:
    """Return a file whose columns are quasi-identifiers, except for those named."""
    names = discreet.read(folder / file).schema.names
    return discreet.read(folder / file, dict.fromkeys(names, QUASI) | others)


def adult(folder: Path) -> Microdata:
    return _read(folder, "adult_arx_30162.csv", {"salary-class": SECRET})


def testdata(folder: Path) -> Microdata:
    weights = dict.fromkeys(("sampling_weight", "household_weights"), "weight")
    amounts = dict.fromkeys(("expend", "income", "savings"), SECRET)
    return _read(folder, "sdcmicro_testdata.csv", {"ori_hid": "household", **weights, **amounts})


def eusilc(folder: Path, rows: int = 20_000) -> Microdata:
    """Whole households, enough for this many persons."""
    known = ("region", "hsize", "age", "gender", "ecoStat", "citizenship")
    names = discreet.read(folder / "eusilcP.parquet").schema.names
    roles = dict.fromkeys(names, SECRET) | dict.fromkeys(known, QUASI)
    roles |= {"hid": "household", "pid": "identifier", "id": "identifier"}
    data = discreet.read(folder / "eusilcP.parquet", roles)
    return data.take(np.flatnonzero(data["hid"] <= np.sort(data["hid"])[rows]))


def thyroid(folder: Path) -> Microdata:
    classes = [f"class_{word}" for word in ("allbp", "allhyper", "allhypo", "sick")]
    others = dict.fromkeys(classes, SECRET) | {"patient_id": "identifier"}
    return _read(folder, "thyroid_complete_1947.csv", others)


def eia(folder: Path) -> Microdata:
    """The eleven columns of the literature."""
    apart = dict.fromkeys(("UTILNAME", "STATE", "YEAR", "MONTH"), OTHER)
    data = _read(folder, "casc_eia.csv", apart)
    return Microdata(data.column(name) for name in data.quasi_identifiers)


FILES: dict[str, Callable[[Path], Microdata]] = {
    "adult": adult,
    "testdata": testdata,
    "eusilc": eusilc,
    "pima": diabetes,
    "medicare": medicare,
    "thyroid": thyroid,
    "alcohol": alcohol,
    "census": lambda folder: _read(folder, "casc_census.csv", {}),
    "tarragona": lambda folder: _read(folder, "casc_tarragona.csv", {}),
    "eia": eia,
}


def _computed() -> float:
    """Return the CPU seconds of this process and of all processes that it started."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    alive = [pid for file in Path("/proc/self/task").glob("*/children") for pid in _numbers(file)]
    running = sum(computing_seconds(pid) or 0.0 for pid in alive)
    return time.process_time() + ended.ru_utime + ended.ru_stime + running


def _numbers(file: Path) -> list[int]:
    return [int(word) for word in file.read_text(encoding="ascii").split()]


class Answers(Progress):
    """The best settings that a search reports, with the seconds after which it does.

    On a busy machine a search waits for its turn; the time that it has computed by then is the
    longest it would have taken on an idle one.
    """

    def __init__(self) -> None:
        self.started, self.before = time.perf_counter(), _computed()
        self.answers: list[tuple[float, str]] = []
        self.computed = 0.0

    def say(self, message: str) -> None:
        """Remember a better setting."""
        if not self.answers:
            self.computed = _computed() - self.before
        self.answers.append((time.perf_counter() - self.started, message))

    def lines(self, budget: float, took: float) -> str:
        """Return when there was a first answer, and what it was after a tenth of the time."""
        early = [text for seconds, text in self.answers if seconds <= budget / 10]
        first = "never"
        if self.answers:
            first = f"{self.answers[0][0]:.1f} s ({self.computed:.1f} s of CPU time)"
        return (
            f"     the search took {took:.0f} s of {budget:.0f}; first answer after {first}; after "
            f"a tenth: {early[-1] if early else 'none'}"
        )


@dataclass(frozen=True)
class Outcome:
    """What a search recommends, and how much that keeps."""

    exploration: Exploration
    kept: float
    changed: float
    lost: tuple[str, ...]
    timing: str = ""

    @property
    def passes(self) -> bool:
        """Whether half of the association is kept, and every column varies."""
        return self.kept >= KEPT and not self.lost


def searched(
    data: Microdata,
    budget: str,
    candidates: Sequence[Any] | None = None,
    risk: dict[str, float] | None = RISK,
) -> Outcome:
    """Search under the limit, and measure a release with the recommended setting."""
    answers = Answers()
    exploration = discreet.explore(
        data, risk, candidates=candidates, budget=budget, seed=1, progress=answers
    )
    timing = answers.lines(seconds_of(budget), time.perf_counter() - answers.started)
    best = exploration.recommended
    if best is None:
        return Outcome(exploration, 0.0, 1.0, (), timing)
    release = discreet.protect(data, list(best.steps), 1)
    score = Association().score(data, release.data, Context(Randomness(1)), release.pairing)
    lost = tuple(lost_columns(data, release.data))
    return Outcome(exploration, score.detail["kept"], score.value, lost, timing)


def _described(point: Point) -> str:
    figures = ", ".join(f"{key} {value.mean:.3g}" for key, value in point.scores.items())
    return f"{point.label} ({figures})"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help=", ".join(FILES))
    parser.add_argument("--budget", default="3m", help="the time for each file (default: 3m)")
    parser.add_argument("--quick", action="store_true", help="half a minute for each file")
    parser.add_argument(
        "--usual", action="store_true", help="the risk that is limited if nobody names one"
    )
    given = parser.parse_args(arguments)
    folder = reference_data()
    if folder is None:
        return
    for name in given.files or FILES:
        started = time.perf_counter()
        data = FILES[name](folder)
        budget = "30s" if given.quick else given.budget
        outcome = searched(data, budget, risk=None if given.usual else RISK)
        best = outcome.exploration.recommended
        # Nothing is within the limit, or nothing was measured in time.
        words = "; ".join(outcome.exploration.words)
        if best is not None:
            words = _described(best)
        other = outcome.exploration.alternative
        if other is not None:
            words += f"; of {other.records} records {_described(other)}"
        print(
            f"{'ok  ' if outcome.passes else 'FAIL'} {name} ({len(data):,} records): {words}; "
            f"keeps {100 * outcome.kept:.0f} % of the association, {100 * outcome.changed:.0f} % "
            "changed; "
            f"lost: {', '.join(outcome.lost) or 'none'}; "
            f"{len(outcome.exploration.points)} settings in {time.perf_counter() - started:.0f} s\n"
            f"{outcome.timing}",
            flush=True,
        )


if __name__ == "__main__":
    main()
