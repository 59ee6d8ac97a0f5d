"""Libraries that are installed only where a format needs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from discreet.errors import UsageError

__all__ = ["needing"]


@contextmanager
def needing(extra: str, feature: str) -> Iterator[None]:
    """Explain a failing import: which extra of discreet installs what is missing.

    >>> with needing("excel", "an Excel file"):
    ...     import no_such_library
    Traceback (most recent call last):
    discreet.errors.UsageError: an Excel file needs an extra package; install it with: pip install
    'discreet[excel]'
    """
    try:
        yield
    except ImportError:
        raise UsageError(
            f"{feature} needs an extra package; install it with: pip install 'discreet[{extra}]'"
        ) from None
