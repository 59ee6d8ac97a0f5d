"""The contract checks, for discreet's own entries and for people who write their own.

    import discreet.testing

    def test_my_method():
        discreet.testing.check(MyMethod)

Each check is a function of an example of the component; it raises an `AssertionError` that says
which promise was broken.
"""

from __future__ import annotations

from discreet.testing.checks import Check, check, checks_for

__all__ = ["Check", "check", "checks_for"]
