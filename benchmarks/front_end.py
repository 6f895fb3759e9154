"""What the front end costs, next to Scenic: to parse, check and bind a program, and as a whole process.

Run `python benchmarks/front_end.py --scenic-python PATH`, with the Python of an environment that has Scenic
(`pip install scenic`), so that ours stays free of what Scenic brings along. Both languages are measured in
the same run, on programs that say about the same and are about as long. Scenic's `scenarioFromString`
corresponds to parse and check, `generate` to bind.

*CPU* is the time that the processor spent, *wall* the time that passed: on a quiet machine they are alike, on
a busy one only the first can be compared. *Warm* means that the caches in `SKILLSANDBOX_CACHE`, the parser's
tables and the data store, are there; *cold* that they are made, as once per machine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import attrs

from skillsandbox.compiler.binder import Binder, Novelty, query_of
from skillsandbox.compiler.checker import check
from skillsandbox.compiler.diagnostics import Source
from skillsandbox.compiler.driver import analyse
from skillsandbox.compiler.environment import environments
from skillsandbox.compiler.parser import parse
from skillsandbox.compiler.resolver import resolve

COMPILATIONS = 200
SCENIC_COMPILATIONS = 30
PROCESSES = 20
COLD_PROCESSES = 5

OURS = """\
# The skill says: "switch the stationary tool on first, then fetch the object".
scenario cool_bread_elsewhere for alfworld {
  condition "The task needs a stationary appliance on a movable object that is somewhere else."
    arises in rollout

  let ?food:  Object     where ?food.type in [Bread, Apple, Tomato]
  let ?start: Receptacle where ?start.type in [DiningTable, CounterTop]
  let ?tool:  Receptacle where ?tool.type == Fridge and distance(?start, ?tool) >= 4
  let ?dest:  Receptacle where ?dest.type == CounterTop and ?dest != ?start

  goal put cool ?food.type in ?dest.type
  say  "put a cool {?food.type} in {?dest.type}"

  build {
    place ?food on ?start                  for within_reach
    close ?tool                            for shut
    add 2 ?food.type except on ?start      # search distractors
    agent at ?start
  }
  require {                              # test checks: hold in the initial configuration
    within_reach: ?food on ?start
    warm:         not ?food.cool
    shut:         not ?tool.open
  }
  encounter {                            # condition checks: must be able to happen during execution
    tool_needed: eventually (agent at ?tool and agent holds ?food)
  }
  novel in scene, ?food.type, ?start.type
}
"""

SCENIC = """\
# The skill says: "switch the stationary tool on first, then fetch the object".
param condition = "The task needs a stationary appliance on a movable object that is somewhere else."

class Receptacle:
    kind: "CounterTop"
    open: False
    width: 0.6
    length: 0.6

class Food:
    kind: Uniform("Bread", "Apple", "Tomato")
    cool: False
    width: 0.1
    length: 0.1

start = new Receptacle at Range(-4, 4) @ Range(-4, 4), with kind Uniform("DiningTable", "CounterTop")
tool = new Receptacle at Range(-4, 4) @ Range(-4, 4), with kind "Fridge"
dest = new Receptacle at Range(-4, 4) @ Range(-4, 4)
food = new Food ahead of start by 0.3
first = new Food ahead of dest by 0.3                     # search distractors
second = new Food ahead of tool by 0.3
ego = new Object left of start by 0.5, with width 0.3, with length 0.3
param task = "put a cool food in the destination"

require (distance from start to tool) >= 1                # hold in the initial configuration
require (distance from start to food) <= 2
require not food.cool
require not tool.open
require eventually (distance from ego to tool) <= 1       # must happen during execution
record food.kind
"""

SCENIC_MEASUREMENT = """\
import json, sys, time
import scenic
text, times, draws = sys.stdin.read(), [], []
for _ in range(int(sys.argv[1])):
    began = time.process_time()
    scenario = scenic.scenarioFromString(text, mode2D=True)
    compiled = time.process_time()
    scenario.generate(maxIterations=100_000)
    draws.append(time.process_time() - compiled)
    times.append(compiled - began)
print(json.dumps({"times": times, "draws": draws}))
"""


@attrs.frozen
class Times:
    """Seconds of processor time, and of passing time where whole processes were measured."""

    cpu: list[float] = attrs.field(factory=list)
    wall: list[float] = attrs.field(factory=list)


def run(command: list[str], cache: Path, times: Times) -> None:
    """Run a process with the caches in a folder, and add its times."""
    environment = {**os.environ, "SKILLSANDBOX_CACHE": str(cache)}
    before, began = children_time(), time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    times.wall.append(time.perf_counter() - began)
    times.cpu.append(children_time() - before)


def children_time() -> float:
    """Return the processor time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def front_end() -> dict[str, Times]:
    """Return the times of the passes on our program, everything loaded, with another seed each time."""
    installed = environments()
    environment = installed["alfworld"]()
    source = Source("front_end.scn", OURS)
    interface, store = environment.interface(), environment.open_store()
    times = {name: Times() for name in ("parse", "check", "bind", "all three")}
    (sound,) = analyse(source, installed).scenarios
    for seed in range(COMPILATIONS):
        began = time.process_time()
        program = parse(source, installed).program
        parsed = time.process_time()
        (resolved,), _ = resolve(program)
        faults = check(resolved, interface)
        checked = time.process_time()
        binding = Binder(query_of(resolved, interface, Novelty()), interface, store).binding(str(seed))
        bound = time.process_time()
        assert resolved.scenario == sound.scenario
        assert not faults
        assert binding is not None
        times["parse"].cpu.append(parsed - began)
        times["check"].cpu.append(checked - parsed)
        times["bind"].cpu.append(bound - checked)
        times["all three"].cpu.append(bound - began)
    return times


def scenic_front_end(python: str) -> dict[str, Times]:
    """Return Scenic's times for its program: to compile it, and to draw one scene."""
    command = [python, "-c", SCENIC_MEASUREMENT, str(SCENIC_COMPILATIONS)]
    measured = subprocess.run(command, input=SCENIC, capture_output=True, text=True, check=True)
    found = json.loads(measured.stdout)
    return {"compile": Times(found["times"]), "draw": Times(found["draws"])}


def whole_processes(scenic_python: str, folder: Path) -> dict[str, Times]:
    """Return the times of whole processes, ours and Scenic's in turn, so that both meet the same load."""
    program, cache = folder / "front_end.scn", folder / "cache"
    program.write_text(OURS, "utf-8")
    check_it = [str(Path(sys.executable).with_name("skillsandbox")), "check", str(program)]
    import_it = [scenic_python, "-c", "import scenic"]
    times = {name: Times() for name in ("check, warm", "check, cold", "import scenic", "python")}
    for number in range(COLD_PROCESSES):
        run(check_it, folder / f"cold{number}", times["check, cold"])
    run(check_it, cache, Times())
    run(import_it, cache, Times())
    for _ in range(PROCESSES):
        run(check_it, cache, times["check, warm"])
        run(import_it, cache, times["import scenic"])
        run([sys.executable, "-c", "pass"], cache, times["python"])
    return times


def words(text: str) -> int:
    """Return how many words a program has, comments left out."""
    return sum(len(line.partition("#")[0].split()) for line in text.splitlines())


def row(name: str, times: Times) -> str:
    """Return a line with median and least in milliseconds."""
    figures = [statistics.median(times.cpu), min(times.cpu)]
    figures += [statistics.median(times.wall), min(times.wall)] if times.wall else []
    return f"  {name:<24}{len(times.cpu):>6}" + "".join(f"{1000 * figure:>10.2f}" for figure in figures)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--scenic-python", required=True, help="the Python of an environment with Scenic")
    scenic_python = arguments.parse_args().scenic_python
    print(f"Python {sys.version.split()[0]}; our program has {words(OURS)} words, Scenic's {words(SCENIC)}")
    print(f"  {'milliseconds':<24}{'times':>6}{'CPU':>10}{'least':>10}{'wall':>10}{'least':>10}")
    ours, scenic = front_end(), scenic_front_end(scenic_python)
    for name, times in ours.items():
        print(row(f"ours: {name}", times))
    for name, times in scenic.items():
        print(row(f"Scenic: {name}", times))
    with tempfile.TemporaryDirectory() as folder:
        for name, times in whole_processes(scenic_python, Path(folder)).items():
            print(row(f"process: {name}", times))
    ratio = statistics.median(scenic["compile"].cpu) / statistics.median(ours["all three"].cpu)
    print(f"Scenic takes {ratio:.0f} times as long to compile as we take to parse, check and bind.")


if __name__ == "__main__":
    main()
