"""`skillsandbox run`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from skillsandbox.compiler.environment import Guidance, environments
from skillsandbox.runtime import engines
from skillsandbox.runtime.encounters import encountered
from skillsandbox.runtime.naming import named_skill
from skillsandbox.runtime.programs import read_scenario
from skillsandbox.runtime.rollout import Trajectory, rollout
from skillsandbox.runtime.skills import Skill, SkillFileError, load_skills


@click.command("run")
@click.argument("scenario", type=click.Path(exists=True, path_type=Path))
@click.option("--skills", type=click.Path(exists=True, path_type=Path), help="A skill file; see --skill.")
@click.option(
    "--skill",
    "skill_id",
    help="The id of the skill that the agent is given; the first of the file if absent.",
)
@click.option("--seed", default=0, show_default=True, help="The agent's seed.")
@engines.option
@click.option("--json", "as_json", is_flag=True, help="Print the trajectory as JSON.")
def command(
    scenario: Path, skills: Path | None, skill_id: str | None, seed: int, engine: str | None, as_json: bool
) -> None:
    """Let the built-in agent play a compiled SCENARIO, with a skill or without.

    Prints the run, whether the task was solved, and which encounter checks came about. Exit code 0 however it
    ends.
    """
    installed = environments()
    loaded = read_scenario(scenario, installed)
    environment = installed[loaded.environment]()
    skill = _skill(skills, skill_id)
    guidance = None if skill is None else Guidance(skill.id, skill.condition, skill.principle)
    episode = loaded.task(environment).episode(
        loaded.history, environment.step_limit, engines.chosen(environment, engine)
    )
    try:
        agent = environment.agent(guidance, seed)
        trajectory = rollout(episode, agent, guidance, environment.step_limit)
    finally:
        episode.close()
    checks = encountered(loaded, environment, trajectory.actions)
    if as_json:
        data = {"scenario": loaded.digest, "skill": skill and skill.id, "seed": seed, "encounters": checks}
        click.echo(json.dumps({**data, "trajectory": trajectory.to_data()}, indent=1, ensure_ascii=False))
    else:
        _tell(trajectory, checks)


def _skill(path: Path | None, skill_id: str | None) -> Skill | None:
    if path is None:
        if skill_id is not None:
            raise click.UsageError("--skill needs --skills FILE, the file that has it")
        return None
    try:
        found = load_skills(path)
    except SkillFileError as error:
        raise click.ClickException(str(error)) from error
    return found[0] if skill_id is None else named_skill(found, skill_id, path)


def _tell(trajectory: Trajectory, checks: dict[str, bool]) -> None:
    for number, step in enumerate(trajectory.steps, start=1):
        click.echo(f"{step.observation}\n\n{number:>2} > {step.action}    ({step.rationale})")
    click.echo(trajectory.final_observation)
    click.echo(f"\n{'solved' if trajectory.success else 'not solved'} in {len(trajectory.steps)} steps")
    for label, satisfied in checks.items():
        click.echo(f"{label}: {'came about' if satisfied else 'did not come about'}")
