"""Pictures of every screen of the studio, at two widths and in the dark, on the invented patients.

`make screenshots` runs this; it needs chromium and its driver. The pictures are looked at before a
release; those of the tutorial are written into the documentation.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.studio.browser import Driven, studio_process

PROJECT = Path(__file__).resolve().parents[1]
TUTORIAL = PROJECT / "docs" / "_static" / "studio"
SHOWN = ("columns", "risk", "protect", "compare", "release", "hierarchy?column=age")
"""Screens that the tutorial shows."""
WIDTHS = {"wide": (1440, 1000), "narrow": (420, 900)}
SCREENS = ("columns", "risk", "protect", "compare", "release", "plan")


def main(folder: Path) -> int:
    """Do the job in a browser, and take a picture of each screen."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as name,
        studio_process(Path(name)) as address,
        Driven(address) as page,
    ):
        page.picture(folder / "start-wide.png", *WIDTHS["wide"])
        page.click("#open-demo")
        page.wait("#live")
        work = page.url.rpartition("/")[0]
        page.go(f"{work}/risk")
        page.click("#look")
        page.wait("table caption", 240)
        page.go(f"{work}/protect")
        page.click("#run")
        page.wait("#verdict", 300)
        page.go(f"{work}/compare")
        page.click("xpath=//summary[contains(., 'Only some methods')]")
        for method in ("microaggregation", "rank-swapping", "pram"):
            page.click(f"input[name=method][value={method}]")
        page.choose("#minutes", "1")
        page.click("#explore")
        page.wait_for("Found by exploring", 300)
        page.go(f"{work}/release")
        page.click("#write")
        page.wait("#verified", 120)
        for screen in SCREENS:
            for width, size in WIDTHS.items():
                page.go(f"{work}/{screen}")
                page.picture(folder / f"{screen}-{width}.png", *size)
            page.dark(True)
            page.go(f"{work}/{screen}")
            page.picture(folder / f"{screen}-dark.png", *WIDTHS["wide"])
            page.dark(False)
        page.go(f"{work}/hierarchy?column=age")
        page.picture(folder / "hierarchy-wide.png", *WIDTHS["wide"])
        TUTORIAL.mkdir(parents=True, exist_ok=True)
        for screen in SHOWN:
            page.go(f"{work}/{screen}")
            name = screen.partition("?")[0]
            page.picture(TUTORIAL / f"{name}.png", 1440, 900, most=900)
        page.go(f"{work}/protect")
        page.click(".what-did summary")
        page.wait(".did-column")
        page.picture(folder / "did-wide.png", *WIDTHS["wide"], most=6000)
        # The page is laid out anew at another width, so that it is scrolled afterwards.
        page.size(1440, 900)
        page.script("document.querySelector('.what-did').scrollIntoView()")
        page.driver.save_screenshot(str(TUTORIAL / "did.png"))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/screenshots")))
