"""The log of a command: `DISCREET_LOG=info` writes it to standard error, a line for each stage.

It names files, columns, steps and measures, and counts records. It has no value of a record.
"""

from __future__ import annotations

import logging

from discreet.errors import UsageError

LEVELS = {"info": logging.INFO, "debug": logging.DEBUG}
FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_to_standard_error(word: str) -> None:
    """Write the log of this level to standard error from now on; without a word, nothing.

    >>> log_to_standard_error("")
    """
    if not word:
        return
    if word.lower() not in LEVELS:
        raise UsageError(f"DISCREET_LOG is one of {', '.join(LEVELS)}, but '{word}' was given")
    log = logging.getLogger("discreet")
    log.setLevel(LEVELS[word.lower()])
    if all(isinstance(handler, logging.NullHandler) for handler in log.handlers):
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter(FORM))
        log.addHandler(handler)
