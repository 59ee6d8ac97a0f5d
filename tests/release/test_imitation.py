from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import Context, Randomness
from discreet.release.imitation import imitation

QI = "quasi-identifier"


def people() -> discreet.Microdata:
    draw = np.random.default_rng(3)
    return discreet.read(
        {"age": draw.normal(size=50), "pay": draw.normal(size=50)},
        roles={"age": QI, "pay": "confidential"},
    )


def test_the_intruder_does_not_have_the_seed() -> None:
    imitate = imitation(people(), [discreet.RankSwapping(p=20)])
    first, again, other = (imitate(Context(Randomness(s))) for s in (1, 1, 2))
    assert first is not None
    assert again is not None
    assert other is not None
    assert np.array_equal(first.released["age"], again.released["age"])
    assert not np.array_equal(first.released["age"], other.released["age"])


def test_the_intruder_has_the_quasi_identifiers_alone() -> None:
    run = imitation(people(), [discreet.RankSwapping()])(Context())
    assert run is not None
    assert run.released.schema.names == ("age",)


def test_steps_that_need_more_are_granted_the_whole_file() -> None:
    run = imitation(people(), [discreet.RankSwapping(columns=["pay"])])(Context())
    assert run is not None
    assert "pay" in run.released.schema


def test_records_of_nobody_are_no_imitation() -> None:
    assert imitation(people(), [discreet.FullySynthetic()])(Context()) is None


def test_steps_that_draw_nothing_are_not_taken_again() -> None:
    data = people()
    rounding = discreet.Rounding(base=0.5)
    release = discreet.protect(data, rounding, seed=1)
    pairing = release.pairing
    assert pairing is not None
    assert pairing.imitate is not None
    run = pairing.imitate(Context())
    assert run is not None
    assert run.released is release.data
    noise = discreet.protect(data, discreet.AdditiveNoise(), seed=1).pairing
    assert noise is not None
    assert noise.imitate is not None
    other = noise.imitate(Context())
    assert other is not None
    assert other.released.schema.names == ("age",)
