"""The lowest versions that `make lowest` installs."""

from __future__ import annotations

import pytest
from scripts.lowest_versions import constraints, pinned


@pytest.mark.parametrize(
    ("requirement", "pin"),
    [
        ("numpy>=1.26", "numpy==1.26"),
        ("scikit-learn >= 1.4.2", "scikit-learn==1.4.2"),
        ("scipy>=1.11.1,<2", "scipy==1.11.1"),
    ],
)
def test_a_requirement_at_its_lower_bound(requirement: str, pin: str) -> None:
    assert pinned(requirement) == pin


@pytest.mark.parametrize("requirement", ["numpy", "numpy<3", "numpy==2.0"])
def test_a_requirement_without_a_lower_bound_is_refused(requirement: str) -> None:
    with pytest.raises(ValueError, match="has no lower bound"):
        pinned(requirement)


def test_every_dependency_of_a_user_has_a_lower_bound() -> None:
    core, everything = constraints([]), constraints(["all"])
    assert any(line.startswith("numpy==") for line in core)
    assert not any(line.startswith("polars==") for line in core)
    assert any(line.startswith("polars==") for line in everything)
    assert set(core) < set(everything)
