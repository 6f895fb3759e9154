"""Manifests that somebody changed: they can be played, or it is said what is wrong with them."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner
from command_line import DONE, FAULTY, Place
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import compile_source
from skillsandbox.compiler.environment import Frame, environments
from skillsandbox.compiler.lowerer import lower
from skillsandbox.compiler.manifest import MANIFEST, ManifestError, load
from skillsandbox.runtime.encounters import encountered

HOUSEHOLD = """
scenario door_left_open for alfworld {
  condition "A container was left open, and something stands in it." arises in history
  let ?food: Object where ?food.type in [Apple, Tomato]
  let ?tool: Receptacle where ?tool.type == Fridge
  goal put 2 ?food.type in DiningTable
  say "put two {?food.type} in the dining table"
  build { place ?food in ?tool for stored  set ?food cool  close ?tool }
  history { go to ?tool open ?tool }
  require { stored: ?food in ?tool }
  encounter { seen: eventually agent sees ?food }
  novel in scene, ?food.type
}
"""
SHOP = """
scenario easy_clean_backpack for webshop {
  condition "A wanted attribute is said only in the features." arises in history
  let ?target: Product where ?target.title contains "backpack" and ?target.price < $50
  let ?rival:  Product where ?rival.category == ?target.category and ?rival != ?target
  goal buy ?target { attribute "easy clean"  price < $50 }
  say "I want a {?target.kind} that is easy to clean, under $50"
  build {
    alter ?target.features add "Easy clean: wipe with a damp cloth"
    add distractor like ?target { price $79  without attribute "easy clean" }
    remove ?rival
    rank ?target 3 for query "hairdressing backpack easy to clean"  for third
  }
  history { search "hairdressing backpack easy to clean" }
  require { third: rank(?target, "hairdressing backpack easy to clean") == 3 }
  encounter { read: eventually viewed(?target, features) and ?target.price < $90 }
  novel in ?target.category, ?rival
}
"""
INSTALLED = environments()
Steps = tuple[str | int, ...]
_DIGEST = re.compile(r"at `digest`: expected (\w+),")


@pytest.fixture(scope="module")
def manifests() -> dict[str, Any]:
    """Return a manifest of each environment, as JSON data."""
    return {"alfworld": _manifest("alfworld", HOUSEHOLD), "webshop": _manifest("webshop", SHOP)}


def _manifest(environment: str, program: str) -> Any:
    (scenario,) = compile_source(Source("test", program), INSTALLED, seed=0).scenarios
    files = lower(scenario, INSTALLED[environment]())
    return json.loads(next(text for path, text in files.items() if path.endswith(MANIFEST)))


@attrs.frozen
class Folder:
    """A folder with a manifest that can be changed, and the command line as it is called there."""

    path: Path

    def write(self, data: Any) -> None:
        (self.path / MANIFEST).write_text(json.dumps(data), "utf-8")

    def first_frame(self) -> Frame:
        """Begin to play what is there, and evaluate its checks."""
        scenario = load(self.path, INSTALLED)
        environment = INSTALLED[scenario.environment]()
        episode = scenario.task(environment).episode(scenario.history, environment.step_limit)
        frame = episode.reset()
        episode.close()
        encountered(scenario, environment, ["look", "search[bag]"])
        return frame

    def complaint(self) -> str | None:
        """Return why what is there cannot be played."""
        try:
            self.first_frame()
        except ManifestError as error:
            return str(error)
        return None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return Folder(tmp_path_factory.mktemp("changed"))


# Any one change


texts = st.sampled_from(["", "0", "again", "look", "FloorPlan1", "loc|0|0|0|0", "search[bag]"]) | st.text(
    max_size=5
)
numbers = st.integers() | st.sampled_from([0, -1, 10**30, 0.5, 1e300])
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=3,
)


def paths(part: Any, above: Steps = ()) -> Iterator[Steps]:
    """Yield the paths to all parts of a manifest."""
    steps: Iterable[str | int] = range(len(part)) if isinstance(part, list) else part
    for step in steps if isinstance(part, dict | list) else ():
        yield (*above, step)
        yield from paths(part[step], (*above, step))


def at(manifest: Any, path: Steps) -> Any:
    return reduce(lambda part, step: part[step], path, manifest)


def places(manifest: Any) -> st.SearchStrategy[Steps]:
    """Return the paths to all parts; the items of one list are together as likely as any other part."""
    alike: dict[Steps, list[Steps]] = {}
    for path in paths(manifest):
        alike.setdefault(tuple(0 if isinstance(step, int) else step for step in path), []).append(path)
    return st.sampled_from(list(alike.values())).flatmap(st.sampled_from)


@st.composite
def changes(draw: st.DrawFn, manifest: Any) -> Any:
    """Draw a manifest with one part left out, replaced, or there twice."""
    place = draw(places(manifest))
    changed = copy.deepcopy(manifest)
    parent, part = at(changed, place[:-1]), at(changed, place)
    match draw(st.sampled_from(["left out", "anything", "another of its kind", "twice"])):
        case "left out":
            del parent[place[-1]]
        case "anything":
            parent[place[-1]] = draw(values)
        case "another of its kind":
            near = [at(manifest[place[0]], path) for path in paths(manifest[place[0]])]
            alike = [one for one in near if type(one) is type(part)]
            parent[place[-1]] = draw(st.sampled_from(alike or [part]))
        case _ if isinstance(parent, list):
            parent.append(part)
        case _:
            parent[draw(st.sampled_from(list(parent)) | texts)] = part
    return changed


@pytest.mark.parametrize("environment", ["alfworld", "webshop"])
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(draw=st.data())
def test_a_manifest_with_any_one_change_can_be_played_or_is_said_to_be_none(
    manifests: dict[str, Any], folder: Folder, environment: str, draw: st.DataObject
) -> None:
    data = draw.draw(changes(manifests[environment]))
    folder.write(data)
    complaint = folder.complaint()
    if complaint is not None and (digest := _DIGEST.search(complaint)):
        folder.write({**data, "digest": digest[1]})
        complaint = folder.complaint()
    if complaint is not None:
        assert complaint.startswith(str(folder.path / MANIFEST))


def test_an_unchanged_manifest_is_played(manifests: dict[str, Any], folder: Folder) -> None:
    for data in manifests.values():
        folder.write(data)
        assert folder.complaint() is None


# What is said of a change


CHANGES: Mapping[str, tuple[str, Steps, Any, str]] = {
    "a goal with an argument too few": (
        "alfworld",
        ("goal", "arguments"),
        [2, "Apple"],
        "at `goal.arguments`: expected 3 for `put_two` (count, type, destination), found 2",
    ),
    "a number of another goal": (
        "alfworld",
        ("goal", "arguments", 0),
        3,
        "at `goal.arguments[0]`: expected a number from 2 to 2, found 3",
    ),
    "a type that no goal has": (
        "alfworld",
        ("goal", "arguments", 1),
        "Elephant",
        "at `goal.arguments[1]`: expected one of AlarmClock, Apple, ",
    ),
    "a goal of another environment": (
        "alfworld",
        ("goal", "symbol"),
        "buy",
        'at `goal.symbol`: expected one of look_at, put, put_state, put_two, found "buy"',
    ),
    "another wording": ("alfworld", ("instruction",), "put it away", "at `digest`: expected "),
    "a wording that the game would lose": (
        "alfworld",
        ("instruction",),
        "put [it]",
        "at `instruction`: [ ",
    ),
    "a history that does nothing": (
        "alfworld",
        ("history", 1),
        "close fridge 1",
        'at `history[1]`: expected a command that does something there, found "close fridge 1"',
    ),
    "an entity of another type": (
        "alfworld",
        ("binding", "variables", "food", "type"),
        "Receptacle",
        'at `binding.variables.food.type`: expected "Object", found "Receptacle"',
    ),
    "a number as an id": (
        "alfworld",
        ("configuration", "household", "things", 0, "id"),
        7,
        "at `configuration.household.things[0].id`: expected `str`, got `int`",
    ),
    "a hand that holds what is not there": (
        "alfworld",
        ("configuration", "state", "holding"),
        "Mug|1",
        'at `configuration.state.holding`: expected the id of an object of the household, found "Mug|1"',
    ),
    "an agent nowhere": (
        "alfworld",
        ("configuration", "state", "location"),
        "kitchen",
        'at `configuration.state.location`: expected a location such as loc|-4|5|2|60, found "kitchen"',
    ),
    "a program that is none": ("alfworld", ("program",), "scenario", "at `program`: SCN"),
    "another format": (
        "webshop",
        ("format",),
        2,
        "at `format`: expected 1, the one ",
    ),
    "a wish with an argument too many": (
        "webshop",
        ("goal", "arguments", 1, 0, "arguments"),
        ["easy clean", "light"],
        "at `goal.arguments[1][0].arguments`: expected 1 for `want_attribute` (attribute), found 2",
    ),
    "a product to buy that there is not": (
        "webshop",
        ("goal", "arguments", 0, "key"),
        "B000000000",
        "at `goal`: the product B000000000 has been removed",
    ),
    "a variable that stands for no product": (
        "webshop",
        ("binding", "variables", "target", "key"),
        "B000000000",
        "at `binding.variables`: of `read`, the product B000000000 has been removed",
    ),
    "a removal of an unknown product": (
        "webshop",
        ("configuration", "overlay", "removed"),
        ["B000000000"],
        "cannot be loaded: the catalogue has no product B000000000, of which the overlay speaks",
    ),
    "a place for an unknown product": (
        "webshop",
        ("configuration", "overlay", "pins", 0, "asin"),
        "B000000000",
        "cannot be loaded: the catalogue has no product B000000000, of which the overlay speaks",
    ),
    "a catalogue that there is not": (
        "webshop",
        ("configuration", "catalogue"),
        "large",
        'at `configuration.catalogue`: expected one of all, generated, small, found "large"',
    ),
}


def _replaced(manifest: Any, place: Steps, value: Any) -> Any:
    changed = copy.deepcopy(manifest)
    at(changed, place[:-1])[place[-1]] = value
    return changed


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_said_where_a_manifest_is_wrong_what_was_expected_and_what_to_do(
    manifests: dict[str, Any], folder: Folder, change: str
) -> None:
    environment, place, value, words = CHANGES[change]
    folder.write(_replaced(manifests[environment], place, value))
    complaint = folder.complaint()
    assert complaint is not None
    assert words in complaint
    assert complaint.endswith("; compile the program again")


def test_a_history_that_leaves_nothing_to_do_is_refused(manifests: dict[str, Any], folder: Folder) -> None:
    data = manifests["webshop"]
    folder.write({**data, "history": [*data["history"], *data["plan"]]})
    assert "at `history`: nothing is left to do" in (folder.complaint() or "")

    target = data["binding"]["variables"]["target"]["key"].lower()
    folder.write(data)
    links = [one for one in folder.first_frame().admissible if one.startswith("click[b0")]
    other = next(one for one in links if one != f"click[{target}]")
    folder.write({**data, "history": [*data["history"], other, "click[buy now]"]})
    assert "at `history`: the history makes a purchase: click[buy now]" in (folder.complaint() or "")


@pytest.mark.parametrize("command", ["run", "play", "serve"])
def test_commands_say_what_is_wrong_with_a_manifest(
    manifests: dict[str, Any], folder: Folder, command: str
) -> None:
    folder.write(_replaced(manifests["webshop"], ("goal", "arguments"), []))
    result = Place(folder.path, CliRunner()).run(command, str(folder.path))
    assert result.exit_code == FAULTY
    assert result.stderr == (
        f"Error: {folder.path / MANIFEST} is not a scenario's manifest: at `goal.arguments`: "
        "expected 2 for `buy` (product, wishes), found 0; compile the program again\n"
    )


SKILL = {
    "id": "doors_first",
    "condition": "The target object may be inside a closed drawer, cabinet or other container.",
    "principle": "Search closed containers before surfaces.",
}


def test_a_verification_does_not_go_on_with_a_scenario_that_someone_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = Place(tmp_path, CliRunner())
    command = ["verify", place.write("skills.jsonl", json.dumps(SKILL)), "-o", "run"]
    assert place.run(*command).exit_code == DONE
    journal = tmp_path / "run" / "journal.jsonl"
    built = [line for line in journal.read_text().splitlines() if '"key":["run"' not in line]
    journal.write_text("".join(f"{line}\n" for line in built))
    manifest = next((tmp_path / "run").rglob(MANIFEST))
    data = {**json.loads(manifest.read_text("utf-8")), "instruction": "sing"}
    manifest.write_text(json.dumps(data), "utf-8")

    result = place.run(*command)
    assert result.exit_code == FAULTY
    assert "at `digest`: expected " in result.stderr
    assert result.stderr.endswith("use another folder, or delete run to start anew.\n")
