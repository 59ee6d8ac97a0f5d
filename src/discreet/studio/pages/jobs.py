"""The jobs of a work, for the bar that shows their progress; and stopping one."""

from __future__ import annotations

from discreet.studio.replies import Fragment, Reply
from discreet.studio.request import Ask


def show(ask: Ask) -> Reply:
    """Show what is running."""
    return Fragment("parts/jobs.html")


def cancel(ask: Ask) -> Reply:
    """Stop a job."""
    ask.studio.jobs.cancel(ask.number("job"))
    return show(ask)


ROUTES = [
    ("GET", "/w/{plan:path}/jobs", show),
    ("POST", "/w/{plan:path}/cancel", cancel),
]
