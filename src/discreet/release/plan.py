"""Plan: the whole recipe of a release as a YAML file, and how it runs.

    version: 1
    data:
      file: patients.csv
    columns:
      name: {role: identifier}
      age: {role: quasi-identifier, kind: continuous}
      diagnosis: {role: confidential}
    steps:
      - microaggregation:
          partition: {mdav: {k: 5}}
          replacement: centroid
    claims:
      k-anonymity: 5
    analyses:
      - mean: {of: [income], by: [region]}
      - linear: {formula: income ~ age + sex}
    verdict:
      attack: 0.1
      worse: 0.02
    release:
      shuffle: true
    csv:
      spreadsheet_safe: true

The seed is not part of it: a plan may be shown to others.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

from discreet.contracts import Analysis, Measure, Method, Progress, Seed
from discreet.errors import (
    ClaimError,
    DataError,
    DiscreetError,
    TooFewRecords,
    UnknownColumn,
    UsageError,
)
from discreet.io.database import is_address
from discreet.io.files import read_table
from discreet.io.formats import FileFormat, kind_of_path
from discreet.io.missing_codes import checked_codes, file_without_codes
from discreet.io.reading import like_original, microdata_of, read
from discreet.microdata import Microdata
from discreet.microdata.labels import KnownLabels
from discreet.microdata.levels import with_levels, with_unit
from discreet.release.freezing import POOL
from discreet.release.gate import refuse_constant, refuse_unusable
from discreet.release.plan_file import (
    dump,
    parse_plan_text,
    read_plan_text,
    refuse_foreign,
)
from discreet.release.plan_files import PlannedFile, read_files
from discreet.release.plan_parts import KEYS, STRICT, VERSION, parts_of
from discreet.release.plan_schema import Expectation
from discreet.release.plan_variables import Variables
from discreet.release.protecting import protect
from discreet.release.release import Release, released_format
from discreet.release.verdict import Thresholds


@dataclass(frozen=True)
class Plan:
    """Which file, what its columns are, what is done to them, and what is then claimed.

    >>> plan = Plan.parse('''
    ... columns:
    ...   age: {role: quasi-identifier}
    ... steps:
    ...   - additive-noise: {alpha: 0.2}
    ... ''')
    >>> plan.steps
    (AdditiveNoise(alpha=0.2, variant='correlated', reveal=False, round=False, columns=None),)
    """

    steps: tuple[Method, ...]
    roles: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, Any] = field(default_factory=dict)
    levels: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    allowed: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    strict: bool = False
    frozen: bool = False
    unit: str | None = None
    file: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, PlannedFile] = field(default_factory=dict)
    claims: Mapping[str, float] = field(default_factory=dict)
    analyses: tuple[Analysis, ...] = ()
    measures: tuple[Measure, ...] | None = None
    thresholds: Thresholds = field(default_factory=Thresholds)
    allow: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    calibrate: tuple[str, ...] = ()
    shuffle: bool = True
    format: str | None = None
    spreadsheet_safe: bool = False
    missing: Mapping[str, Any] = field(default_factory=dict)
    keep_codes: bool = False
    keep_unnamed: bool = False
    keep_decimals: bool = True
    hold_back: float | None = None
    folder: FilePath = field(default_factory=FilePath)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        allow_outside: bool = False,
        variables: Mapping[str, str] | None = None,
    ) -> Plan:
        """Read a plan file; the files that its steps name are in its folder, relative to it.

        A plan may come from somebody else: `allow_outside` lets it name files anywhere. `variables`
        are the values of what the plan writes as `${NAME}`; below `data:` the environment gives
        those that are not stated.
        """
        file = FilePath(path)
        given = Variables(variables or {})
        text = read_plan_text(file, given)
        given.refuse_unused(file.name)
        plan = cls(**parts_of(text, file.parent))
        for part in (*plan.steps, *(plan.measures or ())):
            for named in part.files():
                refuse_foreign(FilePath(named), None if allow_outside else file.parent)
        return plan

    @classmethod
    def parse(cls, text: str) -> Plan:
        """Read a plan from text."""
        return cls(**parts_of(parse_plan_text(text), FilePath()))

    @classmethod
    def draft(cls, text: str, folder: FilePath) -> Plan:
        """Read a plan of a folder that is still being written: it may have no steps yet.

        >>> Plan.draft("columns: {age: quasi-identifier}", FilePath()).steps
        ()
        """
        content = parse_plan_text(text, "the plan")
        return cls(**parts_of(content, folder, unfinished=True))

    def dump(self) -> str:
        """Return the text of an equivalent plan file, for the folder of this plan.

        >>> print(Plan.parse("steps: [rounding]\\nclaims: {k-anonymity: 2}").dump(), end="")
        version: 1
        steps:
          - rounding:
              base: 10.0
              together: false
        claims:
          k-anonymity: 2
        """
        return dump(self.content())

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> FilePath:
        """Write an equivalent plan file, and return its path; paths in it are seen from there.

        One that exists is replaced only with `overwrite`. A frozen plan holds values of the data:
        its file can be read by its owner alone.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     saved = Plan.parse("steps: [rounding]").save(f"{folder}/plan.yaml")
        ...     Plan.load(saved).steps == Plan.parse("steps: [rounding]").steps
        True
        """
        from discreet.release.plan_editing import save

        return save(self, FilePath(path), overwrite)

    def edit(self, **changes: Any) -> Plan:
        """Return the plan with changed parts, named and written as in a plan file.

        Mappings such as `columns` and `claims` are changed entry by entry, and None removes an
        entry; lists such as `steps` are replaced, and may hold methods. The result is checked like
        a file.

        >>> plan = Plan.parse("{columns: {age: quasi-identifier}, steps: [rounding]}")
        >>> stricter = plan.edit(
        ...     columns={"age": {"kind": "continuous"}}, claims={"k-anonymity": 5}, schema="strict")
        >>> stricter.kinds, stricter.claims, stricter.strict
        ({'age': 'continuous'}, {'k-anonymity': 5.0}, True)
        """
        from discreet.release.plan_editing import edited

        return edited(self, changes)

    def content(self) -> dict[str, Any]:
        """Return the plan as plain data, without empty parts."""
        release = {
            **({} if self.shuffle else {"shuffle": False}),
            **({} if self.keep_decimals else {"decimals": "free"}),
            **({"missing_codes": "keep"} if self.keep_codes else {}),
            **({"unnamed": "keep"} if self.keep_unnamed else {}),
            **({"hold_back": self.hold_back} if self.hold_back is not None else {}),
        }
        content = {
            "data": {**({"file": self.file} if self.file is not None else {}), **self.options},
            "frozen": self.frozen,
            "schema": STRICT if self.strict else None,
            "files": {
                name: {
                    "file": file.file,
                    **file.options,
                    "columns": {column: self._column(column) for column in file.columns},
                }
                for name, file in self.files.items()
            },
            "columns": {} if self.files else {name: self._column(name) for name in self.columns},
            "unit": self.unit,
            "missing": dict(self.missing),
            "allow": list(self.allow),
            "rules": list(self.rules),
            "calibrate": list(self.calibrate),
            "steps": [step.with_files(self._from_here).recipe() for step in self.steps],
            "claims": {
                name: int(bound) if float(bound).is_integer() else bound
                for name, bound in self.claims.items()
            },
            "analyses": [analysis.recipe() for analysis in self.analyses],
            "verdict": {} if self.thresholds == Thresholds() else vars(self.thresholds),
            "release": {**release, **({"format": self.format} if self.format else {})},
            "csv": {"spreadsheet_safe": True} if self.spreadsheet_safe else {},
        }
        kept = {key: value for key, value in content.items() if value}
        if self.measures is not None:
            kept["measures"] = [m.with_files(self._from_here).recipe() for m in self.measures]
        return {"version": VERSION, **{key: kept[key] for key in KEYS if key in kept}}

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the plan names."""
        return tuple({**self.roles, **self.kinds, **self.levels, **self.types})

    @property
    def expectation(self) -> Expectation:
        """What the plan expects of a file."""
        return Expectation(self.columns, self.types, self.allowed, self.strict, self.keep_unnamed)

    def _column(self, name: str) -> dict[str, Any]:
        kind = self.kinds.get(name)
        scale = "kind" if isinstance(kind, str) else "categories"
        stated = {
            "role": self.roles.get(name),
            scale: kind,
            "level": self.levels.get(name),
            "type": self.types.get(name),
            **({"categories": list(self.allowed[name])} if name in self.allowed else {}),
        }
        return {key: value for key, value in stated.items() if value is not None}

    def _from_here(self, path: str) -> str:
        """Return a path as it is written in a plan of this folder."""
        file = FilePath(path)
        return str(file.relative_to(self.folder) if file.is_relative_to(self.folder) else file)

    def read(self, data: str | os.PathLike[str] | None = None) -> Microdata:
        """Read the plan's data, or another file with the same columns.

        Columns that the plan does not name are left out unless it says otherwise; one with
        `schema: strict` refuses them.
        """
        if self.files:
            return self._read_files(data)
        path: str | os.PathLike[str] | None = data
        if path is None and is_address(self.file):
            path = self.file
        if path is None:
            if self.file is None:
                raise UsageError(
                    "the plan names no data file; write one below 'data: file:' or give it "
                    "with --data"
                )
            path = self.folder / self.file
            refuse_foreign(path, None)
        try:
            original = read(
                path,
                self.roles,
                self.kinds,
                levels=self.levels,
                unit=self.unit,
                missing=self.missing,
                keep_codes=self.keep_codes,
                **self.options,
            )
        except UnknownColumn as error:
            if self.strict or data is not None:
                # The plan was right for the previous file, so this is the file's fault.
                raise DataError(str(error)) from None
            raise
        return self.expectation.met_by(original)

    def _read_files(self, data: str | os.PathLike[str] | None) -> Microdata:
        """Read the files of the plan as one table."""
        if data is not None:
            raise UsageError(
                "a plan with 'files:' reads the files that it names, but another one was given; "
                "leave out --data, or change the plan"
            )
        every = self.strict or self.keep_unnamed
        file, joined = read_files(self.files, self.folder, every)
        read_columns = microdata_of(
            file, self.roles, self.kinds, self.missing, self.keep_codes, joined=joined
        )
        levels = {
            name: self.roles[link.key]
            for link in joined.links
            for name in link.shared
            if name not in joined.keys
        }
        original = with_unit(with_levels(read_columns, {**levels, **self.levels}), self.unit)
        return self.expectation.met_by(original)

    def read_release(self, released: str | os.PathLike[str], original: Microdata) -> Microdata:
        """Read a released file with the roles and scales of its original.

        A release is written in the dialect of its original, so the plan's options for reading apply
        to it too; so does what its steps say about the labels that they write.
        """
        path = FilePath(released)
        if self.files:
            raise UsageError(
                "the release of a plan with 'files:' is several files; 'discreet verify' checks "
                "them, and 'discreet protect' measures what they say together"
            )
        source = original.source.path if original.source else None
        options = self.options if source and path.suffix == source.suffix else {}
        if kind_of_path(path)[0].name == "csv":
            details = getattr(original.source and original.source.format, "details", None)
            options = {"dates": getattr(details, "dates", None), **options}
        if self.spreadsheet_safe and kind_of_path(path)[0].name == "csv":
            options = {**options, "spreadsheet_safe": True}
        file = read_table(path, **options)
        codes = checked_codes(self.missing, original.schema.names)
        file_codes = {name: codes[name] for name in file.table.column_names if name in codes}
        table = file_without_codes(file, file_codes)[0].table if file_codes else file.table
        return like_original(original, table, self._labels(original))

    def file_format(self, original: Microdata) -> FileFormat:
        """Return the format that the release of a file is written in."""
        return released_format(original, self.format, self.spreadsheet_safe)

    def _labels(self, original: Microdata) -> dict[str, KnownLabels]:
        """Return the meaning of the labels written by the first step that treats a column."""
        known: dict[str, KnownLabels] = {}
        for step in reversed(self.steps):
            try:
                known |= step.labels(original)
            except DiscreetError:
                # A step that works on the outcome of another one need not fit the original.
                continue
        return known

    def run(
        self,
        data: Microdata | None = None,
        seed: Seed = None,
        progress: Progress | None = None,
        copies: int = 1,
    ) -> Release:
        """Protect the data as planned; `copies` says of how many such releases this is one."""
        data = self.read() if data is None else self.expectation.met_by(data)
        refuse_unusable(data)
        refuse_constant(data)
        try:
            return protect(
                data,
                self.steps,
                seed,
                self.shuffle,
                claims=self.claims,
                measures=self.measures,
                allow=self.allow,
                rules=self.rules,
                calibrate=self.calibrate,
                analyses=self.analyses,
                keep_decimals=self.keep_decimals,
                hold_back=self.hold_back,
                copies=copies,
                progress=progress,
            )
        except (ClaimError, TooFewRecords) as error:
            if self.frozen:
                raise type(error)(f"{error}; {POOL}") from None
            raise
