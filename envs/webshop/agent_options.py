"""Which values of a product's options are wanted: equal in words, or as near as the page has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from skillsandbox.envs.webshop.agent_text import ItemPage, Named, Wish, words_of


@attrs.frozen
class Group:
    """An option as a page shows it: its name, and its values."""

    name: str
    values: tuple[str, ...]


def groups_of(page: ItemPage, admissible: frozenset[str]) -> tuple[Group, ...]:
    """Return a page's options; its values, and not its names, can be clicked."""
    groups: list[Group] = []
    for text in page.choices:
        if f"click[{text}]" not in admissible:
            groups.append(Group(text, ()))
        elif groups:
            groups[-1] = attrs.evolve(groups[-1], values=(*groups[-1].values, text))
    return tuple(groups)


def wanted_values(wish: Wish, groups: Sequence[Group]) -> tuple[str, ...]:
    """Return the values that are wanted, one of a group at the most, in the order of the groups."""
    return tuple(value for group in groups if (value := _wanted_of(wish, group)))


def _wanted_of(wish: Wish, group: Group) -> str | None:
    for option in wish.options:
        if _is_of(option, group.name) and (value := nearest(option.value, group.values)):
            return value
    # Nothing says which option they are of: `a red backpack`.
    said = [value for value in group.values if _is_said(words_of(value), wish.words)]
    return max(said, key=lambda value: len(words_of(value)), default=None)


def _is_of(option: Named, name: str) -> bool:
    return option.name in name.lower()


def _is_said(words: tuple[str, ...], wanted: Sequence[str]) -> bool:
    return any(not word.isdigit() for word in words) and _contains(wanted, words)


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    """Say whether words contain others side by side."""
    places = range(len(words) - len(part) + 1)
    return bool(part) and any(tuple(words[place : place + len(part)]) == tuple(part) for place in places)


def nearest(wanted: str, values: Iterable[str]) -> str | None:
    """Return the value that says what is wanted with the fewest words more, or the most of its words."""
    words = words_of(wanted)
    kept = tuple(values)
    longer = [value for value in kept if _contains(words_of(value), words)]
    if longer:
        return min(longer, key=lambda value: len(words_of(value)))
    shorter = [value for value in kept if _contains(words, words_of(value))]
    return max(shorter, key=lambda value: len(words_of(value)), default=None)


def lacking(wish: Wish, page: ItemPage) -> Iterator[Named]:
    """Yield the options that an instruction names and that a page has neither to choose nor in its title."""
    for option in wish.options:
        if option.name and nearest(option.value, (*page.choices, page.title)) is None:
            yield option


def is_in_title(value: str, page: ItemPage) -> bool:
    """Say whether a product's title says an option's value."""
    return _contains(words_of(page.title), words_of(value))
