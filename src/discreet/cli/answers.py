"""Releases, assessments, searches and the like as plain data, as `schemas/answer.json` has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.contracts import Attack, Component, Findings, Outcome, Target
    from discreet.exploring.exploration import Exploration
    from discreet.exploring.point import Point
    from discreet.io.into.target import TableTarget
    from discreet.publishing.verifying import Verification
    from discreet.release.assessment import Assessment
    from discreet.release.describing import Description
    from discreet.release.release import Release

Plain = dict[str, Any]


def described(description: Description) -> Plain:
    """Return the columns of a file with what they seem to be."""
    return {
        "records": len(description.data),
        "columns": [
            {
                "name": column.name,
                "kind": column.kind.value,
                "role": column.role.value,
                "reason": column.reason,
                "distinct": column.distinct,
                "missing": column.missing,
                "label": column.label or None,
                "level": column.level and column.level.value,
                "missing_codes": column.missing_codes,
            }
            for column in description.columns
        ],
        "unique_share": description.unique_share,
        "questions": description.unsure,
        "notes": description.notes,
    }


def released(
    release: Release,
    assessment: Assessment,
    directory: Path | None,
    records: int | None = None,
    table: TableTarget | None = None,
) -> Plain:
    """Return a release with its claims, its verdict, and its files and table if written."""
    return {
        "directory": None if directory is None else directory.absolute(),
        "table": None if table is None else {"name": table.name, "system": table.system},
        "files": [] if directory is None else files_of(directory),
        "records": len(release.data) if records is None else records,
        "columns": release.data.schema.names,
        "steps": [step.recipe() for step in release.steps],
        "claims": [
            {
                "measure": claim.measure,
                "bound": claim.bound,
                "measured": claim.measured,
                "counts": claim.counts or None,
                "households": claim.households,
            }
            for claim in release.claims
        ],
        "notes": release.notes,
        **assessed(assessment),
    }


def files_of(directory: Path) -> list[Plain]:
    """Return the files of a release, with their checksums and which are private."""
    from discreet.publishing.checksum import sha256

    return [
        {
            "name": file.name,
            "sha256": sha256(file),
            "private": not file.stat().st_mode & 0o077,
        }
        for file in sorted(directory.iterdir())
    ]


def assessed(assessment: Assessment) -> Plain:
    """Return the verdict and the measures, each a row."""
    verdict = assessment.verdict
    return {
        "verdict": {
            "light": verdict.light.value,
            "sentences": verdict.sentences,
            "reasons": [
                {
                    "light": reason.light.value,
                    "words": reason.words,
                    "columns": reason.columns,
                    "measure": reason.measure or None,
                }
                for reason in verdict.reasons
            ],
        },
        **_measured(assessment),
        "subdomains": {name: _measured(part) for name, part in assessment.subdomains.items()},
    }


def _measured(assessment: Assessment) -> Plain:
    table = assessment.to_dict()
    fixed = ("side", "measure", "before", "after", "low", "high", "better", "note")
    taken = [row for row in assessment.rows if row.after is not None]
    return {
        "measures": [
            {
                **{name: table[name][place] for name in fixed},
                "parameters": row.measure.recipe()[row.spec.name],
            }
            for place, row in enumerate(taken)
        ],
        "left_out": dict(assessment.left_out),
    }


def verified(verification: Verification, directory: Path) -> Plain:
    """Return whether a release matches its manifest, figure by figure."""
    return {
        "directory": directory.absolute(),
        "holds": verification.holds,
        "faults": verification.faults,
        "figures": [asdict(figure) for figure in verification.figures],
        "notes": verification.notes,
    }


def explored(exploration: Exploration, directory: Path) -> Plain:
    """Return the settings that were tried, which of them is recommended, and why."""
    table = exploration.to_dict()
    count = len(exploration.points)

    def named(point: Point | None) -> Plain | None:
        if point is None:
            return None
        return {"setting": point.label, "steps": point.steps, "records": point.records}

    return {
        "directory": directory.absolute(),
        "recommended": named(exploration.recommended),
        "alternative": named(exploration.alternative),
        "words": exploration.words,
        "unfinished": exploration.unfinished or None,
        "settings": [{name: table[name][i] for name in table} for i in range(count)],
    }


def attempted(attack: Attack, target: Target, outcome: Outcome) -> Plain:
    """Return how well an attack on the people of a release succeeds."""
    return {
        "attack": attack.recipe(),
        "records": len(target.released),
        "people": len(target.original),
        "outcome": {
            "success": outcome.success,
            "interval": outcome.interval,
            "certain": outcome.certain,
            "control": outcome.control,
            "control_interval": outcome.control_interval,
            "blind": outcome.blind,
            "excess": outcome.excess,
            "column": outcome.detail.get("column"),
            "note": outcome.note,
        },
        "findings": None,
    }


def revealed(attack: Attack, records: int, findings: Findings) -> Plain:
    """Return what an attack on one file reveals."""
    return {
        "attack": attack.recipe(),
        "records": records,
        "people": None,
        "outcome": None,
        "findings": {
            "note": findings.note,
            "gains": dict(findings.gains),
            "chance": dict(findings.chance),
            "attributes": dict(findings.attributes),
            "places": [
                {
                    "rule": place.rule,
                    "records": len(place.rows),
                    "exposure": place.exposure,
                    "narrowed": [asdict(narrowed) for narrowed in place.narrowed],
                }
                for place in findings.places
            ],
        },
    }


def entry(component: type[Component]) -> Plain:
    """Return what an entry of the registry says about itself."""
    from discreet.contracts.explaining import description, facts

    return {
        "family": component.family,
        "name": component.spec.name,
        "title": component.spec.title,
        "description": description(component),
        "formula": component.spec.formula,
        "facts": dict(facts(component)),
        "parameters": [
            {
                "name": param.name,
                "domain": param.domain,
                "required": param.required,
                "default": None if param.required else shown_default(param.default),
                "help": param.help,
            }
            for param in component.params().values()
        ],
    }


def shown_default(value: Any) -> Any:
    """Return a default as a plan would write it."""
    recipe = getattr(value, "recipe", None)
    if recipe is not None:
        return recipe()
    if isinstance(value, Mapping | Sequence) and not isinstance(value, str):
        return [shown_default(part) for part in value]
    return value
