from __future__ import annotations

from collections.abc import Iterator

import pytest

from discreet.release import attacking, given_back

FEW = 500


@pytest.fixture(scope="package", autouse=True)
def _few_records_for_trees() -> Iterator[None]:
    """Grow the trees that find what gives a column away from few records only.

    They take most of the time of a release. Their results are tested in `tests/release`; here they
    must be the same on disk and in memory.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attacking, "LEAST_RECORDS", FEW)
        patch.setattr(attacking, "MOST_RECORDS", FEW)
        patch.setattr(given_back, "JOINT_SAMPLE", FEW)
        yield
