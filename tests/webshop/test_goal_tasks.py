"""WebShop's own tasks: which goals are held out, which are sources, and which catalogue they are of."""

from __future__ import annotations

from pathlib import Path

import pytest

from skillsandbox.compiler.environment import Split, Unavailable
from skillsandbox.envs.webshop import environment
from skillsandbox.envs.webshop.environment import DATA_VARIABLE

ORACLE = Path(__file__).parents[3] / "shared/data/webshop/oracle"


@pytest.fixture(autouse=True)
def _own_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATA_VARIABLE, raising=False)


def test_the_splits_are_cut_where_the_official_ones_are() -> None:
    held_out, sources = (environment().tasks(split) for split in Split)
    assert len(held_out) == 500
    assert held_out[0].name == "goal-0"
    assert sources[0].name == "goal-1500"
    assert len(sources) == 5481 - 1500
    assert held_out.version == sources.version


def test_the_catalogues_size_is_stated() -> None:
    description = environment().tasks(Split.SOURCE).description
    assert description == "3,981 of the 5,481 synthetic goals of a catalogue of 1,200 products (generated)"


def test_a_goal_can_be_played_and_says_what_scenarios_must_differ_from() -> None:
    posed = environment().tasks(Split.HELD_OUT)[0]
    assert posed.instruction in posed.task.episode((), 15).reset().observation
    assert set(posed.values.values) == {"Product", "Kind", "Category"}
    assert posed.task.solve((), 15)


@pytest.mark.skipif(not ORACLE.is_dir(), reason="the recorded episodes are not beside this project")
def test_official_files_are_taken_where_they_are_and_too_few_goals_are_said_to_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(ORACLE))
    assert environment().tasks(Split.HELD_OUT).description.endswith("(small)")
    with pytest.raises(Unavailable, match="this split begins at goal 1,500"):
        environment().tasks(Split.SOURCE)


def test_a_folder_without_the_official_files_is_said_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    with pytest.raises(Unavailable, match="items_shuffle_1000"):
        environment().tasks(Split.HELD_OUT)
