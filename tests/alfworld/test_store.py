"""The data store: its tables, its cache, and the configurations that it gives back."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillsandbox.envs.alfworld import domain
from skillsandbox.envs.alfworld.arrangement import arrange
from skillsandbox.envs.alfworld.household import Configuration
from skillsandbox.envs.alfworld.layouts import Layout, read_layout, read_layouts
from skillsandbox.envs.alfworld.store import (
    CONTENT_VERSION,
    AlfworldStore,
    StoreError,
    open_store,
)
from skillsandbox.grammar.cache import CACHE_VARIABLE

LAYOUTS = read_layouts()


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(folder))
        yield folder


@pytest.fixture(scope="module")
def store(cache: Path) -> AlfworldStore:
    return open_store()


def content(store: AlfworldStore) -> dict[str, list[tuple[object, ...]]]:
    tables = ("scene", "receptacle", "thing", "fits", "object_type", "receptacle_type")
    return {table: store.query(f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables}


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_every_scene_stands_in_the_store_as_it_was_arranged(store: AlfworldStore) -> None:
    for layout in LAYOUTS:
        assert store.configuration(layout.scene) == arrange(layout, 0)


def test_the_scene_table_says_kind_number_and_split(store: AlfworldStore) -> None:
    rows = store.query("SELECT scene, floor_plan, kind, number, split FROM scene ORDER BY number")

    assert rows == [(x.scene, x.scene, x.kind, x.number, x.split) for x in LAYOUTS]


def test_receptacle_cells_are_those_of_their_locations(store: AlfworldStore) -> None:
    rows = store.query("SELECT location, x, z FROM receptacle")

    assert all(location.startswith(f"loc|{x}|{z}|") for location, x, z in rows)


def test_what_can_be_done_to_a_thing_follows_from_its_type(store: AlfworldStore) -> None:
    disagreeing = store.query(
        "SELECT count(*) FROM thing JOIN object_type ON name = type WHERE"
        " (thing.heatable, thing.coolable, thing.cleanable, thing.toggleable, thing.sliceable) <>"
        " (object_type.heatable, object_type.coolable, object_type.cleanable,"
        "  object_type.toggleable, object_type.sliceable)"
    )

    assert disagreeing == [(0,)]
    assert store.query("SELECT heatable, sliceable FROM object_type WHERE name = 'Apple'") == [(1, 1)]
    assert store.query("SELECT coolable, cleanable FROM object_type WHERE name = 'WineBottle'") == [(1, 0)]
    assert {
        name for (name,) in store.query("SELECT name FROM object_type WHERE toggleable")
    } == domain.TOGGLEABLE


def test_fits_is_the_official_table(store: AlfworldStore) -> None:
    assert set(store.query("SELECT object_type, receptacle_type FROM fits")) == {
        (thing, receptacle)
        for receptacle in domain.RECEPTACLE_TYPES
        for thing in domain.THING_TYPES
        if domain.fits(thing, receptacle)
    }


def test_every_reference_leads_to_a_row(store: AlfworldStore) -> None:
    assert store.query("PRAGMA foreign_key_check") == []
    assert store.query(
        "SELECT count(*) FROM thing WHERE NOT EXISTS"
        " (SELECT 1 FROM receptacle WHERE receptacle.scene = thing.scene AND receptacle.id = thing.receptacle"
        " AND receptacle.type = thing.receptacle_type)"
    ) == [(0,)]


def test_a_conjunctive_query_finds_what_a_search_by_hand_finds(store: AlfworldStore) -> None:
    found = store.query(
        "SELECT food.scene, food.id, start.id, tool.id, dest.id FROM thing AS food"
        " JOIN receptacle AS start USING (scene) JOIN receptacle AS tool USING (scene)"
        " JOIN receptacle AS dest USING (scene)"
        " WHERE scene = ? AND food.type IN ('Bread', 'Apple', 'Tomato')"
        " AND start.type IN ('DiningTable', 'CounterTop') AND tool.type = 'Fridge'"
        " AND abs(start.x - tool.x) + abs(start.z - tool.z) >= 4"
        " AND dest.type = 'CounterTop' AND dest.id <> start.id"
        " AND EXISTS (SELECT 1 FROM fits WHERE object_type = food.type AND receptacle_type = start.type)",
        ("FloorPlan1",),
    )

    household = store.configuration("FloorPlan1").household
    cells = {r.id: [int(part) for part in r.location.split("|")[1:3]] for r in household.receptacles}
    assert set(found) == {
        ("FloorPlan1", food.id, start.id, tool.id, dest.id)
        for food in household.things
        for start in household.receptacles
        for tool in household.receptacles
        for dest in household.receptacles
        if food.type in {"Bread", "Apple", "Tomato"} and start.type in {"DiningTable", "CounterTop"}
        if tool.type == "Fridge" and dest.type == "CounterTop" and dest != start
        if sum(abs(a - b) for a, b in zip(cells[start.id], cells[tool.id], strict=True)) >= 4
        if domain.fits(food.type, start.type)
    }
    assert found


def test_parameters_can_be_named(store: AlfworldStore) -> None:
    assert store.query("SELECT number FROM scene WHERE scene = :scene", {"scene": "FloorPlan7"}) == [(7,)]


def test_a_query_cannot_write(store: AlfworldStore) -> None:
    for writable in (store, store.with_configuration("game:a", store.configuration("FloorPlan1"))):
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            writable.query("DELETE FROM scene")


def test_a_scene_that_is_not_there_is_named(store: AlfworldStore) -> None:
    with pytest.raises(StoreError, match="FloorPlan999"):
        store.configuration("FloorPlan999")


def test_several_threads_can_query_one_store(store: AlfworldStore) -> None:
    answers: list[Configuration] = []
    threads = [
        threading.Thread(target=lambda: answers.append(store.configuration("FloorPlan2"))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == [store.configuration("FloorPlan2")] * 4


def test_the_arrangement_seed_decides_the_data_version(store: AlfworldStore, cache: Path) -> None:
    other = open_store(arrangement_seed=1)

    assert other.data_version != store.data_version
    assert other.configuration("FloorPlan1") == arrange(read_layout("FloorPlan1"), 1)
    assert open_store().data_version == store.data_version


def test_other_content_needs_another_content_version(store: AlfworldStore) -> None:
    assert (CONTENT_VERSION, store.data_version[:16]) == (1, "4dfc344433e93475")


def test_the_bytes_do_not_depend_on_the_order_of_hashes(tmp_path: Path) -> None:
    files = []
    for hash_seed in ("1", "2"):
        folder = tmp_path / hash_seed
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, CACHE_VARIABLE: str(folder)}
        build = "from skillsandbox.envs.alfworld.store import open_store; open_store()"
        subprocess.run([sys.executable, "-c", build], env=environment, check=True)
        files.append(only_file(folder))

    assert files[0].name == files[1].name
    assert files[0].read_bytes() == files[1].read_bytes()


def test_processes_that_build_at_once_leave_one_good_file(tmp_path: Path) -> None:
    environment = {**os.environ, CACHE_VARIABLE: str(tmp_path)}
    show = "from skillsandbox.envs.alfworld.store import open_store; print(open_store().data_version)"
    processes = [
        subprocess.Popen([sys.executable, "-c", show], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    versions = {process.communicate()[0] for process in processes}

    assert [process.returncode for process in processes] == [0, 0, 0]
    assert len(versions) == 1
    assert only_file(tmp_path).suffix == ".sqlite3"


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "made" / "here"))
    return tmp_path / "made" / "here"


def test_a_store_that_was_built_is_not_built_again(own_cache: Path) -> None:
    open_store().close()
    built = only_file(own_cache).stat()
    open_store().close()

    assert only_file(own_cache).stat() == built


@pytest.mark.parametrize("harm", ["empty", "cut", "flipped", "other"])
def test_a_damaged_file_is_built_again(own_cache: Path, harm: str, store: AlfworldStore) -> None:
    open_store().close()
    path = only_file(own_cache)
    whole = path.read_bytes()
    middle = len(whole) // 2
    damaged = {
        "empty": b"",
        "cut": whole[:middle],
        "flipped": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "other": b"This is not a database. " * 1000,
    }
    path.write_bytes(damaged[harm])

    with_repair = open_store()
    assert path.read_bytes() == whole
    assert content(with_repair) == content(store)


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))

    with pytest.raises(StoreError, match=CACHE_VARIABLE):
        open_store()


def test_an_added_configuration_is_one_more_scene(store: AlfworldStore) -> None:
    configuration = arrange(read_layout("FloorPlan301"), 5)
    larger = store.with_configuration("game:x", configuration)

    assert larger.configuration("game:x") == configuration
    assert larger.configuration("FloorPlan301") == store.configuration("FloorPlan301")
    assert larger.query("SELECT floor_plan, kind, number, split FROM scene WHERE scene = 'game:x'") == [
        ("FloorPlan301", "Bedroom", 301, "test")
    ]
    things = larger.query("SELECT id, receptacle FROM thing WHERE scene = 'game:x'")
    assert set(things) == configuration.state.places
    with pytest.raises(StoreError, match="game:x"):
        store.configuration("game:x")


@settings(max_examples=10, deadline=None)
@given(layout=st.sampled_from(LAYOUTS), seed=st.integers(0, 99))
def test_the_data_version_tells_contents_apart(store: AlfworldStore, layout: Layout, seed: int) -> None:
    def version(key: str, seed: int) -> str:
        return store.with_configuration(key, arrange(layout, seed)).data_version

    assert version("game:x", seed) == version("game:x", seed)
    versions = {version("game:x", seed), version("game:x", seed + 1), version("game:y", seed)}
    assert len({store.data_version, *versions}) == 4


def test_a_thing_in_two_receptacles_stands_in_the_first_of_them(store: AlfworldStore) -> None:
    configuration = store.configuration("FloorPlan1")
    thing, place = min(configuration.state.places)
    others = {receptacle.id for receptacle in configuration.household.receptacles} - {place}
    state = attrs.evolve(
        configuration.state, places=configuration.state.places | {(thing, other) for other in others}
    )
    larger = store.with_configuration("game:x", attrs.evolve(configuration, state=state))

    assert larger.query("SELECT receptacle FROM thing WHERE scene = 'game:x' AND id = ?", (thing,)) == [
        (min(others | {place}),)
    ]


def test_a_second_configuration_under_a_key_is_refused(store: AlfworldStore) -> None:
    with pytest.raises(StoreError, match="FloorPlan1"):
        store.with_configuration("FloorPlan1", store.configuration("FloorPlan2"))
