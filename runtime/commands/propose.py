"""`skillsandbox propose`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import click
import msgspec

from skillsandbox.compiler.files import refuse_taken, whole_folder, write_whole
from skillsandbox.runtime.builder import CANDIDATES, Building, next_attempt
from skillsandbox.runtime.candidates import Candidates, candidates
from skillsandbox.runtime.complaints import complaining
from skillsandbox.runtime.matching import ConditionMatcher, word_encoder
from skillsandbox.runtime.models.options import LOCAL, ModelOptions, model_options, open_model
from skillsandbox.runtime.naming import named_skill
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.proposer import Attempt, Declined, LibraryProposer, Proposer
from skillsandbox.runtime.report import visible
from skillsandbox.runtime.skills import Skill, load_skills
from skillsandbox.runtime.stage import BuiltScenario, Candidate, Refusal, Turn
from skillsandbox.runtime.writing import model_proposer

_OPENING_REPLIES = 2
"""Replies of a model before the first repair: the interpretation, and the program."""


@click.command("propose")
@click.argument("skills", type=click.Path(exists=True, path_type=Path))
@click.option("--skill", "skill_id", help="The id of the skill to propose for; all by default.")
@click.option(
    "--environment",
    "environment_name",
    help="Where the scenarios are to be; by default whose library is nearest to most skills.",
)
@click.option(
    "--count",
    type=click.IntRange(1, CANDIDATES),
    help="How many programs per skill; by default one of a model's, or all that match in the library.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="A new folder for the programs, each with what was asked, answered and repaired.",
)
@click.option("--seed", default=0, show_default=True, help="Decides what is drawn.")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print the proposals as JSON, conversations included.")
def command(
    skills: Path,
    skill_id: str | None,
    environment_name: str | None,
    count: int | None,
    output: Path | None,
    seed: int,
    as_json: bool,
    model_options: ModelOptions,
) -> None:
    """Propose scenario programs for SKILLS, and say what the compiler says of each.

    A language model writes them, and repairs what the compiler refuses, as in `verify --model`; without one
    they are the library's programs nearest to a skill's condition. Exit code 0 whatever is proposed.
    """
    with complaining():
        loaded = load_skills(skills)
        if output is not None:
            refuse_taken(output)
    chosen = loaded if skill_id is None else (named_skill(loaded, skill_id, skills),)
    found = candidates(chosen, environment_name, None, word_encoder())
    with complaining(), TemporaryDirectory() as folder:
        stage = InstalledStage(found.environment, Path(folder), found.environment.engines[0])
        with _proposer(found, stage, seed, model_options) as proposer:
            proposals = [one for skill in chosen for one in _proposals(skill, proposer, stage, count)]
        if output is not None:
            _write(proposals, output)
    if as_json:
        click.echo(json.dumps([one.to_data() for one in proposals], indent=1, ensure_ascii=False))
    else:
        click.echo(visible("\n".join(line for one in proposals for line in _lines(one))))
        if output is not None:
            click.echo(f"{output}: the programs")


@attrs.frozen
class _Proposal:
    """What was proposed for a skill, and what came of it; `faults` are the compiler's, as JSON data."""

    skill: Skill
    attempt: Attempt | Declined
    faults: tuple[Any, ...]

    @property
    def candidate(self) -> Candidate | None:
        """Return the program, None where nothing was proposed."""
        return self.attempt.candidate if isinstance(self.attempt, Attempt) else None

    @property
    def transcript(self) -> tuple[Turn, ...]:
        """Return the conversation with the model; none where the library was asked."""
        return (
            self.attempt.transcript
            if isinstance(self.attempt, Declined)
            else self.attempt.candidate.transcript
        )

    @property
    def repairs(self) -> int:
        """Return how often the program went back to the model."""
        replies = sum(turn.role == "assistant" for turn in self.transcript)
        return max(0, replies - _OPENING_REPLIES)

    def to_data(self) -> dict[str, Any]:
        """Return the proposal as JSON data."""
        match self.attempt:
            case Declined(reason=reason):
                outcome: dict[str, Any] = {"declined": reason}
            case Attempt(candidate=candidate, result=result):
                outcome = {
                    "name": candidate.name,
                    "seed": candidate.seed,
                    "program": candidate.text,
                    "valid": isinstance(result, BuiltScenario),
                    "outcome": msgspec.to_builtins(result),
                    "diagnostics": list(self.faults),
                }
        told = [msgspec.to_builtins(turn) for turn in self.transcript]
        return {"skill": self.skill.id, **outcome, "repairs": self.repairs, "transcript": told}


@contextmanager
def _proposer(
    found: Candidates, stage: InstalledStage, seed: int, options: ModelOptions
) -> Iterator[Proposer]:
    if options.model is None:
        yield LibraryProposer(ConditionMatcher(found.programs, word_encoder()), seed)
        return
    with open_model(options) as opened:
        compact = options.model == LOCAL
        yield model_proposer(opened.model, stage, found.programs, seed, compact=compact)


def _proposals(
    skill: Skill, proposer: Proposer, stage: InstalledStage, count: int | None
) -> Iterator[_Proposal]:
    building = Building((), None)
    for _ in range(count or _usual(skill, proposer)):
        attempt = next_attempt(skill, building, proposer, stage)
        if isinstance(attempt, Declined):
            yield _Proposal(skill, attempt, ())
            return
        valid = isinstance(attempt.result, BuiltScenario)
        siblings = [scenario for _, scenario in building.scenarios]
        yield _Proposal(
            skill, attempt, () if valid else stage.faults(attempt.candidate, siblings, skill.source)
        )
        building = attrs.evolve(building, attempts=(*building.attempts, attempt))


def _usual(skill: Skill, proposer: Proposer) -> int:
    return max(1, proposer.number_of_matches(skill)) if isinstance(proposer, LibraryProposer) else 1


def _lines(proposal: _Proposal) -> Iterator[str]:
    """Yield what a person is told of a proposal."""
    yield f"# {proposal.skill.id}: {proposal.skill.condition}"
    match proposal.attempt:
        case Declined(reason=reason):
            yield f"# nothing is proposed: {reason}"
        case Attempt(candidate=candidate, result=BuiltScenario(instruction=instruction)):
            yield f"# valid{_after_repairs(proposal)}; one scenario of it says: {instruction}"
            yield candidate.text
        case Attempt(candidate=candidate, result=Refusal() as refusal):
            yield f"# refused{_after_repairs(proposal)}:"
            yield from (f"# - {complaint}" for complaint in refusal.complaints)
            yield candidate.text


def _after_repairs(proposal: _Proposal) -> str:
    match proposal.repairs:
        case 0:
            return ""
        case 1:
            return " after 1 repair"
        case many:
            return f" after {many} repairs"


def _write(proposals: Sequence[_Proposal], folder: Path) -> None:
    """Write each program as a file of its own, beside one that tells how it came about."""
    with whole_folder(folder) as draft:
        for number, proposal in enumerate(proposals, 1):
            candidate = proposal.candidate
            name = f"{number:02}-{candidate.name if candidate else 'none'}"
            data = json.dumps(proposal.to_data(), indent=1, ensure_ascii=False)
            write_whole(draft / f"{name}.json", f"{data}\n")
            if candidate is not None and candidate.text:
                write_whole(draft / f"{name}.scn", candidate.text)
