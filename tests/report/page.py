"""A strict reader of the report's HTML, for the tests."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "br", "link", "img", "hr", "input"}
LINKS = ("src", "href", "srcset", "data", "action", "xlink:href")


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.words: list[str] = []
        self.mistakes: list[str] = []
        self.feed(text)
        self.close()
        self.mistakes += [f"{tag} is not closed" for tag in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._attributes(attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._attributes(attrs)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.mistakes.append(f"{tag} is closed at {self.getpos()} but is not the last opened")

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def _attributes(self, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            self.attributes.add(key)
            if key == "id":
                self.ids.append(value or "")
            if key in LINKS:
                self.links.append(value or "")


def check(text: str) -> Page:
    """Parse a report and assert what every report must be."""
    page = Page(text)
    assert page.mistakes == []
    assert len(page.ids) == len(set(page.ids))
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert not any(key.startswith("on") for key in page.attributes)
    assert "url(" not in text
    assert "@import" not in text
    assert "http://" not in text
    assert "https://" not in text
    assert page.tags.count("svg") <= page.tags.count("desc")
    text.encode("utf-8")
    return page
