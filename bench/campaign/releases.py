"""The first part: random tables × random plans, each release checked from outside."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import warnings
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bench.campaign.cases import SEED, Case, cases
from bench.campaign.checking import attributes_of, check_claims, check_directory, told_claims
from bench.campaign.command import Outcome, broke, in_time, judge, run
from bench.campaign.counting import Seen
from bench.campaign.faults import Fault, Overtime
from bench.campaign.handing_over import frame_of
from bench.campaign.hunting import hunt
from bench.campaign.leaking import gone, refuse_quoting, refuse_telling
from bench.campaign.owning import check_owned, owned
from bench.campaign.parts import Batch, Task
from bench.campaign.seeing import seen_frame
from bench.campaign.sparing import blank_reports, read_once
from discreet.contracts.registry import entries
from discreet.errors import DiscreetError

SECONDS = 60.0


class Unwritable(Exception):
    """A table that the writer of its format does not accept."""


def try_case(case: Case, folder: Path, again: bool = False) -> str:
    """Run a case; return "released" or "refused", or raise a fault."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        frame = frame_of(case.table) if case.is_frame else None
        plan = case.write(folder)
    except Exception as error:
        raise Unwritable(case.table.form) from error
    with nullcontext() if case.whole else blank_reports():
        if case.is_frame:
            return _try_frame(case, frame, folder)
        return _try_file(case, plan, folder, again)


def _try_file(case: Case, plan: Path, folder: Path, again: bool) -> str:
    data = next(folder.glob("data.*"))
    before = {path: _print(path) for path in folder.iterdir()}
    out = folder / "out"
    seed = folder / "seed"
    seed.write_text(str(SEED))
    before[seed] = _print(seed)
    arguments = ["protect", str(plan), "--out", str(out), "--seed-file", str(seed)]
    outcome = run(arguments, SECONDS)
    judge(outcome, f"protect ({case.table.form})")
    for path, known in before.items():
        if not path.exists() or _print(path) != known:
            raise Fault("protect: an input was changed", path.name)
    left = {path.name for path in folder.iterdir()} - {path.name for path in before} - {"out"}
    if left:
        raise Fault("protect: something is left beside the release", ", ".join(sorted(left)))
    if outcome.code:
        _check_refusal(case, outcome, plan)
        if out.exists():
            raise Fault("protect: refused, but something was written", outcome.err)
        return "refused"
    manifest, seen = check_directory(out)
    _check_private(case, out, data, seen)
    _check_verify(out)
    if again:
        first = _print(out / manifest["release"]["file"])
        judge(run([*arguments, "--overwrite"], SECONDS), "protect again")
        if _print(out / manifest["release"]["file"]) != first:
            raise Fault("protect: the same seed gives another file", "")
    return "released"


def _try_frame(case: Case, frame: Any, folder: Path) -> str:
    import discreet

    before = Path.cwd()
    os.chdir(folder)
    try:
        with warnings.catch_warnings(record=True) as caught, in_time(SECONDS):
            warnings.simplefilter("always")
            release = discreet.protect(
                frame,
                list(case.steps),
                seed=SEED,
                shuffle=case.shuffle,
                roles=case.roles,
                kinds=case.kinds,
                claims=dict(case.claims),
            )
            released = release.frame()
            measured = None
            if not case.whole:
                measured = discreet.assess(release.original, release, list(case.measures))
            written = release.write(
                "out",
                format=case.format,
                assessment=measured,
                spreadsheet_safe=case.spreadsheet_safe,
            )
    except DiscreetError as error:
        outcome = Outcome(error.exit_code, "", f"discreet: {error}\n")
        judge(outcome, f"frame ({case.table.form})")
        _check_refusal(case, outcome, folder / "plan.yaml")
        return "refused"
    except Overtime:
        raise Fault("a release of a frame takes too long", f"more than {SECONDS:g} s") from None
    except Exception as error:
        raise broke(error, f"frame ({case.table.form})") from error
    finally:
        os.chdir(before)
    warned = tuple(
        f"{w.category.__name__} at {w.filename.rpartition('/')[2]}:{w.lineno}: {w.message}"
        for w in caught
    )
    judge(Outcome(0, "", "", warned), f"frame ({case.table.form})")
    attributes = attributes_of(release)
    names = [attribute["name"] for attribute in attributes]
    columns = getattr(released, "column_names", None) or list(released.columns)
    if list(columns) != names:
        raise Fault("frame: other columns than the release", f"{columns} instead of {names}")
    try:
        seen = seen_frame(released, attributes)
    except Exception as error:
        told_by = f"{case.table.form} {type(error).__name__}"
        raise Fault(f"frame: a plain reader cannot read it ({told_by})", str(error)) from error
    check_claims(told_claims(release), seen, f"frame ({case.table.form})")
    _check_categories(released)
    _, cells = check_directory(folder / written)
    _check_private(case, folder / written, None, cells)
    return "released"


def _check_refusal(case: Case, outcome: Outcome, plan: Path) -> None:
    cells = [level for column in case.table.columns for level in column.levels]
    allowed = plan.read_text("utf-8") + "".join(c.name for c in case.table.columns)
    allowed += "".join(repr(step) for step in case.steps) + str(plan.parent)
    refuse_quoting(outcome.message, cells, allowed, f"refusal ({case.table.form})")


def _check_private(case: Case, out: Path, data: Path | None, seen: Seen) -> None:
    """No seed, no path and no removed value in public files; and everything that a record shows."""
    record = json.loads((out / "record.json").read_text("utf-8"))
    secrets = [str(record["seed"])]
    if data is not None:
        secrets.append(str(data))
    secrets += gone(case.table, seen, case.steps)
    for name in ("manifest.json", "report-public.html"):
        refuse_telling((out / name).read_text("utf-8"), secrets, name, "release")
    check_owned(owned(case.table, case.steps, record, seen))


def _check_verify(out: Path) -> None:
    """`discreet verify`, if there is such a command, must reach the same result."""
    from discreet.cli.main import Commands

    if "verify" not in Commands._modules():
        return
    outcome = run(["verify", str(out)], SECONDS)
    judge(outcome, "verify")
    if outcome.code:
        raise Fault("verify refuses a release that was just written", outcome.err)


def _check_categories(frame: Any) -> None:
    """A category that no record has any more reveals what was in the original."""
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas":
        for name in frame.columns:
            known = getattr(frame[name].dtype, "categories", None)
            # By position: compared as numbers, 2⁵³ + 1 would be its neighbour.
            if known is not None and len(set(frame[name].cat.codes) - {-1}) < len(known):
                raise Fault("frame (pandas): categories that are gone", str(name))
    elif library == "pyarrow":
        import pyarrow.types as types

        for name in frame.column_names:
            if not types.is_dictionary(frame.schema.field(name).type):
                continue
            for chunk in frame.column(name).chunks:
                used = set(chunk.indices.drop_null().to_pylist())
                if len(used) < len(chunk.dictionary):
                    raise Fault("frame (arrow): categories that are gone", str(name))
    elif library == "polars":
        import polars as pl

        for name in frame.columns:
            kind = frame[name].dtype
            if isinstance(kind, pl.Enum):
                used = set(frame[name].drop_nulls().to_list())
                if set(kind.categories) - used:
                    raise Fault("frame (polars): categories that are gone", str(name))


def _print(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


METHODS_A_BATCH, EXAMPLES = 6, 40


def methods() -> list[str]:
    """Return the names of all methods."""
    return [entry.spec.name for entry in entries("method")]


def batch(task: Task) -> Batch:
    """Try cases of the methods that have been tried least."""
    with read_once():
        return _tried(task)


def _tried(task: Task) -> Batch:
    done = Batch()
    least = sorted(methods(), key=lambda name: (task.counts[f"tried {name}"], name))
    for number, method in enumerate(least[: task.several(METHODS_A_BATCH)]):

        def attempt(case: Case, counts: bool, method: str = method) -> None:
            try:
                outcome = try_case(case, task.folder / "case", again=case.again)
            except Unwritable:
                outcome = "unwritable"
            except Fault:
                done.counts["faults"] += counts
                raise
            if counts:
                done.counts[outcome] += 1
                done.counts[f"tried {method}"] += 1
                done.counts[f"released by {method}"] += outcome == "released"

        kept = hunt(
            cases(method),
            attempt,
            seed=task.seed + number,
            examples=EXAMPLES,
            known=set(task.known) | {fault.kind for fault in done.faults},
            root=task.root,
            write=write_case,
            how="a file: discreet protect plan.yaml --seed-file seed --out out; "
            "a frame: python reproduce.py",
        )
        if kept is not None:
            done.faults.append(kept)
    return done


def write_case(case: Case, folder: Path) -> None:
    """Write a case down for somebody to run."""
    case.write(folder)
    (folder / "seed").write_text(str(SEED))
    if case.is_frame:
        (folder / "plan.yaml").unlink()
        (folder / "reproduce.py").write_text(case.script(), encoding="utf-8")
