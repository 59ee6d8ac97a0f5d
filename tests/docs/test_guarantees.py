"""The page of guarantees has every privacy model, and says why other measures of risk are none."""

from __future__ import annotations

from docs.guarantees import MODELS, NO_MODELS, guaranteeing, guarantees, risk_measures

from discreet.contracts.registry import entries

ASKED_FOR = {
    "k-anonymity", "l-diversity", "t-closeness", "hierarchical-t-closeness", "beta-likeness",
    "delta-disclosure", "k-map", "delta-presence", "probabilistic-k-anonymity",
    "household-k-anonymity", "trajectory-k-anonymity", "prosecutor-risk", "journalist-risk",
    "marketer-risk", "differential-privacy",
}  # fmt: skip


def test_every_measure_of_risk_is_a_model_or_named_with_the_reason() -> None:
    assert MODELS.keys() | NO_MODELS.keys() == risk_measures()
    assert not MODELS.keys() & NO_MODELS.keys()
    assert MODELS.keys() == ASKED_FOR


def test_what_a_method_guarantees_is_a_model_and_the_method_is_named() -> None:
    page = guarantees()
    for entry in entries("method"):
        for model in entry.spec.guarantees:
            assert entry.spec.name in guaranteeing(model)
            assert model in MODELS
            assert f"(method/{entry.spec.name}.md)" in page


def test_every_model_says_what_it_does_not_promise() -> None:
    page = guarantees()
    for name, model in MODELS.items():
        assert page.count(f"(measure/{name}.md)") == 2
        for said in (model.promise, model.against, model.not_promised):
            assert len(said) > 20
            assert said == said.strip().removesuffix(".")
