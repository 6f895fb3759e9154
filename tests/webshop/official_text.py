"""What the official text environment makes of HTML, told again with the standard library's parser.

Text nodes of white space alone become a space, or a line break where one is in them; line breaks alone go.
"""

from __future__ import annotations

from collections.abc import Collection
from html.parser import HTMLParser

import attrs

_UNSEEN = ("style", "script", "head", "title", "meta", "")
_VOID = ("img", "input", "meta", "br", "link")
_WHITE_SPACE = " \n\t\f\r"


@attrs.define
class _Element:
    name: str
    classes: list[str]


class _Reader(HTMLParser):
    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [_Element("", [])]
        self.nodes: list[tuple[_Element, str]] = []
        self.captions: dict[str, list[str]] = {"btn": [], "product-link": [], "radio": []}
        self.has_search_bar = False
        self.pending = ""
        self.feed(document)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._flush()
        given = {name: value or "" for name, value in attributes}
        self.has_search_bar |= given.get("id") == "search_input"
        if given.get("type") == "radio":
            self.captions["radio"].append(given["value"])
        if tag not in _VOID:
            self.open.append(_Element(tag, given.get("class", "").split()))

    def handle_endtag(self, tag: str) -> None:
        self._flush()
        assert self.open.pop().name == tag, f"{tag} is closed, but is not the element that is open"

    def handle_data(self, data: str) -> None:
        self.pending += data

    def _flush(self) -> None:
        text, self.pending = self.pending, ""
        if not text:
            return
        if "pre" not in [element.name for element in self.open] and not text.strip(_WHITE_SPACE):
            text = "\n" if "\n" in text else " "
        element = self.open[-1]
        for kind in ("btn", "product-link"):
            if kind in element.classes:
                self.captions[kind].append(text)
        if element.name not in _UNSEEN and text != "\n":
            self.nodes.append((element, text))


def official_text(document: str) -> str:
    """The observation `text`."""
    return " [SEP] ".join(text.strip() for _, text in _Reader(document).nodes)


def official_rich_text(document: str, address: str, visited: Collection[str]) -> str:
    """The observation `text_rich`."""
    observation = ""
    for element, text in _Reader(document).nodes:
        shown = text
        if element.name == "button":
            shown = f"[button] {text} [button_]"
        elif element.name == "label" and f'"{text}"' in address:
            shown = f"  [clicked button] {text} [clicked button_]"
            observation = f"You have clicked {text}.\n{observation}"
        elif element.name == "label":
            shown = f"  [button] {text} [button_]"
        elif element.classes == ["product-link"]:
            mark = "clicked button" if text in visited else "button"
            shown = f"\n[{mark}] {text} [{mark}_]"
        observation += f"{shown}\n"
    return observation


def official_actions(document: str) -> tuple[bool, list[str]]:
    """Whether there is a search bar, and what can be clicked, in order."""
    reader = _Reader(document)
    captions = [text.lower() for kind in ("btn", "product-link") for text in reader.captions[kind]]
    return reader.has_search_bar, list(dict.fromkeys([*captions, *reader.captions["radio"]]))
