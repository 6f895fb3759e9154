"""The command line as a user meets it: what it prints and where, its exit codes, and never a traceback."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from command_line import DONE, FAULTY, MISUSED, Place, loaded_by_check, process

from skillsandbox.compiler.errors import all_kinds
from skillsandbox.runtime.cli import app

PROGRAM = """\
scenario cool_food for alfworld {
  condition "An appliance is needed for an object that is somewhere else." arises in rollout

  let ?food: Object where ?food.type in [Apple, Bread, Tomato]
  let ?start: Receptacle where ?start.type == CounterTop
  let ?tool: Receptacle where ?tool.type == Fridge
  let ?dest: Receptacle where ?dest.type == DiningTable

  goal put cool ?food.type in ?dest.type
  say "put a cool {?food.type} on the {?dest.type}"

  build {
    place ?food on ?start for within_reach  # where the agent stands
    agent at ?start
  }
  require {
    within_reach: ?food on ?start
  }
  encounter {
    tool_needed: eventually (agent at ?tool and agent cools ?food)
  }
  novel in scene
}
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.chdir(tmp_path)
    return Place(tmp_path, CliRunner())


def codes(result: Result) -> list[str]:
    """Return the codes of the diagnostics that `--json` printed."""
    return [one["code"] for report in json.loads(result.stdout) for one in report["diagnostics"]]


# What is fine


def test_a_valid_program_is_checked_without_complaint(place: Place) -> None:
    result = place.run("check", place.write("fine.scn", PROGRAM))
    assert result.exit_code == DONE
    assert result.stdout == "1 file: 1 valid scenario, 0 errors, 0 warnings\n"
    assert result.stderr == ""


def test_a_program_can_come_from_standard_input(place: Place) -> None:
    assert place.run("check", "-", input=PROGRAM).exit_code == DONE


def test_every_file_is_checked_and_one_bad_file_is_enough_to_fail(place: Place) -> None:
    good, bad = place.write("good.scn", PROGRAM), place.write("bad.scn", PROGRAM.replace("Fridge", "Frige"))
    result = place.run("check", bad, good)
    assert result.exit_code == FAULTY
    assert result.stdout == "2 files: 1 valid scenario, 1 error, 0 warnings\n"
    assert "error[SCN104]" in result.stderr
    assert "bad.scn:6:45" in result.stderr


def test_a_warning_alone_does_not_fail(place: Place) -> None:
    unused = PROGRAM.replace("  goal", "  let ?cup: Object where ?cup.type == Cup\n\n  goal")
    result = place.run("check", place.write("unused.scn", unused))
    assert result.exit_code == DONE
    assert "warning[SCN105]" in result.stderr
    assert "0 errors, 1 warning" in result.stdout


# What is not


def in_section(section: str, text: str) -> str:
    lines = PROGRAM.splitlines(keepends=True)
    return "".join(f"  {text}\n" if line.startswith(f"  {section} ") else line for line in lines)


def with_wording(text: str) -> str:
    return in_section("say", f'say "{text}"')


NEST = 500
FAULTS: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "SCN003"),
    "blank": (" \n\t\n", "SCN003"),
    "comments only": ("# nothing here\n", "SCN003"),
    "a keyword": ("scenario", "SCN005"),
    "a header": ("scenario mine for alfworld {", "SCN005"),
    "binary": (b"\x7fELF\x02\x01\x00\xff\xfe\x80", "SCN001"),
    "another encoding": ("scenario é".encode("utf-16"), "SCN001"),
    "null characters": (PROGRAM.replace("on ?start", "on \x00?start", 1), "SCN001"),
    "10 MB of brackets": (b"(" * 10_000_000, "SCN002"),
    "500 nested parentheses": (
        PROGRAM.replace("?food on ?start\n", "(" * NEST + "?food on ?start" + ")" * NEST + "\n"),
        "SCN004",
    ),
    "unknown environment": (PROGRAM.replace("alfworld", "alfwold"), "SCN007"),
    "unknown variable": (PROGRAM.replace("agent at ?start", "agent at ?strat"), "SCN101"),
    "unknown check": (PROGRAM.replace("for within_reach", "for within_raech"), "SCN103"),
    "unknown constant": (PROGRAM.replace("Fridge", "Frige"), "SCN104"),
    "unknown field": (PROGRAM.replace("?food.type in [", "?food.typ in ["), "SCN005"),
    "unknown operation": (PROGRAM.replace("agent at ?start", "teleport ?food"), "SCN005"),
    "wrong type": (PROGRAM.replace("place ?food on ?start", "place ?start on ?start"), "SCN201"),
    "field of another type": (
        PROGRAM.replace("?start.type == CounterTop", "?start.kind == Kitchen"),
        "SCN202",
    ),
    "unsatisfiable": (PROGRAM.replace("== Fridge", "== Bed"), "SCN301"),
    "goal already true": (in_section("goal", "goal put ?food.type in ?start.type"), "SCN403"),
    "wording with a quote": (with_wording(r"put the \"cool\" apple away"), "SCN408"),
    "wording with braces": (with_wording(r"put \{1+1\} away"), "SCN408"),
    "wording with a hash": (with_wording("put #apple# away"), "SCN408"),
    "wording with a bar": (with_wording("put it in a|b"), "SCN408"),
    "wording with a line break": (with_wording(r"put it\nthere"), "SCN408"),
    "wording with a bracket": (with_wording("put [it] there"), "SCN408"),
    "unclosed text": (in_section("say", 'say "put it away'), "SCN006"),
}


@pytest.mark.parametrize(("content", "code"), FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("command", ["check", "compile"])
def test_a_bad_program_gets_a_diagnostic(place: Place, content: str | bytes, code: str, command: str) -> None:
    result = place.run(command, place.write("bad.scn", content))
    assert result.exit_code == FAULTY
    assert f"error[{code}]" in result.stderr
    assert "bad.scn:" in result.stderr
    assert not (place.folder / "scenarios").exists()


@pytest.mark.parametrize("end", range(0, len(PROGRAM) - 2, 29))
def test_a_program_that_is_cut_off_gets_a_diagnostic(place: Place, end: int) -> None:
    assert place.run("check", "-", input=PROGRAM[:end]).exit_code == FAULTY


@pytest.mark.parametrize("content", [FAULTS["10 MB of brackets"][0], FAULTS["500 nested parentheses"][0]])
def test_what_is_said_of_a_monstrous_program_is_short(place: Place, content: str | bytes) -> None:
    assert len(place.run("check", place.write("big.scn", content)).output) < 2_000


def test_all_mistakes_are_reported_in_one_run(place: Place) -> None:
    three = (
        PROGRAM.replace("Fridge", "Frige")
        .replace("?food.type in [", "?fod.type in [")
        .replace("agent cools ?food", "agent holds ?tool")
    )
    result = place.run("check", "--json", place.write("three.scn", three))
    assert set(codes(result)) >= {"SCN104", "SCN101", "SCN201"}


@pytest.mark.parametrize("command", ["check", "compile", "fmt"])
@pytest.mark.parametrize("path", ["missing.scn", "."])
def test_what_cannot_be_read_is_a_misuse(place: Place, command: str, path: str) -> None:
    result = place.run(command, path)
    assert result.exit_code == MISUSED
    assert path in result.stderr


# For programs that read


def test_json_gives_each_file_its_diagnostics(place: Place) -> None:
    good, bad = place.write("good.scn", PROGRAM), place.write("bad.scn", PROGRAM.replace("Fridge", "Frige"))
    result = place.run("check", "--json", good, bad)
    fine, faulty = json.loads(result.stdout)
    assert fine == {"file": "good.scn", "diagnostics": []}
    assert faulty["file"] == "bad.scn"
    assert faulty["diagnostics"][0]["fix"]["edits"][0]["replacement"] == "Fridge"
    assert result.exit_code == FAULTY
    assert result.stderr == ""


def test_sarif_is_a_log_of_the_standard(place: Place) -> None:
    result = place.run("check", "--sarif", place.write("bad.scn", PROGRAM.replace("Fridge", "Frige")))
    log = json.loads(result.stdout)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert [found["ruleId"] for found in run["results"]] == ["SCN104"]
    assert {rule["id"] for rule in run["tool"]["driver"]["rules"]} == set(all_kinds())


@pytest.mark.parametrize("name", FAULTS)
def test_json_and_sarif_are_valid_for_every_fault(place: Place, name: str) -> None:
    content, code = FAULTS[name]
    path = place.write("bad.scn", content)
    assert code in codes(place.run("check", "--json", path))
    results = json.loads(place.run("check", "--sarif", path).stdout)["runs"][0]["results"]
    assert code in [found["ruleId"] for found in results]


# fmt


SPRAWLING = """\
# above
scenario cool_food for alfworld { # behind
 condition "A fridge is needed." arises   in rollout
 let ?food: Object where (?food.type==Apple)   # a fruit
 goal put cool ?food.type in DiningTable say "put a cool apple on the table"
 encounter { cooled:eventually agent cools ?food
   # last
 } }
"""


def test_fmt_rewrites_a_file_once_and_for_all(place: Place) -> None:
    path = place.write("mine.scn", SPRAWLING)
    assert place.run("fmt", path).exit_code == DONE
    once = (place.folder / path).read_text("utf-8")
    assert once != SPRAWLING
    assert place.run("fmt", path).exit_code == DONE
    assert (place.folder / path).read_text("utf-8") == once


def test_fmt_keeps_every_comment(place: Place) -> None:
    result = place.run("fmt", "-", input=SPRAWLING)
    for comment in ("# above", "# behind", "# a fruit", "# last"):
        assert result.stdout.count(comment) == 1


def test_fmt_leaves_a_canonical_program_as_it_is(place: Place) -> None:
    assert place.run("fmt", "-", input=PROGRAM).stdout == PROGRAM


def test_fmt_check_writes_nothing(place: Place) -> None:
    path = place.write("mine.scn", SPRAWLING)
    result = place.run("fmt", "--check", path)
    assert result.exit_code == FAULTY
    assert "mine.scn is not in canonical form" in result.stderr
    assert (place.folder / path).read_text("utf-8") == SPRAWLING
    assert place.run("fmt", "--check", place.write("fine.scn", PROGRAM)).exit_code == DONE


def test_fmt_leaves_a_broken_file_alone(place: Place) -> None:
    broken = PROGRAM.replace("goal put", "goal putt")
    path = place.write("broken.scn", broken)
    result = place.run("fmt", path)
    assert result.exit_code == FAULTY
    assert "error[SCN005]" in result.stderr
    assert (place.folder / path).read_text("utf-8") == broken


# compile, play, run


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a compiled scenario."""
    folder = tmp_path_factory.mktemp("compiled")
    program = folder / "fine.scn"
    program.write_text(PROGRAM, "utf-8")
    output = folder / "scenarios"
    result = CliRunner().invoke(
        app, ["compile", str(program), "-o", str(output), "--json"], catch_exceptions=False
    )
    assert result.exit_code == DONE
    data = json.loads(result.stdout)
    assert data["diagnostics"] == []
    (written,) = data["scenarios"]
    return Path(written["folder"])


def test_compile_writes_the_official_files_and_a_manifest(compiled: Path) -> None:
    names = {path.name for path in compiled.iterdir()}
    assert names == {"game.tw-pddl", "initial_state.pddl", "traj_data.json", "scenario.json"}


@pytest.mark.parametrize("word", ["movable", "Sliced"])
def test_compile_refuses_a_folder_that_the_official_collector_skips(place: Place, word: str) -> None:
    result = place.run("compile", place.write("fine.scn", PROGRAM), "-o", f"{word}_games")
    assert result.exit_code == MISUSED
    assert word in result.stderr
    assert not (place.folder / f"{word}_games").exists()


def test_compile_says_what_it_cannot_write(place: Place) -> None:
    place.write("taken", "a file")
    result = place.run("compile", place.write("fine.scn", PROGRAM), "-o", "taken")
    assert result.exit_code in (FAULTY, MISUSED)
    assert "taken" in result.stderr


def test_play_lets_a_person_play(place: Place, compiled: Path) -> None:
    result = place.run("play", str(compiled), input="look\n?\nfly away\nquit\n")
    assert result.exit_code == DONE
    assert "Your task is to: put a cool" in result.stdout
    assert "go to fridge 1" in result.stdout
    assert "Nothing happens." in result.stdout


def test_play_can_be_won(place: Place, compiled: Path) -> None:
    plan = json.loads((compiled / "scenario.json").read_text("utf-8"))["plan"]
    result = place.run("play", str(compiled), input="\n".join(plan))
    assert f"You won in {len(plan)} steps" in result.stdout


def test_run_gives_the_run_of_the_built_in_agent(place: Place, compiled: Path) -> None:
    told = place.run("run", str(compiled))
    assert told.exit_code == DONE
    assert "tool_needed: " in told.stdout
    data = json.loads(place.run("run", str(compiled), "--json").stdout)
    assert set(data["encounters"]) == {"tool_needed"}
    assert data["trajectory"]


@pytest.mark.parametrize("command", ["play", "run"])
@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[1",
        "null",
        "[" * 100_000,
        '{"environment": "alfworld"}',
        '{"environment": []}',
        "\ud800".encode("utf-8", "surrogatepass"),
    ],
    ids=["empty", "no keys", "no JSON", "null", "deep", "few keys", "wrong type", "no UTF-8"],
)
def test_a_broken_manifest_is_said_to_be_one(place: Place, command: str, content: str | bytes) -> None:
    place.write("scenario.json", content)
    result = place.run(command, ".")
    assert result.exit_code == FAULTY
    assert "is not a scenario's manifest" in result.stderr


@pytest.mark.parametrize("command", ["play", "run"])
def test_a_folder_without_a_manifest_is_said_to_have_none(place: Place, command: str) -> None:
    result = place.run(command, ".")
    assert result.exit_code == FAULTY
    assert "scenario.json" in result.stderr


@pytest.mark.parametrize(
    "key",
    ["program", "goal", "binding", "configuration", "history", "plan", "novelty", "seed", "instruction"],
)
@pytest.mark.parametrize("value", [None, "", [], {}, 7], ids=repr)
def test_a_manifest_that_someone_changed_is_never_a_crash(
    place: Place, compiled: Path, key: str, value: Any
) -> None:
    data = json.loads((compiled / "scenario.json").read_text("utf-8"))
    place.write("scenario.json", json.dumps({**data, key: value}))
    assert place.run("run", ".").exit_code in (DONE, FAULTY)


def test_run_says_which_skill_was_meant(place: Place, compiled: Path) -> None:
    skill = {"id": "cool_first", "condition": "Something is to be cooled.", "principle": "Go to the fridge."}
    path = place.write("skills.jsonl", json.dumps(skill) + "\n")
    result = place.run("run", str(compiled), "--skills", path, "--skill", "cool_frist")
    assert result.exit_code == MISUSED
    assert "did you mean 'cool_first'?" in result.stderr
    assert place.run("run", str(compiled), "--skill", "cool_first").exit_code == MISUSED
    assert place.run("run", str(compiled), "--skills", path).exit_code == DONE


# verify


UNMATCHED = {"id": "reef", "condition": "The sea is rough.", "principle": "Reef the sails."}
SKILL = {
    "id": "doors_first",
    "condition": "The target object may be inside a closed drawer, cabinet or other container.",
    "principle": "Search closed containers before surfaces.",
}


def test_verify_decides_and_leaves_a_report(place: Place) -> None:
    path = place.write("skills.jsonl", f"{json.dumps(SKILL)}\n{json.dumps(UNMATCHED)}\n")
    result = place.run("verify", path, "-o", "run", "--json")
    assert result.exit_code == DONE
    verified, unmatched = json.loads(result.stdout)["skills"]
    assert verified["id"] == "doors_first"
    assert len(verified["scenarios"]) == 5
    assert unmatched["scenarios"] == []
    assert {"report.html", "report.json"} <= {file.name for file in (place.folder / "run").iterdir()}


def test_verifying_again_gives_the_same_report(place: Place) -> None:
    path = place.write("skills.jsonl", json.dumps(SKILL) + "\n")
    first = place.run("verify", path, "-o", "run", "--json").stdout
    assert place.run("verify", path, "-o", "run", "--json").stdout == first


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '[{"id": 1}]', b"\xff\xfe", "[" * 100_000])
def test_a_broken_skill_file_is_said_to_be_one(place: Place, content: str | bytes) -> None:
    result = place.run("verify", place.write("skills.json", content))
    assert result.exit_code == FAULTY
    assert "skills.json" in result.stderr


def test_a_folder_without_skills_is_said_to_have_none(place: Place) -> None:
    assert place.run("verify", ".").exit_code == FAULTY


@pytest.mark.parametrize(
    "arguments",
    [
        ["--environment", "nowhere"],
        ["--gamma", "2"],
        ["--gamma", "much"],
        ["-o", "movable"],
        ["--programs", "none"],
    ],
)
def test_verify_tells_misuse(place: Place, arguments: Sequence[str]) -> None:
    path = place.write("skills.json", json.dumps([SKILL]))
    assert place.run("verify", path, *arguments).exit_code == MISUSED
    assert place.run("verify", "missing.json").exit_code == MISUSED


# explain, new, completion


def test_explain_knows_every_code(place: Place) -> None:
    listed = place.run("explain")
    assert listed.exit_code == DONE
    for code, kind in all_kinds().items():
        assert code in listed.stdout
        assert place.run("explain", code.lower()).stdout.startswith(f"{code} ({kind.severity})")


def test_explain_does_not_know_other_codes(place: Place) -> None:
    result = place.run("explain", "SCN999")
    assert result.exit_code == MISUSED
    assert "SCN999" in result.stderr


def test_new_writes_a_program_that_compiles(place: Place) -> None:
    assert place.run("new", "my_first").exit_code == DONE
    assert (place.folder / "my_first.scn").read_text("utf-8").count("scenario my_first for alfworld {") == 1
    assert place.run("check", "my_first.scn").exit_code == DONE
    assert place.run("fmt", "--check", "my_first.scn").exit_code == DONE


def test_new_overwrites_nothing(place: Place) -> None:
    place.write("mine.scn", "precious")
    assert place.run("new", "mine").exit_code == FAULTY
    assert (place.folder / "mine.scn").read_text("utf-8") == "precious"


@pytest.mark.parametrize("arguments", [["Capital"], ["../up"], ["two words"], ["fine", "--for", "nowhere"]])
def test_new_wants_a_name_and_an_environment_that_there_are(place: Place, arguments: Sequence[str]) -> None:
    assert place.run("new", *arguments).exit_code == MISUSED
    assert list(place.folder.iterdir()) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_that_calls_us(place: Place, shell: str) -> None:
    result = place.run("completion", shell)
    assert result.exit_code == DONE
    assert "_SKILLSANDBOX_COMPLETE" in result.stdout


def test_completion_lists_the_commands(place: Place) -> None:
    env = {"_SKILLSANDBOX_COMPLETE": "bash_complete", "COMP_WORDS": "skillsandbox ", "COMP_CWORD": "1"}
    listed = process(env=env).stdout.splitlines()
    assert listed == [f"plain,{name}" for name in app.list_commands(None)]  # type: ignore[arg-type]


def test_completion_lists_codes_and_files(place: Place) -> None:
    env = {"_SKILLSANDBOX_COMPLETE": "bash_complete", "COMP_CWORD": "2"}
    codes_listed = process(env={**env, "COMP_WORDS": "skillsandbox explain SCN30"}).stdout.splitlines()
    assert codes_listed == [f"plain,{code}" for code in all_kinds() if code.startswith("SCN30")]
    assert process(env={**env, "COMP_WORDS": "skillsandbox check fi"}).stdout.strip() == "file,fi"


# The whole


def test_help_names_every_command_and_the_exit_codes(place: Place) -> None:
    result = place.run("--help")
    assert result.exit_code == DONE
    assert "Exit codes: 0" in result.stdout
    for name in app.list_commands(None):  # type: ignore[arg-type]
        assert f"\n  {name} " in result.stdout


def test_every_command_has_its_help(place: Place) -> None:
    for name in app.list_commands(None):  # type: ignore[arg-type]
        result = place.run(name, "--help")
        assert result.exit_code == DONE
        assert result.stdout.startswith(f"Usage: skillsandbox {name}")


def test_a_mistyped_command_is_guessed(place: Place) -> None:
    result = place.run("chek", "fine.scn")
    assert result.exit_code == MISUSED
    assert "Did you mean 'check'?" in result.stderr


def test_nothing_at_all_shows_the_help(place: Place) -> None:
    assert "Usage: skillsandbox" in place.run().output


@pytest.mark.parametrize(
    "arguments", [["check"], ["check", "--nonsense"], ["compile", "--count", "0", "x.scn"]]
)
def test_misuse_is_told_from_faults(place: Place, arguments: Sequence[str]) -> None:
    result = place.run(*arguments)
    assert result.exit_code == MISUSED
    assert "Usage: skillsandbox" in result.stderr


def test_the_version_is_the_packages(place: Place) -> None:
    from importlib.metadata import version

    assert place.run("--version").stdout == f"skillsandbox {version('skillsandbox')}\n"


def test_a_process_ends_with_the_same_exit_codes(place: Place) -> None:
    good, bad = place.write("good.scn", PROGRAM), place.write("bad.scn", "scenario")
    assert [
        process("check", good).returncode,
        process("check", bad).returncode,
        process("check").returncode,
    ] == [
        DONE,
        FAULTY,
        MISUSED,
    ]


def test_a_name_that_no_terminal_can_show_is_no_crash(place: Place) -> None:
    name = os.fsdecode(b"\xff.scn")
    (place.folder / name).write_text("scenario", "utf-8")
    shown = process("check", name, env={"PYTHONIOENCODING": "ascii"})
    assert shown.returncode == FAULTY
    assert "Traceback" not in shown.stderr


def test_a_cache_that_cannot_be_written_is_no_crash(place: Place) -> None:
    blocked = place.folder / place.write("blocked", "a file")
    shown = process("check", place.write("fine.scn", PROGRAM), env={"SKILLSANDBOX_CACHE": str(blocked)})
    assert "Traceback" not in shown.stderr
    assert shown.returncode in (DONE, FAULTY)


HEAVY = (
    "textworld",
    "litellm",
    "openai",
    "httpx",
    "xllamacpp",
    "rich",
    "alfworld",
    "numpy",
    "torch",
    "jinja2",
    "wcwidth",
)


def test_checking_imports_nothing_heavy(place: Place) -> None:
    modules = loaded_by_check(place.write("fine.scn", PROGRAM))
    assert "sqlite3" in modules
    assert not {name.partition(".")[0] for name in modules} & set(HEAVY)
