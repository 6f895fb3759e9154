"""The shop by size: what loading, opening, asking and playing cost, beside the official loader.

Run `python benchmarks/catalogue_sizes.py [SIZE ...] [--official FOLDER] [--work FOLDER]`. The sizes are
numbers of products, 1,000 and 100,000 unless said otherwise; `--official` takes a checkout of
princeton-nlp/WebShop, whose `load_products` then reads the same files. The files are made by our generator.
Each measurement has a process of its own; times are processor seconds, memory is the peak that Linux counts
for the process. Steps are those of an episode: action, observation and admissible actions, search included.

`--work` keeps what was made, and is searched for it. At 1,180,000 products the files take 4 GB, the database
4 GB, the index 0.5 GB, and all of it half an hour.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import types
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from skillsandbox.envs.webshop.episode import ShoppingEpisode
from skillsandbox.envs.webshop.generator import write_generated
from skillsandbox.envs.webshop.goals import Goal, human_goals
from skillsandbox.envs.webshop.loading import official_files
from skillsandbox.envs.webshop.nouns import nouns
from skillsandbox.envs.webshop.pages import Results
from skillsandbox.envs.webshop.shops import open_index, open_shop
from skillsandbox.envs.webshop.store import WebshopStore, open_official
from skillsandbox.envs.webshop.task import searchable
from skillsandbox.grammar.cache import CACHE_VARIABLE

SIZES = (1_000, 100_000)
MOST_FOR_OFFICIAL = 100_000
REPETITIONS = 300
KEPT = ("generate", "load", "index")
"""The steps that make something, which need not be made again."""

PREDICATES = {
    "kind, price": "v.kind = :kind AND v.price < :price",
    "category, price, rating": "v.category = :category AND v.price < :price AND v.rating >= 4.5",
    "kind, attribute": "v.kind = :kind AND "
    + "v.number IN (SELECT product FROM attribute WHERE name = :attribute)",
    "kind, attribute (EXISTS)": "v.kind = :kind AND EXISTS "
    "(SELECT 1 FROM attribute WHERE name = :attribute AND product = v.number)",
    "kind, choice": "v.kind = :kind AND EXISTS "
    "(SELECT 1 FROM choice WHERE product = v.number AND name = :option AND value = :value)",
    "path, price": "v.product_category IN (SELECT path FROM category WHERE name = :part) "
    "AND v.price < :price",
    "kind, words of title": "v.kind = :kind AND INSTR(v.title, :word) > 0",
    "kind, words of a bullet": "v.kind = :kind AND EXISTS "
    "(SELECT 1 FROM bullet WHERE product = v.number AND INSTR(text, :word) > 0)",
}
"""Conditions as the binder puts them; what is asked for is whether they hold of any product."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--official", type=Path)
    parser.add_argument("--work", type=Path)
    arguments = parser.parse_args()
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = (arguments.work or Path(name)) / str(size)
            folder.mkdir(parents=True, exist_ok=True)
            report(f"{size:,} products", {})
            for step in ("generate", "load", "index", "open", "ask", "play"):
                report(step, run(step, folder, size))
            if arguments.official and size <= MOST_FOR_OFFICIAL:
                report("official loader", run("official", folder, size, str(arguments.official)))


def run(step: str, folder: Path, size: int, *more: str) -> dict[str, float]:
    """Run one step in a process of its own, or return what it gave before."""
    kept = folder / f"{step}.figures"
    if not kept.exists():
        command = [sys.executable, __file__, "--step", step, str(folder), str(size), *more]
        environment = {**os.environ, CACHE_VARIABLE: str(folder / "cache")}
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout
        if step not in KEPT:
            return figures_of(output)
        kept.write_bytes(output)
    return figures_of(kept.read_bytes())


def figures_of(output: bytes) -> dict[str, float]:
    found: dict[str, float] = json.loads(output)
    return found


def report(title: str, figures: dict[str, float]) -> None:
    print(title, flush=True)
    for name, figure in figures.items():
        print(f"    {name:40}{figure:14,.3f}", flush=True)


def generate(folder: Path, size: int) -> dict[str, float]:
    """Write the official files."""
    _, seconds = timed(lambda: write_generated(folder, 0, size))
    gigabytes = sum(path.stat().st_size for path in folder.iterdir() if path.is_file()) / 1e9
    return {"seconds": seconds, "products a second": size / seconds, "GB": gigabytes, "peak MB": peak()}


def load(folder: Path, size: int) -> dict[str, float]:
    """Build the store."""
    store, seconds = timed(lambda: open_official(official_files(folder)))
    assert len(store) == size
    gigabytes = sum(path.stat().st_size for path in (folder / "cache").iterdir()) / 1e9
    return {"seconds": seconds, "products a second": size / seconds, "GB": gigabytes, "peak MB": peak()}


def index(folder: Path, size: int) -> dict[str, float]:
    """Build the search index."""
    store = open_official(official_files(folder))
    _, seconds = timed(lambda: open_index(store))
    return {"seconds": seconds, "products a second": size / seconds, "peak MB": peak()}


def open_again(folder: Path, size: int) -> dict[str, float]:
    """Open the store and the index that were built, and read the first product."""
    before = peak()
    began = time.perf_counter()
    store, seconds = timed(lambda: open_official(official_files(folder)))
    _, first = timed(lambda: store.product(next(store.asins())))
    _, of_index = timed(lambda: open_index(store))
    return {
        "store, seconds": seconds,
        "first product, seconds": first,
        "index, seconds": of_index,
        "all of it, seconds on the wall": time.perf_counter() - began,
        "MB more than the interpreter": peak() - before,
        "peak MB": peak(),
    }


def ask(folder: Path, size: int) -> dict[str, float]:
    """Put typed predicates to the store, and read products at random."""
    store = open_official(official_files(folder))
    chance = random.Random(0)
    figures: dict[str, float] = {}
    for name, condition in PREDICATES.items():
        drawn = [parameters(store, chance) for _ in range(REPETITIONS)]
        holds = partial(store.query, f"SELECT EXISTS (SELECT 1 FROM product v WHERE {condition})")
        figures |= spread(name, [timed(partial(holds, one))[1] for one in drawn])
    numbers = [(chance.randrange(size),) for _ in range(REPETITIONS)]
    asins = [store.query("SELECT asin FROM item WHERE number = ?", number)[0][0] for number in numbers]
    figures |= spread("product", [timed(partial(store.product, asin))[1] for asin in asins])
    many, seconds = timed(lambda: sum(1 for _, _ in zip(store.products(), range(20_000), strict=False)))
    return {**figures, "all products, a second": many / seconds, "peak MB": peak()}


def play(folder: Path, size: int) -> dict[str, float]:
    """Play episodes to a purchase; the first, which imports what it needs, is told apart."""
    shop = open_shop(open_official(official_files(folder)))
    chance = random.Random(1)
    times = defaultdict[str, list[float]](list)
    goals = drawn_goals(shop.catalogue, chance)
    _, first = timed(lambda: play_one(ShoppingEpisode(shop, next(goals)), chance, defaultdict(list)))
    for _ in range(REPETITIONS):
        play_one(ShoppingEpisode(shop, next(goals)), chance, times)
    figures = {"first episode, seconds": first}
    for kind, seconds in times.items():
        figures |= spread(kind, seconds)
    return {**figures, "peak MB": peak()}


def drawn_goals(store: Any, chance: random.Random) -> Iterator[Goal]:
    """Yield goals of products at random; to make all of a large catalogue's takes long."""
    while True:
        ((asin,),) = store.query("SELECT asin FROM item WHERE number = ?", (chance.randrange(len(store)),))
        yield from human_goals([store.product(asin)], lambda one: one.prices[0], chance)[:1]


def play_one(episode: ShoppingEpisode, chance: random.Random, times: dict[str, list[float]]) -> None:
    """Search for a goal in three ways, look at a product, and buy it."""

    def step(kind: str, action: str) -> None:
        misses = nouns.cache_info().misses
        _, seconds = timed(lambda: episode.step(action))
        times[f"step: {kind}{', titles new' if nouns.cache_info().misses > misses else ''}"].append(seconds)

    times["reset"].append(timed(episode.reset)[1])
    goal = episode.visit.goal
    step("search for an instruction", f"search[{searchable(goal.instruction)}]")
    step("search for a kind", f"search[{searchable(goal.query)}]")
    step("next page", "click[next >]")
    step("search for a title", f"search[{searchable(goal.title)}]")
    page = episode.visit.page
    assert isinstance(page, Results), "a search works on every page"
    step("item page", f"click[{chance.choice(page.listings).product.asin.lower()}]")
    step("section", "click[features]")
    step("back", "click[< prev]")
    step("buy", "click[buy now]")


def parameters(store: WebshopStore, chance: random.Random) -> dict[str, Any]:
    """Draw the constants of a query: those of some product, so that many queries have an answer."""
    while True:
        ((asin,),) = store.query("SELECT asin FROM item WHERE number = ?", (chance.randrange(len(store)),))
        product = store.product(asin)
        if product.options and product.options[0].values and product.attributes:
            option = chance.choice(product.options)
            return {
                "kind": product.kind,
                "category": product.category,
                "price": chance.choice([product.price, product.price + 1]),
                "attribute": chance.choice(product.attributes),
                "option": option.name,
                "value": chance.choice(option.values).value,
                "part": chance.choice(product.categories),
                "word": chance.choice(product.title.split()),
            }


def official(folder: Path, size: int, checkout: str) -> dict[str, float]:
    """Let the official loader read the same files; what it imports and never uses is stood in for."""
    stand_ins: dict[str, dict[str, Any]] = {
        "cleantext": {},
        "tqdm": {"tqdm": lambda items, **_: items},
        "rank_bm25": {"BM25Okapi": None},
        "flask": {"render_template_string": None},
        "pyserini": {},
        "pyserini.search": {},
        "pyserini.search.lucene": {"LuceneSearcher": None},
    }
    for name, content in stand_ins.items():
        sys.modules[name] = types.ModuleType(name)
        sys.modules[name].__dict__.update(content)
    sys.path.insert(0, checkout)
    engine: Any = importlib.import_module("web_agent_site.engine.engine")
    files = official_files(folder)
    engine.DEFAULT_ATTR_PATH, engine.HUMAN_ATTR_PATH = str(files.attributes), str(files.human)
    with contextlib.redirect_stdout(sys.stderr):
        loaded, seconds = timed(lambda: engine.load_products(str(files.products)))
    assert len(loaded[0]) == size
    return {"seconds": seconds, "peak MB": peak()}


def timed(action: Callable[[], Any]) -> tuple[Any, float]:
    """Return what an action gives, and the processor seconds that it takes."""
    began = time.process_time()
    result = action()
    return result, time.process_time() - began


def spread(name: str, seconds: list[float]) -> dict[str, float]:
    milliseconds = [1000 * one for one in seconds]
    return {
        f"{name}, ms": median(milliseconds),
        f"{name}, 95 of 100, ms": quantiles(milliseconds, n=20)[-1],
    }


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


STEPS: dict[str, Callable[..., dict[str, float]]] = {
    "generate": generate,
    "load": load,
    "index": index,
    "open": open_again,
    "ask": ask,
    "play": play,
    "official": official,
}

if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        step, folder, size, *more = sys.argv[2:]
        print(json.dumps(STEPS[step](Path(folder), int(size), *more)))
    else:
        main()
