"""The start: the work begun in this folder, files to open, the demo; and what every page loads."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from discreet.errors import UsageError
from discreet.io.database import is_address
from discreet.io.sql import SeveralTables
from discreet.report.html import TEMPLATES as REPORT
from discreet.studio.guard import UPLOAD_BYTES
from discreet.studio.replies import Asset, Page, Redirect, Reply
from discreet.studio.request import Ask
from discreet.studio.texts import LANGUAGES
from discreet.studio.work import Work

STATIC = Path(__file__).parents[1] / "static"
MEDIA = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
MOST_WORKS = 12


def start(ask: Ask) -> Reply:
    """Show what can be opened."""
    places = ask.studio.places
    works = []
    for path in places.works()[:MOST_WORKS]:
        work = Work(path)
        when = datetime.fromtimestamp(path.stat().st_mtime)
        outcome = next(reversed(work.tries.all()), None)
        entry = {"name": work.name, "place": places.name_of(path), "when": f"{when:%Y-%m-%d %H:%M}"}
        works.append({**entry, "outcome": outcome, "releases": len(work.releases())})
    listing = places.listing(ask.query.get("in", ""))
    values = {"works": works, "listing": listing, "most_bytes": UPLOAD_BYTES}
    return Page("screens/start.html", values)


def open_file(ask: Ask) -> Reply:
    """Open a file or a plan of the folder; of a file with several tables, ask for one of them."""
    place, table = ask.text("place"), ask.text("table")
    try:
        return _begun(ask.studio.open(place, {"table": table} if table else None))
    except SeveralTables as several:
        values = {"place": place, "name": Path(place).name, "tables": several.names}
        return Page("screens/tables.html", values)


def open_demo(ask: Ask) -> Reply:
    """Open the invented patients."""
    return _begun(ask.studio.open_demo())


def open_database(ask: Ask) -> Reply:
    """Open a table or a query of a database."""
    address = ask.text("address").strip()
    if not is_address(address):
        raise UsageError("a database is given by its address, such as postgresql://localhost/study")
    options = {k: v for k in ("table", "query") if (v := ask.text(k).strip())}
    return _begun(ask.studio.open_database(address, options))


def choose_language(ask: Ask) -> Reply:
    """Go back to the same page in another language."""
    if ask.query.get("language") not in LANGUAGES:
        raise UsageError(f"the pages are available in {' and '.join(LANGUAGES)}")
    back = ask.query.get("back", "/")
    return Redirect(back if back.startswith("/") and not back.startswith("//") else "/")


def quit_studio(ask: Ask) -> Reply:
    """End the server, after this page has gone out."""
    ask.studio.close()
    return Page("screens/ended.html")


def asset(ask: Ask) -> Reply:
    """Return a style sheet or a script; the style of the reports is theirs."""
    name = ask.path["name"]
    folder = REPORT if name in ("style.css", "map.css") else STATIC
    path = folder / name
    if "/" in name or path.suffix not in MEDIA or not path.is_file():
        raise UsageError("there is no such file")
    return Asset(path.read_bytes(), MEDIA[path.suffix])


def icon(ask: Ask) -> Reply:
    """Return the icon that a browser requests by itself."""
    return Asset((STATIC / "icon.svg").read_bytes(), MEDIA[".svg"])


def _begun(place: str) -> Reply:
    return Redirect(f"/w/{quote(place)}/columns")


ROUTES = [
    ("GET", "/", start),
    ("POST", "/open", open_file),
    ("POST", "/demo", open_demo),
    ("POST", "/database", open_database),
    ("GET", "/language", choose_language),
    ("POST", "/quit", quit_studio),
    ("GET", "/static/{name}", asset),
    ("GET", "/favicon.ico", icon),
]
