"""Gymnasium's API over the episodes of every environment.

Which environments have it, under which id and with which function, stands in the entry point group
`skillsandbox.gymnasium`. Gymnasium looks for no plug-ins, but imports a module that an id names: after
`import skillsandbox.envs.gym`, or as `gymnasium.make("skillsandbox.envs.gym:skillsandbox/ALFWorld-v0")`, each
is found.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from random import Random
from typing import Any

import gymnasium

from skillsandbox.compiler.environment import Episode, Frame, environments
from skillsandbox.compiler.manifest import load

GROUP = "skillsandbox.gymnasium"
NAMESPACE = "skillsandbox"

LONGEST_SAMPLE = 40

Options = Mapping[str, Any]

Episodes = Callable[[Random, Options], Episode]
"""Gives the episode of a reset, from the environment's randomness and the options of the reset."""


class UnicodeText(gymnasium.Space[str]):
    """All texts, of any length and in any script; samples are printable ASCII."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Texts have no fixed length, so False."""
        return False

    def sample(self, mask: None = None, probability: None = None) -> str:
        """Return a random text of at most `LONGEST_SAMPLE` characters."""
        alphabet = string.ascii_letters + string.digits + string.punctuation + " "
        letters = self.np_random.integers(len(alphabet), size=self.np_random.integers(LONGEST_SAMPLE + 1))
        return "".join(alphabet[letter] for letter in letters)

    def contains(self, x: Any) -> bool:
        """Say whether something is a text."""
        return isinstance(x, str)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnicodeText)

    def __repr__(self) -> str:
        return "UnicodeText()"


class EpisodeEnv(gymnasium.Env[str, str]):
    """An environment whose observations and actions are texts.

    `reset` and `step` give the admissible actions and whether the task is won as `info["admissible"]` and
    `info["won"]`; `info["families"]` has the pattern of each listed form that stands for many actions. An
    episode that is over without being won is truncated, unless `concluded` says that it came to an end of its
    own.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        episodes: Episodes,
        concluded: Callable[[Episode, Frame], bool] = lambda _, frame: frame.won,
        render_mode: str | None = None,
    ) -> None:
        self.observation_space = UnicodeText()
        self.action_space = UnicodeText()
        self.render_mode = render_mode
        self._episodes = episodes
        self._concluded = concluded
        self._episode: Episode | None = None
        self._shown = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin the episode that the environment's randomness or the options choose."""
        super().reset(seed=seed)
        self._close_episode()
        self._episode = self._episodes(Random(int(self.np_random.integers(2**63))), options or {})
        frame = self._episode.reset()
        self._shown = frame.observation
        return frame.observation, _info(frame)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Execute one action, a text; one that is not admissible costs a step too."""
        if self._episode is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        frame = self._episode.step(action)
        self._shown = frame.observation
        terminated = frame.done and self._concluded(self._episode, frame)
        return frame.observation, frame.reward, terminated, frame.done and not terminated, _info(frame)

    def render(self) -> str:
        """Return the last observation, the one way in which texts can be rendered."""
        return self._shown

    def close(self) -> None:
        """Free what the episode holds."""
        self._close_episode()

    def _close_episode(self) -> None:
        if self._episode is not None:
            self._episode.close()
        self._episode = None


def _info(frame: Frame) -> dict[str, Any]:
    families = {family.form: family.pattern for family in frame.families}
    return {"admissible": list(frame.admissible), "families": families, "won": frame.won}


def scenario_episodes(path: str | Path) -> Episodes:
    """Return the episodes of a compiled scenario, given by its folder or manifest: all pose one task.

    Raises:
        ManifestError: there is no scenario.
    """
    installed = environments()
    scenario = load(Path(path), installed)
    environment = installed[scenario.environment]()
    task = scenario.task(environment)
    return lambda random, options: task.episode(scenario.history, environment.step_limit)


def register_environments() -> None:
    """Register every environment of the entry point group with Gymnasium, in our namespace."""
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        register(point.name, point.value)


def register(name: str, entry_point: str) -> None:
    """Register one environment, `Name-v0` in our namespace, by the `module:function` that makes it."""
    gymnasium.register(f"{NAMESPACE}/{name}", entry_point=entry_point)


register_environments()
