"""The official games under ALFWORLD_DATA, and what tasks the folders of games say they are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from skillsandbox.compiler.suggestion import closest
from skillsandbox.envs.alfworld.household import Game
from skillsandbox.envs.alfworld.lowering import TRAJECTORY_FILE

DATA_VARIABLE = "ALFWORLD_DATA"
"""The environment variable with which ALFWorld itself is told where its data are."""

GAMES_FOLDER = "json_2.1.1"

EXAMPLE = "valid_seen/pick_and_place_simple-Mug-None-Desk-308/trial_T20190908_125200_737896"
PARTS_OF_A_NAME = len(EXAMPLE.split("/"))


class GameError(Exception):
    """An official game cannot be had; the text says why, and what to do."""


def read_game(name: str) -> Game:
    """Read an official game by its folder below `json_2.1.1`.

    Names look like EXAMPLE.

    Raises:
        GameError: there are no official games, none has this name, or its files are not what they should be.
    """
    from skillsandbox.envs.alfworld.pddl import read_folder

    folder = _game_folder(games_root(), name)
    try:
        return read_folder(folder)
    except OSError as error:
        raise GameError(f"the game {name} cannot be read: {error.filename}: {error.strerror}") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise GameError(f"the game {name} is not in ALFWorld's format, or beyond it: {error}") from error


def source_of(path: Path) -> dict[str, set[str]]:
    """Read what task the folder of an official game or of a scenario holds, or a `traj_data.json` itself.

    Returns the values of the types Scene, ObjectType and ReceptacleType that occur in the task.

    Raises:
        GameError: there is no such file, or it does not describe a task.
    """
    file = path / TRAJECTORY_FILE if path.is_dir() else path
    try:
        return _task_values(json.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise GameError(f"{file} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise GameError(f"{file} does not describe a task of ALFRED") from error


def _task_values(trajectory: Any) -> dict[str, set[str]]:
    parameters = trajectory["pddl_params"]
    objects = {parameters["object_target"], parameters["toggle_target"], parameters["mrecep_target"]}
    return {
        "Scene": {trajectory["scene"]["floor_plan"]},
        "ObjectType": objects - {""},
        "ReceptacleType": {parameters["parent_target"]} - {""},
    }


def games_root() -> Path:
    """Return the folder of the official games; raise `GameError` where there is none."""
    data = os.environ.get(DATA_VARIABLE)
    if not data:
        raise GameError(
            f"{DATA_VARIABLE} is not set; it names the folder to which `alfworld-download` writes"
        )
    root = Path(data) / GAMES_FOLDER
    if not root.is_dir():
        raise GameError(
            f"{DATA_VARIABLE} is {data}, which has no folder {GAMES_FOLDER}; run `alfworld-download`"
        )
    return root.resolve()


def _game_folder(root: Path, name: str) -> Path:
    try:
        folder = (root / name).resolve()
    except ValueError as error:
        raise GameError(f"{name!r} is not the name of a game: {error}") from error
    if not folder.is_relative_to(root):
        raise GameError(f"{name!r} is not the name of a game: it leads out of {root}")
    parts = folder.relative_to(root).parts
    if not folder.is_dir() or len(parts) != PARTS_OF_A_NAME:
        meant = _similar_name(root, parts)
        help_text = f"did you mean {meant!r}?" if meant else f"names look like {EXAMPLE!r}"
        raise GameError(f"{root} has no game {name!r}; {help_text}")
    return folder


def _similar_name(root: Path, parts: tuple[str, ...]) -> str | None:
    """Return the name of a game that has the nearest folder in place of each one that is not there."""
    folder = root
    for part in parts[:PARTS_OF_A_NAME]:
        nearest = part if (folder / part).is_dir() else closest(part, _subfolders(folder))
        if nearest is None:
            return None
        folder /= nearest
    while len(folder.relative_to(root).parts) < PARTS_OF_A_NAME and _subfolders(folder):
        folder /= _subfolders(folder)[0]
    return folder.relative_to(root).as_posix()


def _subfolders(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_dir())
