"""Every method of the registry either gives on pieces what it gives in memory, or is refused."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import STRETCH, Context, InMemory, Method, Needs, Randomness
from discreet.contracts.registry import build, entries, find
from discreet.errors import UsageError
from discreet.methods.nonperturbative.full_domain.decided import DecidedRecoding
from discreet.microdata import Microdata
from discreet.scaling.stepping import ABLE, large_steps, nearest

METHODS = [entry for entry in entries("method") if issubclass(entry, Method)]
FITTED = [m for m in METHODS if m.spec.needs in (Needs.ROWS, Needs.COUNTS, Needs.MODELS)]


@pytest.fixture(scope="module")
def data() -> Microdata:
    """A table of a stretch and a bit, with gaps."""
    rng = np.random.default_rng(1)
    rows = STRETCH + 3000
    income = np.where(rng.random(rows) < 0.01, np.nan, rng.lognormal(10, 0.6, rows).round(-2))
    return discreet.read(
        {
            "height": rng.integers(150, 199, rows).astype(float),
            "income": income,
            "sex": rng.choice(["f", "m"], rows),
            "region": rng.choice([f"r{i}" for i in range(9)], rows, p=np.arange(1, 10) / 45),
        },
        roles=dict.fromkeys(["height", "income", "sex", "region"], "quasi-identifier"),
    )


@pytest.mark.parametrize("method", FITTED, ids=lambda m: m.spec.name)
def test_pieces_are_treated_as_the_table_in_memory(method: type[Method], data: Microdata) -> None:
    names = [a.name for a in data.schema if a.kind in method.spec.kinds]
    treated = data.drop([n for n in data.schema.names if n not in names])
    step, context = method.example(), Context(Randomness(5))
    whole = step.protect(treated, context)
    fitted = step.fit(InMemory(treated), context)
    rows = [np.arange(STRETCH), np.arange(STRETCH, len(data))]
    if fitted.new is not None:
        assert fitted.new == len(whole.data)
        treated = Microdata([], rows=len(data))
    parts = [list(fitted.treat(treated.take(r), context, int(r[0]))) for r in rows]
    if fitted.keep is not None:
        kept = [fitted.keep(treated.take(r), context, int(r[0])) + int(r[0]) for r in rows]
        assert whole.origin is not None
        assert np.array_equal(np.concatenate(kept), whole.origin)
    for first, second in zip(*parts, strict=True):
        expected = whole.data.column(first.name)
        assert first.attribute == second.attribute == expected.attribute
        values = np.concatenate([first.values, second.values])
        nan = expected.attribute.continuous
        assert np.array_equal(values, expected.values, equal_nan=nan), first.name
    assert fitted.claims == whole.claims
    # What is told about new records follows from comparing them with all original ones.
    assert fitted.notes == (whole.notes if fitted.new is None else whole.notes[: len(fitted.notes)])


def test_suppression_and_given_levels(data: Microdata) -> None:
    step = build(
        "method",
        {"global-recoding": {"k": 40, "suppression": 0.05, "levels": {"sex": 1}}},
    )
    assert isinstance(step, Method)
    context = Context(Randomness(5))
    whole, fitted = step.protect(data, context), step.fit(InMemory(data), context)
    assert isinstance(fitted.treat, DecidedRecoding)
    assert fitted.treat.suppressed.any()
    for column in fitted.treat(data, context, 0):
        assert column.same_as(whole.data.column(column.name))
    assert fitted.notes == whole.notes


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.spec.name)
def test_a_method_runs_on_large_files_or_is_refused_with_a_way_out(method: type[Method]) -> None:
    step = method.example()
    if step.needs in ABLE:
        steps, _ = large_steps([step])
        assert type(steps[0]) is method
        return
    spec = step.spec
    assert step.whole_because.startswith("since "), "it says why it needs the whole file"
    with pytest.raises(UsageError, match="the file is larger than the memory") as refused:
        large_steps([step])
    assert f"({spec.name})" in str(refused.value)
    assert step.whole_because in str(refused.value)
    assert nearest(step) == [spec.nearest], "it names the nearest method that can"
    for name in nearest(step):
        able = find("method", name)
        assert issubclass(able, Method)
        assert able.example().needs in ABLE, "the nearest method can"
        assert set(able.spec.kinds) & set(spec.kinds), "the nearest method is for such columns"
        assert name in str(refused.value)


@pytest.mark.parametrize(
    "parameters",
    [
        {"partition": "mondrian"},
        {"replacement": "range"},
        {"dominance": 0.6},
        {"attributes_at_a_time": 2},
        {"partition": {"mdav": {"attributes": "key"}}},
    ],
)
def test_what_microaggregation_does_in_blocks_of_the_step(parameters: dict[str, object]) -> None:
    step = build("method", {"microaggregation": parameters})
    assert isinstance(step, Method)
    steps, notes = large_steps([step])
    assert steps[0].in_blocks == 20_000
    assert "works in blocks of at most 20,000 records" in notes[0]


def test_blocks_of_a_partition_are_not_those_of_a_replacement_that_draws() -> None:
    partition = discreet.partition.MDAV(blocks=500)
    noise = discreet.replacement.Microperturbation()
    with pytest.raises(UsageError, match="in_blocks of the step"):
        large_steps([discreet.Microaggregation(partition, noise)])


def test_a_method_that_makes_other_records_has_no_blocks() -> None:
    with pytest.raises(UsageError, match="releases records other than those it is given"):
        large_steps([discreet.CartSynthesis(everything=True, in_blocks=500)])
