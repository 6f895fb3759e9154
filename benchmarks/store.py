"""SQLite against DuckDB as ALFWorld's data store: what opening it costs, and what one query costs.

Run `python benchmarks/store.py` (needs the extra `bench`). Each engine has the same tables in a file of its
own and answers in a fresh process; figures are medians of 9 processes, with 50 repetitions of the query in
each. The query has four variables, runs over all 120 scenes and has 947 answers. Memory is what import,
opening and queries add to the process, as Linux counts it.

Python 3.11.7, SQLite 3.40.1, DuckDB 2.0.1, two cores of an AMD EPYC:

                       sqlite3    duckdb
    import ms             2.53     91.58
    open ms               0.10     25.85
    first query ms        3.10     10.92
    later query ms        1.66      6.01
    memory MB             3.30     74.63

So the store is SQLite: a compilation asks a handful of such queries after every start, and DuckDB costs 0.1 s
before the first. Its strength, scans of far larger tables, finds nothing to do in 1.6 MB, and SQLite comes
with Python. `open_store()` itself, which also checks the file's sum, takes 1.0 ms from the cache; building it
takes 0.4 s, once.
"""

from __future__ import annotations

import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROCESSES = 9
REPETITIONS = 50
TABLES = ("scene", "receptacle", "thing", "fits", "object_type", "receptacle_type")

QUERY = """
    SELECT scene.scene, food.id, start.id, tool.id, dest.id
    FROM scene, thing AS food, receptacle AS start, receptacle AS tool, receptacle AS dest
    WHERE food.scene = scene.scene AND start.scene = scene.scene
      AND tool.scene = scene.scene AND dest.scene = scene.scene
      AND food.type IN ('Bread', 'Apple', 'Tomato')
      AND start.type IN ('DiningTable', 'CounterTop')
      AND tool.type = 'Fridge' AND abs(start.x - tool.x) + abs(start.z - tool.z) >= 4
      AND dest.type = 'CounterTop' AND dest.id <> start.id
      AND EXISTS (SELECT 1 FROM fits WHERE object_type = food.type AND receptacle_type = start.type)
    ORDER BY 1, 2, 3, 4, 5
"""

MEASUREMENT = """
import json, resource, statistics, sys, time
engine, path, query, repetitions = sys.argv[1:]

def milliseconds(action):
    began = time.perf_counter()
    result = action()
    return result, 1000 * (time.perf_counter() - began)

def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20

before = memory()
module, importing = milliseconds(lambda: __import__(engine))
if engine == "sqlite3":
    connect = lambda: module.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
else:
    connect = lambda: module.connect(path, read_only=True)
connection, opening = milliseconds(connect)
answer = lambda: connection.execute(query).fetchall()
rows, first = milliseconds(answer)
later = statistics.median(milliseconds(answer)[1] for _ in range(int(repetitions)))
print(json.dumps({"import ms": importing, "open ms": opening, "first query ms": first,
                  "later query ms": later, "memory MB": memory() - before, "answers": len(rows)}))
"""


def write_copies(folder: Path) -> dict[str, Path]:
    """Write the store's tables into a file for each engine."""
    import duckdb

    from skillsandbox.envs.alfworld.store import open_store

    paths = {"sqlite3": folder / "store.sqlite3", "duckdb": folder / "store.duckdb"}
    store = open_store()
    store.query("VACUUM INTO ?", (str(paths["sqlite3"]),))
    with duckdb.connect(str(paths["duckdb"])) as connection:
        for (statement,) in store.query("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"):
            connection.execute(re.sub("WITHOUT ROWID|REFERENCES [a-z_]+", "", statement))
        for table in TABLES:
            rows = store.query(f"SELECT * FROM {table}")
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    return paths


def measure(engine: str, path: Path) -> dict[str, float]:
    """Measure one engine in fresh processes; return the medians."""
    command = [sys.executable, "-c", MEASUREMENT, engine, str(path), QUERY, str(REPETITIONS)]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(PROCESSES)
    ]
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        results = {engine: measure(engine, path) for engine, path in write_copies(Path(folder)).items()}
    print(f"{'':16}" + "".join(f"{engine:>10}" for engine in results))
    for name in results["sqlite3"]:
        print(f"{name:16}" + "".join(f"{result[name]:10.2f}" for result in results.values()))


if __name__ == "__main__":
    main()
