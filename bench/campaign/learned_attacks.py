"""The part of intruders who learn: no claim about them is below what a simple one achieves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from bench.campaign.faults import Fault
from bench.campaign.hunting import hunt
from bench.campaign.learning import (
    Linked,
    classes_guessed,
    error_removed,
    linked_by_equality,
    linked_by_weights,
)
from bench.campaign.parts import Batch, Task

EXAMPLES = 12
KNOWN = ("age", "height", "town", "job")
CLAIMS = ("classification-attack", "regression-attack", "strongest-linkage")
ROOM = 2.0
"""Standard errors by which the simple intruder may be ahead by chance."""


@dataclass(frozen=True)
class People:
    """A table that is determined by these few numbers, and how it is protected."""

    seed: int
    records: int
    dependence: float
    towns: int
    steps: tuple[Mapping[str, Any], ...]

    def table(self) -> dict[str, NDArray[Any]]:
        """Return people about whom much, little or nothing can be learned."""
        rng = np.random.default_rng(self.seed)
        trait = rng.normal(size=self.records)
        rest = np.sqrt(1 - self.dependence**2)

        def alike() -> NDArray[np.float64]:
            independent: NDArray[np.float64] = rng.normal(size=self.records)
            return np.asarray(self.dependence * trait + rest * independent)

        jobs = np.array(["clerk", "nurse", "smith", "judge"])
        towns = np.array([f"town {number}" for number in range(self.towns)])
        return {
            "age": np.round(45 + 12 * alike(), 1),
            "height": np.round(170 + 9 * rng.normal(size=self.records)),
            "town": towns[rng.integers(0, self.towns, self.records)],
            "job": jobs[np.digitize(alike(), [-1, 0, 1])],
            "ill": np.where(alike() > 0.3, "yes", "no"),
            "pay": np.round(2000 + 500 * alike(), 2),
        }


STEPS = st.one_of(
    st.sampled_from([0.05, 0.2, 1.0]).map(
        lambda share: ({"additive-noise": {"alpha": share, "columns": ["age", "height"]}},)
    ),
    st.sampled_from([2, 10, 40]).map(
        lambda share: ({"rank-swapping": {"p": share, "columns": ["age", "height"]}},)
    ),
    st.sampled_from([3, 10, 50]).map(
        lambda k: (
            {
                "microaggregation": {
                    "partition": {"mdav": {"k": k}},
                    "columns": ["age", "height", "town", "job"],
                }
            },
        )
    ),
    st.sampled_from([0.9, 0.5]).map(
        lambda stay: (
            {"pram": {"stay": stay, "columns": ["town", "job"]}},
            {"rounding": {"base": 5, "columns": ["age", "height"]}},
        )
    ),
)
PEOPLE = st.builds(
    People,
    st.integers(0, 10**6),
    st.sampled_from([150, 300, 500]),
    st.sampled_from([0.0, 0.5, 0.9, 0.99]),
    st.sampled_from([2, 5, 40]),
    STEPS,
)


def batch(task: Task) -> Batch:
    """Let simple intruders try the attacks that the claims are about."""
    done = Batch()

    def attempt(people: People, counts: bool) -> None:
        try:
            compare(people)
        except Fault:
            done.counts["faults"] += counts
            raise
        done.counts["learned attacks"] += counts

    kept = hunt(
        PEOPLE,
        attempt,
        seed=task.seed,
        examples=task.several(EXAMPLES),
        known=set(task.known),
        root=task.root,
        write=_write,
        how="python -i -m bench.campaign.learned_attacks, then compare(what PEOPLE.txt has)",
    )
    if kept is not None:
        done.faults.append(kept)
    return done


def _write(people: People, folder: Path) -> None:
    (folder / "PEOPLE.txt").write_text(repr(people), encoding="utf-8")


def compare(people: People) -> dict[str, tuple[float, float]]:
    """Return the claims and the simple intruder's success; raise a fault if it is higher."""
    by_measure = figures(people)
    for measure, (claimed, reached) in by_measure.items():
        room = ROOM * float(np.sqrt(max(reached * (1 - reached), 0.05) / people.records))
        if reached - room > claimed:
            raise Fault(
                f"false claim: {measure} is lower than what a simple intruder reaches",
                f"{claimed:.3f} claimed, {reached:.3f} reached by {people}",
            )
    return by_measure


def figures(people: People) -> dict[str, tuple[float, float]]:
    """Return for each measure what a release claims and what the simple intruder reaches."""
    import discreet

    original = people.table()
    data = discreet.read(
        original,
        roles={
            **dict.fromkeys(KNOWN, "quasi-identifier"),
            **dict.fromkeys(("ill", "pay"), "confidential"),
        },
    )
    claims = dict.fromkeys(CLAIMS, 1.0)
    release = discreet.protect(data, list(people.steps), seed=1, claims=claims)
    claimed = {claim.measure: float(claim.measured or 0.0) for claim in release.claims}
    linked = _linked(release, original)
    imitated = _linked(discreet.protect(data, list(people.steps), seed=2), original)
    linkage = max(
        linked_by_weights(original, linked, imitated, KNOWN),
        linked_by_equality(original, linked, KNOWN),
    )
    reached = {
        "classification-attack": classes_guessed(original, linked.released, KNOWN, "ill"),
        "regression-attack": error_removed(original, linked.released, KNOWN, "pay"),
        "strongest-linkage": linkage,
    }
    return {name: (claimed[name], max(0.0, figure)) for name, figure in reached.items()}


def _linked(release: Any, like: Mapping[str, NDArray[Any]]) -> Linked:
    """Return a release as plain arrays, with the row that each record came from."""
    table = release.frame()
    columns = {name: np.asarray(table[name]).astype(like[name].dtype.kind) for name in like}
    return Linked(columns, np.asarray(release.origin))
