"""`skillsandbox propose` as a user meets it: the library's programs, and those that a model writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from scripted import Answer, Received, Say, ScriptedServer

from skillsandbox.runtime.cli import NAME, app

DONE, FAULTY, MISUSED = 0, 1, 2
DRAWER = {
    "id": "drawer",
    "condition": "The object is hidden in a closed drawer.",
    "principle": "Open drawers first.",
}
DRAGON = {"id": "dragon", "condition": "Zyzzyva qwerty.", "principle": "Xyzzy."}
INTERPRETATION = {"reason": "A drawer is there.", "arises": "rollout", "plan": "Hide it."}
PROGRAM = """scenario in_a_drawer for alfworld {
  condition "The object is in a closed drawer." arises in rollout

  let ?thing: Object where ?thing.type in [Book, Pen, Pencil]
  let ?hide: Receptacle where ?hide.type == Drawer
  let ?dest: Receptacle where ?dest.type in [Desk, Bed]

  goal put ?thing.type in ?dest.type
  say "put a {?thing.type} in {?dest.type}"

  build {
    remove every ?thing.type except ?thing
    place ?thing in ?hide for hidden
    close ?hide for hidden
  }
  require {
    hidden: ?thing in ?hide and not ?hide.open
  }
  encounter {
    found: agent opens ?hide then agent takes ?thing
  }
  novel in scene, ?thing.type
}
"""
MISSPELT = PROGRAM.replace("== Drawer", "== Drawr")


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for skill in (DRAWER, DRAGON):
        Path(f"{skill['id']}.json").write_text(json.dumps(skill))


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, ["propose", *arguments], prog_name=NAME, catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def replying(*replies: str) -> Any:
    """Script the replies of a model that keeps to no constraint."""
    left: Iterator[str] = iter(replies)

    def answer(request: Received) -> Answer:
        return Say("red" if request.prompt == "Name a colour." else next(left))

    return answer


def asking(server: ScriptedServer) -> list[str]:
    model = ["--model", "openai/scripted", "--api-base", server.url, "--model-cache", "cache"]
    return ["drawer.json", "--environment", "alfworld", *model]


def test_without_a_model_the_librarys_nearest_programs_are_shown() -> None:
    result = run("drawer.json", "--environment", "alfworld")
    assert result.exit_code == DONE
    assert result.stdout.startswith(
        "# drawer: The object is hidden in a closed drawer.\n# valid; one scenario"
    )
    assert "scenario hidden_behind_a_door for alfworld {" in result.stdout


def test_where_nothing_matches_that_is_said() -> None:
    result = run("dragon.json", "--environment", "alfworld")
    assert result.exit_code == DONE
    assert "# nothing is proposed: No program of the library matches" in result.stdout


def test_what_the_compiler_refused_goes_back_to_the_model_and_all_is_kept(server: ScriptedServer) -> None:
    server.script = replying(json.dumps(INTERPRETATION), MISSPELT, PROGRAM)
    result = run(*asking(server), "-o", "proposed")
    assert result.exit_code == DONE, result.output
    assert "# valid after 1 repair; one scenario of it says: put a " in result.stdout
    assert sorted(path.name for path in Path("proposed").iterdir()) == [
        "01-in_a_drawer.json",
        "01-in_a_drawer.scn",
    ]
    assert Path("proposed/01-in_a_drawer.scn").read_text() == PROGRAM
    kept = json.loads(Path("proposed/01-in_a_drawer.json").read_text())
    assert (kept["skill"], kept["valid"], kept["repairs"], kept["diagnostics"]) == ("drawer", True, 1, [])
    assert [turn["role"] for turn in kept["transcript"]] == ["system", *["user", "assistant"] * 3]
    assert "SCN104" in kept["transcript"][-2]["text"]
    sent = len(server.requests)
    again = run(*asking(server), "-o", "proposed")
    assert again.exit_code == FAULTY
    assert "proposed is there already" in again.stderr
    assert len(server.requests) == sent


def test_what_stays_wrong_is_shown_with_what_the_compiler_says(server: ScriptedServer) -> None:
    server.script = replying(json.dumps(INTERPRETATION), *[MISSPELT] * 4)
    (kept,) = json.loads(run(*asking(server), "--json").stdout)
    assert (kept["valid"], kept["repairs"]) == (False, 3)
    assert [(one["code"], one["text"]) for one in kept["diagnostics"]] == [("SCN104", "Drawr")]
    shown = run(*asking(server))
    assert "# refused after 3 repairs:\n# - SCN104: `Drawr` is not a ReceptacleType" in shown.stdout


def test_a_model_may_say_that_nothing_can_bring_a_condition_about(server: ScriptedServer) -> None:
    unsupported = {"reason": "There are no dents.", "arises": "unsupported", "plan": ""}
    server.script = replying(json.dumps(unsupported))
    assert "# nothing is proposed: There are no dents." in run(*asking(server)).stdout


def test_misuse_is_answered_with_what_to_do() -> None:
    misused = run("drawer.json", "--skill", "drawr", "--environment", "alfworld")
    assert misused.exit_code == MISUSED
    assert "did you mean 'drawer'?" in misused.stderr
    assert run("drawer.json", "--environment", "alfword").exit_code == MISUSED
    assert run("absent.json").exit_code == MISUSED
    assert run("drawer.json", "--count", "21", "--environment", "alfworld").exit_code == MISUSED
    Path("broken.json").write_text("{")
    broken = run("broken.json", "--environment", "alfworld")
    assert broken.exit_code == FAULTY
    assert "this is not JSON" in broken.stderr
