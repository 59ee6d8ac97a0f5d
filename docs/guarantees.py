"""Every privacy model that a release can be held to: what it promises, against whom, what not.

What a model promises is said here; its source, what a claim about it rests on, and the methods that
guarantee it come from the registry. A test makes sure that every measure of risk is either a model
or named with the reason why it is none.
"""

from __future__ import annotations

from dataclasses import dataclass

from discreet.contracts import MeasureSpec, Side
from discreet.contracts.registry import entries, find
from docs.markup import joined, prose, table


@dataclass(frozen=True)
class Model:
    """What a model promises, whom it holds against, and what it does not promise."""

    promise: str
    against: str
    not_promised: str


FOUND = {
    "k-anonymity": Model(
        "every record shares its quasi-identifiers with at least k − 1 others",
        "an intruder who knows a person's quasi-identifiers, and that the person is in the file",
        "anything about confidential values: k records may all have the same; anything against an "
        "intruder who knows a column that was not declared a quasi-identifier",
    ),
    "household-k-anonymity": Model(
        "every household shares all that is known of it, members included, with at least k − 1 "
        "others",
        "an intruder who knows a whole family",
        "what k-anonymity does not promise; anything where household numbers are not released or "
        "not declared",
    ),
    "trajectory-k-anonymity": Model(
        "every person shares all records together with at least k − 1 others",
        "an intruder who knows a person in every wave or visit",
        "what k-anonymity does not promise; anything where the key of persons is not declared",
    ),
    "probabilistic-k-anonymity": Model(
        "a link to a person is right with a chance of at most 1/k",
        "an intruder who has an outside file with all quasi-identifiers and knows the method",
        "anything about values: those of a group are drawn from its own distribution, which may be "
        "narrow; anything that the released file alone could show",
    ),
    "k-map": Model(
        "every record could be at least k people of the population",
        "an intruder who has a register of the population, but does not know who is in the file",
        "anything against somebody who knows that a person is in the file; more than the register, "
        "or the estimate of the population, is worth",
    ),
    "prosecutor-risk": Model(
        "a record is picked correctly with at most this chance",
        "an intruder who looks for one person who is known to be in the file",
        "what k-anonymity does not promise, of which it is the reciprocal",
    ),
    "journalist-risk": Model(
        "some record is picked correctly with at most this chance",
        "an intruder who wants to show that anybody can be found, by a register",
        "anything against somebody who knows that a person is in the file",
    ),
    "marketer-risk": Model(
        "at most this share of all records is linked correctly",
        "an intruder who links the whole file with a register and lives with errors",
        "anything for a single person: a few may be certain to be found while the mean is low",
    ),
}
LEARNED = {
    "l-diversity": Model(
        "every class has at least l well-represented confidential values",
        "an intruder who has found a person's class, and wants to know a confidential value",
        "that values differ in meaning: l different cancers are l values; that a rare value does "
        "not become likely",
    ),
    "t-closeness": Model(
        "in every class confidential values are distributed as in the file, up to t",
        "an intruder who has found a person's class and knows the distribution in the file",
        "anything about single values: a rare one may become many times as likely; that what the "
        "file says of everybody is harmless",
    ),
    "hierarchical-t-closeness": Model(
        "the same, where values under a common label of a hierarchy are nearer than others",
        "the same intruder, who is content with the label: the organ instead of the illness",
        "what t-closeness does not promise; more than the hierarchy knows about meanings",
    ),
    "beta-likeness": Model(
        "no confidential value becomes more likely in a class by more than the share β of its "
        "frequency q; the enhanced variant: nor by more than −ln q",
        "the same intruder, who looks for rare values",
        "anything about values that become less likely, down to being ruled out",
    ),
    "delta-disclosure": Model(
        "every confidential value is as likely in a class as in the file, within a factor of e^δ",
        "the same intruder, who gains by ruling values out as well",
        "that such a release exists: every class needs every value",
    ),
    "delta-presence": Model(
        "nobody of the population is in the file with a chance above δ",
        "an intruder who has a register and does not know who is in the file, which is a secret "
        "itself",
        "anything about confidential values of those known to be in the file; more than the "
        "register, or the estimate of the population, is worth",
    ),
    "differential-privacy": Model(
        "whatever is concluded from the release would have been nearly as likely without any one "
        "person's record: within a factor of e^ε, but for a chance of δ",
        "an intruder who knows everything but one record, and the method; now and later, together "
        "with anything else that is published",
        "that nothing is learned about a person: what is true of everybody is; anything about a "
        "group of people at once; anything by a large ε",
    ),
}
MODELS = FOUND | LEARNED
ATTACK = "the success of an attack, which shows a lower bound of the risk and never an upper one"
ESTIMATE = "an estimate of how rare records are in the population"
FIGURE = "a figure about groups that no definition of privacy rests on"
NO_MODELS = {
    **dict.fromkeys(
        (
            "classification-attack",
            "distance-linkage",
            "homogeneity",
            "inference",
            "interval-disclosure",
            "linkability",
            "linked-or-second",
            "membership",
            "minimality",
            "nearest-record",
            "probabilistic-linkage",
            "regression-attack",
            "sensitive-match",
            "singling-out",
            "strongest-linkage",
            "suppressed-cells",
        ),
        ATTACK,
    ),
    **dict.fromkeys(
        ("household-risk", "individual-risk", "log-linear-risk", "population-uniqueness"), ESTIMATE
    ),
    **dict.fromkeys(
        (
            "average-group-size",
            "class-divergence",
            "disclosive-in-synthetic",
            "homogeneous-share",
            "replicated-uniques",
            "rsd",
            "sample-uniqueness",
            "special-uniques",
        ),
        FIGURE,
    ),
}
"""Measures of risk that are no privacy models, and why."""


def risk_measures() -> set[str]:
    """Return the names of all measures of risk."""
    return {
        entry.spec.name
        for entry in entries("measure")
        if isinstance(entry.spec, MeasureSpec) and entry.spec.side is Side.RISK
    }


def guaranteeing(model: str) -> list[str]:
    """Return the methods that guarantee a bound of a model, and prove it before a release."""
    return [entry.spec.name for entry in entries("method") if model in entry.spec.guarantees]


def guarantees() -> str:
    """Return the page."""
    return joined(
        [
            "# What each guarantee promises",
            (
                "A plan states privacy models under `claims:`; the release gate measures each "
                "before anything is written, and refuses the release where one does not hold. No "
                "model promises everything. Read what it holds against, and what it leaves open."
            ),
            "## Can somebody be found?",
            _table(FOUND),
            "## Can something be learned about them?",
            _table(LEARNED),
            (
                "Guarantees of the first table hold for the columns that were declared "
                "quasi-identifiers, those of classes for the confidential columns as well. All but "
                "differential privacy are about one release: a second one of the same people may "
                "take them away together, which `discreet attack --earlier` looks into."
            ),
            "## What each claim rests on",
            table(
                ("model", "a claim rests on", "methods that guarantee it"),
                [(_link(name), prose(_spec(name).rests_on), _methods(name)) for name in MODELS],
            ),
            "## What is no guarantee",
            (
                "Other measures of risk can be limited by a claim, too, but are not definitions of "
                "privacy."
            ),
            table(
                ("", "measures"),
                [
                    (reason, ", ".join(_link(n) for n, why in NO_MODELS.items() if why == reason))
                    for reason in dict.fromkeys(NO_MODELS.values())
                ],
            ),
        ]
    )


def _table(models: dict[str, Model]) -> str:
    rows = [
        (_link(name), *map(prose, (m.promise, m.against, m.not_promised)))
        for name, m in models.items()
    ]
    return table(("model", "it promises that", "against", "it does not promise"), rows)


def _spec(name: str) -> MeasureSpec:
    spec = find("measure", name).spec
    assert isinstance(spec, MeasureSpec)
    return spec


def _link(name: str) -> str:
    title = _spec(name).title.removesuffix(" of the release")
    return f"[{prose(title)}](measure/{name}.md)"


def _methods(model: str) -> str:
    names = guaranteeing(model)
    return ", ".join(f"[`{n}`](method/{n}.md)" for n in names) or "none: choose one and claim it"
