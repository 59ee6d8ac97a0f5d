"""Serving: the studio on this machine's loopback address, for as long as somebody needs it."""

from __future__ import annotations

import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from discreet.errors import DataError, UsageError
from discreet.io.memory_guard import free_at_once
from discreet.studio.guard import Guard
from discreet.studio.state import Studio

HOST = "127.0.0.1"
LOOK = 0.5
"""Seconds between two checks whether to end."""
MISSING = "the studio needs the packages of the extra 'studio': pip install 'discreet[studio]'"


def serve(
    target: Path | None,
    folder: Path | None,
    port: int,
    *,
    browser: bool,
    idle: float | None,
    say: Callable[[Path, str], None],
) -> None:
    """Serve the studio until it is ended by its button, by Ctrl-C, or by being idle for long.

    `target` is a data file or a plan to open at once; `folder` is what can be looked into, by
    default that of the target, else the current one. `idle` are the seconds after which it ends.
    """
    try:
        import starlette as _  # noqa: F401
        import uvicorn
    except ImportError:
        raise UsageError(MISSING) from None
    root, place = where(target, folder)
    studio = Studio(root)
    listener = _listener(port)
    number = listener.getsockname()[1]
    from discreet.studio.application import application

    free_at_once()
    app = application(studio, hosts(number))
    path = f"/w/{quote(studio.open(place))}/columns" if place else "/"
    address = f"http://{HOST}:{number}{path}?token={studio.keys.token}"
    say(root, address)
    config = uvicorn.Config(
        app, log_level="critical", access_log=False, lifespan="off", server_header=False,
        timeout_graceful_shutdown=2, ws="none",
    )  # fmt: skip
    server = uvicorn.Server(config)
    watch = threading.Thread(target=_watch, args=(server, studio, app, idle), daemon=True)
    watch.start()
    if browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    threading.Thread(target=_prepare, args=(studio,), daemon=True).start()
    try:
        server.run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        studio.close()
        listener.close()


def where(target: Path | None, folder: Path | None) -> tuple[Path, str]:
    """Return the folder that can be looked into, and the place of the target in it."""
    if target is None:
        return folder or Path.cwd(), ""
    if not target.is_file():
        raise DataError(f"there is no file '{target}'; check the path")
    root = folder or target.resolve().parent
    try:
        return root, target.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise UsageError(
            f"'{target}' is not in the folder '{root}'; give a --folder that holds it, or none"
        ) from None


def hosts(port: int) -> list[str]:
    """Return the names under which the studio may be asked."""
    return [f"{HOST}:{port}", f"localhost:{port}"]


def _listener(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError:
        listener.close()
        raise UsageError(
            f"port {port} is in use; choose another with --port, or leave it out"
        ) from None
    listener.listen(128)
    return listener


def _prepare(studio: Studio) -> None:
    # Not at once: the first page comes before the worker that the first job needs.
    time.sleep(1)
    studio.jobs.prepare()


def _watch(server: object, studio: Studio, app: Guard, idle: float | None) -> None:
    while not studio.stopping:
        time.sleep(LOOK)
        long = idle is not None and time.monotonic() - app.last_request > idle
        if long and not studio.jobs.busy:
            studio.close()
    # The page that says so is sent first.
    time.sleep(LOOK)
    server.should_exit = True  # type: ignore[attr-defined]
