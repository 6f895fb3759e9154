"""Prompts: the templates of `prompts/`, rendered so that texts from outside stay texts.

A template is ours; a skill, an observation, a product's text or a model's reply is never one. Each of them
stands in a block between tags, which nothing inside it can end: where a text holds a block's tag, or what a
reader may take for it, the tag is numbered until it does not.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import FunctionLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

_FOLDER = files("skillsandbox.runtime") / "prompts"

_CONTROL_TOKEN_STARTS = re.compile(
    r"<(?=[|\uff5c])"
    r"|<(?=/?(?:s|bos|eos|unk|pad|think|start_of_turn|end_of_turn)>)"
    r"|<(?=/?SYS>>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])"
)


def render(name: str, **values: Any) -> str:
    """Return the prompt of a template, such as `executor_step`.

    Raises:
        jinja2.UndefinedError: the template asks for a value that is missing.
    """
    return _environment().get_template(f"{name}.j2").render(values).strip()


def prompts_identity() -> str:
    """Return a hash of all templates: other prompts are other evidence."""
    digest = hashlib.sha256()
    for name in template_names():
        digest.update(f"{name}\0{_source(name)}\0".encode())
    return digest.hexdigest()


def template_names() -> tuple[str, ...]:
    """Return the names of the template files in order."""
    return tuple(sorted(file.name for file in _FOLDER.iterdir() if file.name.endswith(".j2")))


def fenced(text: str, name: str) -> str:
    """Return a text from outside as a block between `<name>` and `</name>`, or numbered tags.

    The text is left as it is, but for what servers take for the control tokens of a chat, such as
    `<|im_end|>`, which are broken by a space.
    """
    tag = next(tag for tag in _tags(name) if not _holds_tag(text, tag))
    return f"<{tag}>\n{harmless(text)}\n</{tag}>"


def harmless(text: str) -> str:
    """Return a text in which no control token of a chat template is left whole."""
    return _CONTROL_TOKEN_STARTS.sub(r"\g<0> ", text)


def _tags(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _holds_tag(text: str, tag: str) -> bool:
    """Say whether a text has anything that reads as the tag, in any case, width or spacing."""
    shown = (one for one in unicodedata.normalize("NFKC", text) if unicodedata.category(one) != "Cf")
    plain = "".join(shown).casefold()
    return re.search(rf"<\W*{re.escape(tag)}(?![\w-])", plain) is not None


def _source(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        loader=FunctionLoader(_source),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    environment.filters["fenced"] = fenced
    environment.filters["as_json"] = _as_json
    return environment


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
