"""Serves an export in the official code, with Lucene; `official_export.py` runs it with a Python for both.

Reads a job as JSON from standard input and writes what came of it as JSON to standard output. The export goes
the official way: `convert_product_file_format.py` makes documents of the products, Anserini indexes documents
as `run_indexing.sh` says, and the text environment loads the files. Indexed are the documents of the export;
the answer says in which of them the official script would have had another text. `torch`, `gym` and the
Python around Anserini's searcher are stood in for.
"""

from __future__ import annotations

import contextlib
import json
import runpy
import shutil
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

from official_webshop import environment, load_official, play, put_modules

INDEXING = (
    *("-collection", "JsonCollection", "-generator", "DefaultLuceneDocumentGenerator", "-threads", "1"),
    *("-storePositions", "-storeDocvectors", "-storeRaw"),
)


def anserini() -> str:
    """Return the archive that comes with Pyserini."""
    import pyserini

    folder = Path(pyserini.__file__).parent / "resources" / "jars"
    return str(next(folder.glob("anserini-*-fatjar.jar")))


def stand_in(jar: str, index: Path) -> None:
    """Put modules in the places of those that are not needed, and a searcher over the index."""
    import jnius_config

    jnius_config.add_classpath(jar)
    from jnius import autoclass

    class Searcher:
        def __init__(self, folder: str) -> None:
            self.object = autoclass("io.anserini.search.SimpleSearcher")(str(index))

        def search(self, query: str, k: int) -> Any:
            return self.object.search(query, k)

        def doc(self, identifier: str) -> types.SimpleNamespace:
            return types.SimpleNamespace(raw=lambda: self.object.documentRaw(identifier))

    put_modules(Searcher)


def converted(job: dict[str, Any], work: Path) -> dict[str, str]:
    """Return the documents that the official script makes of the products."""
    from web_agent_site import utils

    utils.DEFAULT_FILE_PATH = job["products"]
    for name in ("resources", "resources_100", "resources_1k", "resources_100k"):
        (work / name).mkdir()
    script = Path(job["official"]) / "search_engine" / "convert_product_file_format.py"
    with contextlib.chdir(work), contextlib.redirect_stdout(sys.stderr):
        runpy.run_path(str(script))
    return documents(work / "resources" / "documents.jsonl")


def documents(path: Path) -> dict[str, str]:
    with path.open(encoding="utf-8") as file:
        return {one["id"]: one["contents"] for one in map(json.loads, file)}


def indexed(job: dict[str, Any], jar: str, work: Path) -> Path:
    """Index the documents of the export."""
    (work / "input").mkdir()
    shutil.copy(job["documents"], work / "input")
    command = ["java", "-cp", jar, "io.anserini.index.IndexCollection", *INDEXING]
    command += ["-input", str(work / "input"), "-index", str(work / "index")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return work / "index"


def main() -> None:
    job = json.load(sys.stdin)
    work = Path(job["work"])
    jar = anserini()
    index = indexed(job, jar, work)
    stand_in(jar, index)
    load_official(job)
    official, own = converted(job, work), documents(Path(job["documents"]))
    answer: dict[str, Any] = {"other texts": sorted(one for one in own if own[one] != official.get(one))}
    answer["products"] = len(official)
    for mode in job["modes"]:
        env = environment(job, mode, lambda number, goal: goal.update(job["goal"]) is None)
        env.server.product_prices.update(job["prices"])
        answer[mode] = [play(env, {"goal": 0, "actions": actions})["steps"] for actions in job["walks"]]
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
