"""The application: pages found by walking `pages/`, and their replies as HTTP.

The only module, beside the one that starts the server, that knows the web framework. A page is a
function from an `Ask` to a `Reply`; its module lists them in `ROUTES` with method and address.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import discreet.studio.pages
from discreet.errors import DiscreetError
from discreet.studio import replies
from discreet.studio.guard import REPORT_POLICY, Guard, TooLarge
from discreet.studio.rendering import fragment, page
from discreet.studio.request import Ask
from discreet.studio.state import Studio
from discreet.studio.texts import LANGUAGES, preferred
from discreet.studio.uploading import Upload, refused_by_system, take_upload
from discreet.studio.work import StillReading

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

Handler = Callable[[Ask], replies.Reply]
Route = tuple[str, str, Handler]
LANGUAGE = "discreet-language"
EVERY = 0.25
"""Seconds between two checks for news, for the pages that are open."""


def routes() -> list[Route]:
    """Return the routes of all pages."""
    page_routes: list[Route] = []
    for info in pkgutil.iter_modules(discreet.studio.pages.__path__):
        module = importlib.import_module(f"discreet.studio.pages.{info.name}")
        page_routes += module.ROUTES
    return page_routes


def application(studio: Studio, hosts: list[str], **limits: int) -> Guard:
    """Return the whole application behind its guard."""
    from starlette.applications import Starlette
    from starlette.routing import Route as Routed

    listed = [
        Routed(path, _endpoint(studio, handler), methods=[method])
        for method, path, handler in routes()
    ]
    listed.append(Routed("/upload", _uploading(studio), methods=["PUT"]))
    listed.append(Routed("/w/{plan:path}/events", _events(studio), methods=["GET"]))
    # Longer addresses first: the place of a plan may hold slashes.
    listed.sort(key=lambda route: -len(route.path.split("}")[-1]))
    handlers: Any = {404: _lost(studio), 500: _broken(studio), TooLarge: _too_large}
    app = Starlette(routes=listed, exception_handlers=handlers)
    return Guard(app, studio.keys, hosts, **limits)


def _endpoint(studio: Studio, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    from starlette.concurrency import run_in_threadpool

    async def endpoint(request: Request) -> Response:
        body = await request.body() if request.method == "POST" else b""
        ask = _ask(studio, request, body)
        if request.method == "POST" and not _carries_token(studio, request, ask):
            return _refused(ask)
        return await run_in_threadpool(_answered, handler, ask)

    return endpoint


def _ask(studio: Studio, request: Request, body: bytes = b"") -> Ask:
    form = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
    chosen = request.cookies.get(LANGUAGE, "")
    language = (
        chosen if chosen in LANGUAGES else preferred(request.headers.get("accept-language", ""))
    )
    return Ask(
        studio,
        {name: str(value) for name, value in request.path_params.items()},
        dict(request.query_params),
        form,
        language,
        request.headers.get("hx-request") == "true",
    )


def _carries_token(studio: Studio, request: Request, ask: Ask) -> bool:
    """Whether a change carries the token that our own pages have."""
    import hmac

    given = request.headers.get("x-csrf-token") or ask.text("csrf")
    return hmac.compare_digest(given.encode(), studio.keys.csrf.encode())


def _answered(handler: Handler, ask: Ask) -> Response:
    try:
        return _response(handler(ask), ask)
    except StillReading:
        if ask.partial or ask.form:
            return _problem(ask, "the file is still being read; try again in a moment", 503)
        return _response(replies.Page("screens/reading.html", {}), ask)
    except DiscreetError as error:
        return _problem(ask, str(error), 422)
    except OSError as error:
        return _problem(ask, refused_by_system(error), 422)


def _response(reply: replies.Reply, ask: Ask) -> Response:
    from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

    match reply:
        case replies.Page():
            return HTMLResponse(page(reply, ask), reply.status)
        case replies.Fragment():
            return HTMLResponse(fragment(reply, ask), reply.status)
        case replies.Redirect():
            if ask.partial:
                return Response(headers={"HX-Redirect": reply.to})
            response = RedirectResponse(reply.to, 303)
            if "language" in ask.query:
                response.set_cookie(
                    LANGUAGE, ask.query["language"], samesite="strict", httponly=True
                )
            return response
        case replies.Download():
            return FileResponse(
                reply.path, filename=reply.name, media_type="application/octet-stream"
            )
        case replies.Saved():
            named = {"content-disposition": f'attachment; filename="{reply.name}"'}
            return Response(reply.content, media_type="application/octet-stream", headers=named)
        case replies.Report():
            policy = {"content-security-policy": REPORT_POLICY}
            return FileResponse(reply.path, media_type="text/html; charset=utf-8", headers=policy)
        case replies.Asset():
            return Response(reply.content, media_type=reply.media)


def _problem(ask: Ask, message: str, status: int) -> Response:
    """Return an error: beside what is on the screen, or as a page of its own."""
    from starlette.responses import HTMLResponse

    values = {"message": message}
    if ask.partial:
        headers = {"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"}
        body = fragment(replies.Fragment("parts/notice.html", values), ask)
        return HTMLResponse(body, status, headers)
    problem = replies.Page("screens/problem.html", values)
    try:
        # With the way to the other screens and to undoing, if the work can be found.
        return HTMLResponse(page(problem, ask), status)
    except (DiscreetError, OSError):
        return HTMLResponse(page(problem, replace(ask, path={})), status)


def _refused(ask: Ask) -> Response:
    return _problem(ask, "this page is from an earlier run of the studio; load it again", 403)


def _lost(studio: Studio) -> Callable[[Request, Exception], Response]:
    def lost(request: Request, error: Exception) -> Response:
        return _problem(_ask(studio, request), "there is no such page; go back to the start", 404)

    return lost


def _broken(studio: Studio) -> Callable[[Request, Exception], Response]:
    def broken(request: Request, error: Exception) -> Response:
        # Only the kind of the error is shown: its text might quote a record.
        words = f"this should not have happened ({type(error).__name__}); nothing was lost"
        return _problem(replace(_ask(studio, request), path={}), words, 500)

    return broken


def _too_large(request: Request, error: Exception) -> Response:
    from starlette.responses import PlainTextResponse

    return PlainTextResponse(str(error), 413)


def _uploading(studio: Studio) -> Callable[[Request], Awaitable[Response]]:
    from starlette.responses import JSONResponse

    async def uploading(request: Request) -> Response:
        ask = _ask(studio, request)
        if not _carries_token(studio, request, ask):
            return JSONResponse({"error": "this page is from an earlier run of the studio"}, 403)
        try:
            upload = Upload(studio, request.query_params.get("name", ""))
            place = await take_upload(upload, request.stream())
        except DiscreetError as error:
            return JSONResponse({"error": str(error)}, 422)
        except OSError as error:
            return JSONResponse({"error": refused_by_system(error)}, 422)
        return JSONResponse({"place": place})

    return uploading


def _events(studio: Studio) -> Callable[[Request], Awaitable[Response]]:
    """Return the stream of what is new in a work: its plan, its jobs."""
    import asyncio

    from starlette.responses import StreamingResponse

    async def stream(request: Request, place: str) -> AsyncIterator[str]:
        last = ""
        while not studio.stopping and not await request.is_disconnected():
            news = json.dumps(_news(studio, place))
            if news != last:
                yield f"data: {news}\n\n"
                last = news
            await asyncio.sleep(EVERY)

    async def events(request: Request) -> Response:
        place = str(request.path_params["plan"])
        studio.work(place)
        return StreamingResponse(stream(request, place), media_type="text/event-stream")

    return events


def _news(studio: Studio, place: str) -> dict[str, Any]:
    jobs = studio.jobs.of(place)
    try:
        work = studio.work(place)
        with work.lock:
            plan = work.history.current.number
    except (DiscreetError, OSError):
        plan = 0
    return {"plan": plan, "jobs": [job.for_page() for job in jobs[:4]]}
