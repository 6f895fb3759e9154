"""Prompt tokens of each role, and the share of a step's prompt that stands at the start of the one before.

Run `python benchmarks/prompts.py` (a few minutes; needs the packages of `--model local`). It verifies skills
with all roles of a language model played, but for what the model says: the actions are the built-in agent's,
the programs the library's, and judges say yes. So the prompts are those of real runs, and no model computes.
Tokens are those of SmolLM2's tokenizer, which has 49,152, without what a chat's template puts around them.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import attrs

from skillsandbox.compiler.environment import Agent, Decision, Environment, Guidance, Situation
from skillsandbox.envs import alfworld, webshop
from skillsandbox.runtime.distiller import distilled
from skillsandbox.runtime.journal import open_journal
from skillsandbox.runtime.judges import ModelScenarioJudge, ModelStepJudge
from skillsandbox.runtime.library import shipped_programs
from skillsandbox.runtime.matching import ConditionMatcher, word_encoder
from skillsandbox.runtime.models.local import local_endpoint
from skillsandbox.runtime.models.request import JsonReply, Reply, Request, Role, Usage
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.proposer import Attempt, Declined, LibraryProposer
from skillsandbox.runtime.react import ReactExecutor
from skillsandbox.runtime.reference import reference
from skillsandbox.runtime.results import Settings, Verification
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.skills import Skill, load_skills
from skillsandbox.runtime.stage import Candidate
from skillsandbox.runtime.verification import run_inputs, verify
from skillsandbox.runtime.writing import model_proposer

SKILLS = Path(__file__).parents[1] / "specs" / "skills"
SHOWN = (("household.jsonl", alfworld.environment), ("shopping.jsonl", webshop.environment))
ANSWERS = {"arises": "rollout", "meets": True, "carries_out": True, "reusable": True}

Tokenize = Callable[[str], Sequence[int]]
Asked = tuple[Request, ...]


@attrs.define(eq=False)
class Recorder:
    """A model that keeps requests, and replies with what stands in for a reply of the role's."""

    program: str = ""
    requests: list[Request] = attrs.field(factory=list)
    identity: str = "recorder"

    def ask(self, request: Request) -> Reply:
        """Keep a request, once for all that are the same."""
        if all(_key(request) != _key(kept) for kept in self.requests):
            self.requests.append(request)
        return Reply(self._answer(request), "stop", Usage(0, 0), constrained=True)

    def _answer(self, request: Request) -> str:
        if not isinstance(request.constraint, JsonReply):
            return self.program
        names = request.constraint.schema["required"]
        return json.dumps({name: ANSWERS.get(name, "It is so.") for name in names})


def _key(request: Request) -> object:
    return request.messages, request.seed, request.attempt


@attrs.frozen
class Shadow:
    """An agent that asks a model as an executor does, and does what the built-in agent would."""

    asking: Agent
    acting: Agent

    def decide(self, situation: Situation) -> Decision:
        """Return the built-in agent's decision."""
        self.asking.decide(situation)
        return self.acting.decide(situation)


@attrs.define(eq=False)
class ShadowExecutor:
    """Plays with the built-in agent while a model is asked; `runs` has what was asked, run by run."""

    environment: Environment
    runs: list[Recorder] = attrs.field(factory=list)
    identity: str = "shadow"

    def agent(self, guidance: Guidance | None, seed: int) -> Agent:
        """Return an agent whose requests are a run of their own."""
        self.runs.append(Recorder())
        executor = ReactExecutor(self.runs[-1], self.environment.memory)
        return Shadow(executor.agent(guidance, seed), self.environment.agent(guidance, seed))


@attrs.frozen
class LibraryWriter:
    """A proposer that asks a model, which answers with the library's programs."""

    recorder: Recorder
    library: LibraryProposer
    stage: InstalledStage
    identity: str = "library writer"

    def propose(self, skill: Skill, tried: Sequence[Attempt]) -> Candidate | Declined:
        """Return the library's candidate."""
        candidate = self.library.propose(skill, tried)
        if isinstance(candidate, Candidate):
            self.recorder.program = candidate.text
            programs = shipped_programs(self.stage.environment)
            model_proposer(self.recorder, self.stage, programs, 0, compact=False).propose(skill, tried)
        return candidate


@attrs.frozen
class Recorded:
    """What is asked for the skills of an environment: by run for the executor, and by the other roles."""

    environment: str
    verdicts: int
    runs: tuple[Asked, ...]
    others: Asked

    def by_role(self) -> Iterator[tuple[Role, Asked]]:
        """Yield each role with all that it asks."""
        yield Role.EXECUTOR, tuple(request for run in self.runs for request in run)
        for role in (Role.PROPOSER, Role.BUILDER_JUDGE, Role.VERIFIER_JUDGE, Role.DISTILLER):
            yield role, tuple(request for request in self.others if request.role is role)


def recorded(environment: Environment, skills: Sequence[Skill], folder: Path) -> Recorded:
    """Verify skills, and distil one from every run with a skill."""
    recorder, executor = Recorder(), ShadowExecutor(environment)
    stage = InstalledStage(environment, folder / "scenarios", environment.engines[0], executor)
    library = LibraryProposer(ConditionMatcher(shipped_programs(environment), word_encoder()), 0)
    roles = Roles(
        LibraryWriter(recorder, library, stage),
        ModelScenarioJudge(recorder, stage, 0),
        ModelStepJudge(recorder, environment.memory, 0),
    )
    settings = Settings()
    with open_journal(folder / "journal.jsonl", run_inputs(skills, stage, roles, settings)) as journal:
        found = verify(skills, stage, roles, journal, settings, lambda event: None)
    _distil_all(recorder, found)
    verdicts = sum(result.r is not None for result in found.results)
    runs = tuple(tuple(run.requests) for run in executor.runs)
    return Recorded(environment.name, verdicts, runs, tuple(recorder.requests))


def _distil_all(recorder: Recorder, found: Verification) -> None:
    for result in found.results:
        for pair in result.pairs:
            distilled(recorder, pair.scenario.instruction, pair.plus.trajectory, "x", 0)


def role_rows(one: Recorded, tokenize: Tokenize) -> Iterator[str]:
    """Yield a row of the table of roles for each role."""
    for role, asked in one.by_role():
        sizes = [len(tokenize(text_of(request))) for request in asked]
        each = f"{statistics.median(sizes):,.0f} ({min(sizes):,} to {max(sizes):,})"
        if role is Role.DISTILLER:
            yield f"| {one.environment} | {role} | | {each} | |"
        else:
            number, total = len(sizes) / one.verdicts, sum(sizes) / one.verdicts
            yield f"| {one.environment} | {role} | {number:.1f} | {each} | {total:,.0f} |"


def prefix_row(one: Recorded, memory: int, tokenize: Tokenize) -> str:
    """Return the row of the table of prefixes: shares in steps with up to `memory` exchanges, and later."""
    shares: dict[bool, list[float]] = {True: [], False: []}
    all_tokens = all_common = 0
    for run in one.runs:
        prompts = [tokenize(text_of(request)) for request in run]
        for number, (before, after) in enumerate(pairwise(prompts), 1):
            shares[number <= memory].append(common(before, after) / len(after))
            all_common += common(before, after)
        all_tokens += sum(map(len, prompts))
    early, late = (f"{statistics.mean(shares[each]):.0%} ({len(shares[each])})" for each in (True, False))
    return f"| {one.environment} | {early} | {late} | {all_common / all_tokens:.0%} |"


def reference_row(environment: Environment, one: Recorded, tokenize: Tokenize) -> str:
    """Return the row of the table of references: both forms, and the largest request of a proposer."""
    full, compact = (len(tokenize(reference(environment, compact=form))) for form in (False, True))
    stage = InstalledStage(environment, Path(), environment.engines[0])
    recorder = Recorder()
    proposer = model_proposer(recorder, stage, shipped_programs(environment), 0, compact=True)
    proposer.propose(Skill("x", "It is so.", "Do so.", "", ""), ())
    largest = max(len(tokenize(text_of(request))) for request in one.others if request.role is Role.PROPOSER)
    small = len(tokenize(recorder.requests[0].messages[0].content))
    return f"| {environment.name} | {full:,} | {compact:,} | {largest:,} | {small:,} |"


def text_of(request: Request) -> str:
    """Return a request's messages as one text."""
    return "\n".join(message.content for message in request.messages)


def common(one: Sequence[int], two: Sequence[int]) -> int:
    """Return how many tokens two prompts have in common at their start."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(two)))


def tokenizer(address: str) -> Tokenize:
    """Return the tokenizer of a llama.cpp server."""

    def tokenize(text: str) -> Sequence[int]:
        body = json.dumps({"content": text, "add_special": False, "parse_special": False}).encode()
        request = urllib.request.Request(f"{address}/tokenize", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            tokens: list[int] = json.load(answer)["tokens"]
        return tokens

    return tokenize


def main() -> int:
    """Measure both environments and print the tables."""
    found = []
    with tempfile.TemporaryDirectory(prefix="skillsandbox-") as folder:
        for name, environment in SHOWN:
            place = Path(folder) / name
            found.append((environment(), recorded(environment(), load_skills(SKILLS / name), place)))
            print(f"{name}: {found[-1][1].verdicts} verdicts", file=sys.stderr)
    with local_endpoint(serve=True) as endpoint:
        tokenize = tokenizer((endpoint.address or "").removesuffix("/v1"))
        print("| environment | role | requests a verdict | tokens of a request | tokens a verdict |")
        print("|---|---|---|---|---|")
        for _, one in found:
            print("\n".join(role_rows(one, tokenize)))
        print("\n| environment | while all is remembered (steps) | later (steps) | of all tokens |")
        print("|---|---|---|---|")
        for environment, one in found:
            print(prefix_row(one, environment.memory, tokenize))
        print("\n| environment | reference | compact | largest request | system prompt, compact |")
        print("|---|---|---|---|---|")
        for environment, one in found:
            print(reference_row(environment, one, tokenize))
    return 0


if __name__ == "__main__":
    sys.exit(main())
