"""A studio in a process of its own, and a real browser that is driven through it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-dev-shm-usage",
    "--lang=en-GB", "--force-device-scale-factor=1",
)  # fmt: skip
PATIENCE = 60.0


def browser_or_skip() -> None:
    """Skip if there is no browser; if everything must be tested, fail instead."""
    if shutil.which("chromium") and shutil.which("chromedriver"):
        return
    reason = "there is no browser here (Debian's packages: chromium and chromium-driver)"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def studio_process(folder: Path, *arguments: str) -> Iterator[str]:
    """Start `discreet studio` on a folder, and yield the address that it prints."""
    process = start(folder, *arguments)
    try:
        yield address_of(process)
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the command."""
    return subprocess.Popen(
        [sys.executable, "-m", "discreet.cli.main", "studio", "--no-browser", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def address_of(process: subprocess.Popen[str]) -> str:
    """Return the address that the command prints."""
    assert process.stdout is not None
    output = ""
    for line in process.stdout:
        output += line
        address = re.search(r"http://\S+", line)
        if address:
            return address[0]
    raise AssertionError(output)


# Bring something into view, and note whether the next click reaches it.
AIM = """
const aimed = arguments[0];
aimed.scrollIntoView({block: "center"});
window.missed = true;
aimed.addEventListener("click", () => { window.missed = false; }, {capture: true, once: true});
"""


class Driven:
    """A browser with a page of the studio."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.clicks = 0

    def __enter__(self) -> Driven:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        self._profile = tempfile.mkdtemp(prefix="browser")
        options = webdriver.ChromeOptions()
        options.binary_location = str(shutil.which("chromium"))
        for option in (*OPTIONS, f"--user-data-dir={self._profile}"):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        service = Service(shutil.which("chromedriver"))
        self.driver = webdriver.Chrome(options=options, service=service)
        self.driver.set_window_size(1440, 1000)
        self.go(self._address)
        self.wait("main")
        return self

    def __exit__(self, *error: object) -> None:
        self.driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)

    @property
    def url(self) -> str:
        """The address that the browser shows."""
        return str(self.driver.current_url)

    @property
    def text(self) -> str:
        """The text on the page."""
        return str(self.driver.execute_script("return document.body.innerText"))

    def go(self, address: str) -> None:
        """Open an address."""
        self.driver.get(address)

    def script(self, code: str, *arguments: object) -> Any:
        """Run a script as the browser itself, not as the page."""
        return self.driver.execute_script(code, *arguments)

    def wait(self, selector: str, seconds: float = PATIENCE) -> Any:
        """Wait until something is on the page, and return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with suppress(Exception):
                by, _, path = selector.rpartition("=//")
                how = ("xpath", f"//{path}") if by == "xpath" else ("css selector", selector)
                elements = self.driver.find_elements(*how)
                if elements:
                    return elements[0]
            time.sleep(0.05)
        raise AssertionError(f"{selector} did not appear:\n{self.text}")

    def wait_for(self, words: str, seconds: float = PATIENCE) -> None:
        """Wait until words appear on the page."""
        end = time.monotonic() + seconds
        while words not in self.text:
            assert time.monotonic() < end, f"'{words}' did not appear:\n{self.text}"
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        """Click on something, and count it."""
        from selenium.common.exceptions import StaleElementReferenceException

        for _ in range(20):
            # Parts of the page may be redrawn, or move, between looking and clicking.
            with suppress(StaleElementReferenceException):
                element = self.wait(selector)
                self.script(AIM, element)
                element.click()
                if self.script("return window.missed") is True:
                    continue  # a page that was left does not know of the click
                self.clicks += 1
                return
        raise AssertionError(f"{selector} does not stay on the page")

    def press(self, key: str, shift: bool = False) -> None:
        """Press a key, with the shift key or without."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        chain = ActionChains(self.driver)
        held = chain.key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT)
        (held if shift else ActionChains(self.driver).send_keys(key)).perform()

    def choose(self, selector: str, value: str) -> None:
        """Choose an entry of a list."""
        from selenium.webdriver.support.ui import Select

        Select(self.wait(selector)).select_by_value(value)

    def dark(self, on: bool) -> None:
        """Prefer dark colours, or light ones."""
        value = "dark" if on else "light"
        media = {"features": [{"name": "prefers-color-scheme", "value": value}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)

    def size(self, width: int, height: int) -> None:
        """Set the size of the page; a window cannot be as narrow as a telephone."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def picture(self, path: Path, width: int, height: int, most: int = 2600) -> None:
        """Write a picture of the page, as long as it is up to a bound."""
        self.size(width, height)
        time.sleep(0.6)
        whole = self.script("return document.documentElement.scrollHeight")
        self.size(width, min(max(whole, height), most))
        time.sleep(0.2)
        self.driver.save_screenshot(str(path))
        self.size(width, height)

    def requested(self) -> list[str]:
        """Return the addresses requested since the last call."""
        addresses = []
        for entry in self._log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                addresses.append(message["params"]["request"]["url"])
        return addresses

    def asked_others(self) -> list[str]:
        """Return the addresses on other hosts requested since the last call.

        The browser's own pages (chrome:) are part of it, and send no requests.
        """
        asked = [url for url in self.requested() if url.startswith(("http", "ws"))]
        return [url for url in asked if not url.startswith("http://127.0.0.1:")]

    def _log(self, kind: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.driver.get_log(kind)  # type: ignore[no-untyped-call]
        return entries

    def complaints(self) -> list[str]:
        """Return the browser's complaints: failed scripts, violated policies."""
        return [e["message"] for e in self._log("browser") if e["level"] == "SEVERE"]
