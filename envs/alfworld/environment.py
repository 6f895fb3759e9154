"""ALFWorld as an environment: the one object through which the rest of the project knows it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from skillsandbox.compiler.environment import Agent, Guidance, Refused, SourceTask, Split, Store, TaskSet
from skillsandbox.compiler.interface import Interface
from skillsandbox.compiler.values import Binding, Entity, GroundCall, Value
from skillsandbox.envs.alfworld import domain, operations
from skillsandbox.envs.alfworld.episode import ENGINES
from skillsandbox.envs.alfworld.household import Configuration, Game, Goal
from skillsandbox.envs.alfworld.interface import interface
from skillsandbox.envs.alfworld.moment import HouseholdMoment
from skillsandbox.envs.alfworld.saving import configuration_from_data, configuration_to_data
from skillsandbox.envs.alfworld.store import AlfworldStore, open_store
from skillsandbox.grammar.loader import grammar_text

if TYPE_CHECKING:
    from skillsandbox.envs.alfworld.task import HouseholdTask

_TASK_TYPE_OF_STATE = {
    "clean": "pick_clean_then_place_in_recep",
    "hot": "pick_heat_then_place_in_recep",
    "cool": "pick_cool_then_place_in_recep",
}
_COMMANDS = {
    "go_to": "go to {}",
    "open_action": "open {}",
    "close_action": "close {}",
    "take": "take {} from {}",
    "move": "move {} to {}",
    "heat": "heat {} with {}",
    "cool": "cool {} with {}",
    "clean": "clean {} with {}",
    "use": "use {}",
    "slice": "slice {} with {}",
    "examine": "examine {}",
    "look": "look",
    "inventory": "inventory",
}


class Alfworld:
    """The household environment of ALFWorld, on the data that its package ships."""

    name = "alfworld"
    step_limit = 30
    memory = 10
    engines = ENGINES

    def grammar(self) -> str:
        """Return the text of ALFWorld's grammar."""
        return grammar_text(self.name)

    def interface(self) -> Interface:
        """Return ALFWorld's construction interface."""
        return interface()

    def open_store(self) -> Store:
        """Open the store of the 120 scenes in their default arrangement."""
        return _opened_store()

    def with_base(self, store: Store, base: GroundCall) -> tuple[Store, str]:
        """Return a store in which an official game stands as one more scene, and that scene's key."""
        from skillsandbox.envs.alfworld.games import GameError

        assert isinstance(store, AlfworldStore)
        name = str(base.arguments[0])
        try:
            return store.with_game(name), f"game:{name}"
        except GameError as error:
            raise Refused(str(error)) from error

    def start(self, store: Store, binding: Binding) -> Configuration:
        """Return the arrangement of the bound scene."""
        assert isinstance(store, AlfworldStore)
        assert binding.context is not None
        return store.configuration(binding.context)

    def apply(self, configuration: Configuration, operation: GroundCall, random: Random) -> Configuration:
        """Return the configuration after an operation; raise `Refused` where ALFWorld forbids it."""
        return operations.apply(configuration, operation, random)

    def moment(self, configuration: Configuration) -> HouseholdMoment:
        """Return a configuration as the first moment of a run."""
        return HouseholdMoment(configuration)

    def command(self, configuration: Configuration, action: GroundCall) -> str:
        """Return an action with the names by which the agent knows things."""
        from skillsandbox.envs.alfworld.engine import display_names

        household = configuration.household
        names = display_names(
            [*(one.id for one in household.receptacles), *(one.id for one in household.things)]
        )
        keys = (argument.key for argument in action.arguments if isinstance(argument, Entity))
        return _COMMANDS[action.symbol].format(*(names.get(key, key.split("|")[0].lower()) for key in keys))

    def wording_fault(self, instruction: str) -> str | None:
        """Return which characters the official text grammar would evaluate or lose."""
        from skillsandbox.envs.alfworld.lowering import instruction_faults

        return "; ".join(instruction_faults(instruction)) or None

    def task(self, configuration: Configuration, goal: GroundCall, instruction: str) -> HouseholdTask:
        """Return the game of a goal."""
        from skillsandbox.envs.alfworld.task import HouseholdTask

        return HouseholdTask(Game(configuration, _goal(goal), instruction))

    def wording(self, value: Value) -> str:
        """Return a type as the official task texts write it, in lower case."""
        return str(value).lower()

    def difference(self, base: Configuration, configuration: Configuration) -> str:
        """Return what the operations changed, fact by fact."""
        return operations.difference(base, configuration)

    def dump(self, configuration: Configuration) -> Any:
        """Return a configuration as JSON data."""
        return configuration_to_data(configuration)

    def load(self, data: Any) -> Configuration:
        """Return the configuration that `dump` wrote; raise `Refused` where it has not."""
        return configuration_from_data(data)

    def folder_fault(self, folder: Path) -> str | None:
        """Return which part of a path makes the official collector drop every game under it."""
        for word in domain.COLLECTOR_DROPS:
            if word in str(folder):
                return f"ALFWorld's collector drops every path that contains {word!r}"
        return None

    def source_task(self, path: Path) -> SourceTask:
        """Read the task of an official game's folder or of a scenario's folder."""
        from skillsandbox.envs.alfworld.games import GameError, source_of

        try:
            values = source_of(path)
        except GameError as error:
            raise Refused(str(error)) from error
        return SourceTask({name: frozenset(found) for name, found in values.items()})

    def tasks(self, split: Split) -> TaskSet:
        """Return the official games of a split where they are on this machine, else tasks that are drawn."""
        from skillsandbox.envs.alfworld.tasks import tasks

        return tasks(split, _opened_store())

    def agent(self, guidance: Guidance | None, seed: int) -> Agent:
        """Return the household agent."""
        from skillsandbox.envs.alfworld.agent import household_agent

        return household_agent(guidance, seed)


@cache
def _opened_store() -> AlfworldStore:
    return open_store()


def _goal(goal: GroundCall) -> Goal:
    match goal:
        case GroundCall("put", (str(target), str(destination))):
            return Goal("pick_and_place_simple", target, destination)
        case GroundCall("put_state", (str(state), str(target), str(destination))):
            return Goal(_TASK_TYPE_OF_STATE[state], target, destination)
        case GroundCall("put_two", (_, str(target), str(destination))):
            return Goal("pick_two_obj_and_place", target, destination)
        case GroundCall("look_at", (str(target), str(lamp))):
            return Goal("look_at_obj_in_light", target, lamp)
        case _:
            raise ValueError(f"no goal of ALFWorld: {goal}")
