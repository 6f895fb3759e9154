"""`skillsandbox export`: a compiled scenario as files that the benchmark's own code plays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from command_line import DONE, FAULTY, MISUSED, Place

SHOP = """
scenario exported for webshop {
  condition "A product has to be found." arises in rollout
  let ?target: Product where ?target.price < $900 and ?target.attributes contains "easy clean"
  goal buy ?target { GOAL }
  say "i want {?target.kind}, and price lower than 900.00 dollars"
  build { rank ?target 2 for every query for second }
  require { second: rank(?target, "easy clean") == 2 }
  encounter { bought: eventually bought(?target) }
  novel in ?target
}
"""
PROGRAMS = Path(__file__).parents[1] / "specs"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path, CliRunner())


def compiled(place: Place, program: str) -> str:
    """Compile a program; return the scenario's folder."""
    result = place.run("compile", program, "-o", str(place.folder / "made"), "--json")
    assert result.exit_code == DONE, result.output
    return str(json.loads(result.output)["scenarios"][0]["folder"])


def shop(place: Place, goal: str = 'attribute "easy clean" price < $900') -> str:
    place.write("shop.scn", SHOP.replace("GOAL", goal))
    return compiled(place, str(place.folder / "shop.scn"))


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_shop_is_written_in_the_official_formats_and_what_is_otherwise_is_said(place: Place) -> None:
    result = place.run("export", shop(place), "-o", str(place.folder / "official"))

    assert result.exit_code == DONE
    assert set(files_of(place.folder / "official")) == {
        "items_shuffle.json",
        "items_ins_v2.json",
        "items_human_ins.json",
        "documents.jsonl",
        "export.json",
    }
    assert result.output.startswith(str(place.folder / "official"))
    assert "otherwise there: " in result.output
    assert "is in place 2 for the queries of the plan alone" in result.output


def test_a_household_is_written_as_it_was_compiled(place: Place) -> None:
    folder = compiled(place, str(PROGRAMS / "alfworld" / "template.scn"))
    result = place.run("export", folder, "-o", str(place.folder / "official"))
    made = files_of(Path(folder))
    del made["scenario.json"]

    assert result.exit_code == DONE
    assert files_of(place.folder / "official") == made


def test_what_the_official_code_cannot_play_is_refused(place: Place) -> None:
    result = place.run("export", shop(place, "price < $900"), "-o", str(place.folder / "official"))
    assert result.exit_code == FAULTY
    assert "divides by zero" in result.output
    assert not (place.folder / "official").exists()


def test_a_folder_that_cannot_be_written_is_said(place: Place) -> None:
    place.write("taken", "a file")
    result = place.run("export", shop(place), "-o", str(place.folder / "taken" / "official"))
    assert result.exit_code == MISUSED
    assert "cannot be written" in result.output


def test_there_must_be_a_scenario(place: Place) -> None:
    assert place.run("export", str(place.folder), "-o", "official").exit_code == FAULTY
    assert place.run("export", "nowhere", "-o", "official").exit_code == MISUSED
