"""A catalogue that is made, not collected: any number of products in the official format, from a seed."""

from __future__ import annotations

import itertools
import math
import string
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import attrs

from skillsandbox.envs.webshop.catalogue import Product
from skillsandbox.envs.webshop.export import writing
from skillsandbox.envs.webshop.instructions import annotation, instructions
from skillsandbox.envs.webshop.loading import OfficialFiles
from skillsandbox.envs.webshop.ranges import FAMILY, plan
from skillsandbox.envs.webshop.records import read_product
from skillsandbox.envs.webshop.vocabulary import KINDS
from skillsandbox.envs.webshop.wording import record

DEFAULT_SIZE = 5 * FAMILY * len(KINDS) + FAMILY * 20
"""How many products the project's own catalogue has: five families of each kind, and a few more."""

_ASINS = 36**8
_STRIDE = 1_000_000_007 * 1009
"""Prime to `_ASINS`, so that numbers and ASINs are one to one."""
_PAIRS = tuple(map("".join, itertools.product(string.digits + string.ascii_uppercase, repeat=2)))
_VARIANTS = 1 << 40
_MOST_CHOICES = 64


@attrs.frozen
class Generated:
    """A product as the three official files have it; without human instructions, the third leaves it out."""

    record: Mapping[str, Any]
    annotation: Mapping[str, Any]
    instructions: list[dict[str, Any]]


def generate(seed: int, size: int) -> Iterator[Product]:
    """Yield the products of a generated catalogue: families stand apart, as in the official shuffled file."""
    for one in generate_records(seed, size):
        reading = read_product(one.record, one.annotation, one.instructions or None)
        assert reading.product is not None
        yield reading.product


def generate_records(seed: int, size: int) -> Iterator[Generated]:
    """Yield a generated catalogue, product for product, as the official files have it."""
    stride = _coprime(size)
    for position in range(size):
        yield _generated(seed, position * stride % size)


def write_generated(folder: Path, seed: int, size: int) -> OfficialFiles:
    """Write a generated catalogue as official files, in one pass.

    Raises:
        OSError: the folder cannot be written.
    """
    with writing(folder) as writer:
        for one in generate_records(seed, size):
            writer.add(one.record, one.annotation, one.instructions)
    return writer.files


def _generated(seed: int, number: int) -> Generated:
    random = Random(f"{seed}:{number}")
    family, member = divmod(number, FAMILY)
    planned = plan(seed, family, member)
    asin = _asin(seed, number)

    def variant(choice: int) -> str:
        return _asin(seed, _VARIANTS + number * _MOST_CHOICES + choice)

    return Generated(
        record(planned, asin, variant, random),
        annotation(planned, random),
        instructions(planned, asin, random),
    )


def _asin(seed: int, number: int) -> str:
    value = (number * _STRIDE + seed * 7919 + 104_729) % _ASINS
    digits = []
    for _ in range(4):
        value, digit = divmod(value, len(_PAIRS))
        digits.append(_PAIRS[digit])
    return "B0" + "".join(digits)


def _coprime(size: int) -> int:
    """Return a step that visits all of `size` positions, far from one to the next."""
    step = max(1, round(size * 0.618))
    while math.gcd(step, size) != 1:
        step += 1
    return step
