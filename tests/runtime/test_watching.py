"""The live progress of a verification."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from corridor import SKILLS, CorridorStage, verify_in

from skillsandbox.runtime.forecast import EPISODES
from skillsandbox.runtime.models.accounting import Accounts
from skillsandbox.runtime.models.request import Role, Usage
from skillsandbox.runtime.results import Settings
from skillsandbox.runtime.verification import Event
from skillsandbox.runtime.watching import Standing


def test_all_episodes_are_accounted_for_when_a_run_ends(tmp_path: Path) -> None:
    events: list[Event] = []
    verified = verify_in(tmp_path, CorridorStage(), Settings(concurrency=8), events.append)
    standing = Standing()
    assert sum(map(standing.take, events)) == EPISODES * len(SKILLS)
    with_skill = [pair for result in verified.results for pair in result.pairs]
    assert standing.played == {True: len(with_skill), False: len(with_skill)}
    assert standing.solved[True] == sum(pair.plus.trajectory.success for pair in with_skill)


def test_the_share_solved_so_far_and_what_models_took_are_said() -> None:
    accounts = Accounts()
    accounts.use(Role.EXECUTOR, Usage(1200, 34, 0, Decimal("2.1")))
    accounts.use(Role.PROPOSER, Usage(300, 1, 0, Decimal("0.4")))
    taken = "1,535 tokens, $2.50"
    assert Standing().words(None) == ""
    assert Standing().words(accounts) == taken
    standing = Standing({True: 4, False: 2}, {True: 3, False: 1})
    assert standing.words(accounts) == f"solved 75%, 50% without; {taken}"
    accounts.use(Role.EXECUTOR, Usage(1_000_000, 0, 0))
    assert Standing().words(accounts) == "1.0M tokens"
