"""A language model's side of constrained decoding: what llguidance lets a model of single bytes write."""

from __future__ import annotations

import functools
from random import Random

import llguidance

END = 256


class _Bytes:
    """A vocabulary in which every byte is a token."""

    eos_token_id = END
    bos_token_id = None
    tokens = (*(bytes([one]) for one in range(256)), b"\xff<end>")
    special_token_ids = (END,)

    def __call__(self, text: bytes | str) -> list[int]:
        return list(text if isinstance(text, bytes) else text.encode())


@functools.cache
def tokenizer() -> llguidance.LLTokenizer:
    return llguidance.LLTokenizer(llguidance.TokenizerWrapper(_Bytes()))


@functools.cache
def matcher(grammar: str) -> llguidance.LLMatcher:
    """Return a matcher at the start, of a grammar that llguidance finds nothing wrong with."""
    assert llguidance.LLMatcher.validate_grammar(grammar, tokenizer()) == ""
    made = llguidance.LLMatcher(tokenizer(), grammar)
    assert not made.is_error(), made.get_error()
    return made


def admitted(grammar: str, text: str) -> int:
    """Return how much of a text a decoder would let a model write, in bytes; all of it and the end."""
    started = matcher(grammar).deep_copy()
    data = text.encode()
    taken = started.try_consume_tokens(list(data))
    return taken if taken < len(data) else taken + started.is_accepting()


def is_admitted(grammar: str, text: str) -> bool:
    """Say whether a decoder would let a model write a text and end there."""
    return admitted(grammar, text) == len(text.encode()) + 1


def written(grammar: str, random: Random, limit: int) -> str | None:
    """Return what a model without any preferences writes, None where it comes to no end."""
    running, data = matcher(grammar).deep_copy(), bytearray()
    while len(data) < limit:
        mask = running.compute_logit_bias()
        allowed = [token for token, bias in enumerate(mask) if bias]
        token = END if END in allowed and random.random() < 0.5 else random.choice(allowed)
        if token == END:
            return data.decode()
        data.append(token)
        assert running.consume_token(token), running.get_error()
    return None
