"""Official games by name, and the tasks that folders of games describe."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from alfworld_games import GOALS, kitchen
from hypothesis import given
from hypothesis import strategies as st

from skillsandbox.envs.alfworld import lowering
from skillsandbox.envs.alfworld.games import (
    DATA_VARIABLE,
    GAMES_FOLDER,
    GameError,
    read_game,
    source_of,
)
from skillsandbox.envs.alfworld.household import Goal
from skillsandbox.envs.alfworld.layouts import cell_of, read_layout
from skillsandbox.envs.alfworld.store import open_store
from skillsandbox.grammar.cache import CACHE_VARIABLE

OFFICIAL = Path(os.environ.get(DATA_VARIABLE) or "nowhere") / GAMES_FOLDER

GAME = kitchen()
TASK = lowering.folder_name(GAME)
NAME = f"valid_seen/{TASK}/trial_T20190908_125200_737896"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    root = tmp_path / GAMES_FOLDER
    lowering.write(root / NAME, lowering.lower(GAME, ("look",)))
    return root


def test_a_game_is_read_by_its_name(root: Path) -> None:
    assert read_game(NAME) == GAME


def test_a_game_becomes_one_more_scene_of_the_store(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(root.parent / "cache"))
    store = open_store().with_game(NAME)

    assert store.configuration(f"game:{NAME}") == GAME.configuration
    things = store.query("SELECT id FROM thing WHERE scene = ? ORDER BY id", (f"game:{NAME}",))
    assert things == [(thing.id,) for thing in GAME.configuration.household.things]


@pytest.mark.parametrize("data", [None, ""])
def test_without_the_variable_one_is_told_to_set_it(
    data: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    if data is not None:
        monkeypatch.setenv(DATA_VARIABLE, data)

    with pytest.raises(GameError, match=f"{DATA_VARIABLE} is not set"):
        read_game(NAME)


def test_without_games_one_is_told_to_download_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))

    with pytest.raises(GameError, match="alfworld-download"):
        read_game(NAME)


@pytest.mark.parametrize(
    "wrong",
    [
        NAME.replace("valid_seen", "valid_sen"),
        NAME.replace("Mug", "Mig"),
        NAME.replace("_737896", "_737895"),
        NAME.rsplit("/", 1)[0],
        "valid_seen",
        "valid_seen/../valid_sen",
    ],
)
def test_a_name_that_is_nearly_right_gets_a_suggestion(root: Path, wrong: str) -> None:
    with pytest.raises(GameError) as caught:
        read_game(wrong)

    assert f"did you mean '{NAME}'" in str(caught.value)


@pytest.mark.parametrize("wrong", ["", "nothing/like/this", "valid_seen/xyz/trial_1", "a\0b", "./."])
def test_a_name_of_no_game_is_refused(root: Path, wrong: str) -> None:
    with pytest.raises(GameError):
        read_game(wrong)


@pytest.mark.parametrize(
    "wrong", ["../secret/a/b", f"valid_seen/../../{GAMES_FOLDER}x", "/etc", "valid_seen/link/trial"]
)
def test_a_path_out_of_the_games_is_refused(root: Path, wrong: str) -> None:
    outside = root.parent / "secret"
    (outside / "trial").mkdir(parents=True)
    (root / "valid_seen" / "link").symlink_to(outside)

    with pytest.raises(GameError, match="leads out of"):
        read_game(wrong)


@pytest.mark.parametrize("file", [lowering.GAME_FILE, lowering.TRAJECTORY_FILE])
@pytest.mark.parametrize(
    "content", [None, b"", b"\xff", b"[]", b"{}", b'{"scene": 1, "pddl_problem": 1, "grammar": 1}']
)
def test_a_game_with_a_broken_file_is_refused_by_name(root: Path, file: str, content: bytes | None) -> None:
    (root / NAME / file).unlink()
    if content is not None:
        (root / NAME / file).write_bytes(content)

    with pytest.raises(GameError, match=NAME):
        read_game(NAME)


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: goal.task_type)
def test_the_source_of_a_game_is_what_its_goal_speaks_of(tmp_path: Path, goal: Goal) -> None:
    lowering.write(tmp_path, lowering.lower(kitchen(goal), None))
    lamp = goal.task_type == lowering.LIGHT_TASK

    expected = {
        "Scene": {"FloorPlan1"},
        "ObjectType": {goal.target, goal.destination} if lamp else {goal.target},
        "ReceptacleType": set() if lamp else {goal.destination},
    }
    assert source_of(tmp_path) == expected
    assert source_of(tmp_path / lowering.TRAJECTORY_FILE) == expected


def test_a_folder_without_a_task_is_named(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=lowering.TRAJECTORY_FILE):
        source_of(tmp_path)
    with pytest.raises(GameError, match="nowhere"):
        source_of(tmp_path / "nowhere")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["pddl_params", "scene"]), inner)
    ),
)


@given(data=json_values)
def test_a_file_that_describes_no_task_is_refused(
    tmp_path_factory: pytest.TempPathFactory, data: object
) -> None:
    file = tmp_path_factory.mktemp("task") / lowering.TRAJECTORY_FILE
    file.write_text(json.dumps(data), encoding="utf-8")

    with pytest.raises(GameError, match="does not describe a task"):
        source_of(file)


@pytest.mark.skipif(not OFFICIAL.is_dir(), reason=f"{DATA_VARIABLE} names no folder with official games")
def test_the_furniture_of_our_scenes_is_that_of_the_official_games() -> None:
    names = sorted(
        file.parent.relative_to(OFFICIAL).as_posix() for file in OFFICIAL.glob("valid_*/*/*/*.tw-pddl")
    )
    checked = exact = 0
    for name in names[:: max(1, len(names) // 40)]:
        household = read_game(name).configuration.household
        official = {receptacle.id: receptacle for receptacle in household.receptacles}
        for ours in read_layout(household.scene).receptacles:
            if theirs := official.get(ours.id):
                assert (ours.type, ours.openable) == (theirs.type, theirs.openable)
                assert cell_of(ours.location) == cell_of(theirs.location)
                checked, exact = checked + 1, exact + (ours.location == theirs.location)

    assert exact / checked > 0.9
