"""The search engine against Lucene, on the same documents: same results, and what they cost.

Run `python benchmarks/search.py --lucene PYTHON [--sizes 1000,100000,1180000] [--work FOLDER] [--write]`.
PYTHON is the Python of an environment of its own, for it brings what nobody else here needs:

    python -m venv lucene && lucene/bin/pip install --no-deps pyserini==0.17.0 pyjnius

and Java 17 must be installed. Lucene 8.11 is called as the official site calls it, by pyjnius; its indexing
options are the official ones. The texts are those of the generated catalogue, their parts put together anew
and a model number added, because making products takes longer than all the rest. Half of the 500 queries
are instructions, half the beginnings of titles. `--write` puts the table into `docs/figures.md`.

Every engine and size has a fresh process. Times of searches are medians over all queries, after one round
that warms up; CPU is the processor time of the searching thread. Ends with exit code 1 if one of the top
50 differs from Lucene's.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from skillsandbox.envs.webshop import bm25
from skillsandbox.envs.webshop.analysis import terms
from skillsandbox.envs.webshop.catalogue import index_text
from skillsandbox.envs.webshop.generator import generate, generate_records
from skillsandbox.envs.webshop.index import MOST_HITS, Index
from skillsandbox.envs.webshop.segment import Segment, read_segment

SEED = 1
PRODUCTS = 10_000
QUERIES = 500
EDITED = 20
SIZES = "1000,100000,1180000"
FIGURES = Path(__file__).parents[1] / "docs" / "figures.md"

LUCENE = """
import importlib.util, json, pathlib, subprocess, sys, time
import jnius_config
collection, index, queries, k = sys.argv[1:]
package = pathlib.Path(importlib.util.find_spec("pyserini").origin).parent
jar = next((package / "resources" / "jars").glob("anserini-*-fatjar.jar"))
options = "-collection JsonCollection -generator DefaultLuceneDocumentGenerator -threads 1"
options += " -storePositions -storeDocvectors -storeRaw"
command = ["java", "-cp", jar, "io.anserini.index.IndexCollection", *options.split()]
if collection:
    subprocess.run([*command, "-input", collection, "-index", index], check=True, stdout=subprocess.DEVNULL)
    sys.exit()
result = {}
jnius_config.add_classpath(str(jar))
began = time.perf_counter()
from jnius import autoclass
searcher = autoclass("io.anserini.search.SimpleSearcher")(index)
result["open"] = time.perf_counter() - began
result["wall"], result["cpu"], result["hits"] = [], [], []
asked = json.loads(pathlib.Path(queries).read_text())
for query in asked:
    result["hits"].append([(hit.docid, hit.score) for hit in searcher.search(query, int(k))])
for query in asked:
    wall, cpu = time.perf_counter(), time.thread_time()
    searcher.search(query, int(k))
    result["cpu"].append(time.thread_time() - cpu)
    result["wall"].append(time.perf_counter() - wall)
result["bytes"] = sum(path.stat().st_size for path in pathlib.Path(index).rglob("*"))
result["memory"] = int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096
print(json.dumps(result))
"""


@attrs.frozen
class Figures:
    """What one engine needs: seconds, and bytes; `memory` is what its process occupies at the end."""

    build: float
    open: float
    wall: list[float]
    cpu: list[float]
    hits: list[list[tuple[str, float]]]
    bytes: int
    memory: int


@attrs.frozen
class Extra:
    """What only our engine has to say: seconds."""

    first: float
    editing: float
    edited: list[float]
    vectorised: list[float]


def texts(size: int) -> Iterator[tuple[str, str]]:
    """Yield ids and texts of a shop: the parts of a few thousand products' texts, put together anew."""
    rng = random.Random(SEED)
    products = list(generate(SEED, min(PRODUCTS, size)))
    for number in range(size):
        title, description, bullet, options = rng.choices(products, k=4)
        mixed = attrs.evolve(
            title,
            description=description.description,
            bullets=bullet.bullets,
            options=options.options,
        )
        model = f"{rng.choice('abcdefgh')}{rng.randrange(100_000)}"
        yield f"B{number * 7919 % 10**9:09}", f"{index_text(mixed)} {model}"


def queries() -> list[str]:
    """Return what shoppers may type, of products that the texts are not made of."""
    records = list(generate_records(SEED + 1, QUERIES * 4))
    instructions = [each["instruction"] for record in records for each in record.instructions]
    titles = [" ".join(str(record.record["name"]).split()[:6]) for record in records]
    return [*instructions[: QUERIES // 2], *titles[: QUERIES // 2]]


def write_collection(folder: Path, size: int) -> None:
    """Write the documents as Lucene's indexer reads them, unless they are there."""
    if folder.exists():
        return
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        draft = Path(name, "draft")
        draft.mkdir()
        with (draft / "documents.jsonl").open("w", encoding="utf-8") as file:
            for document_id, text in texts(size):
                file.write(json.dumps({"id": document_id, "contents": text}) + "\n")
        draft.rename(folder)


def read_collection(folder: Path) -> Iterator[tuple[str, str]]:
    with (folder / "documents.jsonl").open(encoding="utf-8") as file:
        for line in file:
            document = json.loads(line)
            yield document["id"], document["contents"]


def once(file: Path, build: Callable[[], object]) -> float:
    """Build an index unless a file says that it was built; return how many seconds it took."""
    if not file.exists():
        began = time.perf_counter()
        build()
        file.write_text(f"{time.perf_counter() - began}\n", encoding="utf-8")
    return float(file.read_text(encoding="utf-8"))


def build_ours(collection: Path, folder: Path) -> None:
    Index.build(folder, read_collection(collection), processes=os.cpu_count() or 1)


def measure_ours(folder: Path, asked: Sequence[str], seconds: float) -> tuple[Figures, Extra]:
    began = time.perf_counter()
    index = Index.open(folder)
    opened = time.perf_counter()
    index.search(asked[0])
    first = time.perf_counter() - opened
    hits = [[(hit.id, hit.score) for hit in index.search(query)] for query in asked]
    wall, cpu = measured(index.search, asked)
    memory = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    segment = read_segment(folder)
    ids = [segment.ids[number] for number in range(EDITED)]
    changes = dict.fromkeys(ids[: EDITED // 2], "a red mug, easy to clean")
    began_editing = time.perf_counter()
    edited = index.edited(changes, ids[EDITED // 2 :])
    editing = time.perf_counter() - began_editing
    edited.search(asked[0])
    size = sum(path.stat().st_size for path in folder.iterdir())
    return (
        Figures(seconds, opened - began, wall, cpu, hits, size, memory),
        Extra(first, editing, measured(edited.search, asked)[1], measured(vectorised(segment), asked)[1]),
    )


def measured(search: Callable[[str], Any], asked: Sequence[str]) -> tuple[list[float], list[float]]:
    """Return the seconds on the wall and of the processor that each query takes."""
    wall, cpu = [], []
    for query in asked:
        began, began_cpu = time.perf_counter(), time.thread_time()
        search(query)
        cpu.append(time.thread_time() - began_cpu)
        wall.append(time.perf_counter() - began)
    return wall, cpu


def vectorised(segment: Segment) -> Callable[[str], Any]:
    """Return the alternative to a compiled loop: numpy, on what can be computed beforehand."""
    counted, total = int(np.count_nonzero(segment.lengths)), int(segment.lengths.sum(dtype=np.uint64))
    inverse_norms = bm25.inverse_norms(counted, total)[segment.norms]
    divisors = np.float32(1) + segment.frequencies.astype(np.float32) * inverse_norms[segment.documents]

    def search(query: str) -> list[int]:
        scores = np.zeros(len(segment.lengths))
        for term, times in Counter(terms(query)).items():
            postings = segment.postings(term)
            if found := postings.stop - postings.start:
                weight = np.float32(times) * bm25.idf(counted, found)
                scores[segment.documents[postings]] += weight - weight / divisors[postings]
        single = scores.astype(np.float32)
        k = min(MOST_HITS, len(single))
        least = np.partition(single, -k)[-k]
        candidates = np.flatnonzero(single >= max(least, np.float32(1e-9)))
        return list(candidates[np.lexsort((candidates, -single[candidates]))][:k])

    return search


def measure(work: Path, size: int, python: str, asked: Sequence[str]) -> tuple[Figures, Extra, Figures]:
    collection, folder, lucene = (work / f"{what}-{size}" for what in ("documents", "ours", "lucene"))
    write_collection(collection, size)
    print(f"{size} documents: our index", file=sys.stderr)
    seconds = once(work / f"ours-{size}.seconds", lambda: alone(build_ours, collection, folder))
    ours, extra = alone(measure_ours, folder, asked, seconds)
    print(f"{size} documents: Lucene's", file=sys.stderr)
    seconds = once(
        work / f"lucene-{size}.seconds", lambda: call_lucene(python, work, str(collection), lucene)
    )
    (work / "queries.json").write_text(json.dumps(asked), encoding="utf-8")
    return ours, extra, Figures(build=seconds, **json.loads(call_lucene(python, work, "", lucene)[-1]))


def call_lucene(python: str, work: Path, collection: str, index: Path) -> list[bytes]:
    """Index a collection, or search without one; return what is printed, the library's own lines included."""
    arguments = [collection, str(index), str(work / "queries.json"), str(MOST_HITS)]
    ran = subprocess.run([python, "-c", LUCENE, *arguments], check=True, stdout=subprocess.PIPE, cwd=work)
    return ran.stdout.splitlines()


def alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def differing(ours: Figures, lucene: Figures) -> int:
    """Count the queries whose results differ; Anserini shifts scores by up to a ten-thousandth."""
    return sum(
        [each[0] for each in mine] != [each[0] for each in theirs]
        or any(abs(a[1] - b[1]) > 1.1e-4 for a, b in zip(mine, theirs, strict=True))
        for mine, theirs in zip(ours.hits, lucene.hits, strict=True)
    )


def rows(size: int, ours: Figures, extra: Extra, lucene: Figures) -> Iterator[str]:
    def row(what: str, one: float, other: float | None, digits: int = 2) -> str:
        return f"| {what} | {one:,.{digits}f} | {'' if other is None else f'{other:,.{digits}f}'} |"

    yield f"| **{size:,} documents** | | |"
    yield f"| results as Lucene's, of {QUERIES} queries | {QUERIES - differing(ours, lucene)} | |"
    yield row("search, CPU, median ms", milliseconds(ours.cpu), milliseconds(lucene.cpu))
    yield row("search, wall, median ms", milliseconds(ours.wall), milliseconds(lucene.wall))
    yield row(f"search, {EDITED} documents edited, CPU, median ms", milliseconds(extra.edited), None)
    yield row("search, numpy instead of numba, CPU, median ms", milliseconds(extra.vectorised), None)
    yield row("edit them, ms", 1000 * extra.editing, None)
    yield row("open, ms", 1000 * ours.open, 1000 * lucene.open, 0)
    yield row("first search, ms", 1000 * extra.first, None, 0)
    yield row("build, s", ours.build, lucene.build, 1)
    yield row("index, MB", ours.bytes / 1e6, lucene.bytes / 1e6, 1)
    yield row("memory of the process, MB", ours.memory / 1e6, lucene.memory / 1e6, 0)


def milliseconds(seconds: Sequence[float]) -> float:
    return 1000 * statistics.median(seconds)


def write_section(lines: Sequence[str]) -> None:
    """Put the section into the figures, in the place of an older one."""
    section = "## Search\n\n" + "\n".join(lines) + "\n"
    text = FIGURES.read_text(encoding="utf-8")
    older = re.compile(r"^## Search\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if older.search(text):
        text = older.sub(lambda match: section + ("\n" if match.end() < len(text) else ""), text)
    else:
        text = f"{text.rstrip()}\n\n{section}"
    draft = FIGURES.with_suffix(".draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(FIGURES)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the search engine with Lucene.")
    parser.add_argument(
        "--lucene", required=True, metavar="PYTHON", help="a Python with pyserini and pyjnius"
    )
    parser.add_argument("--sizes", default=SIZES, help="numbers of documents")
    parser.add_argument(
        "--work", type=Path, metavar="FOLDER", help="keeps documents and indexes, and is searched for them"
    )
    parser.add_argument("--write", action="store_true", help="put the table into docs/figures.md")
    options = parser.parse_args()

    asked = queries()
    with tempfile.TemporaryDirectory() as name:
        work = (options.work or Path(name)).absolute()
        work.mkdir(parents=True, exist_ok=True)
        measurements = [
            (size, *measure(work, size, options.lucene, asked)) for size in map(int, options.sizes.split(","))
        ]
    lines = [
        "`python benchmarks/search.py --lucene PYTHON --write`, where PYTHON is as the script says. Lucene",
        "is 8.11 from pyserini 0.17.0, called as the official site calls it. Python 3.11.7, two cores of an",
        "AMD EPYC that other work kept busy: compare processor times.",
        "",
        "| | ours | Lucene |",
        "|---|---|---|",
        *(line for measurement in measurements for line in rows(*measurement)),
        "",
        "The first search of a process imports numba and the stemmer. For many documents the loop that numba",
        "compiles takes a fraction of numpy's time, although numpy finds much arithmetic already done.",
    ]
    print("\n".join(lines))
    if options.write:
        write_section(lines)
    return int(any(differing(ours, lucene) for _, ours, _, lucene in measurements))


if __name__ == "__main__":
    sys.exit(main())
