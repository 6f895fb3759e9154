"""What is wrong from outside is said: damaged files, numbers of goals, contradictory and odd programs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from small_shop import backpacks, goal, shop

from skillsandbox.compiler import errors
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import Compiled, compile_source
from skillsandbox.envs.webshop import environment
from skillsandbox.envs.webshop.episode import ObservationMode
from skillsandbox.envs.webshop.generator import write_generated
from skillsandbox.envs.webshop.goals import GoalIndexError
from skillsandbox.envs.webshop.gym import environment_of, goal_episodes, make
from skillsandbox.grammar.cache import CACHE_VARIABLE

PROGRAM = """
scenario odd for webshop {{
  condition "Something is odd." arises in rollout
  {base}
  let ?target: Product where {where}
  goal buy ?target {{ {goal} }}
  say "{say}"
  build {{ {build} }}
  require {{ within: ?target.price < $900 }}
  encounter {{ bought: eventually bought(?target) }}
  novel in ?target
}}
"""
PARTS = {
    "base": "",
    "where": "?target.price < $900",
    "goal": "price < $900",
    "say": "i want {?target.kind}",
    "build": "change nothing",
}


def compiled(**changes: str) -> Compiled:
    source = Source("odd.scn", PROGRAM.format(**(PARTS | changes)))
    return compile_source(source, {"webshop": environment}, 0)


# Files


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("items_shuffle_1000.json", "items_shuffle_1000.json, row 31: the file ends inside it; left out"),
        ("items_ins_v2_1000.json", "items_ins_v2_1000.json, row 30: the file ends inside it; left out"),
    ],
)
def test_a_program_on_a_file_that_is_cut_in_half_says_so_and_has_the_first_half(
    name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    files = write_generated(tmp_path / "data", 0, 60)
    assert files.attributes is not None
    files.products.rename(tmp_path / "data" / "items_shuffle_1000.json")
    files.attributes.rename(tmp_path / "data" / "items_ins_v2_1000.json")
    whole = (tmp_path / "data" / name).read_bytes()
    (tmp_path / "data" / name).write_bytes(whole[: len(whole) // 2])
    monkeypatch.setenv("WEBSHOP_DATA", str(tmp_path / "data"))
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))

    with caplog.at_level(logging.WARNING):
        outcome = compiled(base='from catalogue "small"')

    assert [one.message for one in outcome.diagnostics] == []
    assert [record.getMessage() for record in caplog.records] == [said]


# Numbers of goals


@pytest.fixture
def env() -> Any:
    products = backpacks(5)
    episodes = goal_episodes(shop(*products), [goal(one) for one in products], ObservationMode.URL)
    return environment_of(episodes)


@pytest.mark.parametrize(
    "kind",
    [int, *(np.dtype(f"{sign}int{size}").type for sign in ("", "u") for size in (8, 16, 32, 64)), np.array],
)
def test_a_reset_takes_integers_of_every_type(env: Any, kind: Any) -> None:
    observation, _ = env.reset(options={"goal": kind(3)})
    assert observation.endswith("/3")


@pytest.mark.parametrize("number", [-1, 5, 10**30, np.int8(-1), np.uint64(2**64 - 1)])
def test_a_reset_with_a_number_that_no_goal_has_says_which_there_are(env: Any, number: Any) -> None:
    with pytest.raises(GoalIndexError, match="goals are numbered from 0 to 4"):
        env.reset(options={"goal": number})


@pytest.mark.parametrize("number", [3.0, np.float64(3), "3", None, [3], np.array([3, 3])])
def test_a_reset_with_what_is_no_integer_is_an_error(env: Any, number: Any) -> None:
    with pytest.raises(TypeError):
        env.reset(options={"goal": number})


def test_a_reset_that_failed_leaves_an_environment_that_can_be_reset(env: Any) -> None:
    with pytest.raises(GoalIndexError):
        env.reset(options={"goal": 99})
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("search[backpack]")
    assert env.reset(options={"goal": 0})[0].endswith("/0")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"observation_mode": "txt"}, "there is no 'txt': choose one of text, text_rich, html, url"),
        ({"split": "tset"}, "there is no 'tset': choose one of test, eval, train"),
        ({"split": "TRAIN"}, "there is no 'TRAIN': choose one of test, eval, train"),
        ({"split": "train"}, "the split 'train' begins at goal 1500, and there are"),
    ],
)
def test_an_environment_that_there_is_not_is_refused(arguments: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make(**arguments)  # type: ignore[arg-type]  # they are texts


# Programs


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"where": "?target.price > $50", "goal": "price < $1"}, "above $1.00"),
        ({"goal": "price < $900 price < $1"}, "above $1.00"),
        (
            {
                "where": 'offers(?target, "color", "black") and offers(?target, "color", "white")',
                "goal": 'option "color" "black" option "color" "white"',
            },
            "option color: black: not chosen",
        ),
        (
            {"where": 'not offers(?target, "color", "black")', "goal": 'option "color" "black"'},
            "option color: black: not chosen",
        ),
    ],
)
def test_a_contradictory_goal_is_told_term_by_term(changes: dict[str, str], said: str) -> None:
    outcome = compiled(**changes)
    assert outcome.scenarios == ()
    (found,) = outcome.diagnostics
    assert isinstance(found, errors.Unsolvable)
    assert said in found.message


@pytest.mark.parametrize(
    "wording",
    [
        "<b>bold</b> <script>alert(1)</script>",
        "&amp; &lt;i&gt; &#39;",
        "{{ 7 * 7 }} {% raw %} {# no #}",
        "${x} $x %s %(x)s \\\\n #x# |",
    ],
)
def test_markup_and_template_code_in_an_instruction_stay_as_they_are(wording: str) -> None:
    escaped = wording.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")
    outcome = compiled(say=f"i want {escaped} {{?target.kind}}")
    assert [one.message for one in outcome.diagnostics] == []
    (made,) = outcome.scenarios
    task = made.task(environment())
    episode = task.episode((), 15)
    observations = [episode.reset().observation, *(episode.step(one).observation for one in made.plan[:-1])]

    assert all(f"i want {wording} " in one for one in observations)
    assert task.run(made.plan).won[-1]
