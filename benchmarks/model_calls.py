"""What our code adds to a call of a language model: our client beside bare litellm, at a loopback server.

Run `python benchmarks/model_calls.py`. The server, in a process of its own, answers at once, so that nothing
is measured but the client's work. Requests have a prompt of 4,000 characters and are all different; both ways
take turns in blocks of 25, in one process. Ours keeps each reply and writes down what the run used.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from skillsandbox.runtime.models.client import OpenModel
from skillsandbox.runtime.models.endpoint import imported
from skillsandbox.runtime.models.loop import Loop
from skillsandbox.runtime.models.options import ModelOptions, open_model
from skillsandbox.runtime.models.request import Message, Request, Role

BLOCKS = 20
CALLS = 25
MODEL = "openai/scripted"
PROMPT = "The kitchen has a fridge. " * 154
SERVER = """
import sys
from scripted import Say, serve
with serve(lambda request: Say('{"rationale": "as before", "action": "go to fridge 1"}')) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""

Work = Callable[[list[str]], None]
Times = tuple[float, float]


@contextmanager
def server() -> Iterator[str]:
    """Serve in another process; yields the address."""
    folder = Path(__file__).resolve().parents[1] / "tests" / "models"
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], cwd=folder, stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


def bare(address: str, loop: Loop) -> Work:
    """Return what calls litellm as its documentation says, in the loop that our client uses too."""
    litellm = imported()

    async def calls(prompts: list[str]) -> None:
        for prompt in prompts:
            await litellm.acompletion(
                model=MODEL,
                messages=[{"role": "user", "content": prompt}],
                temperature=0.7,
                seed=0,
                max_tokens=100,
                api_base=address,
                api_key="none",
                max_retries=0,
            )

    return lambda prompts: loop.run(calls(prompts))


def ours(opened: OpenModel) -> Work:
    """Return what asks our client."""

    def work(prompts: list[str]) -> None:
        for prompt in prompts:
            opened.model.ask(Request(Role.EXECUTOR, (Message("user", prompt),), 0.7, 0, 100))

    return work


def timed(work: Work, prompts: list[str]) -> Times:
    """Return milliseconds of processor and of wall time for a call."""
    processor, wall = time.process_time(), time.perf_counter()
    work(prompts)
    taken = (time.process_time() - processor, time.perf_counter() - wall)
    return taken[0] * 1000 / len(prompts), taken[1] * 1000 / len(prompts)


def main() -> None:
    """Measure, and print a table of medians."""
    numbers = count()
    rows: dict[str, list[Times]] = {"bare litellm": [], "ours": [], "ours, kept before": []}
    with server() as address, tempfile.TemporaryDirectory() as place:
        options = ModelOptions(MODEL, address, cache=Path(place) / "cache")
        with open_model(options, Path(place) / "run") as opened:
            by_litellm, by_us = bare(address, opened.model.sender.loop), ours(opened)
            for block in range(BLOCKS + 1):
                prompts = [f"{PROMPT}{next(numbers)}" for _ in range(CALLS)]
                taken = (timed(by_litellm, prompts), timed(by_us, prompts), timed(by_us, prompts))
                if block:
                    for times, one in zip(rows.values(), taken, strict=True):
                        times.append(one)
    print("| a call | processor ms | wall ms |\n|---|---|---|")
    for name, times in rows.items():
        processor, wall = (statistics.median(column) for column in zip(*times, strict=True))
        print(f"| {name} | {processor:.2f} | {wall:.2f} |")


if __name__ == "__main__":
    main()
