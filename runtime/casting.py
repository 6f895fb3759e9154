"""Who plays the roles of a verification: a language model if one was chosen, else built-in stand-ins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from skillsandbox.compiler.environment import Environment
from skillsandbox.runtime.judges import ModelScenarioJudge, ModelStepJudge
from skillsandbox.runtime.matching import ConditionMatcher, Encoder, LibraryProgram
from skillsandbox.runtime.models.accounting import Accounts, Price
from skillsandbox.runtime.models.options import LOCAL, ModelOptions, open_model
from skillsandbox.runtime.models.request import LanguageModel
from skillsandbox.runtime.playing import InstalledStage
from skillsandbox.runtime.prompting import prompts_identity
from skillsandbox.runtime.proposer import LibraryProposer, Proposer
from skillsandbox.runtime.react import EVIDENCE_TEMPERATURE, ReactExecutor
from skillsandbox.runtime.roles import Roles
from skillsandbox.runtime.writing import model_proposer


@attrs.frozen
class Choices:
    """What a person chose of a run's roles.

    `given` says that the programs are a person's own, so that a model writes none. With `rule_only` no judge
    has a say in e.
    """

    environment: Environment
    engine: str
    programs: Sequence[LibraryProgram]
    given: bool
    encoder: Encoder
    seed: int
    rule_only: bool
    models: ModelOptions

    @property
    def written(self) -> bool:
        """Say whether a model writes the programs."""
        return self.models.model is not None and not self.given

    @property
    def library(self) -> LibraryProposer:
        """Return what proposes the programs if no model writes any."""
        return LibraryProposer(ConditionMatcher(tuple(self.programs), self.encoder), self.seed)

    @property
    def identity(self) -> dict[str, str]:
        """Return what tells runs apart, as far as it is known before a model is opened."""
        base = {**InstalledStage(self.environment, Path(), self.engine).identity, "seed": str(self.seed)}
        programs = {"programs": self.library.identity}
        if self.models.model is None:
            return {**base, **programs}
        return {
            **base,
            **programs,
            "written": str(self.written),
            "model": self.models.model,
            "address": self.models.api_base or "",
            "rule only": str(self.rule_only),
            "prompts": prompts_identity(),
        }


@attrs.frozen
class Cast:
    """The stage with its executor, the other roles, and accounts and price of the model, if one plays."""

    stage: InstalledStage
    roles: Roles
    accounts: Accounts | None = None
    price: Price | None = None


@contextmanager
def cast(choices: Choices, folder: Path) -> Iterator[Cast]:
    """Open what plays in a run's folder, and close it.

    Raises:
        ModelFault: the chosen model cannot be had.
    """
    stage = InstalledStage(choices.environment, folder / "scenarios", choices.engine)
    if choices.models.model is None:
        yield Cast(stage, Roles(choices.library))
        return
    with open_model(choices.models, folder) as opened:
        executor = ReactExecutor(opened.model, choices.environment.memory, EVIDENCE_TEMPERATURE)
        stage = attrs.evolve(stage, executor=executor)
        yield Cast(stage, _roles(choices, stage, opened.model), opened.accounts, opened.price)


def _roles(choices: Choices, stage: InstalledStage, model: LanguageModel) -> Roles:
    step_judge = ModelStepJudge(model, choices.environment.memory, choices.seed)
    return Roles(
        proposer=_writer(choices, stage, model) if choices.written else choices.library,
        scenario_judge=ModelScenarioJudge(model, stage, choices.seed),
        step_judge=None if choices.rule_only else step_judge,
        model=model.identity,
    )


def _writer(choices: Choices, stage: InstalledStage, model: LanguageModel) -> Proposer:
    compact = choices.models.model == LOCAL
    return model_proposer(model, stage, choices.programs, choices.seed, compact=compact)
