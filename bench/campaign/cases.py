"""A case: a table and a plan for it, and how it is written down for somebody else to run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from hypothesis import strategies as st

from bench.campaign.handing_over import frame_source, suffix_of, write_input
from bench.campaign.parameters import draw_component
from bench.campaign.tables import FRAMES, Table, tables
from bench.campaign.values import chance
from discreet.contracts.registry import entries, find

SEED = 20260101


@dataclass(frozen=True)
class Case:
    """A table, the steps and claims of a plan, the files that they name, and how it is written.

    `again` asks for the release to be made twice: the same seed must give the same bytes.
    `whole` asks for all usual measures and for reports, as users get them.
    """

    method: str
    table: Table
    steps: tuple[dict[str, Any], ...]
    claims: tuple[tuple[str, float], ...]
    measures: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    shuffle: bool
    format: str | None
    again: bool = False
    spreadsheet_safe: bool = False
    whole: bool = True

    @property
    def is_frame(self) -> bool:
        """Whether the table is handed over as a frame rather than a file."""
        return self.table.form in FRAMES

    @property
    def roles(self) -> dict[str, str]:
        """The role of each column."""
        return {column.name: column.role for column in self.table.columns}

    @property
    def kinds(self) -> dict[str, Any]:
        """The kinds that the plan declares."""
        declared = {column.name: column.declared for column in self.table.columns}
        return {name: kind for name, kind in declared.items() if kind is not None}

    def plan(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        columns: dict[str, Any] = {}
        for name, role in self.roles.items():
            kind = self.kinds.get(name)
            key = "categories" if isinstance(kind, list) else "kind"
            columns[name] = {"role": role, **({key: kind} if kind is not None else {})}
        options = dict(self.table.options)
        stated = {
            key: options[key] for key in ("delimiter", "encoding", "decimal") if key in options
        }
        release: dict[str, Any] = {"shuffle": self.shuffle}
        if self.format is not None:
            release["format"] = self.format
        return {
            "data": {"file": f"data{suffix_of(self.table)}", **stated},
            "columns": columns,
            "steps": list(self.steps),
            "claims": dict(self.claims),
            "measures": list(self.measures),
            "release": release,
            "csv": {"spreadsheet_safe": self.spreadsheet_safe},
        }

    def write(self, folder: Path) -> Path:
        """Write data, plan and the files of the plan; return the path of the plan."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.files:
            (folder / name).write_bytes(content)
        if not self.is_frame:
            write_input(self.table, folder)
        path = folder / "plan.yaml"
        text = yaml.safe_dump(self.plan(), allow_unicode=True, sort_keys=False)
        path.write_text(text, encoding="utf-8")
        return path

    def script(self) -> str:
        """Return Python source that does the same with a frame; run in the case's folder."""
        return f'''"""Run this in its folder: it does what broke the campaign."""

import discreet
from bench.campaign.values import names

globals().update(names())
frame = {frame_source(self.table)}
release = discreet.protect(
    frame,
    {list(self.steps)!r},
    seed={SEED},
    shuffle={self.shuffle},
    roles={self.roles!r},
    kinds={self.kinds!r},
    claims={dict(self.claims)!r},
)
print(release)
print(release.frame())
safe = {self.spreadsheet_safe!r}
print(release.write("out", format={self.format!r}, overwrite=True, spreadsheet_safe=safe))
'''


CLAIMED = (
    ("k-anonymity", (2.0, 1.0, 3.0)),
    ("l-diversity", (1.0, 2.0)),
    ("t-closeness", (1.0, 0.5, 0.2, 0.0)),
    ("sample-uniqueness", (1.0, 0.5, 0.0)),
    ("average-group-size", (1.0, 2.0)),
    ("distance-linkage", (1.0, 0.5, 0.2)),
    ("homogeneous-share", (1.0, 0.5)),
    ("probabilistic-k-anonymity", (2.0, 3.0)),
    ("classification-attack", (1.0, 0.3)),
    ("special-uniques", (1.0, 0.0)),
    ("differential-privacy", (20.0, 1.0)),
)


WEIGHTED = {"massc", "iterative-proportional-fitting"}
"""Methods that need a column of weights."""
CONFIDENTIAL = {"l-diversity", "t-closeness", "homogeneous-share", "classification-attack"}
"""Measures of what is revealed about confidential columns."""


@st.composite
def cases(draw: Any, method: str, form: str | None = None) -> Case:
    """Return a case whose first step is this method."""
    kinds = [kind.value for kind in find("method", method).spec.kinds]
    classed = "crest" in method or "t-closeness" in method
    table = draw(tables(kinds, form, weighted=method in WEIGHTED, classed=classed))
    files: dict[str, bytes] = {}
    steps = [draw_component(draw, "method", method, table, files)]
    if chance(draw, 6):
        second = draw(st.sampled_from([entry.spec.name for entry in entries("method")]))
        steps.append(draw_component(draw, "method", second, table, files))
    measurable = [claim for claim in CLAIMED if claim[0] not in CONFIDENTIAL]
    pool = list(CLAIMED) if table.having("confidential") else measurable
    most = draw(st.sampled_from([0, 1, 2]))
    claims = draw(st.lists(st.sampled_from(pool), max_size=most, unique_by=lambda claim: claim[0]))
    whole = chance(draw, 4)
    few = [("k-anonymity", "l-diversity", "t-closeness"), ("k-anonymity",)]
    measured = () if whole else draw(st.sampled_from(few))
    formats = [None, None, None, None, "csv", "parquet", "sav", "dta", "xpt"]
    return Case(
        method=method,
        table=table,
        steps=tuple(steps),
        claims=tuple((name, draw(st.sampled_from(bounds))) for name, bounds in claims),
        measures=measured,
        files=tuple(files.items()),
        shuffle=draw(st.sampled_from([True, True, True, False])),
        format=draw(st.sampled_from(formats)),
        again=chance(draw, 8) and not any(_unseeded(name) for step in steps for name in step),
        spreadsheet_safe=chance(draw, 4),
        whole=whole,
    )


def _unseeded(method: str) -> bool:
    """Whether the same seed gives different bytes, on purpose."""
    return bool(find("method", method).spec.unseeded)
