"""WebShop's own tasks: the goals of a catalogue in the official order, and the official splits of them.

The catalogue is the official one where `WEBSHOP_DATA` names its folder, else the project's own. Goals are
those that people worded where there are enough of them for all splits, which only the full official catalogue
has, and otherwise the synthetic ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import attrs

from skillsandbox.compiler.environment import PosedTask, SourceTask, Split, TaskSet, Unavailable
from skillsandbox.envs.webshop import goals
from skillsandbox.envs.webshop.configuration import Base, Configuration
from skillsandbox.envs.webshop.goals import Goal
from skillsandbox.envs.webshop.overlay import Overlay
from skillsandbox.envs.webshop.shops import official_goals
from skillsandbox.envs.webshop.task import ShoppingTask

OFFICIAL_SPLITS = {Split.HELD_OUT: goals.Split.TEST, Split.SOURCE: goals.Split.TRAIN}
"""The official splits, which leave goals between them."""

_FIRST_SOURCE = goals.Split.TRAIN.value[0]


def tasks(split: Split, base: Base) -> TaskSet:
    """Return the goals of a split.

    Raises:
        Unavailable: the catalogue has too few goals.
    """
    configuration = Configuration(base, Overlay(base.data_version))
    human = official_goals(configuration.shop, human=True)
    worded_by_people = len(human) > _FIRST_SOURCE
    found = human if worded_by_people else official_goals(configuration.shop, human=False)
    part = OFFICIAL_SPLITS[split]
    first = part.value[0]
    if len(found) <= first:
        raise Unavailable(
            f"the catalogue of {len(base.store):,} products has {len(found):,} goals, and this split "
            f"begins at goal {first:,}"
        )
    kind = "worded by people" if worded_by_people else "synthetic"
    chosen = part.of(found)
    description = (
        f"{len(chosen):,} of the {len(found):,} {kind} goals of a catalogue of {len(base.store):,} products "
        f"({base.name})"
    )
    return _Goals(description, _version(base, kind), configuration, first, chosen)


def _version(base: Base, kind: str) -> str:
    return hashlib.sha256(f"{base.data_version}\0{kind}".encode()).hexdigest()


@attrs.frozen
class _Goals:
    """Goals of a catalogue; each is named by its number in the official order."""

    description: str
    version: str
    _configuration: Configuration
    _first: int
    _goals: Sequence[Goal]

    def __len__(self) -> int:
        return len(self._goals)

    def __getitem__(self, number: int) -> PosedTask:
        goal = self._goals[number]
        product = self._configuration.catalogue.product(goal.asin)
        values = {
            "Product": frozenset({goal.asin}),
            "Kind": frozenset({product.kind}),
            "Category": frozenset({product.category}),
        }
        name = f"goal-{self._first + number}"
        return PosedTask(name, goal.instruction, ShoppingTask(self._configuration, goal), SourceTask(values))
