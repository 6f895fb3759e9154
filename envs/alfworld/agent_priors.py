"""The common knowledge of the household agent: kinds of objects, where people keep them, and kinds of rooms.

It is written down from everyday experience, like a language model's, and not taken from ALFWorld's table of
what fits where: the agent may be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

CATEGORIES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "food": frozenset({"apple", "bread", "egg", "lettuce", "potato", "tomato"}),
        "kitchenware": frozenset(
            {
                *(
                    "bowl",
                    "butterknife",
                    "cup",
                    "fork",
                    "glassbottle",
                    "kettle",
                    "knife",
                    "ladle",
                    "mug",
                    "pan",
                ),
                *("peppershaker", "plate", "pot", "saltshaker", "spatula", "spoon", "winebottle"),
            }
        ),
        "toiletry": frozenset(
            {
                *("candle", "cloth", "dishsponge", "handtowel", "papertowelroll", "plunger", "scrubbrush"),
                *("soapbar", "soapbottle", "spraybottle", "tissuebox", "toiletpaper", "towel"),
            }
        ),
        "electronics": frozenset({"alarmclock", "cd", "cellphone", "laptop", "remotecontrol", "watch"}),
        "stationery": frozenset({"book", "newspaper", "pen", "pencil"}),
        "valuables": frozenset({"creditcard", "keychain", "watch"}),
        "bedding": frozenset({"pillow", "teddybear"}),
        "decoration": frozenset({"box", "houseplant", "statue", "vase", "wateringcan"}),
        "sports": frozenset({"baseballbat", "basketball", "tennisracket"}),
        "lamp": frozenset({"desklamp", "floorlamp", "lamp"}),
    }
)
"""Categories of objects by type."""

LIKELY_PLACES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "food": ("countertop", "fridge", "diningtable", "sinkbasin", "microwave", "garbagecan"),
        "kitchenware": (
            "countertop",
            "diningtable",
            "sinkbasin",
            "stoveburner",
            "cabinet",
            "drawer",
            "shelf",
        ),
        "toiletry": (
            *("countertop", "toilet", "sinkbasin", "towelholder", "handtowelholder", "toiletpaperhanger"),
            *("bathtubbasin", "cart", "shelf", "cabinet", "drawer"),
        ),
        "electronics": ("desk", "sidetable", "coffeetable", "tvstand", "dresser", "sofa", "bed", "drawer"),
        "stationery": ("desk", "sidetable", "shelf", "coffeetable", "bed", "diningtable", "drawer"),
        "valuables": ("sidetable", "dresser", "desk", "coffeetable", "drawer", "safe", "shelf"),
        "bedding": ("bed", "sofa", "armchair"),
        "decoration": ("shelf", "sidetable", "coffeetable", "dresser", "desk", "tvstand", "diningtable"),
        "sports": ("bed", "desk", "dresser", "sofa", "sidetable"),
        "lamp": ("desk", "sidetable", "dresser", "shelf", "coffeetable", "diningtable"),
    }
)
"""Where people keep the objects of a category, the likeliest first."""

CLOSED_TYPES = frozenset({"box", "cabinet", "drawer", "fridge", "laundryhamper", "microwave", "safe"})
"""Types of receptacles that have a door or a lid."""

ROOM_MARKS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "kitchen": frozenset({"coffeemachine", "fridge", "microwave", "stoveburner", "toaster"}),
        "bathroom": frozenset(
            {"bathtubbasin", "handtowelholder", "toilet", "toiletpaperhanger", "towelholder"}
        ),
        "bedroom": frozenset({"bed"}),
        "living room": frozenset({"coffeetable", "sofa", "tvstand"}),
    }
)
"""Receptacles that tell a kind of room."""


def category_of(kind: str) -> str:
    """Return the first category that holds an object type, or nothing."""
    return next((category for category, members in CATEGORIES.items() if kind in members), "")
