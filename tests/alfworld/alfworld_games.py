"""Small and full-size games, built by hand, that the tests of ALFWorld's engines share."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from hypothesis import strategies as st

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.household import (
    Configuration,
    Game,
    Goal,
    Household,
    Receptacle,
    State,
    Thing,
)

MIDDLE = "loc|9|9|0|30"
"""A location where no receptacle stands."""

COUNTER = Receptacle("CounterTop|+00.69|+00.95|-02.48", "CounterTop", "loc|3|-7|2|30", False)
FRIDGE = Receptacle("Fridge|-02.10|+00.00|+01.09", "Fridge", "loc|-4|4|3|0", True)
MICROWAVE = Receptacle("Microwave|-00.24|+01.69|-02.53", "Microwave", "loc|-1|-7|2|-30", True)
SINK = Receptacle("Sink|-01.90|+00.97|-01.50|SinkBasin", "SinkBasin", "loc|-5|-6|3|30", False)
UPPER_DRAWER = Receptacle("Drawer|+00.95|+00.39|-02.20", "Drawer", "loc|6|-4|2|30", True)
LOWER_DRAWER = Receptacle("Drawer|+00.95|+00.22|-02.20", "Drawer", "loc|6|-4|2|30", True)
SHELF = Receptacle("Shelf|+01.80|+00.54|-02.56", "Shelf", "loc|5|-6|2|30", False)
DESK = Receptacle("Desk|+01.10|+00.10|-01.00", "Desk", "loc|5|-6|2|30", False)

APPLE = Thing("Apple|-01.50|+00.93|+00.45", "Apple")
LOW_APPLE = Thing("Apple|+00.50|+00.93|+00.45", "Apple")
KNIFE = Thing("Knife|+00.70|+00.96|-02.40", "Knife")
MUG = Thing("Mug|+00.10|+00.96|-02.40", "Mug")
SPOON = Thing("Spoon|+00.10|+00.97|-02.40", "Spoon")
LAMP = Thing("DeskLamp|+01.00|+00.40|-02.20", "DeskLamp", pickupable=False)
WINDOW = Thing("Window|+00.00|+01.60|-02.60", "Window", pickupable=False)

RECEPTACLES = (COUNTER, FRIDGE, MICROWAVE, SINK, UPPER_DRAWER, LOWER_DRAWER, SHELF, DESK)
THINGS = (APPLE, LOW_APPLE, KNIFE, MUG, SPOON, LAMP, WINDOW)

GOALS = (
    Goal("pick_and_place_simple", "Mug", "Desk"),
    Goal("look_at_obj_in_light", "Apple", "DeskLamp"),
    Goal("pick_clean_then_place_in_recep", "Apple", "CounterTop"),
    Goal("pick_heat_then_place_in_recep", "Apple", "Fridge"),
    Goal("pick_cool_then_place_in_recep", "Apple", "CounterTop"),
    Goal("pick_two_obj_and_place", "Apple", "SinkBasin"),
)
"""One goal of each task type that the kitchen below allows."""


def household(
    receptacles: Sequence[Receptacle] = RECEPTACLES,
    things: Sequence[Thing] = THINGS,
    nested: frozenset[tuple[str, str]] = frozenset(),
) -> Household:
    return Household(
        "FloorPlan1",
        tuple(sorted(receptacles, key=lambda receptacle: receptacle.id)),
        tuple(sorted(things, key=lambda thing: thing.id)),
        MIDDLE,
        nested,
    )


PLACES = frozenset(
    {
        (APPLE.id, COUNTER.id),
        (LOW_APPLE.id, FRIDGE.id),
        (KNIFE.id, COUNTER.id),
        (MUG.id, SHELF.id),
        (SPOON.id, UPPER_DRAWER.id),
        (LAMP.id, LOWER_DRAWER.id),
    }
)


def kitchen(goal: Goal = GOALS[0], **fluents: object) -> Game:
    """A kitchen of eight receptacles and seven things; the fluents replace those of its usual state."""
    defaults: dict[str, object] = {"location": MIDDLE, "places": PLACES}
    nested = frozenset({(SPOON.id, MUG.id)})
    return Game(
        Configuration(household(nested=nested), State(**{**defaults, **fluents})),
        goal,
        "put some mug on desk",
    )


def scene_game(scene: str, goal: Goal, seed: int, copies: int = 2) -> Game:
    """A scene of ALFRED, furnished from its layout file and strewn with what fits, by a seed."""
    rng = random.Random(seed)
    folder = domain.package_folder() / "gen" / "layouts"
    points = json.loads((folder / f"{scene}-openable.json").read_text())
    receptacles = [_receptacle(name, *points[name]) for name in sorted(points)]
    types = {*json.loads((folder / f"{scene}-objects.json").read_text()), goal.target}
    if goal.task_type == "look_at_obj_in_light":
        types.add(goal.destination)
    things, places = [], set()
    for kind in sorted(types & domain.THING_TYPES):
        homes = [receptacle for receptacle in receptacles if domain.fits(kind, receptacle.type)]
        if kind in domain.TOGGLEABLE:
            homes = receptacles
        for _ in range(rng.randint(1, copies)):
            thing = Thing(_random_id(kind, rng), kind, kind in domain.PLACEABLE)
            things.append(thing)
            if homes:
                places.add((thing.id, rng.choice(homes).id))
    start = "loc|0|0|0|45"
    house = Household(scene, tuple(receptacles), tuple(sorted(things, key=lambda thing: thing.id)), start)
    opened = frozenset(r.id for r in receptacles if r.openable and rng.random() < 0.2)
    state = State(start, frozenset(places), opened=opened)
    return Game(Configuration(house, state), goal, f"put a {goal.target.lower()} somewhere")


def _receptacle(name: str, x: float, z: float, degrees: int, horizon: int) -> Receptacle:
    owner = name.split("|", 1)[0]
    kind = f"{owner}Basin" if owner in ("Sink", "Bathtub") else owner
    location = f"loc|{round(4 * x)}|{round(4 * z)}|{degrees // 90}|{horizon}"
    return Receptacle(name, kind, location, kind in domain.OPENABLE)


def _random_id(kind: str, rng: random.Random) -> str:
    return "|".join([kind, *(f"{rng.uniform(-3, 3):+06.2f}" for _ in range(3))])


SMALL_RECEPTACLES = ("CounterTop", "Fridge", "Microwave", "SinkBasin", "Drawer")
SMALL_THINGS = ("Apple", "Spoon", "DeskLamp")
SMALL_LOCATIONS = tuple(f"loc|{x}|0|0|30" for x in range(4))


@st.composite
def small_games(draw: st.DrawFn) -> Game:
    """Small games with doors, shared locations, held things, lit lamps, and things in two places."""
    kinds = draw(st.lists(st.sampled_from(SMALL_RECEPTACLES), min_size=1, max_size=5))
    receptacles = tuple(
        Receptacle(f"{kind}|{number}", kind, draw(st.sampled_from(SMALL_LOCATIONS)), kind in domain.OPENABLE)
        for number, kind in enumerate(sorted(kinds))
    )
    types = sorted(draw(st.lists(st.sampled_from(SMALL_THINGS), min_size=1, max_size=4)))
    things = tuple(Thing(f"{kind}|{number}", kind, kind != "DeskLamp") for number, kind in enumerate(types))
    ids = [thing.id for thing in things]
    doors = [receptacle.id for receptacle in receptacles if receptacle.openable]
    portable = [thing.id for thing in things if thing.pickupable]
    some = st.frozensets(st.sampled_from(ids))
    pairs = st.tuples(st.sampled_from(ids), st.sampled_from([receptacle.id for receptacle in receptacles]))
    state = State(
        location=draw(st.sampled_from(SMALL_LOCATIONS)),
        places=draw(st.frozensets(pairs, max_size=5)),
        holding=draw(st.sampled_from([None, None, *portable])),
        opened=draw(st.frozensets(st.sampled_from(doors)) if doors else st.just(frozenset())),
        clean=draw(some),
        hot=draw(some),
        cool=draw(some),
        toggled=draw(some),
    )
    task = draw(st.sampled_from(domain.TASK_TYPES))
    destination = "DeskLamp" if task == "look_at_obj_in_light" else draw(st.sampled_from(SMALL_RECEPTACLES))
    goal = Goal(task, draw(st.sampled_from(SMALL_THINGS[:2])), destination)
    return Game(
        Configuration(Household("FloorPlan1", receptacles, things, SMALL_LOCATIONS[0]), state), goal, "play"
    )
